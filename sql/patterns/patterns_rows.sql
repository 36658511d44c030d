-- patterns/patterns_rows: how many rows each class has in each pattern of codes
-- reads:   dataset(code_0 ANY, code_1 ANY, label ANY)
-- returns: code_0 ANY, code_1 ANY, label ANY, units BIGINT
--
-- patterns/patterns for data without a weight column, where the unit of weight is a row.
WITH dataset AS (
  SELECT *
  FROM (VALUES (0, 1, 'yes'), (0, 1, 'yes'), (0, 1, 'no'), (2, 0, NULL))
    AS example (code_0, code_1, label)
)
SELECT code_0, code_1, label, CAST(COUNT(*) AS BIGINT) AS units
FROM dataset
WHERE label IS NOT NULL
GROUP BY code_0, code_1, label
