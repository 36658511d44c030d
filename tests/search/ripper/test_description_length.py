"""Description lengths by hand, row by row, and with and without each rule."""

from __future__ import annotations

import math
import random

import pytest
from naive_ripper import NaiveRipper, captured, covers, exceptions, pick, tally, theory
from raw_rows import random_table

from dbrules.search.covering.draw import draws
from dbrules.search.covering.literal import Literal
from dbrules.search.covering.subset import Count
from dbrules.search.ripper.description_length import exception_bits, rule_bits, subset_bits
from dbrules.search.ripper.rule_bits import RuleSetBits, add, possible_conditions


def test_by_hand():
    # two of eight at one in four: 2 log2 4 + 6 log2 (4/3)
    assert subset_bits(8, 2, 0.25) == pytest.approx(4 + 6 * math.log2(4 / 3))
    # one of eight conditions: log2 1, then 1 log2 8 + 7 log2 (8/7); half of it
    assert rule_bits(1, 8) == pytest.approx((3 + 7 * math.log2(8 / 7)) / 2)
    # two of eight: log2 2 + 2 log2 log2 2
    assert rule_bits(2, 8) == pytest.approx((1 + 4 + 6 * math.log2(4 / 3)) / 2)
    # four of eight: log2 4 + 2 log2 2, and eight bits
    assert rule_bits(4, 8) == pytest.approx((2 + 2 + 8) / 2)
    # nothing covered, four of sixteen positive, half of all errors expected among these:
    # log2 17, then 4 log2 8 + 12 log2 (8/7)
    nothing = exception_bits(Count(0, 0), Count(4, 12), 1.0, 0.5)
    assert nothing == pytest.approx(math.log2(17) + 12 + 12 * math.log2(8 / 7))
    # ten covered, two of them wrong, and one of six missed: at most half of three errors in ten
    some = exception_bits(Count(8, 2), Count(9, 7), 1.0, 0.5)
    inside = 2 * math.log2(10 / 1.5) + 8 * math.log2(10 / 8.5)
    outside = math.log2(6) + 5 * math.log2(6 / 5)
    assert some == pytest.approx(math.log2(17) + inside + outside)
    # a unit of a half is half of the weight
    half = exception_bits(Count(16, 4), Count(18, 14), 0.5, 0.5)
    assert half == pytest.approx(some)
    assert exception_bits(Count(5, 0), Count(5, 0), 1.0, 0.5) == pytest.approx(math.log2(6))


@pytest.mark.parametrize("conditions", range(6))
def test_a_rule_names_its_conditions(conditions):
    for possible in (6, 11, 40):
        assert rule_bits(conditions, possible) == pytest.approx(theory(conditions, possible))


@pytest.mark.parametrize("unit", [1.0, 0.25])
@pytest.mark.parametrize("expected", [0.1, 0.5, 0.9])
def test_exceptions_are_named_row_by_row(unit, expected):
    rng = random.Random(f"{unit} {expected}")
    sides = set()
    for _ in range(60):
        whole = Count(rng.randrange(1, 20), rng.randrange(1, 20))
        covered = Count(rng.randint(0, whole.positive), rng.randint(0, whole.negative))
        mine = exception_bits(covered, whole, unit, expected)
        assert mine == pytest.approx(exceptions(covered, whole, expected, unit))
        sides.add(2 * covered.total > whole.total)
    assert len(sides) == 2


def instance(seed, expected=0.5):
    """Return a table, its judge, the search's bits, and a list of rules as both say them."""
    table = random_table(seed)
    judge = NaiveRipper(table, draws(0, 0.5), expected=expected)
    rows = table.subset()
    bits = RuleSetBits(table.features, rows.count, 1.0, expected)
    rng = random.Random(f"rules {seed}")
    found = []
    for _ in range(rng.randrange(2, 6)):
        a = rng.randrange(1, len(table.values[0]))
        rule = (Literal(0, a, len(table.values[0])), Literal(2, code := rng.randrange(3), code + 1))
        found.append(rule[: rng.randint(1, 2)])
    return table, judge, bits, found, [table.rule(rule) for rule in found]


@pytest.mark.parametrize("seed", range(30))
def test_what_a_rule_adds_is_the_length_with_it_less_that_without_it(seed):
    table, judge, bits, found, rules = instance(seed)
    rows = table.subset()
    assert bits.possible == judge.possible == possible_conditions(table.features)
    for place, rule in enumerate(found):
        left = rows
        for other in found[:place]:
            left = left.without(other)
        before = rows.count - left.count
        counts = left.captures(found[place:])
        later = found[place + 1 :]
        # with no rule after it: the plain difference
        last = bits.with_rule(rule, before, counts[0], [], []) - bits.without(before, [], [])
        lengths = [
            judge.of_exceptions(captured(some, table.rows)) + sum(map(judge.bits, some))
            for some in (rules[: place + 1], rules[:place])
        ]
        assert last == pytest.approx(lengths[0] - lengths[1])
        assert bits.cost(rule, add(before, counts[0]), counts[0]) == pytest.approx(last)
        # with rules after it: those that do not pay are left out on either side
        with_it = bits.with_rule(rule, before, counts[0], later, counts[1:])
        added = with_it - bits.without(before, later, left.captures(later))
        assert added == pytest.approx(judge.added(rules[:place], rules[place], rules[place + 1 :]))


@pytest.mark.parametrize("least", [1, 8])
def test_rules_are_deleted_where_the_set_is_shorter_without_them(least):
    kept_some = apart = 0
    for seed in range(30):
        table, judge, bits, found, rules = instance(seed)
        judge.least = least
        kept = bits.delete(found, table.subset().captures(found), least)
        assert [table.rule(rule) for rule in kept] == judge.delete(rules)
        kept_some += 0 < len(kept) < len(found)
        # without rules that share rows: trying on the rows, from the last to the first
        some = [
            rule
            for k, rule in enumerate(rules)
            if not any(
                covers(rule, row) and covers(other, row)
                for other in rules[:k]
                for row in table.rows
            )
        ]
        tried = list(some)
        for rule in reversed(some):
            others = [other for other in tried if other != rule]
            p, n = tally(pick(rule, table.rows))
            if judge.added(others, rule, []) >= 0 or n >= p or p + n < least:
                tried = others
        alone = [found[rules.index(rule)] for rule in some]
        kept = bits.delete(alone, table.subset().captures(alone), least)
        assert [table.rule(rule) for rule in kept] == tried
        apart += len(some) > 1
    assert kept_some
    assert apart
