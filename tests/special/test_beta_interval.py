from __future__ import annotations

from itertools import product

import pytest
from scipy import stats

from dbrules.special.beta_interval import beta_interval

COUNTS = [1e-3, 0.04, 0.5, 1.0, 1.7, 12.0, 950.5, 3e4, 1e7]


@pytest.mark.parametrize(("a", "b"), list(product(COUNTS, COUNTS)))
@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_agrees_with_scipy(a, b, level):
    p = (1 - level) / 2
    low, high = beta_interval(a, b, level)
    assert low == pytest.approx(stats.beta.ppf(p, a, b), rel=1e-9, abs=1e-300)
    assert high == pytest.approx(stats.beta.isf(p, a, b), rel=1e-9, abs=1e-300)


@pytest.mark.parametrize("a", [1e-3, 0.3, 1.0, 7.0, 1e4])
def test_agrees_with_the_closed_form_of_one_exponent(a):
    """Beta(a, 1) has the distribution function x**a: quantiles far below 1e-300 become 0."""
    low, high = beta_interval(a, 1)
    assert (low, high) == pytest.approx((0.025 ** (1 / a), 0.975 ** (1 / a)), rel=1e-9)
    mirrored = beta_interval(1, a)
    assert mirrored == pytest.approx((1 - high, 1 - low), rel=1e-9, abs=1e-12)


def test_more_rows_give_a_narrower_interval():
    widths = [high - low for low, high in (beta_interval(3 * n, 7 * n) for n in (1, 10, 1e3, 1e6))]
    assert widths == sorted(widths, reverse=True)


@pytest.mark.parametrize(
    ("a", "b"), [(1.4e10, 1.0), (3981071706.0, 1.0), (6e9, 2.0), (1e11, 50.0), (1.0, 7e10)]
)
def test_huge_counts_end(a, b):
    lower, upper = beta_interval(a, b)
    expected = stats.beta.ppf([0.025, 0.975], a, b)
    assert (lower, upper) == pytest.approx(tuple(expected), rel=1e-5)
