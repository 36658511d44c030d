"""A polished list has no better neighbour."""

from __future__ import annotations

import random

import pytest
from brl_judge import random_instance

from dbrules.search.bayes.brl_polish import polish
from dbrules.search.budget import Budget


def neighbours(antecedents, number, most):
    """Yield every list that is a removal, move, exchange or addition away."""
    for place, own in enumerate(antecedents):
        rest = antecedents[:place] + antecedents[place + 1 :]
        yield rest
        for to in range(len(antecedents)):
            yield (*rest[:to], own, *rest[to:])
        for other in set(range(number)) - set(antecedents):
            yield (*rest[:place], other, *rest[place:])
    if len(antecedents) < most:
        for place in range(len(antecedents) + 1):
            for other in set(range(number)) - set(antecedents):
                yield (*antecedents[:place], other, *antecedents[place:])


@pytest.mark.parametrize("seed", range(30))
def test_no_neighbour_is_better(seed):
    instance = random_instance(seed)
    start = random.Random(seed).choice(list(instance.lists))
    found, reached = polish(instance.posterior, instance.rows, start, Budget())
    assert reached == instance.posterior.of(instance.rows, found)
    assert reached >= instance.posterior.of(instance.rows, start)
    for other in neighbours(found, len(instance.lengths), instance.most):
        assert instance.lists[other] <= reached + 1e-8, other


@pytest.mark.parametrize("seed", range(5))
def test_a_budget_ends_it_with_what_was_reached(seed):
    instance = random_instance(seed, antecedents=5)
    budget = Budget()
    start = random.Random(seed).choice([f for f in instance.lists if len(f) == instance.most])
    whole = polish(instance.posterior, instance.rows, start, budget)
    values = []
    for nodes in range(budget.nodes + 1):
        part = Budget(max_nodes=nodes)
        found, reached = polish(instance.posterior, instance.rows, start, part)
        assert part.nodes == nodes
        assert reached == instance.posterior.of(instance.rows, found)
        values.append(reached)
    assert values == sorted(values)
    assert values[0] == instance.posterior.of(instance.rows, start)
    assert (found, reached) == whole
