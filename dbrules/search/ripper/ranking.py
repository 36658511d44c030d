"""Rules that part what is left to the default: the same answer, but not the same probability."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dbrules.search.covering.literal import Antecedent
from dbrules.search.covering.subset import Count, Subset
from dbrules.search.ripper.description_length import rule_bits
from dbrules.search.ripper.grow import Growth


def ranking_rules(rest: Subset, growth: Growth, possible: int, most: int) -> list[Antecedent]:
    """Return at most ``most`` rules that each part ``rest`` into more and less probable rows.

    The positive class of ``rest`` is that of the default; a rule captures rows of which fewer are
    positive. It saves bits where the classes of what it captures and of what it leaves, each named
    at its own share, take fewer bits than those of both at one share; it costs its conditions (see
    ``description_length``) and half the logarithm of the weight for one more share (Rissanen
    1978, Modeling by shortest data description, Automatica 14). Rules grow while they save more.
    """
    rules: list[Antecedent] = []
    while len(rules) < most:
        rule = _rule(rest, growth, possible)
        if not rule:
            break
        rules.append(rule)
        rest = rest.without(rule)
    return rules


def _rule(rest: Subset, growth: Growth, possible: int) -> Antecedent:
    whole, inside = rest.count, rest
    antecedent: Antecedent = ()
    saved = 0.0
    while inside.count.negative > 0 and growth.budget.spend():
        places, positive, negative = growth.refinements(antecedent, inside)
        if not len(places):
            break
        gain = _saved(whole, positive, negative, growth.unit)
        # rows that are less sure to be of the default's class are told first
        covered = positive + negative
        gain[positive * whole.total >= whole.positive * covered] = -np.inf
        gain[covered < growth.least] = -np.inf
        gain -= rule_bits(len(antecedent) + 1, possible)
        gain -= 0.5 * np.log2(whole.total * growth.unit)
        if gain.max() <= saved:
            break
        best = int(np.argmax(gain))
        literal = growth.literals[int(places[best])]
        saved, antecedent = float(gain[best]), (*antecedent, literal)
        inside = inside.meeting(literal)
    return antecedent


def _saved(
    whole: Count, positive: NDArray[np.int64], negative: NDArray[np.int64], unit: float
) -> NDArray[np.float64]:
    """Return the bits that two shares save against one."""
    inside = _bits(positive, negative)
    outside = _bits(whole.positive - positive, whole.negative - negative)
    both = _bits(np.array([whole.positive]), np.array([whole.negative]))
    saved: NDArray[np.float64] = (both[0] - (inside + outside)) * unit
    return saved


def _bits(positive: NDArray[np.int64], negative: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the bits that name the class of each unit at its share."""
    p, n = positive.astype(np.float64), negative.astype(np.float64)
    bits: NDArray[np.float64] = _term(p, p + n) + _term(n, p + n)
    return bits


def _term(some: NDArray[np.float64], total: NDArray[np.float64]) -> NDArray[np.float64]:
    share = np.divide(some, total, out=np.ones_like(total), where=some > 0)
    term: NDArray[np.float64] = -some * np.log2(share)
    return term
