-- patterns/inseparable: rows left by a prefix that are answered wrong whatever rules follow
-- reads:   cells(cell BIGINT, positives BIGINT, negatives BIGINT),
--   holds(antecedent INTEGER, cell BIGINT), prefix(antecedent INTEGER),
--   settings(weight BIGINT, unit BIGINT)
-- returns: positives BIGINT, negatives BIGINT
--
-- Rows of a cell get one answer, at least the cheaper one, where a positive that gets the wrong
-- one costs weight, a negative unit: the positives of cells that are answered negative, the
-- negatives of the others. Products can be too large for a BIGINT.
WITH cells AS (
  SELECT *
  FROM (VALUES (1, 4, 7), (2, 0, 2), (3, 1, 1)) AS example (cell, positives, negatives)
),
holds AS (
  SELECT *
  FROM (VALUES (0, 1), (2, 1), (2, 2), (63, 2)) AS example (antecedent, cell)
),
prefix AS (
  SELECT *
  FROM (VALUES (63)) AS example (antecedent)
),
settings AS (
  SELECT 3 AS weight, 1 AS unit
),
captured AS (
  SELECT DISTINCT holds.cell
  FROM holds
  JOIN prefix ON holds.antecedent = prefix.antecedent
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
  LEFT JOIN captured ON cells.cell = captured.cell
  WHERE captured.cell IS NULL
)
SELECT
  CAST(COALESCE(SUM(CASE WHEN positives_cost <= negatives_cost THEN positives ELSE 0 END), 0)
    AS BIGINT) AS positives,
  CAST(COALESCE(SUM(CASE WHEN positives_cost <= negatives_cost THEN 0 ELSE negatives END), 0)
    AS BIGINT) AS negatives
FROM priced
