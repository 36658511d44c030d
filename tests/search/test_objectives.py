"""The loss of falling lists is the judge's, in fractions."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from brute_force import list_objective, predicts_positive, weighted_errors
from brute_force import rises as judged_rises
from searchable import best, instances, lists, searchable

from dbrules.search.objectives import FallingObjective, rises

WEIGHTS = tuple(map(Fraction, ("1/3", "1", "5/2", "7")))


def random_counts(rng):
    """Counts of a list: rules with rows, an else that may have none; shares often meet."""
    rules = [rng.choice([(1, 0), (0, 1), (2, 1), (1, 2), (4, 2), (1, 3), (5, 7)])
             for _ in range(rng.randrange(5))]  # fmt: skip
    return [*rules, rng.choice([(0, 0), (1, 4), (2, 2), (3, 0), (0, 9)])]


@pytest.mark.parametrize("seed", range(40))
def test_random_counts_are_scored_as_the_judge_does(seed):
    rng = random.Random(seed)
    for _ in range(20):
        counts = random_counts(rng)
        rows = sum(map(sum, counts))
        if not rows:
            continue
        weight, cost = rng.choice(WEIGHTS), rng.choice([Fraction(0), Fraction(1, 7)])
        penalty = rng.choice([None, Fraction(0), Fraction(1, 2), Fraction(40)])
        of_class = (sum(of) for of in zip(*counts, strict=True))
        objective = FallingObjective(weight, cost, penalty, *of_class)
        assert objective.rows == rows
        assert objective.loss(counts) == list_objective(counts, weight, cost, penalty)
        assert objective.errors(counts) == weighted_errors(counts, weight)
        assert rises(counts) == sum(judged_rises(counts))
        falls = not any(judged_rises(counts))
        assert objective.permits(counts) == (falls or penalty is not None)
        for of_rule in counts:
            assert objective.answers_positive(*of_rule) == predicts_positive(of_rule, weight)


def test_every_list_of_random_instances_is_scored_as_the_judge_does():
    permitted = 0
    for instance in instances(40):
        objective = searchable(instance).objective
        for one in lists(instance).values():
            assert objective.loss(one.counts) == one.objective
            assert objective.permits(one.counts) == (one.falling or instance.penalty is not None)
            permitted += objective.permits(one.counts)
        # an exact fraction, not a float near it
        assert type(objective.loss([(1, 0)])) is Fraction
        assert best(instance) <= objective.loss(lists(instance)[()].counts)
    assert permitted > 1000


def test_the_else_counts_as_no_rule():
    objective = FallingObjective(Fraction(1), Fraction(1, 10), None, 1, 1)
    assert objective.loss([(1, 1)]) == Fraction(1, 2)
    assert objective.loss([(1, 0), (0, 1)]) == Fraction(1, 10)


def test_what_captures_nothing_breaks_no_order():
    objective = FallingObjective(Fraction(1), Fraction(0), None, 3, 1)
    assert objective.permits([(3, 1), (0, 0)])
    assert not objective.permits([(1, 1), (2, 0)])
    assert rises([(0, 0)]) == 0
