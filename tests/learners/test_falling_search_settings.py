"""How far a search of falling lists goes, and that its settings reach it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from brute_force import optimum
from random_instances import random_instance
from searchable import searchable

import dbrules
from dbrules.errors import DbrulesWarning
from dbrules.learners.falling_settings import SearchSettings
from dbrules.search.budget import Budget

EXACT = SearchSettings(
    exact=True, restarts=None, curiosity=0.8, termination_probability=0.01, max_rules=None, seed=0
)
PAPER = replace(EXACT, exact=False)


@pytest.fixture
def instance():
    """A small instance of hard lists."""
    return searchable(replace(random_instance(3, False), max_rules=None))


@pytest.mark.parametrize(
    ("antecedents", "cells", "nodes"),
    [(10, 10, 3000), (262, 14_449, 3000), (1000, 20_000, 1000), (5000, 200_000, 300),
     (4000, 0, 3000), (10_000, 0, 2000)],
)  # fmt: skip
def test_without_a_limit_there_are_fewer_nodes_the_more_there_is_to_count(
    instance, antecedents, cells, nodes
):
    budget = Budget()
    EXACT.run(instance.table, instance.objective, budget, antecedents, cells)
    assert budget.max_nodes == nodes


def test_a_limit_is_the_only_one(instance):
    for budget in (Budget(max_nodes=7), Budget(max_seconds=60.0), Budget(9, 60.0)):
        before = budget.max_nodes
        EXACT.run(instance.table, instance.objective, budget, 10, 10)
        assert budget.max_nodes == before
    budget = Budget()
    PAPER.run(instance.table, instance.objective, budget, 10, 10)
    assert budget.max_nodes is None


@pytest.mark.parametrize(
    ("restarts", "penalty", "nodes"),
    [(None, None, 3000), (None, Fraction(1, 2), 6000), (40, None, 40), (40, Fraction(1, 2), 40)],
)
def test_monte_carlo_grows_the_papers_number_of_lists(instance, restarts, penalty, nodes):
    objective = replace(instance.objective, soft_penalty=penalty)
    budget = Budget()
    settings = replace(PAPER, restarts=restarts)
    found = settings.run(instance.table, objective, budget, 10, 10)
    assert (budget.nodes, found.nodes) == (nodes, nodes)
    assert (found.lower_bound, found.proved) == (None, False)


def test_an_exact_search_keeps_most_of_its_nodes_for_the_proof(customers):
    learner = dbrules.FallingRuleList(positive_weight=2, restarts=10**9, max_nodes=300)
    model = learner.fit("customers", target="left_us", exclude=["id"], connection=customers)
    assert model.training.nodes == 300
    # a bound that only branch and bound can raise above what inseparable rows cost
    least = learner.fit(
        "customers", target="left_us", exclude=["id"], connection=customers
    ).training.lower_bound  # fmt: skip
    few = replace(learner, restarts=1)
    model = few.fit("customers", target="left_us", exclude=["id"], connection=customers)
    assert model.training.lower_bound >= least > 0


@pytest.mark.parametrize("seed", range(30))
def test_a_soft_list_starts_from_the_hard_one(seed):
    one = searchable(random_instance(seed, True))
    settings = replace(EXACT, max_rules=one.instance.max_rules)
    hard = replace(one.objective, soft_penalty=None)
    soft = settings.run(one.table, one.objective, Budget(max_nodes=40), 10, 10)
    assert soft.objective <= settings.run(
        one.table, hard, Budget(max_nodes=40), 10, 10
    ).objective + 1e-12  # fmt: skip
    whole = settings.run(one.table, one.objective, Budget(), 10, 10)
    assert whole.proved
    assert whole.objective == pytest.approx(float(optimum(one.instance)[0]))


def test_curiosity_termination_and_seed_reach_the_search(customers):
    def grown(**settings):
        learner = dbrules.FallingRuleList(
            positive_weight=2, search="monte_carlo", restarts=6, **settings
        )
        model = learner.fit("customers", target="left_us", exclude=["id"], connection=customers)
        return model.rules.rules

    with pytest.warns(DbrulesWarning, match="no rule found: no list that was seen"):
        assert grown(termination_probability=1) == ()
    settled = {"termination_probability": 0}
    assert len({grown(seed=seed, **settled) for seed in range(3)}) > 1
    assert len({grown(curiosity=share, **settled) for share in (0, 0.5, 1)}) > 1


def test_a_tenth_of_the_positives_or_of_the_negatives_is_the_default(customers):
    def mined(positive="yes", **settings):
        """Return how many antecedents have the support."""
        learner = dbrules.FallingRuleList(rule_cost=0.01, max_nodes=1, **settings)
        model = learner.fit("customers", target="left_us", exclude=["id"], positive=positive,
                            connection=customers)  # fmt: skip
        (note,) = [note for note in model.notes if "antecedents searched" in note]
        return int(note.split()[2])

    default = mined()
    assert default == mined(min_support_positive=0.1, min_support_negative=0.1)
    assert mined(min_support_positive=0.1) < default
    # the positives are those of the class that was named
    assert mined(min_support_positive=0.2) == mined("no", min_support_negative=0.2)
    assert mined(min_support_positive=0.2) != mined("no", min_support_positive=0.2)
    # an overall support alone asks nothing of the classes
    small = mined(min_support=0.01)
    assert small > default
    assert small == mined(min_support=0.01, min_support_positive=0, min_support_negative=0)
    assert mined(min_support=0.01, min_support_positive=0.1, min_support_negative=0.1) == default
