-- profile/scored_column: missing values and levels that no rule names, in a column to score
-- reads:   dataset(unseen ANY, missing INTEGER)
-- returns: unseen ANY, missing INTEGER, rows BIGINT
--
-- unseen is the level where no rule names it, else NULL; missing is 1 for NULL and NaN.
WITH dataset AS (
  SELECT *
  FROM (VALUES ('Paris', 0), (NULL, 0), (NULL, 1)) AS example (unseen, missing)
)
SELECT unseen, missing, CAST(COUNT(*) AS BIGINT) AS rows
FROM dataset
GROUP BY unseen, missing
