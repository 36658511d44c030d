"""The bounds of theorems 4.6 and 5.2 are what the paper writes, element by element."""

from __future__ import annotations

import random

import numpy as np
import pytest
from theorems import theorem_4_6, theorem_5_2

from dbrules.search.bounds import falling_further, shares, soft_rest, stopping


def draw(rng):
    """What is left, the rule of least proportion, w, C and C1; all times the number of rows."""
    p, n = rng.choice([(0, 0), (0, 3), (4, 0), (rng.randint(0, 30), rng.randint(0, 60))])
    least = rng.choice([(1, 0), (0, 5), (3, 0), (rng.randint(1, 20), rng.randint(0, 20))])
    weight = rng.choice([1 / 3, 1.0, 2.5, 7.0])
    penalty = rng.choice([0.0, 0.5, 20.0, 4000.0])
    return p, n, *least, weight, rng.choice([0.0, 0.3, 5.0]), penalty


@pytest.mark.parametrize("seed", range(20))
def test_hard_bounds_are_theorem_4_6(seed):
    rng = random.Random(seed)
    drawn = [draw(rng) for _ in range(50)]
    for weight in (1 / 3, 1.0, 2.5, 7.0):
        for cost in (0.0, 0.3, 5.0):
            p, n, least_p, least_n = np.array([one[:4] for one in drawn], dtype=float).T
            further = falling_further(p, least_p, least_n, cost)
            found = np.minimum(stopping(p, n, weight), further)
            expected = [theorem_4_6(*one[:4], weight, cost) for one in drawn]
            assert found.tolist() == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("seed", range(30))
def test_soft_bounds_are_theorem_5_2(seed):
    rng = random.Random(seed)
    drawn = [draw(rng) for _ in range(20)]
    of_costs = drawn[0][4:]
    p, n, least_p, least_n = np.array([one[:4] for one in drawn], dtype=float).T
    found = soft_rest(p, n, least_p, least_n, *of_costs)
    expected = [theorem_5_2(*one[:4], *of_costs) for one in drawn]
    assert found.tolist() == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_where_the_least_rise_lies():
    # g is least at b = sqrt(p / C1): within the interval, below it and above it
    p, n, least_p, least_n = (np.array([float(x)]) for x in (16, 1000, 1, 9))

    def at(b, penalty):
        return (1 / b - 1) * 16 + penalty * (b - 0.1)

    assert soft_rest(p, n, least_p, least_n, 1e6, 0.0, 64.0).tolist() == pytest.approx(
        [at(0.5, 64)]
    )
    assert soft_rest(p, n, least_p, least_n, 1e6, 0.0, 3.0).tolist() == pytest.approx([at(1, 3)])
    # the interval ends at the threshold
    low = soft_rest(p, n, least_p, least_n, 4.0, 0.0, 1600.0).tolist()
    assert low == pytest.approx([min(at(0.2, 1600), 4.0 * 16, 9 * 16.0)])


def test_no_rise_where_it_costs_nothing_to_rise():
    p, n = np.array([5.0]), np.array([8.0])
    # all positives may come at proportion 1
    assert soft_rest(p, n, np.array([1.0]), np.array([9.0]), 1.0, 0.25, 0.0).tolist() == [0.25]


def test_shares_and_stopping():
    p, n = np.array([0.0, 3.0, 0.0]), np.array([0.0, 1.0, 2.0])
    assert shares(p, n).tolist() == [0.0, 0.75, 0.0]
    assert stopping(p, n, 0.25).tolist() == [0.0, 0.75, 0.0]
