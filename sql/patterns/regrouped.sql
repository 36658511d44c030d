-- patterns/regrouped: patterns of codes from finer ones, of which some have the same codes
-- reads:   dataset(code_0 ANY, code_1 ANY, label ANY, rows BIGINT, units BIGINT,
--   bad_weights BIGINT)
-- returns: code_0 ANY, code_1 ANY, label ANY, rows BIGINT, units BIGINT, bad_weights BIGINT
--
-- dataset is bound to patterns/patterns by the values of ordered columns, which are coded in its
-- projection. Weights are rounded to units there and nowhere else: so they add up to the same
-- counts wherever the values are coded.
WITH dataset AS (
  SELECT *
  FROM (VALUES (0, 1, 'yes', 2, 15, 0), (0, 1, 'yes', 1, 4, 0), (2, 1, 'no', 1, 20, 0))
    AS example (code_0, code_1, label, rows, units, bad_weights)
)
SELECT
  code_0,
  code_1,
  label,
  CAST(SUM(rows) AS BIGINT) AS rows,
  CAST(SUM(units) AS BIGINT) AS units,
  CAST(SUM(bad_weights) AS BIGINT) AS bad_weights
FROM dataset
GROUP BY code_0, code_1, label
