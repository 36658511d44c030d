-- patterns/cells: patterns that no antecedent tells apart as one cell, numbered, with its counts
-- reads:   dataset(mask_0 BIGINT, mask_1 BIGINT, units_0 BIGINT, units_1 BIGINT)
-- returns: cell BIGINT, mask_0 BIGINT, mask_1 BIGINT, units_0 BIGINT, units_1 BIGINT
--
-- The bits of the masks say which antecedents hold of a pattern, 62 to a mask; units are those of
-- each class. There are as many masks and classes as are bound.
WITH dataset AS (
  SELECT *
  FROM (VALUES (5, 0, 3, 0), (5, 0, 1, 0), (5, 0, 0, 7), (4, 2, 0, 2))
    AS example (mask_0, mask_1, units_0, units_1)
),
counted AS (
  SELECT mask_0, mask_1, SUM(units_0) AS units_0, SUM(units_1) AS units_1
  FROM dataset
  GROUP BY mask_0, mask_1
)
SELECT
  CAST(ROW_NUMBER() OVER canonical AS BIGINT) AS cell,
  mask_0,
  mask_1,
  CAST(units_0 AS BIGINT) AS units_0,
  CAST(units_1 AS BIGINT) AS units_1
FROM counted
WINDOW canonical AS (ORDER BY mask_0, mask_1)
