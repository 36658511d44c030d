"""A polished list has no better neighbour."""

from __future__ import annotations

import random

import pytest
from brl_judge import random_instance

from dbrules.search.bayes.brl_additions import best_addition
from dbrules.search.bayes.brl_polish import Polish
from dbrules.search.bayes.list_state import ListState
from dbrules.search.budget import Budget
from dbrules.search.captures import captured_by, without_idle


def polish(posterior, rows, start, budget):
    """Return what one list is improved to, and its log posterior."""
    improving = Polish(posterior, rows, start, budget)
    improving.run([start])
    return improving.best, improving.log_posterior


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


def captures(instance, antecedents, new):
    """Say whether the one rule of ``new`` captures a row."""
    (antecedent,) = new
    return any(list(captured_by(instance.rows, antecedents))[antecedents.index(antecedent)])


@pytest.mark.parametrize("seed", range(30))
def test_no_neighbour_is_better(seed):
    instance = random_instance(seed)
    start = random.Random(seed).choice(list(instance.lists))
    found, reached = polish(instance.posterior, instance.rows, start, Budget())
    assert reached == instance.posterior.of(instance.rows, found)
    assert without_idle(instance.rows, found) == found
    assert reached >= instance.posterior.of(instance.rows, without_idle(instance.rows, start))
    for other in neighbours(found, len(instance.lengths), instance.most):
        if without_idle(instance.rows, other) != other:
            continue  # a rule that captures nothing says nothing, be it ever so probable
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
        assert nodes <= part.nodes <= nodes + len(instance.lengths) * (instance.most + 1)
        assert reached == instance.posterior.of(instance.rows, found)
        values.append(reached)
    assert values == sorted(values)
    first = without_idle(instance.rows, start)
    assert values[0] == instance.posterior.of(instance.rows, first)
    assert (found, reached) == whole


@pytest.mark.parametrize("seed", range(20))
def test_the_best_addition_is_the_best_of_all(seed):
    instance = random_instance(seed, antecedents=5)
    start = random.Random(seed).choice([f for f in instance.lists if len(f) < instance.most])
    found = best_addition(ListState(instance.posterior, instance.rows, start), instance.posterior)
    added = {
        (*start[:place], other, *start[place:])
        for other in set(range(len(instance.lengths))) - set(start)
        for place in range(len(start) + 1)
    }
    busy = {
        one: instance.lists[one] for one in added if captures(instance, one, set(one) - set(start))
    }
    if found is None:
        assert not busy
        return
    assert found[0] == pytest.approx(max(busy.values()), abs=1e-8)
    assert instance.lists[tuple(found[1])] == pytest.approx(found[0], abs=1e-8)
    assert (*found[1][: found[2]], *found[1][found[2] + 1 :]) == start


@pytest.mark.parametrize("seed", range(10))
def test_shaken_lists_are_never_worse(seed):
    instance = random_instance(seed, antecedents=5)
    start = random.Random(seed).choice(list(instance.lists))
    _, once = polish(instance.posterior, instance.rows, start, Budget())
    shaken = Polish(instance.posterior, instance.rows, start, Budget())
    shaken.run([start], shakes=20, seed=seed)
    assert shaken.log_posterior >= once
    assert shaken.log_posterior == instance.posterior.of(instance.rows, shaken.best)
    assert shaken.log_posterior <= max(instance.lists.values()) + 1e-8
