-- patterns/inseparable: rows left by a prefix that are answered wrong whatever rules follow
-- reads:   cells(positives BIGINT, negatives BIGINT), settings(weight BIGINT, unit BIGINT)
-- returns: positives BIGINT, negatives BIGINT
--
-- cells is bound to those that no antecedent of the prefix holds of. Rows of a cell get one answer,
-- at least the cheaper one, where a positive that gets the wrong one costs weight, a negative unit:
-- the positives of cells that are answered negative, the negatives of the others. Products can be
-- too large for a BIGINT.
WITH cells AS (
  SELECT *
  FROM (VALUES (4, 7), (0, 2), (1, 1)) AS example (positives, negatives)
),
settings AS (
  SELECT 3 AS weight, 1 AS unit
),
priced AS (
  SELECT
    cells.positives,
    cells.negatives,
    CAST(settings.weight AS DECIMAL(19, 0)) * CAST(cells.positives AS DECIMAL(19, 0))
      AS positives_cost,
    CAST(settings.unit AS DECIMAL(19, 0)) * CAST(cells.negatives AS DECIMAL(19, 0))
      AS negatives_cost
  FROM cells
  CROSS JOIN settings
)
SELECT
  CAST(COALESCE(SUM(CASE WHEN positives_cost <= negatives_cost THEN positives ELSE 0 END), 0)
    AS BIGINT) AS positives,
  CAST(COALESCE(SUM(CASE WHEN positives_cost <= negatives_cost THEN 0 ELSE negatives END), 0)
    AS BIGINT) AS negatives
FROM priced
