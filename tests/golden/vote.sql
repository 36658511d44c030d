-- IF age >= 60 THEN yes IF income > 0.3 THEN no IF age < 40 AND income > 0.5 THEN no ELSE yes
-- probability of the labels: [0.75, 0.625, 0.9]

-- majority, duckdb, the label as one expression
CASE
  WHEN CASE
    WHEN "income" > 0.3e0 AND (
      ISFINITE("income") OR ISINF("income")
    )
    THEN 1
    ELSE 0
  END + CASE
    WHEN "age" < 40 AND "income" > 0.5e0 AND (
      ISFINITE("income") OR ISINF("income")
    )
    THEN 1
    ELSE 0
  END > 0
  AND CASE
    WHEN "income" > 0.3e0 AND (
      ISFINITE("income") OR ISINF("income")
    )
    THEN 1
    ELSE 0
  END + CASE
    WHEN "age" < 40 AND "income" > 0.5e0 AND (
      ISFINITE("income") OR ISINF("income")
    )
    THEN 1
    ELSE 0
  END >= CASE WHEN "age" >= 60 THEN 1 ELSE 0 END
  THEN 'no'
  ELSE 'yes'
END

-- majority, duckdb
SELECT
  "id",
  "age",
  "income",
  CASE WHEN "votes_1" > 0 AND "votes_1" >= "votes_2" THEN 'no' ELSE 'yes' END AS "predicted_y",
  CASE
    WHEN "votes_1" > 0 AND "votes_1" >= "votes_2"
    THEN (
      "hit_2" * 0.625e0 + "hit_3" * 0.9e0
    ) / "votes_1"
    WHEN "votes_2" > 0
    THEN 0.75e0
    ELSE 0.5e0
  END AS "predicted_y_probability",
  CASE
    WHEN "votes_1" > 0 AND "votes_1" >= "votes_2"
    THEN CASE WHEN "hit_3" = 1 THEN 3 ELSE 2 END
    WHEN "votes_2" > 0
    THEN 1
    ELSE 4
  END AS "rule"
FROM (
  SELECT
    *,
    "hit_2" + "hit_3" AS "votes_1",
    "hit_1" AS "votes_2"
  FROM (
    SELECT
      *,
      CASE WHEN "age" >= 60 THEN 1 ELSE 0 END AS "hit_1",
      CASE
        WHEN "income" > 0.3e0 AND (
          ISFINITE("income") OR ISINF("income")
        )
        THEN 1
        ELSE 0
      END AS "hit_2",
      CASE
        WHEN "age" < 40 AND "income" > 0.5e0 AND (
          ISFINITE("income") OR ISINF("income")
        )
        THEN 1
        ELSE 0
      END AS "hit_3"
    FROM "customers"
  ) AS "hits"
) AS "votes"

-- majority, postgres
SELECT
  "id",
  "age",
  "income",
  CASE WHEN "votes_1" > 0 AND "votes_1" >= "votes_2" THEN 'no' ELSE 'yes' END AS "predicted_y",
  CASE
    WHEN "votes_1" > 0 AND "votes_1" >= "votes_2"
    THEN (
      "hit_2" * CAST(0.625e0 AS DOUBLE PRECISION) + "hit_3" * CAST(0.9e0 AS DOUBLE PRECISION)
    ) / "votes_1"
    WHEN "votes_2" > 0
    THEN CAST(0.75e0 AS DOUBLE PRECISION)
    ELSE CAST(0.5e0 AS DOUBLE PRECISION)
  END AS "predicted_y_probability",
  CASE
    WHEN "votes_1" > 0 AND "votes_1" >= "votes_2"
    THEN CASE WHEN "hit_3" = 1 THEN 3 ELSE 2 END
    WHEN "votes_2" > 0
    THEN 1
    ELSE 4
  END AS "rule"
FROM (
  SELECT
    *,
    "hit_2" + "hit_3" AS "votes_1",
    "hit_1" AS "votes_2"
  FROM (
    SELECT
      *,
      CASE WHEN "age" >= 60 THEN 1 ELSE 0 END AS "hit_1",
      CASE
        WHEN "income" > 0.3e0 AND NOT "income" = CAST('NaN' AS DOUBLE PRECISION)
        THEN 1
        ELSE 0
      END AS "hit_2",
      CASE
        WHEN "age" < 40 AND "income" > 0.5e0 AND NOT "income" = CAST('NaN' AS DOUBLE PRECISION)
        THEN 1
        ELSE 0
      END AS "hit_3"
    FROM "customers"
  ) AS "hits"
) AS "votes"

-- majority, tsql
SELECT
  [id],
  [age],
  [income],
  CASE WHEN [votes_1] > 0 AND [votes_1] >= [votes_2] THEN 'no' ELSE 'yes' END AS [predicted_y],
  CASE
    WHEN [votes_1] > 0 AND [votes_1] >= [votes_2]
    THEN (
      [hit_2] * 0.625e0 + [hit_3] * 0.9e0
    ) / [votes_1]
    WHEN [votes_2] > 0
    THEN 0.75e0
    ELSE 0.5e0
  END AS [predicted_y_probability],
  CASE
    WHEN [votes_1] > 0 AND [votes_1] >= [votes_2]
    THEN CASE WHEN [hit_3] = 1 THEN 3 ELSE 2 END
    WHEN [votes_2] > 0
    THEN 1
    ELSE 4
  END AS [rule]
