-- patterns/totals: rows and units of each class over all patterns, and how round the units are
-- reads:   patterns(label ANY, rows BIGINT, units BIGINT, bad_weights BIGINT)
-- returns: label ANY, rows BIGINT, units BIGINT, bad_weights BIGINT, zeros INTEGER
--
-- Read from the table that patterns/patterns was kept in. zeros: every count of the class ends in
-- at least so many decimal zeros, by which the unit can grow.
WITH patterns AS (
  SELECT *
  FROM (VALUES ('yes', 2, 1500, 0), ('no', 1, 2000, 0), ('yes', 1, 400, 0))
    AS example (label, rows, units, bad_weights)
)
SELECT
  label,
  CAST(SUM(rows) AS BIGINT) AS rows,
  CAST(SUM(units) AS BIGINT) AS units,
  CAST(SUM(bad_weights) AS BIGINT) AS bad_weights,
  MIN(
    CASE
      WHEN units % 10 <> 0 THEN 0
      WHEN units % 100 <> 0 THEN 1
      WHEN units % 1000 <> 0 THEN 2
      WHEN units % 10000 <> 0 THEN 3
      WHEN units % 100000 <> 0 THEN 4
      WHEN units % 1000000 <> 0 THEN 5
      WHEN units % 10000000 <> 0 THEN 6
      WHEN units % 100000000 <> 0 THEN 7
      WHEN units % 1000000000 <> 0 THEN 8
      WHEN units % 10000000000 <> 0 THEN 9
      WHEN units % 100000000000 <> 0 THEN 10
      WHEN units % 1000000000000 <> 0 THEN 11
      ELSE 12
    END
  ) AS zeros
FROM patterns
GROUP BY label
