-- IF origin = 'EWR' THEN late
-- ELSE IF origin = 'JFK' THEN ontime
-- ELSE IF origin = 'O''Hare' THEN late
-- ELSE ontime

-- duckdb
SELECT
  *,
  CASE WHEN "origin" IN ('EWR', 'O''Hare') THEN 'late' ELSE 'ontime' END AS "predicted_y",
  1.0e0 AS "predicted_y_probability",
  CASE
    WHEN "origin" = 'EWR'
    THEN 1
    WHEN "origin" = 'JFK'
    THEN 2
    WHEN "origin" = 'O''Hare'
    THEN 3
    ELSE 4
  END AS "rule"
FROM "customers"

-- postgres
SELECT
  *,
  CASE WHEN "origin" IN ('EWR', 'O''Hare') THEN 'late' ELSE 'ontime' END AS "predicted_y",
  CAST(1.0e0 AS DOUBLE PRECISION) AS "predicted_y_probability",
  CASE
    WHEN "origin" = 'EWR'
    THEN 1
    WHEN "origin" = 'JFK'
    THEN 2
    WHEN "origin" = 'O''Hare'
    THEN 3
    ELSE 4
  END AS "rule"
FROM "customers"

-- snowflake
SELECT
  *,
  CASE WHEN "origin" IN ('EWR', 'O\'Hare') THEN 'late' ELSE 'ontime' END AS "predicted_y",
  1.0e0 AS "predicted_y_probability",
  CASE
    WHEN "origin" = 'EWR'
    THEN 1
    WHEN "origin" = 'JFK'
    THEN 2
    WHEN "origin" = 'O\'Hare'
    THEN 3
    ELSE 4
  END AS "rule"
FROM "customers"

-- bigquery
SELECT
  *,
  CASE WHEN `origin` IN ('EWR', 'O\'Hare') THEN 'late' ELSE 'ontime' END AS `predicted_y`,
  1.0e0 AS `predicted_y_probability`,
  CASE
    WHEN `origin` = 'EWR'
    THEN 1
    WHEN `origin` = 'JFK'
    THEN 2
    WHEN `origin` = 'O\'Hare'
    THEN 3
    ELSE 4
  END AS `rule`
FROM `customers`

-- mysql
SELECT
  *,
  CASE
    WHEN CAST(`origin` AS BINARY) IN ('EWR', 'O''Hare')
    THEN 'late'
    ELSE 'ontime'
  END AS `predicted_y`,
  1.0e0 AS `predicted_y_probability`,
  CASE
    WHEN CAST(`origin` AS BINARY) = 'EWR'
    THEN 1
    WHEN CAST(`origin` AS BINARY) = 'JFK'
    THEN 2
    WHEN CAST(`origin` AS BINARY) = 'O''Hare'
    THEN 3
    ELSE 4
  END AS `rule`
FROM `customers`

-- tsql
/* text equality may ignore case or trailing blanks under this database's collation; rules mean exact equality */
SELECT
  *,
  CASE WHEN [origin] IN ('EWR', 'O''Hare') THEN 'late' ELSE 'ontime' END AS [predicted_y],
  1.0e0 AS [predicted_y_probability],
  CASE
    WHEN [origin] = 'EWR'
    THEN 1
    WHEN [origin] = 'JFK'
    THEN 2
    WHEN [origin] = 'O''Hare'
    THEN 3
    ELSE 4
  END AS [rule]
FROM [customers]

-- sqlite
SELECT
  *,
  CASE WHEN "origin" IN ('EWR', 'O''Hare') THEN 'late' ELSE 'ontime' END AS "predicted_y",
  1.0e0 AS "predicted_y_probability",
  CASE
    WHEN "origin" = 'EWR'
    THEN 1
    WHEN "origin" = 'JFK'
    THEN 2
    WHEN "origin" = 'O''Hare'
    THEN 3
    ELSE 4
  END AS "rule"
FROM "customers"

-- clickhouse
SELECT
  *,
  CASE WHEN "origin" IN ('EWR', 'O''Hare') THEN 'late' ELSE 'ontime' END AS "predicted_y",
  1.0e0 AS "predicted_y_probability",
  CASE
    WHEN "origin" = 'EWR'
    THEN 1
    WHEN "origin" = 'JFK'
    THEN 2
    WHEN "origin" = 'O''Hare'
    THEN 3
    ELSE 4
  END AS "rule"
FROM "customers"
