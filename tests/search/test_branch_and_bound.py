"""Branch and bound over prefixes ends at the judge's optimum, and bounds it before."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from brute_force import Instance, list_objective
from larger_instances import larger_instance
from searchable import ROUNDING, best, instances, searchable

from dbrules.search.branch_and_bound import BranchAndBound
from dbrules.search.budget import Budget
from dbrules.search.incumbent import Incumbent

SOFT = [pytest.param(False, id="hard"), pytest.param(True, id="soft")]


class Run:
    """A search of one instance, and what it has found, per row."""

    def __init__(self, instance: Instance, shuffle: int | None = None) -> None:
        self.of = searchable(instance, shuffle)
        self.incumbent = Incumbent(rows=instance.rows)
        self.tree = BranchAndBound(self.of.prefixes, self.incumbent)

    @property
    def lower(self):
        return self.tree.lower_bound / self.of.instance.rows

    @property
    def loss(self):
        """Of the list that was found, by the judge."""
        instance = self.of.instance
        counts = self.of.counts(self.incumbent.antecedents)
        costs = (instance.weight, instance.rule_cost, instance.penalty)
        exact = list_objective(counts, *costs)
        assert self.of.objective.permits(counts)
        assert self.incumbent.loss / instance.rows == pytest.approx(float(exact), abs=ROUNDING)
        return exact


@pytest.mark.parametrize("soft", SOFT)
def test_the_optimum_is_found_and_proved(soft):
    for instance in instances(110 if soft else 250, soft):
        run = Run(instance)
        budget = Budget()
        run.tree.run(budget)
        assert run.tree.proved
        assert budget.limit is None
        assert run.loss == best(instance)
        assert run.tree.lower_bound == run.incumbent.loss


@pytest.mark.parametrize("soft", SOFT)
def test_after_every_node_the_optimum_lies_between_the_bounds(soft):
    # the same search goes on, a node at a time
    waited = 0
    for instance in instances(110, soft):
        run = Run(instance)
        least = float(best(instance))
        lower = run.lower
        while not run.tree.proved:
            assert lower <= least + ROUNDING
            assert run.loss >= best(instance)
            budget = Budget(max_nodes=1)
            run.tree.run(budget)
            assert budget.nodes == 1
            assert run.lower >= lower - ROUNDING
            lower = run.lower
            waited += 1
        assert run.loss == best(instance)
    assert waited > 150


@pytest.mark.parametrize("soft", SOFT)
def test_in_parts_and_at_once_alike(soft):
    for seed in range(12):
        instance = larger_instance(seed, 7, 60, soft=soft)
        parts, whole = Run(instance), Run(instance)
        spent = 0
        while not parts.tree.proved:
            budget = Budget(max_nodes=7)
            parts.tree.run(budget)
            spent += budget.nodes
        budget = Budget()
        whole.tree.run(budget)
        assert budget.nodes == spent
        assert whole.incumbent.antecedents == parts.incumbent.antecedents
        assert whole.incumbent.loss == parts.incumbent.loss


def test_the_order_of_cells_changes_nothing():
    for seed in range(14):
        instance = larger_instance(seed, 8, 60, soft=bool(seed % 2))
        runs = [Run(instance, shuffle) for shuffle in (None, None, 1, 2)]
        for run in runs:
            run.tree.run(Budget(max_nodes=40))
        assert len({run.incumbent.antecedents for run in runs}) == 1
        assert len({run.tree.lower_bound for run in runs}) == 1


@pytest.mark.parametrize("soft", SOFT)
def test_a_dive_offers_permitted_lists_only(soft):
    better = 0
    for instance in instances(110, soft):
        run = Run(instance)
        before = run.incumbent.loss
        run.tree.dive()
        assert best(instance) <= run.loss
        assert run.incumbent.loss <= before
        better += run.incumbent.loss < before
        run.tree.run(Budget())
        assert run.loss == best(instance)
    assert better > 20


def test_equal_rows_left_are_searched_once():
    # n antecedents that may come in any order: without dominance n! prefixes
    size = 7
    coverage = tuple(tuple(cell == a for cell in range(size + 1)) for a in range(size))
    positives, negatives = (3,) * size + (9,), (1,) * size + (60,)
    instance = Instance(coverage, positives, negatives, Fraction(1), Fraction(0))
    run, budget = Run(instance), Budget(max_nodes=3000)
    run.tree.run(budget)
    assert run.tree.proved
    assert set(run.incumbent.antecedents) == set(range(size))
    limited = Run(replace(instance, max_rules=3))
    limited.tree.run(Budget(max_nodes=3000))
    assert limited.tree.proved
    assert len(limited.incumbent.antecedents) == 3
