-- patterns/remaining: what a prefix of rules leaves: counts of each antecedent, and of all rows
-- reads:   cells(cell BIGINT, positives BIGINT, negatives BIGINT, salt_0 BIGINT, salt_1 BIGINT,
--   salt_2 BIGINT), holds(antecedent INTEGER, cell BIGINT)
-- returns: antecedent INTEGER, positives BIGINT, negatives BIGINT, cells BIGINT, salt_0 BIGINT,
--   salt_1 BIGINT, salt_2 BIGINT
--
-- cells is bound to those that no antecedent of the prefix holds of. One row for each antecedent
-- that holds of one, without cells and salts, and one without an antecedent for all of them, whose
-- salts add up to what tells these cells from others.
WITH cells AS (
  SELECT *
  FROM (VALUES (1, 4, 7, 23, 5, 8), (2, 0, 2, 3, 14, 9), (3, 1, 1, 11, 6, 2))
    AS example (cell, positives, negatives, salt_0, salt_1, salt_2)
),
holds AS (
  SELECT *
  FROM (VALUES (0, 1), (2, 1), (2, 2), (63, 2)) AS example (antecedent, cell)
),
answers AS (
  SELECT
    holds.antecedent,
    SUM(cells.positives) AS positives,
    SUM(cells.negatives) AS negatives,
    0 AS cells,
    0 AS salt_0,
    0 AS salt_1,
    0 AS salt_2
  FROM holds
  JOIN cells ON holds.cell = cells.cell
  GROUP BY holds.antecedent
  UNION ALL
  SELECT
    NULL AS antecedent,
    SUM(positives) AS positives,
    SUM(negatives) AS negatives,
    COUNT(*) AS cells,
    SUM(salt_0) AS salt_0,
    SUM(salt_1) AS salt_1,
    SUM(salt_2) AS salt_2
  FROM cells
)
SELECT
  antecedent,
  CAST(COALESCE(positives, 0) AS BIGINT) AS positives,
  CAST(COALESCE(negatives, 0) AS BIGINT) AS negatives,
  CAST(cells AS BIGINT) AS cells,
  CAST(COALESCE(salt_0, 0) AS BIGINT) AS salt_0,
  CAST(COALESCE(salt_1, 0) AS BIGINT) AS salt_1,
  CAST(COALESCE(salt_2, 0) AS BIGINT) AS salt_2
FROM answers
