"""Growing a rule condition by condition, and pruning its last ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from dbrules.search.budget import Budget
from dbrules.search.covering.literal import Antecedent, Feature, conditions, merged
from dbrules.search.covering.refinements import Refinements
from dbrules.search.covering.subset import Count, Subset


@dataclass(frozen=True, eq=False)
class Growth:
    """How rules grow.

    ``unit``: the weight of one unit of counts. ``min_weight``: what a rule must cover of the
    positive class of the rows it grows on. ``least``: units that it must capture of all rows.
    ``max_conditions``: that a rule is written with, None for any number.
    """

    features: Sequence[Feature]
    unit: float
    min_weight: float
    max_conditions: int | None
    budget: Budget
    least: int = 1
    literals: Refinements = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "literals", Refinements(self.features))

    def grow(self, rows: Subset, antecedent: Antecedent = ()) -> Antecedent:
        """Return an antecedent with conditions added until it covers no negative row of ``rows``.

        Each is the one of largest information gain, p (log2 (p + 1)/(p + n + 1) minus the same
        of the rule without it), in weight (Quinlan 1990, FOIL; Cohen 1995, section 2.1). Ties go
        to the literal that comes first. It ends where none gains, covers ``min_weight`` of the
        positive class or fits ``max_conditions``. ``rows``: those that ``antecedent`` covers.
        """
        inside, count = rows, rows.count
        while count.negative > 0 and self.budget.spend():
            places, positive, negative = self.refinements(antecedent, inside)
            if not len(places):
                break
            gain = self._gain(count, positive, negative)
            best = int(np.argmax(gain))
            if gain[best] <= 0 or positive[best] * self.unit < self.min_weight:
                break
            literal = self.literals[int(places[best])]
            antecedent = (*antecedent, literal)
            inside = inside.meeting(literal)
            count = Count(int(positive[best]), int(negative[best]))
        return antecedent

    def _gain(
        self, count: Count, positive: NDArray[np.int64], negative: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        before = (count.positive * self.unit + 1) / (count.total * self.unit + 1)
        weight = positive * self.unit
        share = (weight + 1) / ((positive + negative) * self.unit + 1)
        gain: NDArray[np.float64] = weight * (np.log2(share) - np.log2(before))
        return gain

    def refinements(
        self, antecedent: Antecedent, inside: Subset
    ) -> tuple[NDArray[np.intp], NDArray[np.int64], NDArray[np.int64]]:
        """Return the literals that fit ``max_conditions``, and what of ``inside`` they cover.

        ``inside``: what ``antecedent`` covers. See :meth:`Refinements.counts`.
        """
        places, positive, negative = self.literals.counts(inside.histogram)
        most = self.max_conditions
        if most is None or conditions(antecedent, self.features) < most:
            return places, positive, negative
        # only bounds that the rule has already can be moved: below, above
        bounded = np.zeros((2, len(self.features)), dtype=np.bool_)
        for feature, first, end in merged(antecedent):
            bounded[:, feature] = end < self.features[feature].steps, first > 0
        above = (self.literals.first[places] > 0).astype(np.int64)
        fits = bounded[above, self.literals.feature[places]]
        return places[fits], positive[fits], negative[fits]


def prune(rows: Subset, antecedent: Antecedent, unit: float) -> Antecedent:
    """Return the first conditions whose covered share of positives is the largest on ``rows``.

    Shares are (p + 1)/(p + n + 2), in weight; of equal ones the shortest (Cohen 1995, section
    2.1: the order of (p - n)/(p + n), smoothed as Weka's JRip does).
    """
    shares = [(c.positive * unit + 1) / (c.total * unit + 2) for c in _path(rows, antecedent)]
    return antecedent[: shares.index(max(shares))]


def prune_whole(rows: Subset, antecedent: Antecedent, unit: float) -> Antecedent:
    """Return the first conditions with which most of ``rows`` are right.

    ``rows``: those that no other rule of the set covers; a row is right where the rule covers
    it and it is positive, or neither (Cohen 1995, section 2.2). The rule without a condition has
    its share smoothed, as in Weka's JRip.
    """
    path = _path(rows, antecedent)
    total = path[0].total * unit
    if total <= 0:
        return antecedent
    shares = [(path[0].positive * unit + 1) / (total + 2)]
    shares += [(c.positive + path[0].negative - c.negative) * unit / total for c in path[1:]]
    return antecedent[: shares.index(max(shares))]


def _path(rows: Subset, antecedent: Antecedent) -> list[Count]:
    return [rows.count, *rows.path(antecedent)]
