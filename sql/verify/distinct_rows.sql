-- verify/distinct_rows: every distinct row, and how often it occurs
-- reads:   dataset(*)
-- returns: *, rows BIGINT
--
-- Bound to the used columns and what the scoring SQL answers for them; Python then answers for
-- each distinct row and compares. Rows that score differently can not hide in one group.
WITH dataset AS (
  SELECT *
  FROM (VALUES (18, 'no', 1), (18, 'no', 1), (60, 'yes', 2)) AS example (age, label, rule)
)
SELECT *, CAST(COUNT(*) AS BIGINT) AS rows
FROM dataset
GROUP BY ALL
