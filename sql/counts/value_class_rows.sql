-- counts/value_class_rows: how many rows have each value and class
-- reads:   dataset(value ANY, label ANY)
-- returns: value ANY, label ANY, rows BIGINT
--
-- counts/value_class for data without a weight column: one sum less to carry.
WITH dataset AS (
  SELECT *
  FROM (VALUES (1.5, 'yes'), (1.5, 'no'), (2.5, 'yes'), (NULL, 'no')) AS example (value, label)
)
SELECT value, label, CAST(COUNT(*) AS BIGINT) AS rows
FROM dataset
GROUP BY value, label
ORDER BY value, label
