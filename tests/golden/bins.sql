-- IF age < 18 THEN no
-- ELSE IF age >= 18 AND age < 60 THEN yes
-- ELSE IF age >= 60 THEN no
-- ELSE yes

-- duckdb
SELECT
  *,
  CASE
    WHEN "age" < 18
    THEN 'no'
    WHEN "age" < 60
    THEN 'yes'
    WHEN NOT "age" IS NULL
    THEN 'no'
    ELSE 'yes'
  END AS "predicted_y",
  1.0e0 AS "predicted_y_probability",
  CASE
    WHEN "age" < 18
    THEN 1
    WHEN "age" < 60
    THEN 2
    WHEN NOT "age" IS NULL
    THEN 3
    ELSE 4
  END AS "rule"
FROM "customers"

-- postgres
SELECT
  *,
  CASE
    WHEN "age" < 18
    THEN 'no'
    WHEN "age" < 60
    THEN 'yes'
    WHEN NOT "age" IS NULL
    THEN 'no'
    ELSE 'yes'
  END AS "predicted_y",
  CAST(1.0e0 AS DOUBLE PRECISION) AS "predicted_y_probability",
  CASE
    WHEN "age" < 18
    THEN 1
    WHEN "age" < 60
    THEN 2
    WHEN NOT "age" IS NULL
    THEN 3
    ELSE 4
  END AS "rule"
FROM "customers"

-- snowflake
SELECT
  *,
  CASE
    WHEN "age" < 18
    THEN 'no'
    WHEN "age" < 60
    THEN 'yes'
    WHEN NOT "age" IS NULL
    THEN 'no'
    ELSE 'yes'
  END AS "predicted_y",
  1.0e0 AS "predicted_y_probability",
  CASE
    WHEN "age" < 18
    THEN 1
    WHEN "age" < 60
    THEN 2
    WHEN NOT "age" IS NULL
    THEN 3
    ELSE 4
  END AS "rule"
FROM "customers"

-- bigquery
SELECT
  *,
  CASE
    WHEN `age` < 18
    THEN 'no'
    WHEN `age` < 60
    THEN 'yes'
    WHEN NOT `age` IS NULL
    THEN 'no'
    ELSE 'yes'
  END AS `predicted_y`,
  1.0e0 AS `predicted_y_probability`,
  CASE
    WHEN `age` < 18
    THEN 1
    WHEN `age` < 60
    THEN 2
    WHEN NOT `age` IS NULL
    THEN 3
    ELSE 4
  END AS `rule`
FROM `customers`

-- mysql
SELECT
  *,
  CASE
    WHEN `age` < 18
    THEN 'no'
    WHEN `age` < 60
    THEN 'yes'
    WHEN NOT `age` IS NULL
    THEN 'no'
    ELSE 'yes'
  END AS `predicted_y`,
  1.0e0 AS `predicted_y_probability`,
  CASE
    WHEN `age` < 18
    THEN 1
    WHEN `age` < 60
    THEN 2
    WHEN NOT `age` IS NULL
    THEN 3
    ELSE 4
  END AS `rule`
FROM `customers`

-- tsql
SELECT
  *,
  CASE
    WHEN [age] < 18
    THEN 'no'
    WHEN [age] < 60
    THEN 'yes'
    WHEN NOT [age] IS NULL
    THEN 'no'
    ELSE 'yes'
  END AS [predicted_y],
  1.0e0 AS [predicted_y_probability],
  CASE
    WHEN [age] < 18
    THEN 1
    WHEN [age] < 60
    THEN 2
    WHEN NOT [age] IS NULL
    THEN 3
    ELSE 4
  END AS [rule]
FROM [customers]

-- sqlite
SELECT
  *,
  CASE
    WHEN "age" < 18
    THEN 'no'
    WHEN "age" < 60
    THEN 'yes'
    WHEN NOT "age" IS NULL
    THEN 'no'
    ELSE 'yes'
  END AS "predicted_y",
  1.0e0 AS "predicted_y_probability",
  CASE
    WHEN "age" < 18
    THEN 1
    WHEN "age" < 60
    THEN 2
    WHEN NOT "age" IS NULL
    THEN 3
    ELSE 4
  END AS "rule"
FROM "customers"

-- clickhouse
SELECT
  *,
  CASE
    WHEN "age" < 18
    THEN 'no'
    WHEN "age" < 60
    THEN 'yes'
    WHEN NOT (
      "age" IS NULL
    )
    THEN 'no'
    ELSE 'yes'
  END AS "predicted_y",
  1.0e0 AS "predicted_y_probability",
  CASE
    WHEN "age" < 18
    THEN 1
    WHEN "age" < 60
    THEN 2
    WHEN NOT (
      "age" IS NULL
    )
    THEN 3
    ELSE 4
  END AS "rule"
FROM "customers"
