-- IF age >= 60 AND "default" = 'no' THEN yes
-- ELSE IF income > 0.1 AND active = TRUE THEN no
-- ELSE IF since < TIMESTAMP '2024-02-29 12:00:00.5' AND origin IS NULL THEN yes
-- ELSE no

-- duckdb
SELECT
  *,
  CASE
    WHEN "age" >= 60 AND "default" = 'no'
    THEN 'yes'
    WHEN "income" > 0.1e0 AND (
      ISFINITE("income") OR ISINF("income")
    ) AND "active"
    THEN 'no'
    WHEN "since" < CAST('2024-02-29 12:00:00.500000' AS TIMESTAMP) AND "origin" IS NULL
    THEN 'yes'
    ELSE 'no'
  END AS "predicted_y",
  1.0e0 AS "predicted_y_probability",
  CASE
    WHEN "age" >= 60 AND "default" = 'no'
    THEN 1
    WHEN "income" > 0.1e0 AND (
      ISFINITE("income") OR ISINF("income")
    ) AND "active"
    THEN 2
    WHEN "since" < CAST('2024-02-29 12:00:00.500000' AS TIMESTAMP) AND "origin" IS NULL
    THEN 3
    ELSE 4
  END AS "rule"
FROM "customers"

-- postgres
SELECT
  *,
  CASE
    WHEN "age" >= 60 AND "default" = 'no'
    THEN 'yes'
    WHEN "income" > 0.1e0 AND NOT "income" = CAST('NaN' AS DOUBLE PRECISION) AND "active"
    THEN 'no'
    WHEN "since" < CAST('2024-02-29 12:00:00.500000' AS TIMESTAMP) AND "origin" IS NULL
    THEN 'yes'
    ELSE 'no'
  END AS "predicted_y",
  CAST(1.0e0 AS DOUBLE PRECISION) AS "predicted_y_probability",
  CASE
    WHEN "age" >= 60 AND "default" = 'no'
    THEN 1
    WHEN "income" > 0.1e0 AND NOT "income" = CAST('NaN' AS DOUBLE PRECISION) AND "active"
    THEN 2
    WHEN "since" < CAST('2024-02-29 12:00:00.500000' AS TIMESTAMP) AND "origin" IS NULL
    THEN 3
    ELSE 4
  END AS "rule"
FROM "customers"

-- snowflake
SELECT
  *,
  CASE
    WHEN "age" >= 60 AND "default" = 'no'
    THEN 'yes'
    WHEN "income" > 0.1e0 AND NOT "income" = CAST('NaN' AS DOUBLE) AND "active"
    THEN 'no'
    WHEN "since" < CAST('2024-02-29 12:00:00.500000' AS TIMESTAMPNTZ) AND "origin" IS NULL
    THEN 'yes'
    ELSE 'no'
  END AS "predicted_y",
  1.0e0 AS "predicted_y_probability",
  CASE
    WHEN "age" >= 60 AND "default" = 'no'
    THEN 1
    WHEN "income" > 0.1e0 AND NOT "income" = CAST('NaN' AS DOUBLE) AND "active"
    THEN 2
    WHEN "since" < CAST('2024-02-29 12:00:00.500000' AS TIMESTAMPNTZ) AND "origin" IS NULL
    THEN 3
    ELSE 4
  END AS "rule"
FROM "customers"

-- bigquery
SELECT
  *,
  CASE
    WHEN `age` >= 60 AND `default` = 'no'
    THEN 'yes'
    WHEN `income` > 0.1e0 AND NOT IS_NAN(`income`) AND `active`
    THEN 'no'
    WHEN `since` < CAST('2024-02-29 12:00:00.500000' AS DATETIME) AND `origin` IS NULL
    THEN 'yes'
    ELSE 'no'
  END AS `predicted_y`,
  1.0e0 AS `predicted_y_probability`,
  CASE
    WHEN `age` >= 60 AND `default` = 'no'
    THEN 1
    WHEN `income` > 0.1e0 AND NOT IS_NAN(`income`) AND `active`
    THEN 2
    WHEN `since` < CAST('2024-02-29 12:00:00.500000' AS DATETIME) AND `origin` IS NULL
    THEN 3
    ELSE 4
  END AS `rule`
