-- patterns/distinct: how many distinct patterns of codes the rows with a label have
-- reads:   dataset(code_0 ANY, code_1 ANY, label ANY)
-- returns: patterns BIGINT
--
-- To decide by, before the patterns themselves travel.
WITH dataset AS (
  SELECT *
  FROM (VALUES (0, 1, 'yes'), (0, 1, 'no'), (2, 1, 'no'), (2, 0, NULL))
    AS example (code_0, code_1, label)
),
patterns AS (
  SELECT code_0, code_1
  FROM dataset
  WHERE label IS NOT NULL
  GROUP BY code_0, code_1
)
SELECT CAST(COUNT(*) AS BIGINT) AS patterns
FROM patterns
