-- ELSE no

-- duckdb
SELECT
  *,
  'no' AS "predicted_y",
  1.0e0 AS "predicted_y_probability",
  1 AS "rule"
FROM "customers"

-- postgres
SELECT
  *,
  'no' AS "predicted_y",
  CAST(1.0e0 AS DOUBLE PRECISION) AS "predicted_y_probability",
  1 AS "rule"
FROM "customers"

-- snowflake
SELECT
  *,
  'no' AS "predicted_y",
  1.0e0 AS "predicted_y_probability",
  1 AS "rule"
FROM "customers"

-- bigquery
SELECT
  *,
  'no' AS `predicted_y`,
  1.0e0 AS `predicted_y_probability`,
  1 AS `rule`
FROM `customers`

-- mysql
SELECT
  *,
  'no' AS `predicted_y`,
  1.0e0 AS `predicted_y_probability`,
  1 AS `rule`
FROM `customers`

-- tsql
SELECT
  *,
  'no' AS [predicted_y],
  1.0e0 AS [predicted_y_probability],
  1 AS [rule]
FROM [customers]

-- sqlite
SELECT
  *,
  'no' AS "predicted_y",
  1.0e0 AS "predicted_y_probability",
  1 AS "rule"
FROM "customers"

-- clickhouse
SELECT
  *,
  'no' AS "predicted_y",
  1.0e0 AS "predicted_y_probability",
  1 AS "rule"
FROM "customers"
