-- split/held_out: how much of each row's weight is held out for validation
-- reads:   dataset(row_key VARCHAR, label ANY, weight DECIMAL(38,12), units DECIMAL(38,12), *),
--   settings(fraction DOUBLE, start DOUBLE)
-- returns: *, position DOUBLE, held_out DOUBLE
--
-- Rows of a class are lined up in the order of a seeded hash of their content, and every
-- 1/fraction-th unit is held out. Equal rows stand side by side, so each pattern is divided as
-- evenly as can be, classes keep their shares, and neither row order nor engine matters.
-- units is the weight where weights are whole numbers (a row of weight 2 is two rows), else 1
-- (a row is held out whole or not at all).
WITH dataset AS (
  SELECT *
  FROM (VALUES ('5d41', 'yes', 1.0, 1.0, 18), ('7d79', 'yes', 1.0, 1.0, 30),
               ('9a11', 'no', 2.0, 2.0, 60))
    AS example (row_key, label, weight, units, age)
),
settings AS (
  SELECT CAST(0.3 AS DOUBLE) AS fraction, CAST(0.5 AS DOUBLE) AS start
),
placed AS (
  SELECT
    dataset.*,
    CAST(SUM(units) OVER (
      PARTITION BY label ORDER BY row_key, weight
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS DOUBLE) AS position
  FROM dataset
)
SELECT
  placed.*,
  CAST(weight AS DOUBLE) * (
    FLOOR(position * fraction + start)
    - FLOOR((position - CAST(units AS DOUBLE)) * fraction + start)
  ) / CAST(units AS DOUBLE) AS held_out
FROM placed
CROSS JOIN settings
