-- patterns/patterns: rows and weight of each class in each pattern of codes
-- reads:   dataset(code_0 ANY, code_1 ANY, label ANY, weight DECIMAL(38,12)),
--   settings(scale BIGINT)
-- returns: code_0 ANY, code_1 ANY, label ANY, rows BIGINT, units BIGINT, bad_weights BIGINT
--
-- The sufficient statistic of every search: distinct coded rows, for data with a weight column.
-- There are as many code columns as are bound; one may hold the codes of several features.
-- units is the weight as a whole number of units, scale units to a weight of 1: decimals are
-- summed first, so that the order of rows does not matter, and rounded once. bad_weights counts
-- the missing and negative ones; rows without a label are left out.
WITH dataset AS (
  SELECT *
  FROM (VALUES (0, 1, 'yes', 1.0), (0, 1, 'yes', 0.5), (0, 1, 'no', 2.5), (2, 0, NULL, 1.0))
    AS example (code_0, code_1, label, weight)
),
settings AS (
  SELECT CAST(10 AS BIGINT) AS scale
),
counted AS (
  SELECT
    code_0,
    code_1,
    label,
    CAST(COUNT(*) AS BIGINT) AS rows,
    CAST(COALESCE(SUM(weight), 0) AS DECIMAL(38, 12)) AS weight,
    CAST(SUM(CASE WHEN weight IS NULL OR weight < 0 THEN 1 ELSE 0 END) AS BIGINT) AS bad_weights
  FROM dataset
  WHERE label IS NOT NULL
  GROUP BY code_0, code_1, label
)
SELECT
  code_0,
  code_1,
  label,
  rows,
  CAST(FLOOR(weight * scale + 0.5) AS BIGINT) AS units,
  bad_weights
FROM counted
CROSS JOIN settings
