-- counts/cover_class: how many rows, and how much weight, the same rules cover, by class
-- reads:   dataset(mask_0 BIGINT, mask_1 BIGINT, label ANY, weight DECIMAL(38,12))
-- returns: mask_0 BIGINT, mask_1 BIGINT, label ANY, rows BIGINT, weight DECIMAL(38,12),
--   bad_weights BIGINT
--
-- Rules of a set overlap. A bit of a mask says whether a rule covers the row: 62 rules a mask,
-- the first in the lowest bit of mask_0, and as many masks as are bound. Rows that the same rules
-- cover are answered alike; how much any two rules cover together follows too. Weights are
-- decimals, so that their sum does not depend on the order in which rows arrive; bad_weights
-- counts the missing and negative ones.
WITH dataset AS (
  SELECT *
  FROM (VALUES (3, 0, 'yes', 1.0), (3, 0, 'yes', 2.0), (1, 0, 'no', 1.0), (0, 1, NULL, 1.0))
    AS example (mask_0, mask_1, label, weight)
)
SELECT
  mask_0,
  mask_1,
  label,
  CAST(COUNT(*) AS BIGINT) AS rows,
  CAST(COALESCE(SUM(weight), 0) AS DECIMAL(38, 12)) AS weight,
  CAST(SUM(CASE WHEN weight IS NULL OR weight < 0 THEN 1 ELSE 0 END) AS BIGINT) AS bad_weights
FROM dataset
GROUP BY mask_0, mask_1, label
ORDER BY mask_0, mask_1, label