FROM (
  SELECT
    *,
    [hit_2] + [hit_3] AS [votes_1],
    [hit_1] AS [votes_2]
  FROM (
    SELECT
      *,
      CASE WHEN [age] >= 60 THEN 1 ELSE 0 END AS [hit_1],
      CASE WHEN [income] > 0.3e0 THEN 1 ELSE 0 END AS [hit_2],
      CASE WHEN [age] < 40 AND [income] > 0.5e0 THEN 1 ELSE 0 END AS [hit_3]
    FROM [customers]
  ) AS [hits]
) AS [votes]

-- weighted, duckdb, the label as one expression
CASE
  WHEN CASE
    WHEN "income" > 0.3e0 AND (
      ISFINITE("income") OR ISINF("income")
    )
    THEN 625000
    ELSE 0
  END + CASE
    WHEN "age" < 40 AND "income" > 0.5e0 AND (
      ISFINITE("income") OR ISINF("income")
    )
    THEN 900000
    ELSE 0
  END > 0
  AND CASE
    WHEN "income" > 0.3e0 AND (
      ISFINITE("income") OR ISINF("income")
    )
    THEN 625000
    ELSE 0
  END + CASE
    WHEN "age" < 40 AND "income" > 0.5e0 AND (
      ISFINITE("income") OR ISINF("income")
    )
    THEN 900000
    ELSE 0
  END >= CASE WHEN "age" >= 60 THEN 750000 ELSE 0 END
  THEN 'no'
  ELSE 'yes'
END

-- weighted, duckdb
SELECT
  "id",
  "age",
  "income",
  CASE WHEN "votes_1" > 0 AND "votes_1" >= "votes_2" THEN 'no' ELSE 'yes' END AS "predicted_y",
  CASE
    WHEN "votes_1" > 0 AND "votes_1" >= "votes_2"
    THEN (
      "hit_2" * 0.625e0 + "hit_3" * 0.9e0
    ) / "voters_1"
    WHEN "votes_2" > 0
    THEN 0.75e0
    ELSE 0.5e0
  END AS "predicted_y_probability",
  CASE
    WHEN "votes_1" > 0 AND "votes_1" >= "votes_2"
    THEN CASE WHEN "hit_3" = 1 THEN 3 ELSE 2 END
    WHEN "votes_2" > 0
    THEN 1
    ELSE 4
  END AS "rule"
FROM (
  SELECT
    *,
    "hit_2" * 625000 + "hit_3" * 900000 AS "votes_1",
    "hit_1" * 750000 AS "votes_2",
    "hit_2" + "hit_3" AS "voters_1",
    "hit_1" AS "voters_2"
  FROM (
    SELECT
      *,
      CASE WHEN "age" >= 60 THEN 1 ELSE 0 END AS "hit_1",
      CASE
        WHEN "income" > 0.3e0 AND (
          ISFINITE("income") OR ISINF("income")
        )
        THEN 1
        ELSE 0
      END AS "hit_2",
      CASE
        WHEN "age" < 40 AND "income" > 0.5e0 AND (
          ISFINITE("income") OR ISINF("income")
        )
        THEN 1
        ELSE 0
      END AS "hit_3"
    FROM "customers"
  ) AS "hits"
) AS "votes"

-- weighted, postgres
SELECT
  "id",
  "age",
  "income",
  CASE WHEN "votes_1" > 0 AND "votes_1" >= "votes_2" THEN 'no' ELSE 'yes' END AS "predicted_y",
  CASE
    WHEN "votes_1" > 0 AND "votes_1" >= "votes_2"
    THEN (
      "hit_2" * CAST(0.625e0 AS DOUBLE PRECISION) + "hit_3" * CAST(0.9e0 AS DOUBLE PRECISION)
    ) / "voters_1"
    WHEN "votes_2" > 0
    THEN CAST(0.75e0 AS DOUBLE PRECISION)
    ELSE CAST(0.5e0 AS DOUBLE PRECISION)
  END AS "predicted_y_probability",
  CASE
    WHEN "votes_1" > 0 AND "votes_1" >= "votes_2"
    THEN CASE WHEN "hit_3" = 1 THEN 3 ELSE 2 END
    WHEN "votes_2" > 0
    THEN 1
    ELSE 4
  END AS "rule"
FROM (
  SELECT
    *,
    "hit_2" * 625000 + "hit_3" * 900000 AS "votes_1",
    "hit_1" * 750000 AS "votes_2",
    "hit_2" + "hit_3" AS "voters_1",
    "hit_1" AS "voters_2"
  FROM (
    SELECT
      *,
      CASE WHEN "age" >= 60 THEN 1 ELSE 0 END AS "hit_1",
      CASE
        WHEN "income" > 0.3e0 AND NOT "income" = CAST('NaN' AS DOUBLE PRECISION)
        THEN 1
        ELSE 0
      END AS "hit_2",
      CASE
        WHEN "age" < 40 AND "income" > 0.5e0 AND NOT "income" = CAST('NaN' AS DOUBLE PRECISION)
        THEN 1
        ELSE 0
      END AS "hit_3"
    FROM "customers"
  ) AS "hits"
) AS "votes"

