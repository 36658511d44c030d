"""What a rule saves: the description length of a rule set with it and without it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from dbrules.search.covering.literal import Antecedent, Feature
from dbrules.search.covering.subset import Count
from dbrules.search.ripper.description_length import exception_bits, rule_bits

NOTHING = Count(0, 0)


@dataclass(frozen=True, eq=False)
class RuleSetBits:
    """Description lengths of rules for one class.

    ``total``: the rows of the class and all others that the rules are to tell apart. ``expected``:
    the share of errors that are expected to be false positives. ``unit``: of weight.
    """

    features: Sequence[Feature]
    total: Count
    unit: float
    expected: float

    @cached_property
    def possible(self) -> int:
        """How many conditions there are to choose from."""
        return possible_conditions(self.features)

    def rule(self, antecedent: Antecedent) -> float:
        """Return the bits of one rule."""
        return rule_bits(len(antecedent), self.possible)

    def exceptions(self, covered: Count) -> float:
        """Return the bits of the exceptions to rules that cover so much."""
        return exception_bits(covered, self.total, self.unit, self.expected)

    def without(self, before: Count, later: Sequence[Antecedent], counts: Sequence[Count]) -> float:
        """Return the bits of a set without one of its rules, less those of the rules it keeps.

        ``before``: what the rules before it capture; ``counts``: what the ``later`` ones capture,
        without it. Later rules that do not pay are left out (Cohen 1995, section 2.2).
        """
        covered = add(before, *counts)
        bits, saved = self.exceptions(covered), 0.0
        for antecedent, count in zip(later, counts, strict=True):
            left = covered - count
            less = self.exceptions(left)
            own = self.rule(antecedent)
            if bits + own - less >= 0 or is_wrong(count):
                covered, bits = left, less
                saved += own
        return bits - saved

    def with_rule(
        self, antecedent: Antecedent, before: Count, captured: Count,
        later: Sequence[Antecedent], counts: Sequence[Count],
    ) -> float:  # fmt: skip
        """Return the bits of a set with a rule that captures ``captured``; see :meth:`without`."""
        return self.without(add(before, captured), later, counts) + self.rule(antecedent)

    def cost(self, antecedent: Antecedent, covered: Count, captured: Count) -> float:
        """Return what one rule adds, where all rules cover ``covered`` and it ``captured``."""
        return (
            self.exceptions(covered) + self.rule(antecedent) - self.exceptions(covered - captured)
        )

    def delete(
        self, rules: Sequence[Antecedent], captured: Sequence[Count], least: int = 1
    ) -> list[Antecedent]:
        """Return the rules that pay, judged from the last to the first (Cohen, section 2.3).

        ``least``: units that a rule must capture.
        """
        covered = add(*captured)
        kept = []
        for antecedent, count in zip(reversed(rules), reversed(captured), strict=True):
            cost = self.cost(antecedent, covered, count)
            if cost >= 0 or is_wrong(count) or count.total < least:
                covered = covered - count
            else:
                kept.append(antecedent)
        return kept[::-1]


def possible_conditions(features: Sequence[Feature]) -> int:
    """Return how many conditions there are: two for each value of an ordered feature, else one.

    As in Weka's JRip these are the values of the data, also where steps stand for several: a rule
    costs the same whatever the steps.

    >>> possible_conditions([Feature(size=4), Feature(size=11, steps=10)])
    23
    """
    return sum(f.size - 1 - f.steps + 2 * max(f.steps, f.values) for f in features)


def is_wrong(captured: Count) -> bool:
    """Return whether half of what a rule captures is not of its class."""
    return captured.negative >= captured.positive


def add(*counts: Count) -> Count:
    """Return what subsets have together that share no row."""
    return Count(sum(count.positive for count in counts), sum(count.negative for count in counts))
