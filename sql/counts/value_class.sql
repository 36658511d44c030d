-- counts/value_class: how many rows, and how much weight, have each value and class
-- reads:   dataset(value ANY, label ANY, weight DECIMAL(38,12))
-- returns: value ANY, label ANY, rows BIGINT, weight DECIMAL(38,12), bad_weights BIGINT
--
-- The sufficient statistic of OneR and of every binning (cuts come from ordered value counts).
-- One row per value and class that occur together, in value order: sorting is cheaper here than
-- after the journey. NULL is a value of its own. Weights are
-- decimals, so that their sum does not depend on the order in which rows arrive; bad_weights
-- counts the missing and negative ones.
WITH dataset AS (
  SELECT *
  FROM (VALUES (1.5, 'yes', 1.0), (1.5, 'no', 1.0), (2.5, 'yes', 1.0), (NULL, 'no', 2.0))
    AS example (value, label, weight)
)
SELECT
  value,
  label,
  CAST(COUNT(*) AS BIGINT) AS rows,
  CAST(COALESCE(SUM(weight), 0) AS DECIMAL(38, 12)) AS weight,
  CAST(SUM(CASE WHEN weight IS NULL OR weight < 0 THEN 1 ELSE 0 END) AS BIGINT) AS bad_weights
FROM dataset
GROUP BY value, label
ORDER BY value, label
