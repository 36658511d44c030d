-- profile/weighted_classes: rows and weight of each class, and what is wrong with the weights
-- reads:   dataset(label ANY, weight DECIMAL(38,12))
-- returns: label ANY, rows BIGINT, weight DECIMAL(38,12), bad_weights BIGINT, fractions BIGINT
--
-- profile/classes for data with a weight column. bad_weights counts the missing and negative
-- ones, fractions those that are not whole numbers.
WITH dataset AS (
  SELECT *
  FROM (VALUES ('yes', 1.0), ('no', 2.5), (NULL, 1.0), ('no', NULL)) AS example (label, weight)
)
SELECT
  label,
  CAST(COUNT(*) AS BIGINT) AS rows,
  CAST(COALESCE(SUM(weight), 0) AS DECIMAL(38, 12)) AS weight,
  CAST(SUM(CASE WHEN weight IS NULL OR weight < 0 THEN 1 ELSE 0 END) AS BIGINT) AS bad_weights,
  CAST(SUM(CASE WHEN weight <> FLOOR(weight) THEN 1 ELSE 0 END) AS BIGINT) AS fractions
FROM dataset
GROUP BY label
