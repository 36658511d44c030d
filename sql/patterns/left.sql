-- patterns/left: units of each class that a prefix of rules leaves, and what tells the rows apart
-- reads:   cells(units_0 BIGINT, units_1 BIGINT, salt_0 BIGINT, salt_1 BIGINT, salt_2 BIGINT)
-- returns: units_0 BIGINT, units_1 BIGINT, cells BIGINT, salt_0 BIGINT, salt_1 BIGINT,
--   salt_2 BIGINT
--
-- cells is bound to those that no antecedent of the prefix holds of; there are as many classes as
-- are bound. The salts add up to what tells these cells from others.
WITH cells AS (
  SELECT *
  FROM (VALUES (4, 7, 23, 5, 8), (0, 2, 3, 14, 9), (1, 1, 11, 6, 2))
    AS example (units_0, units_1, salt_0, salt_1, salt_2)
)
SELECT
  CAST(COALESCE(SUM(units_0), 0) AS BIGINT) AS units_0,
  CAST(COALESCE(SUM(units_1), 0) AS BIGINT) AS units_1,
  CAST(COUNT(*) AS BIGINT) AS cells,
  CAST(COALESCE(SUM(salt_0), 0) AS BIGINT) AS salt_0,
  CAST(COALESCE(SUM(salt_1), 0) AS BIGINT) AS salt_1,
  CAST(COALESCE(SUM(salt_2), 0) AS BIGINT) AS salt_2
FROM cells
