"""Whole searches: the judge's optimum with proof, or bounds around it where a limit ends them."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from larger_instances import larger_instance, least_objective
from searchable import FEW, ROUNDING, best, exact, instances, lists, same, searchable

from dbrules.search import falling_search
from dbrules.search.budget import Budget
from dbrules.search.falling_search import FoundList, search_exact

SOFT = [pytest.param(False, id="hard"), pytest.param(True, id="soft")]


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
    of.check(found)
    assert (found.proved, found.limit, found.nodes) == (False, "max_seconds=0", 0)
    assert 0 <= found.lower_bound < found.objective


@pytest.mark.parametrize("soft", SOFT)
@pytest.mark.parametrize("nodes", [30, 300, None])
def test_the_order_of_cells_changes_nothing(soft, nodes):
    for seed in range(8):
        instance = larger_instance(seed, 6 if soft else 12, 60, soft=soft)
        found = [exact(instance, nodes=nodes, shuffle=shuffle) for shuffle in (None, None, 1, 2)]
        assert len(set(map(same, found))) == 1


def test_equal_antecedents_change_no_loss():
    for instance in instances(60):
        short = replace(instance, coverage=instance.coverage[:4], max_rules=None)
        doubled = replace(short, coverage=short.coverage * 2)
        assert exact(doubled).objective == pytest.approx(exact(short).objective, abs=ROUNDING)


def test_a_list_to_begin_with():
    better = 0
    for seed in range(20):
        instance = larger_instance(seed, 9, 60)
        optimal, least = exact(instance), exact(instance, nodes=0)
        begun = exact(instance, nodes=0, start=optimal.antecedents)
        assert begun.objective == optimal.objective
        better += begun.objective < least.objective
        # what may not come there is no list
        assert same(exact(instance, nodes=0, start=(0, 0))) == same(least)
        assert exact(instance, start=(0, 0)).objective == optimal.objective
    assert better > 2


@pytest.mark.parametrize(("antecedents", "count"), [(12, 50), (16, 25), (20, 10)])
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
    for seed in range(8 if soft else 14):
        instance = larger_instance(seed, 7 if soft else 10, 100, soft=soft)
        found = exact(instance)
        assert found.proved
        assert found.objective == pytest.approx(float(least_objective(instance)), abs=ROUNDING)


def test_a_table_proves_nothing_about_soft_lists(monkeypatch):
    # unions know no penalty: neither bound nor list may come from them
    monkeypatch.setattr(falling_search, "_FIRST", 8)
    for seed in range(10):
        instance = larger_instance(seed, 6, 60, soft=True)
        found = exact(instance)
        assert found.proved
        assert found.objective == pytest.approx(float(least_objective(instance)), abs=ROUNDING)
        assert same(found) == same(exact(instance, table=False))


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


def test_a_found_list_is_what_it_says():
    found = exact(larger_instance(1, 9, 60))
    assert isinstance(found, FoundList)
    assert isinstance(found.objective, float)
    assert all(type(antecedent) is int for antecedent in found.antecedents)
