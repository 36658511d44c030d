"""Prefixes are scored, bounded and extended as the judge's lists say."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from brute_force import Instance, best_completions, predicts_positive
from searchable import ROUNDING, best, completions, instances, lists, searchable
from theorems import theorem_4_6, theorem_5_2

SOFT = [pytest.param(False, id="hard"), pytest.param(True, id="soft")]


def may_begin(instance):
    """Return what a list may begin with: every prefix among its lists that leaves rows.

    In a hard list all rules answer the positive class (corollary 4.5) and the rest falls, so the
    list that ends right there is permitted (proposition 4.2).
    """
    found = {()}
    for chosen, one in lists(instance).items():
        if instance.penalty is None:
            above = all(predicts_positive(counts, instance.weight) for counts in one.counts[:-1])
            if not (above and one.falling):
                continue
        if any(one.counts[-1]) and chosen:
            found.add(chosen)
    return found


def drawn(soft):
    """Random instances; soft ones have many more prefixes."""
    return instances(80 if soft else 250, soft)


def walk(prefixes):
    """Yield every prefix, the extensions that lead on, and the place of each next one."""
    stack = [prefixes.root]
    while stack:
        prefix = stack.pop()
        found = prefixes.extensions(prefix)
        yield prefix, found
        stack += [prefixes.extend(prefix, found, p) for p in range(len(found.antecedents))]


@pytest.mark.parametrize("soft", SOFT)
def test_prefixes_are_exactly_those_that_lists_may_begin_with(soft):
    longest = 0
    for instance in drawn(soft):
        found = [prefix.antecedents for prefix, _ in walk(searchable(instance).prefixes)]
        assert len(set(found)) == len(found)
        assert set(found) == may_begin(instance)
        longest = max(longest, *map(len, found))
    assert longest >= 4


@pytest.mark.parametrize("soft", SOFT)
def test_an_optimum_can_be_reached(soft):
    for instance in drawn(soft):
        reached = min(lists(instance)[chosen].objective for chosen in may_begin(instance))
        assert reached == best(instance)


@pytest.mark.parametrize("soft", SOFT)
def test_scores_are_the_judges(soft):
    risen = 0
    for instance in drawn(soft):
        rows = instance.rows
        prefixes = searchable(instance).prefixes
        for prefix, found in walk(prefixes):
            one = lists(instance)[prefix.antecedents]
            loss = prefixes.loss(prefix)
            # what a list may begin with may also end there
            assert loss / rows == pytest.approx(float(one.objective), abs=ROUNDING)
            risen += not one.falling
            assert prefix.left.totals == one.counts[-1]
            shares = [Fraction(p, p + n) for p, n in one.counts[:-1]]
            assert Fraction(prefix.least[0], sum(prefix.least)) == min([Fraction(1), *shares])
            for place, antecedent in enumerate(found.antecedents.tolist()):
                longer = lists(instance)[(*prefix.antecedents, antecedent)]
                captured = longer.counts[-2]
                assert (found.positives[place], found.negatives[place]) == captured
                assert found.losses[place] / rows == pytest.approx(
                    float(longer.objective), abs=ROUNDING
                )
                assert found.proportions[place] == captured[0] / sum(captured)
                assert found.recalls[place] == captured[0] / max(1, one.counts[-1][0])
    assert not soft or risen > 100


@pytest.mark.parametrize("soft", SOFT)
def test_no_completion_is_below_its_bound(soft):
    """And many a bound is reached: they are not below everything."""
    tight = bounds = 0
    for instance in drawn(soft):
        rows = instance.rows
        prefixes = searchable(instance).prefixes
        for prefix, found in walk(prefixes):
            least = completions(instance)[prefix.antecedents]
            bound = prefixes.bound(prefix) / rows
            assert bound <= float(least) + ROUNDING
            tight += bound >= float(least) - ROUNDING
            bounds += 1
            for place, antecedent in enumerate(found.antecedents.tolist()):
                longer = completions(instance)[(*prefix.antecedents, antecedent)]
                assert found.bounds[place] / rows <= float(longer) + ROUNDING
                assert found.bounds[place] <= found.losses[place] + ROUNDING * rows
    assert tight > bounds / 2


@pytest.mark.parametrize("soft", SOFT)
def test_no_list_with_another_rule_is_below_the_bound_on_those(soft):
    reached = 0
    for instance in drawn(soft)[::3]:
        longer = best_completions(instance, proper=True)
        for prefix, found in walk(searchable(instance).prefixes):
            for place, antecedent in enumerate(found.antecedents.tolist()):
                least = longer.get((*prefix.antecedents, antecedent))
                if least is not None:
                    further = found.further[place] / instance.rows
                    assert further <= float(least) + ROUNDING
                    reached += further >= float(least) - ROUNDING
    assert reached > 20


@pytest.mark.parametrize("soft", SOFT)
def test_no_longer_list_is_below_what_goes_on_costs(soft):
    tight = longer = 0
    for instance in instances(60 if soft else 200, soft):
        rows = instance.rows
        going_on = best_completions(instance, proper=True)
        for prefix, found in walk(searchable(instance).prefixes):
            for place, antecedent in enumerate(found.antecedents.tolist()):
                further = found.further[place]
                least = going_on.get((*prefix.antecedents, antecedent), math.inf)
                assert further / rows <= least + ROUNDING
                assert found.bounds[place] == min(found.losses[place], further)
                tight += further / rows >= float(least) - ROUNDING
                longer += least < math.inf
    assert tight > longer / 3


@pytest.mark.parametrize("soft", SOFT)
def test_the_bound_of_a_prefix_is_not_below_that_of_the_extension_it_was(soft):
    # it has the equivalent-points bound besides
    for instance in instances(50, soft):
        prefixes = searchable(instance).prefixes
        for prefix, found in walk(prefixes):
            for place in range(len(found.antecedents)):
                longer = prefixes.extend(prefix, found, place)
                assert prefixes.bound(longer) >= found.bounds[place] - ROUNDING * instance.rows


def inseparable(instance, antecedents):
    """What the rows left cost at least: in each kind of cell the cheaper answer (section 6)."""
    kinds = {}
    for cell, counts in enumerate(zip(instance.positives, instance.negatives, strict=True)):
        held = tuple(of[cell] for of in instance.coverage)
        if not any(held[antecedent] for antecedent in antecedents):
            p, n = kinds.get(held, (0, 0))
            kinds[held] = (p + counts[0], n + counts[1])
    return sum(min(instance.weight * p, n) for p, n in kinds.values())


@pytest.mark.parametrize("soft", SOFT)
def test_bounds_are_those_of_the_theorems_and_of_equivalent_points(soft):
    for instance in instances(60, soft):
        rows, prefixes = instance.rows, searchable(instance).prefixes
        costs = [float(instance.weight), float(instance.rule_cost * rows)]
        costs += [float(instance.penalty * rows)] if soft else []
        theorem = theorem_5_2 if soft else theorem_4_6
        for prefix, _ in walk(prefixes):
            if len(prefix.antecedents) == instance.max_rules:
                continue
            rest = theorem(*prefix.left.totals, *prefix.least, *costs)
            apart = float(inseparable(instance, prefix.antecedents)) + costs[1]
            ended = prefixes.loss(prefix)
            expected = max(prefix.loss + rest, min(ended, prefix.loss + apart))
            assert prefixes.bound(prefix) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("soft", SOFT)
@pytest.mark.parametrize("most", [0, 1, 2])
def test_the_longest_list(soft, most):
    for instance in instances(60, soft):
        short = replace(instance, max_rules=most)
        prefixes = searchable(short).prefixes
        walked = {p.antecedents: (prefixes.bound(p), prefixes.loss(p), f)
                  for p, f in walk(prefixes)}  # fmt: skip
        assert set(walked) == may_begin(short)
        assert max(map(len, walked)) <= most
        for chosen, (bound, loss, found) in walked.items():
            if len(chosen) == most:
                assert bound == loss
                assert not len(found.antecedents)
            elif len(chosen) == most - 1:
                assert found.bounds.tolist() == pytest.approx(found.losses.tolist())


def test_a_prefix_by_its_antecedents():
    seen = 0
    for instance in instances(30):
        prefixes = searchable(instance).prefixes
        for prefix, _ in walk(prefixes):
            again = prefixes.prefix(prefix.antecedents)
            assert again.antecedents == prefix.antecedents
            assert again.loss == prefix.loss
            assert again.least == prefix.least
            assert again.left.key == prefix.left.key
        for chosen in lists(instance).keys() - may_begin(instance):
            assert prefixes.prefix(chosen) is None
            seen += 1
    assert seen > 100


@pytest.mark.parametrize("soft", SOFT)
@pytest.mark.parametrize("unit", [10**12, 10**14])
def test_huge_counts_are_compared_exactly(soft, unit):
    # units of 1e-12 make products of counts that no int64 holds, and w = w + 1e-10 no float
    weight = Fraction(5, 2) + Fraction(1, 10**10)
    for instance in instances(20, soft):
        if instance.rows * unit >= 2**53:
            continue
        small = replace(instance, weight=weight)
        scaled = replace(
            small,
            positives=tuple(count * unit for count in small.positives),
            negatives=tuple(count * unit for count in small.negatives),
        )
        found = {p.antecedents: p for p, _ in walk(searchable(scaled).prefixes)}
        assert found.keys() == may_begin(small)
        prefixes, of_small = searchable(scaled).prefixes, searchable(small).prefixes
        for prefix, _ in walk(of_small):
            same = found[prefix.antecedents]
            assert prefixes.loss(same) / unit == pytest.approx(of_small.loss(prefix))
            assert prefixes.bound(same) / unit == pytest.approx(of_small.bound(prefix))


def test_proportions_that_differ_by_little_are_not_equal():
    # 3 of 7 and a little less: as floats of 2**50 rows they are the same
    size = 2**47
    first = (3 * size, 4 * size)
    for change, falls in ((0, True), (1, False), (-1, True)):
        second = (3 * size + change, 4 * size)
        instance = Instance(
            ((True, False, False), (False, True, False)), (first[0], second[0], 0),
            (first[1], second[1], size), Fraction(7), Fraction(0),
        )  # fmt: skip
        prefixes = searchable(instance).prefixes
        first_rule = prefixes.prefix((0,))
        assert (1 in prefixes.extensions(first_rule).antecedents) == falls


def test_no_rule_where_there_is_no_antecedent():
    instance = Instance((), (3,), (4,), Fraction(1), Fraction(0))
    prefixes = searchable(instance).prefixes
    found = prefixes.extensions(prefixes.root)
    assert found.antecedents.tolist() == []
    assert prefixes.loss(prefixes.root) == prefixes.bound(prefixes.root) == 3.0


def test_antecedents_that_hold_everywhere_or_nowhere_are_no_rule():
    instance = Instance(((True, True), (False, False)), (3, 1), (1, 2), Fraction(1), Fraction(0))
    for penalty in (None, Fraction(1)):
        prefixes = searchable(replace(instance, penalty=penalty)).prefixes
        assert not len(prefixes.extensions(prefixes.root).antecedents)
        assert np.isfinite(prefixes.loss(prefixes.root))


def test_a_list_that_rises_may_not_end_there():
    instance = Instance(((True, False),), (3, 1), (1, 1), Fraction(1), Fraction(0))
    prefixes = searchable(instance).prefixes
    assert prefixes.loss(replace(prefixes.root, least=(2, 1))) == 2.0
    assert prefixes.loss(replace(prefixes.root, least=(1, 1))) == math.inf
