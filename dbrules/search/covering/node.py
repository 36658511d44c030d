"""A rule that can be refined, and all of its refinements from one histogram."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dbrules.search.covering.goal import Best, Candidate, Task
from dbrules.search.covering.literal import Literal, merged
from dbrules.search.covering.quality import Weights
from dbrules.search.covering.subset import Count, Subset


@dataclass(frozen=True, eq=False)
class Refined:
    """The refinements of a rule that cover fewer rows, and a positive; each of shape (rules,).

    ``place``: of the literal added. ``step``: the value that the refinement is chosen by, which
    for a gain is over the rule refined; ``value``: over the rule that covers everything.
    """

    place: NDArray[np.intp]
    p: NDArray[np.int64]
    n: NDArray[np.int64]
    step: Weights
    value: Weights
    conditions: NDArray[np.int64]

    def where(self, chosen: NDArray[np.bool_] | NDArray[np.intp]) -> Refined:
        """Return some of the refinements."""
        return Refined(
            self.place[chosen], self.p[chosen], self.n[chosen], self.step[chosen],
            self.value[chosen], self.conditions[chosen],
        )  # fmt: skip

    @cached_property
    def order(self) -> NDArray[np.intp]:
        """The refinements from best to worst step; of equals by positives, conditions, place."""
        return np.lexsort((self.place, self.conditions, -self.p, -self.step))


class Node:
    """A rule, and the rows it covers, which are not looked for before it is refined."""

    def __init__(self, task: Task, rule: Candidate, parent: Node | None, place: int) -> None:
        self.task, self.rule, self.parent, self.place = task, rule, parent, place
        #: the value that its refinements have at best
        self.bound = math.inf

    @classmethod
    def root(cls, task: Task) -> Node:
        """Return the rule that covers everything."""
        return cls(task, task.everything, None, -1)

    @cached_property
    def subset(self) -> Subset:
        """The rows that the rule covers."""
        if self.parent is None:
            return self.task.subset
        return self.parent.subset.meeting(self.task.refinements[self.place])

    @cached_property
    def refined(self) -> Refined:
        """All refinements that the goal allows to be refined further."""
        task = self.task
        place, p, n = task.refinements.counts(self.subset.histogram)
        total, limit = self.rule.count.total, task.goal.max_conditions
        conditions = task.conditions(self.rule, place)
        some = (p > 0) & (p + n < total) & (p + n >= task.goal.least)
        if limit is not None:
            some &= conditions <= limit
        place, p, n, conditions = place[some], p[some], n[some], conditions[some]
        value = task.values(p, n)
        step = task.values(p, n, self.rule.count) if task.is_gain else value
        return Refined(place, p, n, step, value, conditions)

    def literal(self, number: int) -> Literal:
        """Return the literal that a refinement adds, by its number in ``refined``."""
        return self.task.refinements[int(self.refined.place[number])]

    def candidate(self, number: int) -> Candidate:
        """Return a refinement by its number in ``refined``."""
        refined = self.refined
        before, literal = self.rule.antecedent, self.literal(number)
        new = all(other.feature != literal.feature for other in before)
        return Candidate(
            (*before, literal) if new else merged((*before, literal)),
            Count(int(refined.p[number]), int(refined.n[number])),
            float(refined.value[number]), int(refined.conditions[number]),
        )  # fmt: skip

    def child(
        self, number: int, rule: Candidate | None = None, bound: float = math.inf
    ) -> Node:  # fmt: skip
        """Return a refinement as a rule that can be refined."""
        rule = self.candidate(number) if rule is None else rule
        child = Node(self.task, rule, self, int(self.refined.place[number]))
        child.bound = bound
        return child

    def offer(self, best: Best) -> None:
        """Offer the best refinement that the goal admits, where it may be better than the best."""
        refined, majority = self.refined, self.task.majority
        numbers = np.arange(len(refined.place))
        if best.found is not None:
            numbers = np.flatnonzero(refined.value >= best.found.value)
        if not len(numbers):
            return
        some = refined.where(numbers)
        admitted = np.flatnonzero(self.task.admissible(some.p, some.n, some.value))
        if not len(admitted):
            return
        some, numbers = some.where(admitted), numbers[admitted]
        order = np.lexsort((some.place, some.conditions, -some.p, -some.value))
        if majority is not None and not majority.sure(some.p[order[:1]], some.n[order[:1]])[0]:
            literals, place = self.task.refinements, some.place[order]
            order = order[majority.of_refinements(self.rule.antecedent, literals, place)]
        if len(order):
            best.offer(self.candidate(int(numbers[order[0]])))

    def beatable(self, best: Best) -> NDArray[np.bool_]:
        """Say which refinements may have refinements that are better than the best."""
        refined = self.refined
        bound = self.task.values(refined.p, np.zeros_like(refined.n))
        return best.beatable(bound, refined.p, refined.conditions)

    def may_be_better(self, best: Best) -> bool:
        """Say whether a refinement may be better than the best, by ``bound``."""
        found, rule = best.found, self.rule
        if found is None or self.bound != found.value:
            return found is None or self.bound > found.value
        ties = (-rule.count.positive, rule.conditions + 1)
        return ties <= (-found.count.positive, found.conditions)
