"""Rules that part the default's rows: each saves bits, and each step is the best there is."""

from __future__ import annotations

import math

import pytest
from naive_ripper import NaiveRipper, drop, pick, tally, theory
from raw_rows import random_table

from dbrules.search.budget import Budget
from dbrules.search.covering.draw import draws
from dbrules.search.ripper.grow import Growth
from dbrules.search.ripper.ranking import ranking_rules
from dbrules.search.ripper.rule_bits import possible_conditions


def bits(p, n, unit):
    """Return the bits that name each row's class at the share of its part."""
    return -unit * sum(x * math.log2(x / (p + n)) for x in (p, n) if x)


def saved(judge, rows, conditions, p, n):
    """Return what two parts save against one, less what the rule and a share more cost."""
    (all_p, all_n), unit = tally(rows), judge.unit
    parts = bits(p, n, unit) + bits(all_p - p, all_n - n, unit)
    one_more = math.log2((all_p + all_n) * unit) / 2
    return bits(all_p, all_n, unit) - parts - theory(conditions, judge.possible) - one_more


@pytest.mark.parametrize("unit", [1.0, 0.25, 4.0])
@pytest.mark.parametrize("most", [None, 1, 2])
def test_each_rule_saves_bits_and_each_step_is_the_best(most, unit):
    found = 0
    for seed in range(15):
        table = random_table(seed, rows=120)
        judge = NaiveRipper(table, draws(0, 0.5), unit=unit, max_conditions=most)
        growth = Growth(table.features, unit, 2.0, most, Budget())
        rules = ranking_rules(table.subset(), growth, possible_conditions(table.features), 4)
        left = table.rows
        for antecedent in rules:
            rule = table.rule(antecedent)
            whole = tally(left)
            value = 0.0
            for length in range(len(rule) + 1):
                inside = pick(rule[:length], left)
                steps = [
                    (saved(judge, left, length + 1, p, n), condition)
                    for condition, p, n in judge.refinements(rule[:length], inside)
                    if p * sum(whole) < whole[0] * (p + n) and tally(inside)[1]
                ]
                best = max((gain for gain, _ in steps), default=0.0)
                if length == len(rule):
                    assert best <= value + 1e-9  # nothing more to gain
                else:
                    assert best > value
                    first = next(c for gain, c in steps if gain >= best - 1e-9)
                    assert rule[length] == first
                    value = best
            assert value > 0
            p, n = tally(pick(rule, left))
            assert p / (p + n) < whole[0] / sum(whole)
            left = drop(rule, left)
        assert len(rules) <= 4
        found += len(rules)
    assert found > 10 or unit < 1


def test_at_most_so_many_and_none_where_nothing_can_be_told():
    table = random_table(3, rows=120)
    growth = Growth(table.features, 4.0, 2.0, None, Budget())
    possible = possible_conditions(table.features)
    rules = ranking_rules(table.subset(), growth, possible, 9)
    assert len(rules) > 2
    assert ranking_rules(table.subset(), growth, possible, 2) == rules[:2]
    assert ranking_rules(table.subset(), growth, possible, 0) == []
    nothing = table.subset().without(())
    assert ranking_rules(nothing, growth, possible, 3) == []
