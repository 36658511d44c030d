"""A list with what its rules capture, from which a neighbour is counted in part."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dbrules.search.captures import ClassTuple, Rows

#: Positives and negatives, as weights.
Pair = tuple[float, float]


@dataclass(frozen=True)
class Scale:
    """How class counts become weights of positives and of all others.

    ``positive``: the place of the positive class. ``unit``: the weight of one unit of counts.

    >>> Scale(1, 0.5).pair((3, 4))
    (2.0, 1.5)
    """

    positive: int = 1
    unit: float = 1.0

    def pair(self, counts: ClassTuple) -> Pair:
        """Return the weights of positives and negatives."""
        positives = counts[self.positive]
        return positives * self.unit, (sum(counts) - positives) * self.unit


@dataclass(frozen=True, eq=False, slots=True)
class CountedList:
    """A list and its counts.

    ``left``: the rows before each rule, and those of the else; (L+1,). ``pairs``: positives and
    negatives that each rule captures, and those of the else; (L+1,). ``fits``: the log likelihood
    that the rules before each rule and before the else have at most; (L+1,).
    """

    antecedents: tuple[int, ...]
    left: list[Rows]
    pairs: list[Pair]
    fits: list[float]

    @classmethod
    def empty(cls, rows: Rows, scale: Scale) -> CountedList:
        """Return the list of no rules."""
        return cls((), [rows], [scale.pair(rows.counts)], [0.0])


def recount(
    base: CountedList, antecedents: tuple[int, ...], scale: Scale, least: float
) -> CountedList | None:
    """Return a list with its counts; None once its log likelihood is sure to be below ``least``.

    Rules that the list begins with as ``base`` does are not counted again. Where both end alike
    and the same rows are left, the rest is known: what a rule captures depends on those alone.
    """
    first = _common(base.antecedents, antecedents)
    rules = len(antecedents)
    tail = _common(base.antecedents[first:][::-1], antecedents[first:][::-1])
    shift = len(base.antecedents) - rules
    left, pairs, fits = base.left[: first + 1], base.pairs[:first], base.fits[: first + 1]
    rows, fit = left[-1], fits[-1]
    for place in range(first, rules):
        if place >= rules - tail:
            old = place + shift
            rows_then = base.left[old]
            if rows.counts == rows_then.counts and rows.key == rows_then.key:
                left += base.left[old + 1 :]
                pairs += base.pairs[old:]
                gain = fit - base.fits[old]
                fits += [then + gain for then in base.fits[old + 1 :]]
                return CountedList(antecedents, left, pairs, fits)
        captured, rows = rows.capture(antecedents[place])
        pair = scale.pair(captured)
        fit += best_fit(*pair)
        if fit < least:
            return None
        pairs.append(pair)
        left.append(rows)
        fits.append(fit)
    pairs.append(scale.pair(rows.counts))
    return CountedList(antecedents, left, pairs, fits)


def count_list(base: CountedList, antecedents: tuple[int, ...], scale: Scale) -> CountedList:
    """Return a list with its counts; see :func:`recount`."""
    counted = recount(base, antecedents, scale, -math.inf)
    assert counted is not None
    return counted


def best_fit(positives: float, negatives: float) -> float:
    """Return the log likelihood of one rule's rows at their own share of positives.

    >>> best_fit(3.0, 0.0), round(best_fit(1.0, 1.0), 6), round(2 * math.log(0.5), 6)
    (0.0, -1.386294, -1.386294)
    """
    if positives == 0 or negatives == 0:
        return 0.0
    total = positives + negatives
    return positives * math.log(positives / total) + negatives * math.log(negatives / total)


def _common(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    """Return how many antecedents two lists have in common before they differ."""
    common = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        common += 1
    return common