FROM `customers`

-- mysql
SELECT
  *,
  CASE
    WHEN `age` >= 60 AND CAST(`default` AS BINARY) = 'no'
    THEN 'yes'
    WHEN `income` > 0.1e0 AND `active`
    THEN 'no'
    WHEN `since` < CAST('2024-02-29 12:00:00.500000' AS DATETIME(6)) AND `origin` IS NULL
    THEN 'yes'
    ELSE 'no'
  END AS `predicted_y`,
  1.0e0 AS `predicted_y_probability`,
  CASE
    WHEN `age` >= 60 AND CAST(`default` AS BINARY) = 'no'
    THEN 1
    WHEN `income` > 0.1e0 AND `active`
    THEN 2
    WHEN `since` < CAST('2024-02-29 12:00:00.500000' AS DATETIME(6)) AND `origin` IS NULL
    THEN 3
    ELSE 4
  END AS `rule`
FROM `customers`

-- tsql
/* text equality may ignore case or trailing blanks under this database's collation; rules mean exact equality */
SELECT
  *,
  CASE
    WHEN [age] >= 60 AND [default] = 'no'
    THEN 'yes'
    WHEN [income] > 0.1e0 AND [active] <> 0
    THEN 'no'
    WHEN [since] < CAST('2024-02-29 12:00:00.500000' AS DATETIME2) AND [origin] IS NULL
    THEN 'yes'
    ELSE 'no'
  END AS [predicted_y],
  1.0e0 AS [predicted_y_probability],
  CASE
    WHEN [age] >= 60 AND [default] = 'no'
    THEN 1
    WHEN [income] > 0.1e0 AND [active] <> 0
    THEN 2
    WHEN [since] < CAST('2024-02-29 12:00:00.500000' AS DATETIME2) AND [origin] IS NULL
    THEN 3
    ELSE 4
  END AS [rule]
FROM [customers]

-- sqlite
SELECT
  *,
  CASE
    WHEN "age" >= 60 AND "default" = 'no'
    THEN 'yes'
    WHEN "income" > 0.1e0 AND "active"
    THEN 'no'
    WHEN "since" < '2024-02-29 12:00:00.500000' AND "origin" IS NULL
    THEN 'yes'
    ELSE 'no'
  END AS "predicted_y",
  1.0e0 AS "predicted_y_probability",
  CASE
    WHEN "age" >= 60 AND "default" = 'no'
    THEN 1
    WHEN "income" > 0.1e0 AND "active"
    THEN 2
    WHEN "since" < '2024-02-29 12:00:00.500000' AND "origin" IS NULL
    THEN 3
    ELSE 4
  END AS "rule"
FROM "customers"

-- clickhouse
SELECT
  *,
  CASE
    WHEN "age" >= 60 AND "default" = 'no'
    THEN 'yes'
    WHEN "income" > 0.1e0 AND NOT isNaN("income") AND "active"
    THEN 'no'
    WHEN "since" < CAST('2024-02-29 12:00:00.500000' AS DateTime64(6))
    AND "origin" IS NULL
    THEN 'yes'
    ELSE 'no'
  END AS "predicted_y",
  1.0e0 AS "predicted_y_probability",
  CASE
    WHEN "age" >= 60 AND "default" = 'no'
    THEN 1
    WHEN "income" > 0.1e0 AND NOT isNaN("income") AND "active"
    THEN 2
    WHEN "since" < CAST('2024-02-29 12:00:00.500000' AS DateTime64(6))
    AND "origin" IS NULL
    THEN 3
    ELSE 4
  END AS "rule"
FROM "customers"
