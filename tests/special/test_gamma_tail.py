from __future__ import annotations

import math

import pytest
from scipy import special

from dbrules.special.gamma_tail import log_gamma_tail

SHAPES = [1e-3, 0.02, 0.3, 0.5, 0.999, 1.0, 1.5, 7.0, 14.9, 15.1, 300.0, 1e4, 1e6]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("times", [1e-9, 1e-3, 0.1, 0.9, 1.0, 1.001, 1.5, 3.0, 40.0])
def test_agrees_with_scipy(shape, times):
    for x in (shape * times, shape + times * math.sqrt(shape), times):
        tail = special.gammaincc(shape, x)
        ours = log_gamma_tail(shape, x)
        if tail > 0.5:
            assert ours == pytest.approx(math.log1p(-special.gammainc(shape, x)), rel=1e-9)
        elif tail > 1e-290:
            assert ours == pytest.approx(math.log(tail), rel=1e-9)
        else:
            assert -math.inf < ours < -600


@pytest.mark.parametrize("x", [1e-3, 0.7, 3.0, 800.0, 1e4, 1e6])
def test_agrees_with_closed_forms_where_scipy_has_no_digits(x):
    assert log_gamma_tail(1, x) == -x
    assert log_gamma_tail(3, x) == pytest.approx(math.log1p(x + x * x / 2) - x, rel=1e-9)
    normal = math.log(2) + special.log_ndtr(-math.sqrt(2 * x))
    assert log_gamma_tail(0.5, x) == pytest.approx(normal, rel=1e-9)


@pytest.mark.parametrize("shape", SHAPES)
def test_one_more_shape_adds_one_density(shape):
    """Q(shape + 1, x) = Q(shape, x) + x**shape exp(-x) / gamma(shape + 1), also at 1e-3000."""
    for x in (shape * 0.5, shape + 2, shape + 9000):
        density = shape * math.log(x) - x - math.lgamma(shape + 1)
        here, there = log_gamma_tail(shape, x), log_gamma_tail(shape + 1, x)
        both = math.log(math.exp(here - there) + math.exp(density - there))
        assert both == pytest.approx(0, abs=1e-8)


def test_the_ends():
    assert log_gamma_tail(2.5, 0) == 0
    assert log_gamma_tail(2.5, math.inf) == -math.inf
