-- counts/value_class: how many rows, and how much weight, have each value and class
-- reads:   dataset(value ANY, label ANY, weight DECIMAL(38,12))
-- returns: value ANY, label ANY, rows BIGINT, weight DECIMAL(38,12)
--
-- The sufficient statistic of OneR and of every binning (cuts come from ordered value counts).
-- One row per value and class that occur together; NULL is a value of its own. Weights are
-- decimals, so that their sum does not depend on the order in which rows arrive.
WITH dataset AS (
  SELECT *
  FROM (VALUES (1.5, 'yes', 1.0), (1.5, 'no', 1.0), (2.5, 'yes', 1.0), (NULL, 'no', 2.0))
    AS example (value, label, weight)
)
SELECT
  value,
  label,
  CAST(COUNT(*) AS BIGINT) AS rows,
  CAST(SUM(weight) AS DECIMAL(38, 12)) AS weight
FROM dataset
GROUP BY value, label
