"""Raises the lower bound on hard falling lists by what unions of antecedents can gain."""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Final

from dbrules.search.budget import Budget
from dbrules.search.incumbent import Incumbent, rounding
from dbrules.search.prefixes import Prefix, Prefixes
from dbrules.search.remaining import Remaining, remaining_after
from dbrules.search.statistics import Table
from dbrules.search.union_bound import UnionBound

#: Gaps that are proved on the way to 0, each of which takes longer than the one before.
_GAPS: Final = (0.16, 0.04, 0.0)
#: Numbers up to which the table of cells and antecedents is worth its memory.
_TABLE: Final = 10_000_000


def union_proof(prefixes: Prefixes, incumbent: Incumbent, table: Table) -> UnionProof | None:
    """Return the proof by unions; None where the table or its numbers are too large for it."""
    objective = prefixes.objective
    weight = max(objective.weight.numerator, objective.weight.denominator)
    if table.holds.size > _TABLE or objective.rows * weight >= 2**52:
        return None
    return UnionProof(prefixes, incumbent, table)


class UnionProof:
    """Proves that no list beats the incumbent, or improves it.

    A list costs what all positives weigh, less what the union of its rules gains, plus its rules.
    Where some union gains more than the incumbent, every falling list with that union is tried.
    """

    def __init__(self, prefixes: Prefixes, incumbent: Incumbent, table: Table) -> None:
        self._prefixes = prefixes
        self._incumbent = incumbent
        weight = prefixes.objective.weight
        self._unit = weight.denominator
        self._all = prefixes.weight * prefixes.objective.positives
        self._tried: set[Hashable] = set()
        positives, negatives = table.counts.T
        most = prefixes.max_rules
        self._bound = UnionBound(
            table.holds, weight.numerator * positives - weight.denominator * negatives,
            prefixes.cost * self._unit, table.codes,
            max_rules=None if most == math.inf else int(most),
        )  # fmt: skip

    def run(self, budget: Budget, lower: float) -> float:
        """Return the lower bound on the loss that was reached, from ``lower`` on."""
        self._budget = budget
        for gap in _GAPS:
            goal = self._incumbent.loss * (1 - gap)
            if goal <= lower:
                continue
            self._lower = lower / self._incumbent.rows
            budget.tell(self._line)
            if not self._bound.prove(self._gain(goal), budget, self._found):
                break
            # the incumbent may have become better on the way
            lower = min(goal, self._incumbent.loss)
        return lower

    def _line(self) -> str:
        return f"union bound: no list below {self._lower:.6g}, {self._incumbent}"

    def _gain(self, loss: float) -> float:
        return (self._all - loss + rounding(loss)) * self._unit

    def _found(self, taken: tuple[int, ...], gain: float) -> float:
        """Try the falling lists with a union that gains more than the threshold."""
        left = remaining_after(self._prefixes.root.left, taken)
        if left.key not in self._tried and self._order(left):
            self._tried.add(left.key)
        return self._gain(self._incumbent.loss)

    def _order(self, goal: Remaining) -> bool:
        """Offer every falling list whose rules leave the rows of ``goal``; False: budget spent."""
        inside = goal.counts.sum(axis=1) == 0
        stack = [self._prefixes.root]
        seen: dict[Hashable, list[Prefix]] = {}
        while stack and self._budget.spend():
            prefix = stack.pop()
            if prefix.left.key == goal.key:
                self._incumbent.offer(prefix, self._prefixes.loss(prefix))
                continue
            others = seen.setdefault(prefix.left.key, [])
            if any(_no_worse(other, prefix) for other in others):
                continue
            others.append(prefix)
            found = self._prefixes.extensions(prefix)
            fits = inside[found.antecedents] & (self._least(prefix, goal) < self._incumbent.loss)
            stack += self._prefixes.by_proportion(prefix, found, fits)
        return not stack

    def _least(self, prefix: Prefix, goal: Remaining) -> float:
        """Return the loss of a list with the union of ``goal`` and one rule more than prefix."""
        negatives = self._prefixes.root.left.totals[1] - goal.totals[1]
        rest = min(self._prefixes.weight * goal.totals[0], goal.totals[1])
        return negatives + rest + self._prefixes.cost * (len(prefix.antecedents) + 1)


def _no_worse(one: Prefix, other: Prefix) -> bool:
    shorter = len(one.antecedents) <= len(other.antecedents)
    return shorter and one.least[0] * sum(other.least) >= other.least[0] * sum(one.least)
