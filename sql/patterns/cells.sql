-- patterns/cells: patterns that no antecedent tells apart as one cell, numbered, with its counts
-- reads:   dataset(mask_0 BIGINT, mask_1 BIGINT, positive INTEGER, units BIGINT)
-- returns: cell BIGINT, mask_0 BIGINT, mask_1 BIGINT, positives BIGINT, negatives BIGINT
--
-- The bits of the masks say which antecedents hold of a pattern, 62 to a mask; there are as many
-- masks as are bound. positive is 1 in rows of the positive class, 0 in those of all others.
WITH dataset AS (
  SELECT *
  FROM (VALUES (5, 0, 1, 3), (5, 0, 1, 1), (5, 0, 0, 7), (4, 2, 0, 2))
    AS example (mask_0, mask_1, positive, units)
),
counted AS (
  SELECT
    mask_0,
    mask_1,
    SUM(CASE WHEN positive = 1 THEN units ELSE 0 END) AS positives,
    SUM(CASE WHEN positive = 1 THEN 0 ELSE units END) AS negatives
  FROM dataset
  GROUP BY mask_0, mask_1
)
SELECT
  CAST(ROW_NUMBER() OVER canonical AS BIGINT) AS cell,
  mask_0,
  mask_1,
  CAST(positives AS BIGINT) AS positives,
  CAST(negatives AS BIGINT) AS negatives
FROM counted
WINDOW canonical AS (ORDER BY mask_0, mask_1)
