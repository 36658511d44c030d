-- counts/value_class_held_out: weight of each value and class, and the part of it held out
-- reads:   dataset(value ANY, label ANY, weight DECIMAL(38,12), held_out DOUBLE)
-- returns: value ANY, label ANY, rows BIGINT, weight DECIMAL(38,12), held_out DECIMAL(38,12)
--
-- counts/value_class for a data set that split/held_out has divided.
WITH dataset AS (
  SELECT *
  FROM (VALUES (1.5, 'yes', 1.0, 0.0), (1.5, 'no', 1.0, 1.0), (NULL, 'no', 2.0, 1.0))
    AS example (value, label, weight, held_out)
)
SELECT
  value,
  label,
  CAST(COUNT(*) AS BIGINT) AS rows,
  CAST(SUM(weight) AS DECIMAL(38, 12)) AS weight,
  CAST(SUM(CAST(held_out AS DECIMAL(38, 12))) AS DECIMAL(38, 12)) AS held_out
FROM dataset
GROUP BY value, label
ORDER BY value, label
