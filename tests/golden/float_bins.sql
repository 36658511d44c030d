-- IF income < 0.3 THEN no
-- ELSE IF income >= 0.3 AND income < 0.6 THEN yes
-- ELSE IF income >= 0.6 THEN no
-- ELSE yes

-- duckdb
SELECT
  *,
  CASE
    WHEN "income" IS NULL OR (
      NOT ISFINITE("income") AND NOT ISINF("income")
    )
    THEN 'yes'
    WHEN "income" < 0.3e0
    THEN 'no'
    WHEN "income" < 0.6e0
    THEN 'yes'
    ELSE 'no'
  END AS "predicted_y",
  1.0e0 AS "predicted_y_probability",
  CASE
    WHEN "income" IS NULL OR (
      NOT ISFINITE("income") AND NOT ISINF("income")
    )
    THEN 4
    WHEN "income" < 0.3e0
    THEN 1
    WHEN "income" < 0.6e0
    THEN 2
    ELSE 3
  END AS "rule"
FROM "customers"

-- postgres
SELECT
  *,
  CASE
    WHEN "income" IS NULL OR "income" = CAST('NaN' AS DOUBLE PRECISION)
    THEN 'yes'
    WHEN "income" < 0.3e0
    THEN 'no'
    WHEN "income" < 0.6e0
    THEN 'yes'
    ELSE 'no'
  END AS "predicted_y",
  CAST(1.0e0 AS DOUBLE PRECISION) AS "predicted_y_probability",
  CASE
    WHEN "income" IS NULL OR "income" = CAST('NaN' AS DOUBLE PRECISION)
    THEN 4
    WHEN "income" < 0.3e0
    THEN 1
    WHEN "income" < 0.6e0
    THEN 2
    ELSE 3
  END AS "rule"
FROM "customers"

-- snowflake
SELECT
  *,
  CASE
    WHEN "income" IS NULL OR "income" = CAST('NaN' AS DOUBLE)
    THEN 'yes'
    WHEN "income" < 0.3e0
    THEN 'no'
    WHEN "income" < 0.6e0
    THEN 'yes'
    ELSE 'no'
  END AS "predicted_y",
  1.0e0 AS "predicted_y_probability",
  CASE
    WHEN "income" IS NULL OR "income" = CAST('NaN' AS DOUBLE)
    THEN 4
    WHEN "income" < 0.3e0
    THEN 1
    WHEN "income" < 0.6e0
    THEN 2
    ELSE 3
  END AS "rule"
FROM "customers"

-- bigquery
SELECT
  *,
  CASE
    WHEN `income` IS NULL OR IS_NAN(`income`)
    THEN 'yes'
    WHEN `income` < 0.3e0
    THEN 'no'
    WHEN `income` < 0.6e0
    THEN 'yes'
    ELSE 'no'
  END AS `predicted_y`,
  1.0e0 AS `predicted_y_probability`,
  CASE
    WHEN `income` IS NULL OR IS_NAN(`income`)
    THEN 4
    WHEN `income` < 0.3e0
    THEN 1
    WHEN `income` < 0.6e0
    THEN 2
    ELSE 3
  END AS `rule`
FROM `customers`

-- mysql
SELECT
  *,
  CASE
    WHEN `income` < 0.3e0
    THEN 'no'
    WHEN `income` < 0.6e0
    THEN 'yes'
    WHEN NOT `income` IS NULL
    THEN 'no'
    ELSE 'yes'
  END AS `predicted_y`,
  1.0e0 AS `predicted_y_probability`,
  CASE
    WHEN `income` < 0.3e0
    THEN 1
    WHEN `income` < 0.6e0
    THEN 2
    WHEN NOT `income` IS NULL
    THEN 3
    ELSE 4
  END AS `rule`
FROM `customers`

-- tsql
SELECT
  *,
  CASE
    WHEN [income] < 0.3e0
    THEN 'no'
    WHEN [income] < 0.6e0
    THEN 'yes'
    WHEN NOT [income] IS NULL
    THEN 'no'
    ELSE 'yes'
  END AS [predicted_y],
  1.0e0 AS [predicted_y_probability],
  CASE
    WHEN [income] < 0.3e0
    THEN 1
    WHEN [income] < 0.6e0
    THEN 2
    WHEN NOT [income] IS NULL
    THEN 3
    ELSE 4
  END AS [rule]
FROM [customers]

-- sqlite
SELECT
  *,
  CASE
    WHEN "income" < 0.3e0
    THEN 'no'
    WHEN "income" < 0.6e0
    THEN 'yes'
    WHEN NOT "income" IS NULL
    THEN 'no'
    ELSE 'yes'
  END AS "predicted_y",
  1.0e0 AS "predicted_y_probability",
  CASE
    WHEN "income" < 0.3e0
    THEN 1
    WHEN "income" < 0.6e0
    THEN 2
    WHEN NOT "income" IS NULL
    THEN 3
    ELSE 4
  END AS "rule"
FROM "customers"

-- clickhouse
SELECT
  *,
  CASE
    WHEN "income" IS NULL OR isNaN("income")
    THEN 'yes'
    WHEN "income" < 0.3e0
    THEN 'no'
    WHEN "income" < 0.6e0
    THEN 'yes'
    ELSE 'no'
  END AS "predicted_y",
  1.0e0 AS "predicted_y_probability",
  CASE
    WHEN "income" IS NULL OR isNaN("income")
    THEN 4
    WHEN "income" < 0.3e0
    THEN 1
    WHEN "income" < 0.6e0
    THEN 2
    ELSE 3
  END AS "rule"
FROM "customers"
