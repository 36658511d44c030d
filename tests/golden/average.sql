-- 0.75 of: IF age >= 60 THEN yes ELSE no
-- 0.25 of: IF income > 0.3 AND age < 40 THEN yes ELSE no

-- duckdb, one expression
CASE
  WHEN CASE WHEN "age" >= 60 THEN 0.1875e0 ELSE 0.5625e0 END + CASE
    WHEN "income" > 0.3e0 AND (
      ISFINITE("income") OR ISINF("income")
    ) AND "age" < 40
    THEN 0.0625e0
    ELSE 0.1875e0
  END >= CASE WHEN "age" >= 60 THEN 0.5625e0 ELSE 0.1875e0 END + CASE
    WHEN "income" > 0.3e0 AND (
      ISFINITE("income") OR ISINF("income")
    ) AND "age" < 40
    THEN 0.1875e0
    ELSE 0.0625e0
  END
  THEN 'no'
  ELSE 'yes'
END

-- duckdb
SELECT
  "id",
  "age",
  "income",
  CASE
    WHEN "predicted_y_probability_no" >= "predicted_y_probability_yes"
    THEN 'no'
    ELSE 'yes'
  END AS "predicted_y",
  CASE
    WHEN "predicted_y_probability_no" >= "predicted_y_probability_yes"
    THEN "predicted_y_probability_no"
    ELSE "predicted_y_probability_yes"
  END AS "predicted_y_probability",
  "rule"
FROM (
  SELECT
    *,
    CASE WHEN "age" >= 60 THEN 1 ELSE 2 END AS "rule",
    CASE WHEN "age" >= 60 THEN 0.1875e0 ELSE 0.5625e0 END + CASE
      WHEN "income" > 0.3e0 AND (
        ISFINITE("income") OR ISINF("income")
      ) AND "age" < 40
      THEN 0.0625e0
      ELSE 0.1875e0
    END AS "predicted_y_probability_no",
    CASE WHEN "age" >= 60 THEN 0.5625e0 ELSE 0.1875e0 END + CASE
      WHEN "income" > 0.3e0 AND (
        ISFINITE("income") OR ISINF("income")
      ) AND "age" < 40
      THEN 0.1875e0
      ELSE 0.0625e0
    END AS "predicted_y_probability_yes"
  FROM "customers"
) AS "scored"

-- postgres
SELECT
  "id",
  "age",
  "income",
  CASE
    WHEN "predicted_y_probability_no" >= "predicted_y_probability_yes"
    THEN 'no'
    ELSE 'yes'
  END AS "predicted_y",
  CASE
    WHEN "predicted_y_probability_no" >= "predicted_y_probability_yes"
    THEN "predicted_y_probability_no"
    ELSE "predicted_y_probability_yes"
  END AS "predicted_y_probability",
  "rule"
FROM (
  SELECT
    *,
    CASE WHEN "age" >= 60 THEN 1 ELSE 2 END AS "rule",
    CAST(CASE WHEN "age" >= 60 THEN 0.1875e0 ELSE 0.5625e0 END AS DOUBLE PRECISION) + CAST(CASE
      WHEN "income" > 0.3e0 AND NOT "income" = CAST('NaN' AS DOUBLE PRECISION) AND "age" < 40
      THEN 0.0625e0
      ELSE 0.1875e0
    END AS DOUBLE PRECISION) AS "predicted_y_probability_no",
    CAST(CASE WHEN "age" >= 60 THEN 0.5625e0 ELSE 0.1875e0 END AS DOUBLE PRECISION) + CAST(CASE
      WHEN "income" > 0.3e0 AND NOT "income" = CAST('NaN' AS DOUBLE PRECISION) AND "age" < 40
      THEN 0.1875e0
      ELSE 0.0625e0
    END AS DOUBLE PRECISION) AS "predicted_y_probability_yes"
  FROM "customers"
) AS "scored"

-- tsql
SELECT
  [id],
  [age],
  [income],
  CASE
    WHEN [predicted_y_probability_no] >= [predicted_y_probability_yes]
    THEN 'no'
    ELSE 'yes'
  END AS [predicted_y],
  CASE
    WHEN [predicted_y_probability_no] >= [predicted_y_probability_yes]
    THEN [predicted_y_probability_no]
    ELSE [predicted_y_probability_yes]
  END AS [predicted_y_probability],
  [rule]
FROM (
  SELECT
    *,
    CASE WHEN [age] >= 60 THEN 1 ELSE 2 END AS [rule],
    CASE WHEN [age] >= 60 THEN 0.1875e0 ELSE 0.5625e0 END + CASE WHEN [income] > 0.3e0 AND [age] < 40 THEN 0.0625e0 ELSE 0.1875e0 END AS [predicted_y_probability_no],
    CASE WHEN [age] >= 60 THEN 0.5625e0 ELSE 0.1875e0 END + CASE WHEN [income] > 0.3e0 AND [age] < 40 THEN 0.1875e0 ELSE 0.0625e0 END AS [predicted_y_probability_yes]
  FROM [customers]
) AS [scored]
