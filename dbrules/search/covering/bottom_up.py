"""Bottom-up search: from all that is said of one row to what is worth saying."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import numpy as np

from dbrules.search.budget import Budget
from dbrules.search.covering.goal import Best, Candidate, Task
from dbrules.search.covering.literal import Antecedent, Feature, Literal
from dbrules.search.covering.options import Options
from dbrules.search.covering.subset import Count, Subset


def bottom_up(task: Task, options: Options, budget: Budget, generator: Random) -> Candidate | None:
    """Return the best rule of ``options.restarts`` positive rows that are drawn.

    A rule begins with every literal that holds of the row, at its own values. Then the best
    generalisation is taken as long as the value does not fall: a literal is dropped, or the
    threshold of one moved. It is taken in any case while the rule has too many conditions or
    covers too little. Source: Fürnkranz, Gamberger and Lavrač (2012), Foundations of rule
    learning, section 6.4 (specific-to-general search).
    """
    best, positives = Best(), task.subset.count.positive
    tried: set[tuple[int, ...]] = set()
    for _ in range(options.restarts):
        row = task.subset.row(generator.randrange(positives))
        if row in tried:
            continue
        tried.add(row)
        literals = tuple(_of_row(row, task.features))
        if not literals:
            continue
        rule = task.candidate(literals, task.subset.path(literals)[-1])
        while True:
            if not budget.spend():
                return best.found
            if task.admits(rule):
                best.offer(rule)
            following = _generalised(task, literals)
            if following is None or (_allowed(task, rule) and following[0].value < rule.value):
                break
            rule, literals = following
    return best.found


def _of_row(row: Sequence[int], features: Sequence[Feature]) -> Iterator[Literal]:
    """Yield the literals that hold of a row and of as few other values as can be."""
    for number, (code, feature) in enumerate(zip(row, features, strict=True)):
        if code < feature.steps:
            if code < feature.steps - 1:
                yield Literal(number, 0, code + 1)
            if code > 0:
                yield Literal(number, code, feature.steps)
        elif code < feature.size - 1:
            yield Literal(number, code, code + 1)


def _allowed(task: Task, rule: Candidate) -> bool:
    limit = task.goal.max_conditions
    return rule.count.total >= task.goal.least and (limit is None or rule.conditions <= limit)


def _generalised(task: Task, literals: Antecedent) -> tuple[Candidate, Antecedent] | None:
    """Return the best generalisation by one literal, and its literals."""
    found: tuple[Candidate, Antecedent] | None = None
    for number, rest in _without_one(task.subset, literals):
        others = literals[:number] + literals[number + 1 :]
        for candidate, kept in _replaced(task, others, literals[number], number, rest):
            if found is None or candidate.rank < found[0].rank:
                found = candidate, kept
    return found


def _replaced(
    task: Task, others: Antecedent, literal: Literal, number: int, rest: Subset
) -> Iterator[tuple[Candidate, Antecedent]]:
    """Yield the rule without a literal, and with its threshold at the best value.

    ``rest``: what the other literals cover.
    """
    if literal.first < task.features[literal.feature].steps:
        yield from _loosened(task, others, literal, number, rest)
    if others:
        yield task.candidate(others, rest.count), others


def _loosened(
    task: Task, others: Antecedent, literal: Literal, number: int, rest: Subset
) -> Iterator[tuple[Candidate, Antecedent]]:
    """Yield the rule with the threshold of a literal at the best of all values beyond it."""
    all_literals = task.refinements
    places, p, n = all_literals.counts(rest.histogram)
    first, end = all_literals.first[places], all_literals.end[places]
    looser = np.flatnonzero(
        (all_literals.feature[places] == literal.feature)
        & (first <= literal.first) & (end >= literal.end)
        & ((first < literal.first) | (end > literal.end))
    )  # fmt: skip
    if len(looser):
        value = task.values(p[looser], n[looser])
        best = looser[np.lexsort((places[looser], -p[looser], -value))[0]]
        kept = (*others[:number], all_literals[int(places[best])], *others[number:])
        yield task.candidate(kept, Count(int(p[best]), int(n[best]))), kept


def _without_one(subset: Subset, literals: Antecedent) -> Iterator[tuple[int, Subset]]:
    """Yield for each literal what all others cover."""
    before = subset
    for number, literal in enumerate(literals):
        yield number, before.meeting(*literals[number + 1 :])
        before = before.meeting(literal)