-- weighted, tsql
SELECT
  [id],
  [age],
  [income],
  CASE WHEN [votes_1] > 0 AND [votes_1] >= [votes_2] THEN 'no' ELSE 'yes' END AS [predicted_y],
  CASE
    WHEN [votes_1] > 0 AND [votes_1] >= [votes_2]
    THEN (
      [hit_2] * 0.625e0 + [hit_3] * 0.9e0
    ) / [voters_1]
    WHEN [votes_2] > 0
    THEN 0.75e0
    ELSE 0.5e0
  END AS [predicted_y_probability],
  CASE
    WHEN [votes_1] > 0 AND [votes_1] >= [votes_2]
    THEN CASE WHEN [hit_3] = 1 THEN 3 ELSE 2 END
    WHEN [votes_2] > 0
    THEN 1
    ELSE 4
  END AS [rule]
FROM (
  SELECT
    *,
    [hit_2] * 625000 + [hit_3] * 900000 AS [votes_1],
    [hit_1] * 750000 AS [votes_2],
    [hit_2] + [hit_3] AS [voters_1],
    [hit_1] AS [voters_2]
  FROM (
    SELECT
      *,
      CASE WHEN [age] >= 60 THEN 1 ELSE 0 END AS [hit_1],
      CASE WHEN [income] > 0.3e0 THEN 1 ELSE 0 END AS [hit_2],
      CASE WHEN [age] < 40 AND [income] > 0.5e0 THEN 1 ELSE 0 END AS [hit_3]
    FROM [customers]
  ) AS [hits]
) AS [votes]

-- best, duckdb, the label as one expression
CASE
  WHEN "age" < 40 AND "income" > 0.5e0 AND (
    ISFINITE("income") OR ISINF("income")
  )
  THEN 'no'
  WHEN "age" >= 60
  THEN 'yes'
  WHEN "income" > 0.3e0 AND (
    ISFINITE("income") OR ISINF("income")
  )
  THEN 'no'
  ELSE 'yes'
END

-- best, duckdb
SELECT
  "id",
  "age",
  "income",
  CASE WHEN "rule" IN (2, 3) THEN 'no' ELSE 'yes' END AS "predicted_y",
  CASE
    WHEN "rule" = 1
    THEN 0.75e0
    WHEN "rule" = 2
    THEN 0.625e0
    WHEN "rule" = 3
    THEN 0.9e0
    ELSE 0.5e0
  END AS "predicted_y_probability",
  "rule"
FROM (
  SELECT
    *,
    CASE
      WHEN "age" < 40 AND "income" > 0.5e0 AND (
        ISFINITE("income") OR ISINF("income")
      )
      THEN 3
      WHEN "age" >= 60
      THEN 1
      WHEN "income" > 0.3e0 AND (
        ISFINITE("income") OR ISINF("income")
      )
      THEN 2
      ELSE 4
    END AS "rule"
  FROM "customers"
) AS "scored"

-- best, postgres
SELECT
  "id",
  "age",
  "income",
  CASE WHEN "rule" IN (2, 3) THEN 'no' ELSE 'yes' END AS "predicted_y",
  CAST(CASE
    WHEN "rule" = 1
    THEN 0.75e0
    WHEN "rule" = 2
    THEN 0.625e0
    WHEN "rule" = 3
    THEN 0.9e0
    ELSE 0.5e0
  END AS DOUBLE PRECISION) AS "predicted_y_probability",
  "rule"
FROM (
  SELECT
    *,
    CASE
      WHEN "age" < 40 AND "income" > 0.5e0 AND NOT "income" = CAST('NaN' AS DOUBLE PRECISION)
      THEN 3
      WHEN "age" >= 60
      THEN 1
      WHEN "income" > 0.3e0 AND NOT "income" = CAST('NaN' AS DOUBLE PRECISION)
      THEN 2
      ELSE 4
    END AS "rule"
  FROM "customers"
) AS "scored"

-- best, tsql
SELECT
  [id],
  [age],
  [income],
  CASE WHEN [rule] IN (2, 3) THEN 'no' ELSE 'yes' END AS [predicted_y],
  CASE
    WHEN [rule] = 1
    THEN 0.75e0
    WHEN [rule] = 2
    THEN 0.625e0
    WHEN [rule] = 3
    THEN 0.9e0
    ELSE 0.5e0
  END AS [predicted_y_probability],
  [rule]
FROM (
  SELECT
    *,
    CASE
      WHEN [age] < 40 AND [income] > 0.5e0
      THEN 3
      WHEN [age] >= 60
      THEN 1
      WHEN [income] > 0.3e0
      THEN 2
      ELSE 4
    END AS [rule]
  FROM [customers]
) AS [scored]
