"""Lists grown at random are permitted, and grown as Algorithm FRL says."""

from __future__ import annotations

from fractions import Fraction

import pytest
from brute_force import Instance
from larger_instances import larger_instance
from searchable import Watched, best, exact, instances, lists, same, searchable

from dbrules.search import monte_carlo
from dbrules.search.budget import Budget
from dbrules.search.falling_search import search_monte_carlo
from dbrules.search.monte_carlo import MonteCarlo

SOFT = [pytest.param(False, id="hard"), pytest.param(True, id="soft")]


@pytest.mark.parametrize("soft", SOFT)
def test_random_lists_are_permitted_and_prove_nothing(soft):
    reached = 0
    for instance in instances(120, soft):
        of = searchable(instance)
        found = search_monte_carlo(of.prefixes, MonteCarlo(restarts=30), Budget(), 1)
        of.check(found)
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


@pytest.mark.parametrize("soft", SOFT)
def test_what_is_forgotten_is_counted_anew(soft, monkeypatch):
    monkeypatch.setattr(monte_carlo, "_KEPT", 0)
    for number in range(5):
        found = []
        for shuffle in (None, 4):
            of = searchable(larger_instance(number, 9, 60, soft=soft), shuffle)
            found.append(search_monte_carlo(of.prefixes, MonteCarlo(restarts=50), Budget(), 3))
            of.check(found[-1])
        assert same(found[0]) == same(found[1])


def test_more_lists_are_no_worse_and_a_limit_is_named():
    for number in range(15):
        instance = larger_instance(number, 12, 60, soft=bool(number % 2))
        losses = []
        for nodes in (0, 1, 3, 10, 30):
            of = searchable(instance)
            budget = Budget(max_nodes=nodes)
            found = search_monte_carlo(of.prefixes, MonteCarlo(restarts=30), budget, 2)
            of.check(found)
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


def watched(instance, settings, seed):
    prefixes = searchable(instance).prefixes
    incumbent = Watched(instance.rows)
    settings.search(prefixes, incumbent, Budget(), seed)
    return prefixes, incumbent


@pytest.mark.parametrize("soft", SOFT)
def test_no_list_grows_beyond_its_bound(soft):
    grown = 0
    for number in range(12):
        instance = larger_instance(number, 9, 60, soft=soft)
        prefixes, incumbent = watched(instance, MonteCarlo(restarts=30), 0)
        for antecedents, _, least in incumbent.offered:
            if antecedents:
                before = prefixes.extensions(prefixes.prefix(antecedents[:-1]))
                place = before.antecedents.tolist().index(antecedents[-1])
                assert before.bounds[place] < least
                grown += 1
    assert grown > 50


def test_soft_lists_are_not_curious_about_what_rises():
    # 1 has 4/5 of positives, 0 has 2/3; min(α, 101 α_min − 100 α) is below 0 after 0
    instance = Instance(
        ((True, False, False), (False, True, False)),
        (20, 40, 5), (10, 10, 200), Fraction(1), Fraction(0), Fraction(1, 100),
    )  # fmt: skip

    def grown(curiosity):
        settings = MonteCarlo(3, curiosity, 0.0)
        found = [watched(instance, settings, seed)[1].offered for seed in range(20)]
        return {antecedents for offered in found for antecedents, _, _ in offered}

    assert grown(1.0) == {(), (0,), (1,), (1, 0)}
    # a little less curious, it is tried
    assert grown(0.5) == {(), (0,), (1,), (1, 0), (0, 1)}
