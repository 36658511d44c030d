-- patterns/histogram: how often each class occurs in each cell of some grids of codes
-- reads:   dataset(place INTEGER, cell BIGINT, label ANY, units BIGINT)
-- returns: place INTEGER, cell BIGINT, label ANY, units BIGINT
--
-- Each grid is the product of the codes of one group of features: place is the number of the
-- group, cell the number of the combination of codes. dataset is bound to a UNION ALL of one
-- SELECT a group over the kept table of patterns, so that one statement answers many groups.
WITH dataset AS (
  SELECT *
  FROM (VALUES (0, 3, 'yes', 2), (0, 3, 'yes', 5), (0, 1, 'no', 4), (1, 3, 'yes', 7))
    AS example (place, cell, label, units)
)
SELECT place, cell, label, CAST(SUM(units) AS BIGINT) AS units
FROM dataset
GROUP BY place, cell, label
