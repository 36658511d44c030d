-- patterns/holds: which antecedents hold of which cells
-- reads:   masks(first_antecedent INTEGER, cell BIGINT, mask BIGINT),
--   bits(number INTEGER, bit BIGINT)
-- returns: antecedent INTEGER, cell BIGINT
--
-- Bit number n of a mask, 2 to the power of n, is the antecedent n after its first one. masks is
-- bound to a UNION ALL of the masks of the kept table of cells. Bits are read by % because not
-- every engine has an operator for them.
WITH masks AS (
  SELECT *
  FROM (VALUES (0, 1, 5), (0, 2, 4), (62, 1, 0), (62, 2, 2))
    AS example (first_antecedent, cell, mask)
),
bits AS (
  SELECT *
  FROM (VALUES (0, 1), (1, 2), (2, 4)) AS example (number, bit)
)
SELECT CAST(masks.first_antecedent + bits.number AS INTEGER) AS antecedent, masks.cell
FROM masks
CROSS JOIN bits
WHERE masks.mask % (2 * bits.bit) >= bits.bit
