"""Instances of the judge as searches see them: coverage, objective and prefixes."""

from __future__ import annotations

import inspect
import random
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

import numpy as np
from brute_force import Instance, Scored, best_completions, every_list, optimum
from random_instances import random_instance

from dbrules.search.budget import Budget
from dbrules.search.falling_search import FoundList, search_exact
from dbrules.search.incumbent import Incumbent
from dbrules.search.monte_carlo import MonteCarlo
from dbrules.search.objectives import FallingObjective
from dbrules.search.prefixes import Prefix, Prefixes
from dbrules.statistics.coverage import Coverage

#: What a float may be off by, of losses per row.
ROUNDING = 1e-9
#: Random lists are no proof: few are enough.
FEW = MonteCarlo(restarts=20)


@dataclass(frozen=True, eq=False)
class Searchable:
    """An instance, and the same for searches; ``table`` is what the union proof needs."""

    instance: Instance
    table: Coverage
    objective: FallingObjective
    prefixes: Prefixes

    def counts(self, antecedents: Iterable[int]) -> list[tuple[int, int]]:
        """Return positives and negatives of each rule and, last, of the else."""
        left = list(range(len(self.instance.positives)))
        found = []
        for antecedent in antecedents:
            held = self.instance.coverage[antecedent]
            found.append(self._count(cell for cell in left if held[cell]))
            left = [cell for cell in left if not held[cell]]
        return [*found, self._count(left)]

    def _count(self, cells: Iterable[int]) -> tuple[int, int]:
        of = list(cells)
        instance = self.instance
        return sum(instance.positives[c] for c in of), sum(instance.negatives[c] for c in of)

    def check(self, found: FoundList) -> Fraction:
        """Check that a list is permitted and costs what is said; return what it costs."""
        counts = self.counts(found.antecedents)
        exact = self.objective.loss(counts)
        assert self.objective.permits(counts)
        assert abs(found.objective - float(exact)) <= ROUNDING
        assert len(found.antecedents) <= self.prefixes.max_rules
        if found.proved:
            assert found.limit is None
            assert found.lower_bound == found.objective
        return exact


class Watched(Incumbent):
    """Keeps what is offered: antecedents, loss, and the least loss before."""

    def __init__(self, rows: int) -> None:
        super().__init__(rows=rows)
        self.offered: list[tuple[tuple[int, ...], float, float]] = []

    def offer(self, prefix: Prefix, loss: float) -> bool:
        self.offered.append((prefix.antecedents, loss, self.loss))
        return super().offer(prefix, loss)


def same(found: FoundList) -> tuple[object, ...]:
    """Return all that two equal searches have in common."""
    return (found.antecedents, found.objective, found.lower_bound, found.nodes, found.limit)


def exact(
    instance: Instance, *, table: bool = True, nodes: int | None = None,
    shuffle: int | None = None, settings: MonteCarlo = FEW, start: tuple[int, ...] = (),
) -> FoundList:  # fmt: skip
    """Search exactly; check that the list is permitted and costs what is said."""
    of = searchable(instance, shuffle)
    found = search_exact(
        of.prefixes, settings, Budget(max_nodes=nodes), 0,
        table=of.table if table else None, start=start,
    )  # fmt: skip
    of.check(found)
    return found


def searchable(instance: Instance, shuffle: int | None = None) -> Searchable:
    """Return an instance for searches, its cells in another order if ``shuffle`` is a seed."""
    cells = len(instance.positives)
    order = list(range(cells))
    if shuffle is not None:
        random.Random(shuffle).shuffle(order)
    holds = np.array(instance.coverage, dtype=bool).reshape(-1, cells).T
    counts = np.array([instance.positives, instance.negatives], dtype=np.int64).T
    numbers = np.arange(cells)
    # three features: any will do, for they only say how the chain bound may part cells
    codes = np.stack([numbers % 2, numbers // 2 % 3, numbers // 6], axis=1)
    table = Coverage(np.ascontiguousarray(holds[order]), counts[order], codes[order])
    objective = FallingObjective(
        instance.weight, instance.rule_cost, instance.penalty,
        sum(instance.positives), sum(instance.negatives),
    )  # fmt: skip
    prefixes = Prefixes(table.everything, objective, instance.max_rules)
    return Searchable(instance, table, objective, prefixes)


@cache
def instances(count: int, soft: bool | None = None, first: int = 0) -> tuple[Instance, ...]:
    """Return random instances; some have lists of any length, free rules or a C1 of 0 or 40."""
    found = []
    for seed in range(first, first + count):
        instance = random_instance(seed, soft)
        if seed % 3 == 0:
            instance = replace(instance, max_rules=None)
        if seed % 4 == 0:
            instance = replace(instance, rule_cost=Fraction(0))
        if seed % 5 == 0 and instance.penalty is not None:
            instance = replace(instance, penalty=Fraction(0 if seed % 2 else 40))
        found.append(instance)
    return tuple(found)


@cache
def lists(instance: Instance) -> dict[tuple[int, ...], Scored]:
    """Return every list by its antecedents."""
    return {one.antecedents: one for one in every_list(instance)}


@cache
def best(instance: Instance) -> Fraction:
    """Return the least objective of all permitted lists."""
    return optimum(instance)[0]


@cache
def completions(instance: Instance) -> dict[tuple[int, ...], Fraction]:
    """Return the least objective over what begins with a prefix (see ``best_completions``)."""
    return best_completions(instance)


@contextmanager
def shallow_stack(frames: int = 100) -> Iterator[None]:
    """Allow so many more frames only: what recurses for each rule of a long list fails."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + frames)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
