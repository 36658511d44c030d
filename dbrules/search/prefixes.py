"""Prefixes of falling rule lists, and the rules that may come next (Chen & Rudin 2018, section 4).

Losses here are times the number of rows: a false alarm costs 1, a missed positive w.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dbrules.search.bounds import falling_further, shares, soft_rest, stopping
from dbrules.search.objectives import FallingObjective
from dbrules.search.remaining import Remaining


@dataclass(frozen=True, eq=False)
class Prefix:
    """The first rules of a list.

    ``left``: the rows that they leave. ``loss``: of the rules alone, the penalty of soft lists
    included. ``least``: positives and negatives of the rule of least proportion, in a hard list
    the last; (1, 0) where there is no rule: a proportion of 1.
    """

    antecedents: tuple[int, ...]
    left: Remaining
    loss: float
    least: tuple[int, int] = (1, 0)


@dataclass(frozen=True, eq=False)
class Extensions:
    """The prefixes one rule longer that a list may begin with; all of shape (extensions,).

    ``losses``: of the list that ends right there; ``bounds``: least loss of any list that begins
    so, and ``further``: of those with another rule; ``proportions`` of positives and ``recalls``,
    the share of the positives left that the new rule captures.
    """

    antecedents: NDArray[np.intp]
    positives: NDArray[Any]
    negatives: NDArray[Any]
    losses: NDArray[np.float64]
    bounds: NDArray[np.float64]
    further: NDArray[np.float64]
    proportions: NDArray[np.float64]
    recalls: NDArray[np.float64]
    prefix_losses: NDArray[np.float64]


class Prefixes:
    """Extends prefixes over one set of rows, by one objective.

    ``max_rules``: the longest list, the else not counted. Falling is compared on whole numbers.
    """

    def __init__(
        self, rows: Remaining, objective: FallingObjective, max_rules: int | None = None
    ) -> None:
        self.objective = objective
        self.root = Prefix((), rows, 0.0)
        self.max_rules = math.inf if max_rules is None else max_rules
        self.weight = float(objective.weight)
        self.cost = float(objective.rule_cost * objective.rows)
        penalty = objective.soft_penalty
        self.penalty = None if penalty is None else float(penalty * objective.rows)
        weight = objective.weight
        largest = objective.rows * max(weight.numerator, weight.denominator, objective.rows)
        self._type: Any = np.int64 if largest < 2**62 else object

    def loss(self, prefix: Prefix) -> float:
        """Return the loss of the list that ends after ``prefix``; infinite where it may not."""
        positives, negatives = prefix.left.totals
        rise = 0.0
        if positives * prefix.least[1] > prefix.least[0] * negatives:
            rise = positives / (positives + negatives) - prefix.least[0] / sum(prefix.least)
            if self.penalty is None:
                return math.inf
        penalty = 0.0 if self.penalty is None else self.penalty * rise
        return prefix.loss + min(self.weight * positives, negatives) + penalty

    def bound(self, prefix: Prefix) -> float:
        """Return the least loss that a list which begins with ``prefix`` can have.

        Besides the bound of its rules, the equivalent-points bound: rows that no antecedent tells
        apart get one answer, whatever rules follow.
        """
        if len(prefix.antecedents) >= self.max_rules:
            return self.loss(prefix)
        positives, negatives = (np.array([float(total)]) for total in prefix.left.totals)
        least_p, least_n = (np.array([float(count)]) for count in prefix.least)
        further = float(self._further(positives, negatives, least_p, least_n)[0])
        numerator, denominator = self.objective.weight.as_integer_ratio()
        apart = prefix.left.inseparable(numerator, denominator) / denominator + self.cost
        return min(self.loss(prefix), prefix.loss + max(further, apart))

    def extensions(self, prefix: Prefix) -> Extensions:
        """Return the rules that may come next: they capture rows and leave some.

        In a hard list they answer the positive class (corollary 4.5), their proportion is not
        above the last one's, and that of what is left not above theirs (proposition 4.2).
        """
        total = prefix.left.totals
        counts = prefix.left.counts
        captured = counts.sum(axis=1)
        chosen = np.flatnonzero((captured > 0) & (captured < sum(total)))
        if len(prefix.antecedents) >= self.max_rules:
            chosen = chosen[:0]
        p, n = (counts[chosen, place].astype(self._type) for place in (0, 1))
        weight = self.objective.weight
        above = np.asarray(weight.numerator * p > weight.denominator * n, dtype=bool)
        if self.penalty is None:
            last_p, last_n = prefix.least
            falls = (p * last_n <= last_p * n) & ((total[0] - p) * n <= p * (total[1] - n))
            kept = above & np.asarray(falls, dtype=bool)
            chosen, p, n, above = chosen[kept], p[kept], n[kept], above[kept]
        return self._scored(prefix, chosen, p, n, above)

    def extend(self, prefix: Prefix, extensions: Extensions, place: int) -> Prefix:
        """Return the prefix that the extension at ``place`` makes of ``prefix``."""
        antecedent = int(extensions.antecedents[place])
        counts = (int(extensions.positives[place]), int(extensions.negatives[place]))
        least = prefix.least
        if self.penalty is None or counts[0] * sum(least) < least[0] * sum(counts):
            least = counts
        return Prefix(
            (*prefix.antecedents, antecedent), prefix.left.without(antecedent),
            float(extensions.prefix_losses[place]), least,
        )  # fmt: skip

    def by_proportion(
        self, prefix: Prefix, extensions: Extensions, chosen: NDArray[np.bool_]
    ) -> list[Prefix]:
        """Return the prefixes of the ``chosen`` extensions, by rising proportion of positives."""
        places = np.flatnonzero(chosen)
        order = np.argsort(extensions.proportions[places], kind="stable")
        return [self.extend(prefix, extensions, place) for place in places[order].tolist()]

    def prefix(self, antecedents: tuple[int, ...]) -> Prefix | None:
        """Return the prefix of these rules; None where one of them may not come there."""
        prefix = self.root
        for antecedent in antecedents:
            extensions = self.extensions(prefix)
            place = np.flatnonzero(extensions.antecedents == antecedent)
            if not len(place):
                return None
            prefix = self.extend(prefix, extensions, int(place[0]))
        return prefix

    def _scored(
        self, prefix: Prefix, chosen: NDArray[np.intp], positives: NDArray[Any],
        negatives: NDArray[Any], above: NDArray[np.bool_],
    ) -> Extensions:  # fmt: skip
        p, n = positives.astype(np.float64), negatives.astype(np.float64)
        total_p, total_n = prefix.left.totals
        rest_p, rest_n = total_p - p, total_n - n
        losses = prefix.loss + self.cost + np.where(above, n, self.weight * p)
        least_p, least_n = p, n
        stop = stopping(rest_p, rest_n, self.weight)
        if self.penalty is not None:
            floor_p, floor_n = prefix.least
            losses += self.penalty * np.maximum(0, shares(p, n) - floor_p / (floor_p + floor_n))
            lower = positives * (floor_p + floor_n) < floor_p * (positives + negatives)
            lower = np.asarray(lower, dtype=bool)
            least_p, least_n = np.where(lower, p, floor_p), np.where(lower, n, floor_n)
            rise = shares(rest_p, rest_n) - least_p / (least_p + least_n)
            stop = stop + self.penalty * np.maximum(0, rise)
        further = np.full(len(chosen), math.inf)
        if len(prefix.antecedents) + 1 < self.max_rules:
            further = self._further(rest_p, rest_n, least_p, least_n)
        return Extensions(
            antecedents=chosen, positives=positives, negatives=negatives, losses=losses + stop,
            bounds=losses + np.minimum(stop, further), further=losses + further,
            proportions=shares(p, n), recalls=p / max(1, total_p), prefix_losses=losses,
        )  # fmt: skip

    def _further(self, p: Any, n: Any, least_p: Any, least_n: Any) -> NDArray[np.float64]:
        if self.penalty is None:
            return falling_further(p, least_p, least_n, self.cost)
        # of soft lists theorem 5.2 has no line for those that go on
        return soft_rest(p, n, least_p, least_n, self.weight, self.cost, self.penalty)
