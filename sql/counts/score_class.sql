-- counts/score_class: how many rows, and how much weight, have each score and class
-- reads:   dataset(rule BIGINT, share_0 DOUBLE, share_1 DOUBLE, label ANY, weight DECIMAL(38,12))
-- returns: rule BIGINT, share_0 DOUBLE, share_1 DOUBLE, label ANY, rows BIGINT,
--   weight DECIMAL(38,12), bad_weights BIGINT
--
-- A model that averages rule lists answers rows of one rule by several probabilities, one share
-- for each class; there are as many share columns as are bound. Rows that are answered alike and
-- have the same label are one row here, from which every metric follows. Weights are decimals, so
-- that their sum does not depend on the order in which rows arrive; bad_weights counts the missing
-- and negative ones.
WITH dataset AS (
  SELECT *
  FROM (VALUES (1, 0.25, 0.75, 'yes', 1.0), (1, 0.25, 0.75, 'yes', 2.0), (1, 0.5, 0.5, 'no', 1.0),
               (2, 0.5, 0.5, NULL, 1.0))
    AS example (rule, share_0, share_1, label, weight)
)
SELECT
  rule,
  share_0,
  share_1,
  label,
  CAST(COUNT(*) AS BIGINT) AS rows,
  CAST(COALESCE(SUM(weight), 0) AS DECIMAL(38, 12)) AS weight,
  CAST(SUM(CASE WHEN weight IS NULL OR weight < 0 THEN 1 ELSE 0 END) AS BIGINT) AS bad_weights
FROM dataset
GROUP BY rule, share_0, share_1, label
ORDER BY rule, share_0, share_1, label
