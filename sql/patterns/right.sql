-- patterns/right: units of the rows that each of some rules is right of
-- reads:   dataset(right_0 BIGINT, right_1 BIGINT)
-- returns: right_0 BIGINT, right_1 BIGINT
--
-- dataset is bound to the patterns that are left, with a column for each rule: the units of those
-- that it covers and that have its class, 0 for all others.
WITH dataset AS (
  SELECT *
  FROM (VALUES (3, 0), (0, 0), (2, 0)) AS example (right_0, right_1)
)
SELECT
  CAST(COALESCE(SUM(right_0), 0) AS BIGINT) AS right_0,
  CAST(COALESCE(SUM(right_1), 0) AS BIGINT) AS right_1
FROM dataset
