"""The description length of a rule set: bits for the rules and for their exceptions.

Cohen (1995), Fast effective rule induction, section 2.3, after Quinlan (1995), MDL and
categorical theories (continued), with his correction for skewed classes.
"""

from __future__ import annotations

import math
from typing import Final

from dbrules.search.covering.subset import Count

#: Conditions are redundant: a rule costs half of what its conditions would (Cohen, section 2.3).
_REDUNDANCY: Final = 0.5


def subset_bits(size: float, chosen: float, share: float) -> float:
    """Return the bits that name ``chosen`` of ``size`` elements, a ``share`` of which is expected.

    >>> subset_bits(4, 2, 0.5)
    4.0
    """
    bits = -chosen * math.log2(share) if chosen > 0 and share > 0 else 0.0
    rest = size - chosen
    if rest <= 0:
        return bits
    return bits - rest * math.log2(1 - share) if share < 1 else math.inf


def rule_bits(conditions: int, possible: int) -> float:
    """Return the bits of a rule with some of the ``possible`` conditions.

    >>> rule_bits(0, 100)
    0.0
    """
    if conditions == 0:
        return 0.0
    bits = math.log2(conditions)
    if conditions > 1:  # of Rissanen's log*, the first two terms, as Weka approximates it
        bits += 2 * math.log2(bits)
    bits += subset_bits(possible, conditions, min(conditions / possible, 1.0))
    return _REDUNDANCY * bits


def exception_bits(covered: Count, total: Count, unit: float, expected: float) -> float:
    """Return the bits that name the exceptions to rules that cover ``covered`` of ``total``.

    False positives are among the rows covered, false negatives among the others. Of the larger of
    the two parts, the errors are expected to be the share ``expected`` (false positives), or one
    minus it (false negatives), of all errors. ``unit``: the weight of one unit.
    """
    inside, outside = covered.total * unit, (total.total - covered.total) * unit
    wrong_in = covered.negative * unit
    wrong_out = (total.positive - covered.positive) * unit
    bits = math.log2(inside + outside + 1)
    if inside > outside:
        share = expected * (wrong_in + wrong_out) / inside
        return bits + subset_bits(inside, wrong_in, share) + _plain_bits(outside, wrong_out)
    if outside <= 0:
        return bits
    share = (1 - expected) * (wrong_in + wrong_out) / outside
    return bits + _plain_bits(inside, wrong_in) + subset_bits(outside, wrong_out, share)


def _plain_bits(size: float, chosen: float) -> float:
    return subset_bits(size, chosen, chosen / size) if size > 0 else 0.0
