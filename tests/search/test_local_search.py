"""Local search offers permitted lists only, and makes the changes that are there to make."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from brute_force import Instance
from larger_instances import larger_instance, least_objective
from searchable import ROUNDING, Watched, best, instances, searchable, shallow_stack

from dbrules.search.budget import Budget
from dbrules.search.local_search import LocalSearch


class Run:
    """A search that begins with some list."""

    def __init__(self, instance, start=(), seed=0, shuffle=None):
        self.of = searchable(instance, shuffle)
        self.incumbent = Watched(instance.rows)
        prefixes = self.of.prefixes
        for prefix in (prefixes.root, prefixes.prefix(start)):
            self.incumbent.offer(prefix, prefixes.loss(prefix))
        self.search = LocalSearch(prefixes, self.incumbent, seed)

    def check(self):
        """Every list that was offered falls, is not too long, and costs what was said."""
        instance = self.of.instance
        for antecedents, loss, _ in set(self.incumbent.offered):
            counts = self.of.counts(antecedents)
            assert self.of.objective.permits(counts)
            assert len(set(antecedents)) == len(antecedents)
            assert instance.max_rules is None or len(antecedents) <= instance.max_rules
            exact = float(self.of.objective.loss(counts))
            assert loss / instance.rows == pytest.approx(exact, abs=ROUNDING)


def cells_of(*counts, weight="1", cost="0", held):
    positives, negatives = zip(*counts, strict=True)
    coverage = tuple(tuple(cell in of for cell in range(len(counts))) for of in held)
    return Instance(coverage, positives, negatives, Fraction(weight), Fraction(cost))


def test_it_offers_permitted_lists_and_often_the_best():
    reached = 0
    for instance in instances(110, False):
        run = Run(instance)
        run.search.run(Budget(), 5)
        run.check()
        loss = run.incumbent.loss / instance.rows
        assert loss >= float(best(instance)) - ROUNDING
        reached += loss <= float(best(instance)) + ROUNDING
    assert reached > 100


def test_larger_instances():
    reached = 0
    for seed in range(20):
        instance = larger_instance(seed, 9, 80)
        run = Run(instance)
        run.search.run(Budget(), 20)
        run.check()
        loss, least = run.incumbent.loss / instance.rows, float(least_objective(instance))
        assert loss >= least - ROUNDING
        reached += loss <= least + ROUNDING
    assert reached > 15


def test_one_rule_is_added():
    instance = cells_of((8, 1), (6, 2), (1, 30), held=[{0}, {1}, {2}])
    run = Run(instance, start=(0,))
    run.search.run(Budget(), 0)
    assert run.incumbent.antecedents == (0, 1)


def test_one_rule_is_left_out():
    # the first rule costs more than the one positive that it gains
    instance = cells_of((1, 0), (8, 2), (1, 30), cost="1/20", held=[{0}, {1}])
    run = Run(instance, start=(0, 1))
    assert run.search.improve(frozenset({0, 1}), Budget()) == {1}
    assert run.incumbent.antecedents == (1,)


def test_one_rule_is_exchanged():
    # 0 and 1 hold of much the same: one more of them costs more than it gains, the other is better
    instance = cells_of((9, 1), (2, 0), (0, 3), (1, 40), cost="1/20", held=[{0, 2}, {0, 1}])
    run = Run(instance, start=(0,))
    run.search.improve(frozenset({0}), Budget())
    assert run.incumbent.antecedents == (1,)
    # exchanged, not left out first: at most one rule may be there
    short = replace(instance, rule_cost=Fraction(0), max_rules=1)
    run = Run(short, start=(0,))
    run.search.improve(frozenset({0}), Budget())
    assert run.incumbent.antecedents == (1,)


def test_a_set_is_put_in_the_order_that_falls():
    # 3+ 2− alone, 6+ 1− alone, 5+ 3− where both hold: 0 first leaves 6/7 > 8/13
    instance = cells_of((3, 2), (5, 3), (6, 1), (0, 40), held=[{0, 1}, {1, 2}])
    run = Run(instance)
    prefix = run.search.order(frozenset({0, 1}))
    assert prefix.antecedents == (1, 0)
    run.check()
    # 3+ 1− on either side of 4−: no order falls
    crossed = cells_of((3, 1), (0, 4), (3, 1), (1, 20), weight="3", held=[{0, 1}, {1, 2}])
    run = Run(crossed)
    assert run.search.order(frozenset({0, 1})) is None
    run.check()


def test_no_more_rules_than_there_may_be():
    for seed in range(20):
        instance = replace(larger_instance(seed, 9, 80), max_rules=2)
        assert len(Run(instance).search.improve(frozenset(), Budget())) <= 2


def test_what_stays_out_stays_out():
    for seed in range(20):
        instance = larger_instance(seed, 9, 80)
        run = Run(instance)
        out = frozenset({0, 3, 4})
        found = run.search.improve(frozenset(), Budget(), out)
        assert not found & out
        assert all(not out & set(antecedents) for antecedents, _, _ in run.incumbent.offered)


def test_equal_seeds_and_any_order_of_cells():
    for number in range(6):
        instance = larger_instance(number, 16, 80)
        for seed in (0, 1):
            runs = [Run(instance, seed=seed, shuffle=shuffle) for shuffle in (None, None, 5)]
            for run in runs:
                run.search.run(Budget(), 10)
            assert runs[0].incumbent.offered == runs[1].incumbent.offered
            assert len({run.incumbent.antecedents for run in runs}) == 1


def test_a_budget_ends_it():
    improved = 0
    for seed in range(8):
        instance = larger_instance(seed, 12, 80)
        losses = []
        for nodes in (0, 1, 2, 5, 20):
            run = Run(instance)
            budget = Budget(max_nodes=nodes)
            run.search.run(budget, 1000)
            run.check()
            assert budget.nodes == nodes
            assert budget.limit == f"max_nodes={nodes}"
            losses.append(run.incumbent.loss)
        assert losses == sorted(losses, reverse=True)
        improved += losses[-1] < losses[0]
    assert improved > 3


def test_nothing_to_choose():
    nothing = cells_of((3, 4), held=[])
    for instance in (nothing, replace(nothing, coverage=((True,),)), replace(nothing, max_rules=0)):
        run = Run(instance)
        run.search.run(Budget(), 3)
        assert run.incumbent.antecedents == ()


def test_a_long_list_needs_no_deep_stack():
    size = 120
    instance = cells_of(*[(2, 1)] * size, (0, 300), held=[{a} for a in range(size)])
    run = Run(instance, start=tuple(range(size)))
    with shallow_stack(60):
        run.search.run(Budget(max_nodes=3), 0)
    assert len(run.incumbent.antecedents) == size
