-- patterns/draw: how many units of each pattern a systematic draw takes, and how many it leaves
-- reads:   dataset(code_0 ANY, code_1 ANY, order_0 BIGINT, order_1 BIGINT, positive INTEGER,
--   units BIGINT), settings(up BIGINT, down BIGINT),
--   keys(positive INTEGER, a BIGINT, b BIGINT, c BIGINT)
-- returns: code_0 ANY, code_1 ANY, positive INTEGER, units_left BIGINT, units_drawn BIGINT
--
-- The units of the positive rows (1) and of all others (0) are lined up by the order columns, those
-- of a row from position - units to position, and cut into intervals of down / up units. Of each
-- interval one unit is drawn: its place is random, the square of a linear function of the number of
-- the interval, modulo the prime 2**31 - 1. What is drawn of a row is what is drawn up to its last
-- unit, less what is drawn before its first. All numbers stay within a BIGINT: units total at most
-- 2**52, up and down are at most 1000, the keys below the prime. Draw of search/covering/draw.py
-- gives the same.
WITH dataset AS (
  SELECT *
  FROM (VALUES (0, 1, 0, 1, 1, 4), (0, 1, 0, 1, 0, 3), (0, 2, 0, 2, 1, 1), (2, 0, 2, 0, 1, 5))
    AS example (code_0, code_1, order_0, order_1, positive, units)
),
settings AS (
  SELECT 1 AS up, 3 AS down
),
keys AS (
  SELECT *
  FROM (VALUES (1, CAST(48271 AS BIGINT), 11, 5), (0, 69621, 7, 3))
    AS example (positive, a, b, c)
),
placed AS (
  SELECT
    code_0,
    code_1,
    positive,
    units,
    CAST(SUM(units) OVER canonical AS BIGINT) AS position
  FROM dataset
  WINDOW canonical AS (
    PARTITION BY positive ORDER BY order_0, order_1
    ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  )
),
numbered AS (
  SELECT
    placed.*,
    settings.up,
    settings.down,
    ((position - units) * settings.up) // settings.down AS first_number,
    (position * settings.up) // settings.down AS last_number
  FROM placed
  CROSS JOIN settings
),
bounded AS (
  SELECT
    numbered.*,
    keys.c,
    (first_number * down + up - 1) // up AS first_start,
    (last_number * down + up - 1) // up AS last_start,
    ((first_number + 1) * down + up - 1) // up AS first_end,
    ((last_number + 1) * down + up - 1) // up AS last_end,
    (keys.a * (first_number % 2147483647) + keys.b) % 2147483647 AS first_x,
    (keys.a * (last_number % 2147483647) + keys.b) % 2147483647 AS last_x
  FROM numbered
  JOIN keys ON keys.positive = numbered.positive
),
pointed AS (
  SELECT
    bounded.*,
    first_start + (first_x * first_x + c) % 2147483647 % (first_end - first_start) AS first_point,
    last_start + (last_x * last_x + c) % 2147483647 % (last_end - last_start) AS last_point
  FROM bounded
),
drawn AS (
  SELECT
    code_0,
    code_1,
    positive,
    units,
    last_number - first_number
      + CASE WHEN last_point < position THEN 1 ELSE 0 END
      - CASE WHEN first_point < position - units THEN 1 ELSE 0 END AS units_drawn
  FROM pointed
)
SELECT
  code_0,
  code_1,
  positive,
  CAST(units - units_drawn AS BIGINT) AS units_left,
  CAST(units_drawn AS BIGINT) AS units_drawn
FROM drawn
