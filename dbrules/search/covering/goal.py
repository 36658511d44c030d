"""What a rule search looks for: the quality, and what a rule must have besides."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dbrules.search.covering.literal import Antecedent, conditions, merged
from dbrules.search.covering.majority import Majority
from dbrules.search.covering.quality import (
    GAINS,
    QUALITIES,
    Setting,
    Weights,
    likelihood_ratio,
    significance_level,
)
from dbrules.search.covering.refinements import Refinements
from dbrules.search.covering.subset import Count, Subset

#: A p-value this near to the level is at the level.
_ROUNDING: Final = 1e-12


@dataclass(frozen=True)
class Goal:
    """The quality to maximise, a name of QUALITIES, and what a rule needs to be one.

    ``unit``: the weight of one unit of counts. ``classes``: their number. ``least``: units that a
    rule covers. ``min_quality``: its value. ``significance``: the largest p-value of its
    likelihood ratio; None: no test. Whatever the settings, a rule covers a positive, and its
    value is above that of the rule that covers everything.
    """

    quality: str = "laplace"
    unit: float = 1.0
    classes: int = 2
    m: float = 2.0
    least: int = 1
    max_conditions: int | None = None
    min_quality: float | None = None
    significance: float | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A rule that was looked at, one literal a feature."""

    antecedent: Antecedent
    count: Count
    value: float
    conditions: int

    @property
    def rank(self) -> tuple[float, int, int, Antecedent]:
        """The smaller the better: by value, then positives, then conditions, then literals."""
        return (-self.value, -self.count.positive, self.conditions, self.key)

    @property
    def key(self) -> Antecedent:
        """The same for all orders of the literals."""
        return tuple(sorted(self.antecedent))


class Task:
    """One search: a subset, and the goal.

    ``majority``: that rules need; None: none. ``rules``: how many were found before. ``cut``: the
    nodes at which the search was ended before it was complete, None where it was not.
    """

    def __init__(
        self, subset: Subset, goal: Goal, refinements: Refinements,
        majority: Majority | None = None, rules: int = 0,
    ) -> None:  # fmt: skip
        self.subset, self.goal, self.refinements = subset, goal, refinements
        self.majority, self.rules = majority, rules
        self.cut: int | None = None
        self.features = subset.features
        positive, negative = (units * goal.unit for units in subset.count)
        self.setting = Setting(positive, negative, goal.classes, goal.m)
        self._quality = QUALITIES[goal.quality]
        self.is_gain = goal.quality in GAINS
        self._sizes = np.array([feature.size for feature in self.features], dtype=np.int64)
        self.steps = np.array([feature.steps for feature in self.features], dtype=np.int64)

    @cached_property
    def everything(self) -> Candidate:
        """The rule without a condition."""
        return self.candidate((), self.subset.count)

    def values(
        self, p: NDArray[np.int64], n: NDArray[np.int64], before: Count | None = None
    ) -> Weights:
        """Return the values of rules that cover so many units.

        ``before``: what the rule covered before it was refined; it matters for a gain only, which
        else is over the rule that covers everything.
        """
        setting = self.setting
        if before is not None:
            unit = self.goal.unit
            setting = setting._replace(before=(before.positive * unit, before.negative * unit))
        return self._quality(self._weights(p), self._weights(n), setting)

    def candidate(self, antecedent: Antecedent, count: Count) -> Candidate:
        """Return a rule with its value."""
        value = self.values(np.array([count.positive]), np.array([count.negative]))
        antecedent = merged(antecedent)
        return Candidate(antecedent, count, float(value[0]), conditions(antecedent, self.features))

    def admissible(
        self, p: NDArray[np.int64], n: NDArray[np.int64], value: Weights
    ) -> NDArray[np.bool_]:
        """Say of which rules the goal may allow that they are found, once they cover enough.

        Whether they have the majority, where more than two classes are told from one another, is
        for ``majority`` to say.
        """
        goal = self.goal
        admissible = (p > 0) & (value > self.everything.value)
        if goal.min_quality is not None:
            admissible &= value >= goal.min_quality
        if self.majority is not None:
            admissible &= self.majority.possible(p, n)
        if goal.significance is not None:
            ratios = likelihood_ratio(self._weights(p), self._weights(n), self.setting)
            admissible &= ratios >= self._least_ratio
        return admissible

    def admits(self, candidate: Candidate) -> bool:
        """Say whether the goal allows that a rule is found."""
        limit, (p, n) = self.goal.max_conditions, candidate.count
        allowed = self.admissible(np.array([p]), np.array([n]), np.array([candidate.value]))[0]
        enough = p + n >= self.goal.least and (limit is None or candidate.conditions <= limit)
        if not (allowed and enough):
            return False
        return self.majority is None or self.majority.holds(candidate.antecedent, candidate.count)

    def conditions(self, rule: Candidate, place: NDArray[np.intp]) -> NDArray[np.int64]:
        """Return how many conditions a rule has once a literal is added, for each of the places."""
        literals = self.refinements
        first, end = np.zeros_like(self.steps), self._sizes.copy()
        written = np.zeros_like(self.steps)
        for number, low, high in rule.antecedent:
            first[number], end[number] = low, high
            written[number] = 1 + (low > 0 and high < self.steps[number])
        feature = literals.feature[place]
        lows = np.maximum(first[feature], literals.first[place])
        highs = np.minimum(end[feature], literals.end[place])
        two_sided = (lows > 0) & (highs < self.steps[feature])
        conditions: NDArray[np.int64] = rule.conditions - written[feature] + 1 + two_sided
        return conditions

    def _weights(self, units: NDArray[np.int64]) -> Weights:
        weights = units.astype(np.float64)
        return weights if self.goal.unit == 1 else weights * self.goal.unit

    @cached_property
    def _least_ratio(self) -> float:
        """The likelihood ratio of the level of significance, by bisection."""
        level = self.goal.significance
        assert level is not None
        low, high = 0.0, 2000.0  # the p-value of 1500 is 0 as a double
        while high - low > _ROUNDING * max(1.0, high):
            middle = (low + high) / 2
            low, high = (middle, high) if significance_level(middle) > level else (low, middle)
        return low


class Best:
    """The best rule so far that the goal admits."""

    def __init__(self) -> None:
        self.found: Candidate | None = None

    def offer(self, candidate: Candidate) -> None:
        """Keep a rule where it is better."""
        if self.found is None or candidate.rank < self.found.rank:
            self.found = candidate

    def beatable(
        self, bound: Weights, p: NDArray[np.int64], conditions: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """Say which rules may have a refinement that is better than the best so far.

        ``bound``: the values that those have at best; at most ``p``, at least ``conditions``.
        """
        if self.found is None:
            return np.ones(len(p), dtype=np.bool_)
        best = self.found
        equal = bound == best.value
        fewer = (p > best.count.positive) | (
            (p == best.count.positive) & (conditions <= best.conditions)
        )
        beatable: NDArray[np.bool_] = (bound > best.value) | (equal & fewer)
        return beatable
