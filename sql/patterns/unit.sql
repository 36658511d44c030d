-- patterns/unit: the codes of one unit of weight, by its number in the order of the patterns
-- reads:   dataset(code_0 ANY, code_1 ANY, order_0 BIGINT, order_1 BIGINT, units BIGINT),
--   settings(unit BIGINT)
-- returns: code_0 ANY, code_1 ANY
--
-- Units are numbered from 0; those of a row are from position - units up to position.
WITH dataset AS (
  SELECT *
  FROM (VALUES (0, 1, 0, 1, 4), (0, 2, 0, 2, 1), (2, 0, 2, 0, 5))
    AS example (code_0, code_1, order_0, order_1, units)
),
settings AS (
  SELECT 4 AS unit
),
placed AS (
  SELECT
    code_0,
    code_1,
    units,
    CAST(SUM(units) OVER canonical AS BIGINT) AS position
  FROM dataset
  WINDOW canonical AS (
    ORDER BY order_0, order_1
    ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  )
)
SELECT placed.code_0, placed.code_1
FROM placed
CROSS JOIN settings
WHERE placed.position > settings.unit AND placed.position - placed.units <= settings.unit
