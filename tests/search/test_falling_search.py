"""Whole searches: the judge's optimum with proof, or bounds around it where a limit ends them."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest
from brute_force import Instance
from larger_instances import larger_instance, least_objective
from searchable import ROUNDING, best, instances, lists, searchable

from dbrules.search import falling_search
from dbrules.search.budget import Budget
from dbrules.search.falling_search import FoundList, search_exact, search_monte_carlo
from dbrules.search.monte_carlo import MonteCarlo

SOFT = [pytest.param(False, id="hard"), pytest.param(True, id="soft")]
TABLE = [pytest.param(True, id="with table"), pytest.param(False, id="without")]
#: Random lists are no proof: few are enough.
FEW = MonteCarlo(restarts=20)


def exact(instance, *, table=True, nodes=None, shuffle=None, settings=FEW, **options):
    """Search; check that the list is permitted and costs what is said; return what was found."""
    of = searchable(instance, shuffle)
    options |= {"table": of.table if table else None}
    found = search_exact(of.prefixes, settings, Budget(max_nodes=nodes), 0, **options)
    check(of, found)
    return found


def check(of, found):
    counts = of.counts(found.antecedents)
    assert of.objective.permits(counts)
    assert found.objective == pytest.approx(float(of.objective.loss(counts)), abs=ROUNDING)
    assert of.instance.max_rules is None or len(found.antecedents) <= of.instance.max_rules
    if found.proved:
        assert found.limit is None
        assert found.lower_bound == found.objective


def same(found):
    return (found.antecedents, found.objective, found.lower_bound, found.nodes, found.limit)


@pytest.mark.parametrize(
    ("soft", "table", "count"), [(False, True, 250), (False, False, 100), (True, True, 110)]
)
def test_the_optimum_is_found_and_proved(soft, table, count):
    lengths = set()
    for instance in instances(count, soft):
        found = exact(instance, table=table)
        assert found.proved
        assert lists(instance)[found.antecedents].objective == best(instance)
        lengths.add(len(found.antecedents))
    assert lengths >= {0, 1, 2, 3}


@pytest.mark.parametrize("soft", SOFT)
@pytest.mark.parametrize("most", [0, 1, 2])
def test_the_longest_list(soft, most):
    for instance in instances(60, soft):
        short = replace(instance, max_rules=most)
        assert lists(short)[exact(short).antecedents].objective == best(short)


@pytest.mark.parametrize("soft", SOFT)
def test_any_limit_leaves_the_optimum_between_the_bounds(soft):
    cut = 0
    for seed in range(16):
        instance = larger_instance(seed, 6 if soft else 9, 60, soft=soft)
        least = least_objective(instance)
        lowers, losses = [], []
        for nodes in (0, 1, 2, 5, 20, 60, 200, 1000):
            found = exact(instance, nodes=nodes)
            assert found.nodes <= nodes
            assert found.lower_bound <= float(least) + ROUNDING <= found.objective + 2 * ROUNDING
            assert found.proved == (found.lower_bound >= found.objective - ROUNDING)
            assert found.limit == (None if found.proved else f"max_nodes={nodes}")
            cut += not found.proved
            lowers.append(found.lower_bound)
            losses.append(found.objective)
        assert all(b >= a - ROUNDING for a, b in pairwise(lowers))
        assert all(b <= a + ROUNDING for a, b in pairwise(losses))
    assert cut > 20


def test_no_time_is_a_limit_too():
    instance = larger_instance(3, 9, 60)
    of = searchable(instance)
    found = search_exact(of.prefixes, FEW, Budget(max_seconds=0), 0, table=of.table)
    assert (found.proved, found.limit, found.antecedents) == (False, "max_seconds=0", ())
    assert 0 <= found.lower_bound < found.objective


@pytest.mark.parametrize("soft", SOFT)
@pytest.mark.parametrize("nodes", [30, 300, None])
def test_the_order_of_cells_changes_nothing(soft, nodes):
    for seed in range(12):
        instance = larger_instance(seed, 6 if soft else 12, 60, soft=soft)
        found = [exact(instance, nodes=nodes, shuffle=shuffle) for shuffle in (None, None, 1, 2)]
        assert len(set(map(same, found))) == 1


def test_equal_antecedents_change_no_loss():
    for instance in instances(60):
        short = replace(instance, coverage=instance.coverage[:4], max_rules=None)
        doubled = replace(short, coverage=short.coverage * 2)
        assert exact(doubled).objective == pytest.approx(exact(short).objective, abs=ROUNDING)


def test_a_list_to_begin_with():
    for seed in range(20):
        instance = larger_instance(seed, 9, 60)
        optimal = exact(instance)
        # with no node left nothing else is found
        begun = exact(instance, nodes=0, start=optimal.antecedents)
        assert begun.antecedents == optimal.antecedents
        assert not begun.antecedents or exact(instance, nodes=0).antecedents == ()
        # what may not come there is no list
        assert exact(instance, nodes=0, start=(0, 0)).antecedents == ()
        assert exact(instance, start=(0, 0)).objective == optimal.objective


@pytest.mark.parametrize(("antecedents", "count"), [(12, 60), (16, 25), (20, 10)])
def test_with_table_and_without_agree(antecedents, count, monkeypatch):
    """Where every list cannot be scored. The stages before the proof by unions are cut short."""
    lengths, by_unions = set(), 0
    monkeypatch.setattr(falling_search, "_FIRST", 8)
    for seed in range(count):
        instance = larger_instance(100 * antecedents + seed, antecedents, 10 * antecedents)
        found, other = exact(instance), exact(instance, table=False)
        assert found.proved
        assert other.proved
        assert found.objective == pytest.approx(other.objective, abs=ROUNDING)
        lengths.add(len(found.antecedents))
        by_unions += found.nodes != other.nodes
    assert max(lengths) >= 4
    assert by_unions > count / 4


@pytest.mark.parametrize("soft", SOFT)
def test_larger_instances_have_the_optimum_of_all_unions(soft):
    for seed in range(10 if soft else 20):
        instance = larger_instance(seed, 7 if soft else 10, 100, soft=soft)
        found = exact(instance)
        assert found.proved
        assert found.objective == pytest.approx(float(least_objective(instance)), abs=ROUNDING)


def test_soft_lists_are_never_worse_than_hard_ones():
    better = 0
    for seed in range(20):
        soft = larger_instance(seed, 6, 60, soft=True)
        hard = replace(soft, penalty=None)
        assert exact(soft).objective <= exact(hard).objective + ROUNDING
        better += exact(soft).objective < exact(hard).objective - ROUNDING
    assert better > 3


def test_the_judge_of_unions_is_the_judge_of_lists():
    for instance in (*instances(100, False), *instances(50, True)):
        assert least_objective(instance) == best(instance)


# what is there to break


def awkward(**changes):
    """Two antecedents that overlap, and a cell that neither holds of, with changes."""
    plain = Instance(
        ((True, True, False, False), (False, True, True, False)),
        (4, 5, 3, 2), (1, 2, 2, 20), Fraction(2), Fraction(1, 1000), max_rules=None,
    )  # fmt: skip
    return replace(plain, **changes)


AWKWARD = {
    "no antecedent": {"coverage": ()},
    "one cell": {"coverage": ((True,), (False,)), "positives": (3,), "negatives": (4,)},
    "one row": {"coverage": ((True,),), "positives": (1,), "negatives": (0,)},
    "an antecedent that holds everywhere": {
        "coverage": ((True,) * 4, (True, False, False, False), (True,) * 4)
    },
    "an antecedent that holds nowhere": {"coverage": ((False,) * 4, (True, False, False, False))},
    "equal antecedents": {"coverage": ((True, False, False, False),) * 5},
    "zero positives": {"positives": (0, 0, 0, 0)},
    "zero negatives": {"negatives": (0, 0, 0, 0)},
    "empty cells": {"positives": (4, 0, 0, 2), "negatives": (0, 0, 0, 9)},
    "w = 1/3": {"weight": Fraction(1, 3)},
    "w = 5/2": {"weight": Fraction(5, 2)},
    "a w of many digits": {"weight": Fraction("2.718281828459045")},
    "a w below all": {"weight": Fraction(1, 10**9)},
    "a w above all": {"weight": Fraction(10**9)},
    "free rules": {"rule_cost": Fraction(0)},
    "rules that cost more than all errors": {"rule_cost": Fraction(40)},
}


@pytest.mark.parametrize("table", TABLE)
@pytest.mark.parametrize("penalty", [None, Fraction(0), Fraction(1, 10), Fraction(10**6)], ids=str)
@pytest.mark.parametrize("changes", AWKWARD.values(), ids=AWKWARD.keys())
def test_awkward_instances(changes, penalty, table):
    instance = awkward(**changes, penalty=penalty)
    found = exact(instance, table=table)
    assert found.proved
    assert lists(instance)[found.antecedents].objective == best(instance)


@pytest.mark.parametrize("soft", SOFT)
@pytest.mark.parametrize("weight", ["1/3", "5/2", "2.718281828459"])
def test_huge_counts_find_what_small_ones_find(soft, weight):
    for seed in range(10):
        small = replace(larger_instance(seed, 6, 40, soft=soft), weight=Fraction(weight))
        unit = 10**12
        large = replace(
            small,
            positives=tuple(count * unit for count in small.positives),
            negatives=tuple(count * unit for count in small.negatives),
        )
        for table in (True, False):
            found = exact(large, table=table)
            assert found.proved
            assert found.objective == pytest.approx(exact(small).objective, abs=ROUNDING)


# random lists


@pytest.mark.parametrize("soft", SOFT)
def test_random_lists_are_permitted_and_prove_nothing(soft):
    reached = 0
    for instance in instances(120, soft):
        of = searchable(instance)
        found = search_monte_carlo(of.prefixes, MonteCarlo(restarts=30), Budget(), 1)
        check(of, found)
        assert found.lower_bound is None
        assert (found.proved, found.limit, found.nodes) == (False, None, 30)
        loss = lists(instance)[found.antecedents].objective
        assert loss >= best(instance)
        reached += loss == best(instance)
    assert reached > 100


@pytest.mark.parametrize("soft", SOFT)
def test_equal_seeds_give_equal_lists(soft):
    settings = MonteCarlo(restarts=3)
    differ = 0
    for number in range(15):
        instance = larger_instance(number, 20, 60, soft=soft)
        of_seeds = []
        for seed in range(5):
            found = [
                search_monte_carlo(searchable(instance, s).prefixes, settings, Budget(), seed)
                for s in (None, None, 7)
            ]
            assert len(set(map(same, found))) == 1
            of_seeds.append(found[0].antecedents)
        differ += len(set(of_seeds)) > 1
    assert differ > 3


def test_more_lists_are_no_worse_and_a_limit_is_named():
    for number in range(15):
        instance = larger_instance(number, 12, 60, soft=bool(number % 2))
        losses = []
        for nodes in (0, 1, 3, 10, 30):
            of = searchable(instance)
            budget = Budget(max_nodes=nodes)
            found = search_monte_carlo(of.prefixes, MonteCarlo(restarts=30), budget, 2)
            check(of, found)
            assert found.nodes == nodes
            assert found.limit == (None if nodes == 30 else f"max_nodes={nodes}")
            losses.append(found.objective)
        assert losses == sorted(losses, reverse=True)


def test_lists_that_always_end_have_no_rule():
    instance = larger_instance(1, 9, 60)
    assert exact(instance).antecedents
    of = searchable(instance)
    settings = MonteCarlo(restarts=50, termination_probability=1.0)
    assert search_monte_carlo(of.prefixes, settings, Budget(), 0).antecedents == ()


def test_curiosity_prefers_proportions_or_shares():
    # a pure rule of few positives, and one of many that is less pure
    instance = Instance(
        ((True, False, False), (False, True, False)),
        (1, 60, 9), (0, 40, 400), Fraction(3), Fraction(0), max_rules=1,
    )  # fmt: skip
    first = {0.0: 0, 1.0: 0}
    for curiosity in first:
        for seed in range(200):
            of = searchable(instance)
            settings = MonteCarlo(1, curiosity, 0.0)
            found = search_monte_carlo(of.prefixes, settings, Budget(), seed)
            first[curiosity] += found.antecedents == (0,)
    # 1 to 60 by share of positives, 1 to 6/10 by proportion
    assert first[0.0] < 20
    assert 100 < first[1.0] < 150


def test_a_found_list_is_what_it_says():
    found = exact(larger_instance(random.Random(0).randrange(9), 9, 60))
    assert isinstance(found, FoundList)
    assert isinstance(found.objective, float)
    assert all(type(antecedent) is int for antecedent in found.antecedents)
