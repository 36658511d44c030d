"""The judge itself, on lists computed by hand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from brute_force import (
    Instance,
    best_completions,
    every_list,
    list_objective,
    optimum,
    permitted,
    predicts_positive,
    proportions,
    rises,
    weighted_errors,
)
from random_instances import random_instance

#: Cells 8+ 2−, 3+ 3−, 1+ 23−; antecedents hold of the first, the second, of both.
SMALL = Instance(
    coverage=((True, False, False), (False, True, False), (True, True, False)),
    positives=(8, 3, 1),
    negatives=(2, 3, 23),
    weight=Fraction(3),
    rule_cost=Fraction(1, 100),
)


def objectives(instance):
    return {one.antecedents: one.objective for one in every_list(instance)}


def test_every_list_is_scored():
    # () answers yes: 28 negatives of 40 rows. (0): 2, then 3 × 4 where the else says no.
    # (0, 1): 2 + 3 + 3 × 1. (1): 3 + 25, for 3 × 9 > 25. (2): 5 + 3 × 1.
    expected = {
        (): "70/100",
        (0,): "36/100", (0, 1): "22/100", (0, 2): "22/100",
        (1,): "71/100", (1, 0): "22/100", (1, 2): "22/100",
        (2,): "21/100",
    }  # fmt: skip
    assert objectives(SMALL) == {key: Fraction(value) for key, value in expected.items()}


def test_a_rule_that_captures_nothing_is_in_no_list():
    assert (2, 0) not in objectives(SMALL)
    assert (0, 1, 2) not in objectives(SMALL)


def test_falling_counts_the_else():
    falls = {one.antecedents for one in every_list(SMALL) if one.falling}
    assert falls == {(), (0,), (0, 1), (0, 2), (1,), (2,)}
    # 2+ 2− first leaves 3+ 1−
    risen = Instance(((True, False),), (2, 3), (2, 1), Fraction(1), Fraction(0))
    assert [one.falling for one in every_list(risen)] == [True, False]


def test_a_rise_pays_a_penalty():
    soft = replace(SMALL, penalty=Fraction(1, 2))
    # the proportion rises from 1/2 to 8/10
    assert objectives(soft)[1, 0] == Fraction(22, 100) + Fraction(1, 2) * Fraction(3, 10)
    falling = {one.antecedents for one in every_list(soft) if one.falling}
    assert all(objectives(soft)[key] == objectives(SMALL)[key] for key in falling)


def test_rises_are_over_the_least_before():
    counts = [(5, 5), (2, 8), (4, 6), (3, 7), (0, 0)]
    assert rises(counts) == [0, Fraction(2, 10), Fraction(1, 10)]
    assert list_objective(counts, Fraction(1), Fraction(0), Fraction(1)) == (
        Fraction(5 + 2 + 4 + 3, 40) + Fraction(3, 10)
    )


def test_the_optimum_and_its_ties():
    assert optimum(SMALL) == (Fraction(21, 100), [(2,)])
    free = replace(SMALL, rule_cost=Fraction(0))
    assert optimum(free) == (Fraction(1, 5), [(0, 1), (0, 2), (2,)])
    # where rises cost nothing the order does not matter
    soft = replace(free, penalty=Fraction(0))
    assert optimum(soft) == (Fraction(1, 5), [(0, 1), (0, 2), (1, 0), (1, 2), (2,)])


def test_the_longest_list():
    short = replace(SMALL, max_rules=1)
    assert set(objectives(short)) == {(), (0,), (1,), (2,)}
    assert set(objectives(replace(SMALL, max_rules=0))) == {()}


def test_the_best_completion_of_every_prefix():
    hundredths = {
        (): 21, (0,): 22, (0, 1): 22, (0, 2): 22, (1,): 71, (2,): 21,
    }  # fmt: skip
    assert best_completions(SMALL) == {key: Fraction(n, 100) for key, n in hundredths.items()}
    longer = {(): 21, (0,): 22}
    assert best_completions(SMALL, proper=True) == {
        key: Fraction(n, 100) for key, n in longer.items()
    }
    soft = replace(SMALL, penalty=Fraction(1, 2))
    assert best_completions(soft)[1,] == Fraction(37, 100)


def test_the_answer_at_the_threshold_is_no():
    assert not predicts_positive((1, 3), Fraction(3))
    assert predicts_positive((1, 2), Fraction(3))
    assert not predicts_positive((0, 0), Fraction(3))
    assert not predicts_positive((2, 5), Fraction(5, 2))
    assert weighted_errors([(1, 3), (1, 2), (0, 0)], Fraction(3)) == 3 + 2


def test_an_else_that_captures_nothing_breaks_no_order():
    everything = Instance(((True,),), (4,), (1,), Fraction(1), Fraction(0))
    (alone, ruled) = every_list(everything)
    assert ruled.counts == ((4, 1), (0, 0))
    assert proportions(ruled.counts) == [Fraction(4, 5)]
    assert ruled.falling
    assert alone.objective == ruled.objective == Fraction(1, 5)
    assert optimum(everything)[1] == [(), (0,)]
    assert objectives(replace(everything, penalty=Fraction(9))) == objectives(everything)


def test_proportions_of_one_and_nought_fall():
    pure = Instance(
        ((True, False, False), (False, True, False)), (3, 0, 0), (0, 2, 1), Fraction(1), Fraction(0)
    )
    found = {one.antecedents: one.falling for one in every_list(pure)}
    assert found == {(): True, (0,): True, (0, 1): True, (1,): False, (1, 0): False}


@pytest.fixture(scope="module")
def drawn():
    return [random_instance(seed) for seed in range(300)]


def test_random_instances_are_small_and_as_their_seed_says(drawn):
    assert drawn == [random_instance(seed) for seed in range(300)]
    for instance in drawn:
        assert 1 <= len(instance.coverage) <= 6
        assert 1 <= len(instance.positives) <= 12
        assert instance.max_rules in range(1, 6)
    for soft in (True, False):
        forced = [random_instance(seed, soft=soft) for seed in range(20)]
        assert all((instance.penalty is not None) == soft for instance in forced)
        assert [replace(i, penalty=None) for i in forced] == [
            replace(i, penalty=None) for i in drawn[:20]
        ]


def test_random_instances_have_every_awkward_thing(drawn):
    seen = dict.fromkeys(
        ["soft", "free", "only positives", "only negatives", "empty cell", "duplicates", "ties",
         "alpha 1 last", "alpha 0 last", "empty else", "at threshold", "rising", "rise pays"], 0,
    )  # fmt: skip
    lengths = set()
    for instance in drawn:
        lists = list(every_list(instance))
        least, best = optimum(instance)
        lengths.add(len(best[0]))
        seen["soft"] += instance.penalty is not None
        seen["free"] += instance.rule_cost == 0
        seen["only positives"] += not any(instance.negatives)
        seen["only negatives"] += not any(instance.positives)
        seen["empty cell"] += (0, 0) in zip(instance.positives, instance.negatives, strict=True)
        seen["duplicates"] += len(set(instance.coverage)) < len(instance.coverage)
        seen["ties"] += len(best) > 1
        seen["rising"] += any(not one.falling for one in lists)
        seen["rise pays"] += all(
            not one.falling for one in permitted(instance) if one.objective == least
        )
        for counts in (one.counts for one in lists):
            seen["empty else"] += counts[-1] == (0, 0)
            seen["alpha 1 last"] += len(counts) > 1 and counts[-2][1] == 0
            seen["alpha 0 last"] += len(counts) > 1 and counts[-2][0] == 0
            seen["at threshold"] += any(instance.weight * c[0] == c[1] > 0 for c in counts)
    assert min(seen.values()) >= 10, seen
    assert lengths >= {0, 1, 2, 3}
