"""Growing, pruning and the whole search against the same written row by row."""

from __future__ import annotations

import pytest
from naive_ripper import NaiveRipper, drop, pick
from raw_rows import random_table

from dbrules.search.budget import Budget
from dbrules.search.covering.draw import draws
from dbrules.search.covering.literal import conditions
from dbrules.search.ripper.grow import Growth, prune, prune_whole
from dbrules.search.ripper.ripper import Ripper


def growth(table, unit=1.0, most=None, least=1):
    return Growth(table.features, unit, 2.0, most, Budget(), least)


def parts(seed, **settings):
    """Return a table, a judge, and the same two parts of the rows for both."""
    table = random_table(seed)
    judge = NaiveRipper(table, draws(seed, 1 / 3), **settings)
    return table, judge, judge.split(table.rows)


@pytest.mark.parametrize("most", [None, 1, 2, 3])
@pytest.mark.parametrize("seed", range(12))
def test_the_same_literals_grow_in_the_same_order(seed, most):
    table, judge, (grow, _) = parts(seed, max_conditions=most)
    with table.subset().split(draws(seed, 1 / 3).next()) as (rows, _):
        antecedent = growth(table, most=most).grow(rows)
        assert table.rule(antecedent) == judge.grow(grow)
        assert most is None or conditions(antecedent, table.features) <= most
        if antecedent:  # a rule grows on from where it is, on what it covers
            start = antecedent[:1]
            again = growth(table, most=most).grow(rows.meeting(*start), start)
            first = table.rule(start)
            assert table.rule(again) == judge.grow(pick(first, grow), first)


@pytest.mark.parametrize("unit", [1.0, 0.25])
@pytest.mark.parametrize("seed", range(12))
def test_pruning_is_the_best_of_all_prefixes(seed, unit):
    table, judge, (grow, held_out) = parts(seed, unit=unit)
    other = judge.grow(drop(judge.grow(grow), grow))
    with table.subset().split(draws(seed, 1 / 3).next()) as (rows, rest):
        antecedent = growth(table, unit).grow(rows)
        rule = table.rule(antecedent)
        assert table.rule(prune(rest, antecedent, unit)) == judge.prune(held_out, rule)
        second = growth(table, unit).grow(rows.without(antecedent))
        assert table.rule(second) == other
        uncovered = rest.without(second) if second else rest
        rows_left = drop(other, held_out) if other else held_out
        pruned = prune_whole(uncovered, antecedent, unit)
        assert table.rule(pruned) == judge.prune_whole(rows_left, rule)


def test_nothing_held_out_prunes_nothing_of_the_whole():
    table = random_table(1)
    antecedent = growth(table).grow(table.subset())
    assert len(antecedent) > 1
    nothing = table.subset().without(())
    assert prune_whole(nothing, antecedent, 1.0) == antecedent
    assert prune(nothing, antecedent, 1.0) == ()


SETTINGS = [
    {"passes": 0}, {"passes": 1}, {}, {"passes": 3}, {"max_conditions": 1, "passes": 3},
    {"max_conditions": 2}, {"max_rules": 1}, {"max_rules": 2, "passes": 3}, {"least": 6},
    {"unit": 0.25}, {"expected": 0.2}, {"share": 0.5}, {"share": 0.1},
]  # fmt: skip


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_the_search_is_that_of_the_judge(settings):
    found = 0
    for seed in range(6):
        table = random_table(seed, rows=50, weights=1 + seed % 3)
        share = settings.get("share", 1 / 3)
        judge = NaiveRipper(
            table, draws(seed, share), **{k: v for k, v in settings.items() if k != "share"}
        )
        search = Ripper(
            growth(table, judge.unit, judge.max_conditions, judge.least),
            draws(seed, share), judge.passes,
        )  # fmt: skip
        rules = search.rules(table.subset(), judge.expected, judge.max_rules)
        assert [table.rule(rule) for rule in rules] == judge.rules(), seed
        assert judge.max_rules is None or len(rules) <= judge.max_rules
        found += len(rules)
    assert found >= 4
