-- profile/classes: how many rows each class has
-- reads:   dataset(label ANY)
-- returns: label ANY, rows BIGINT
--
-- The first question of every fit: which classes there are, and how many rows have no target
-- (label NULL).
WITH dataset AS (
  SELECT *
  FROM (VALUES ('yes'), ('no'), (NULL), ('no')) AS example (label)
)
SELECT label, CAST(COUNT(*) AS BIGINT) AS rows
FROM dataset
GROUP BY label
