"""Qualities against numbers worked out by hand, and the bound of refinements."""

from __future__ import annotations

import math

import numpy as np
import pytest
from covering_judge import value
from scipy.stats import chi2

from dbrules.search.covering.quality import QUALITIES, Setting, significance_level

#: p, n covered of P, N: 6 of 8 where the classes are 10 and 30.
BY_HAND = {
    "precision": 6 / 8,
    "laplace": 7 / 11,  # three classes
    "m_estimate": (6 + 2 / 4) / 10,
    "entropy": -(0.75 * math.log2(4 / 3) + 0.25 * 2),
    "foil_gain": 6 * math.log2(3),  # from a quarter to three quarters
    "wracc": 8 / 40 * (6 / 8 - 10 / 40),
    "likelihood_ratio": 2 * (6 * math.log(6 / 2) + 2 * math.log(2 / 6)),
}


def one(name: str, p: float, n: float, setting: Setting) -> float:
    return float(QUALITIES[name](np.array([p], float), np.array([n], float), setting)[0])


@pytest.mark.parametrize("name", sorted(QUALITIES))
def test_by_hand(name: str) -> None:
    assert one(name, 6, 2, Setting(10, 30, classes=3)) == pytest.approx(BY_HAND[name], rel=1e-12)


@pytest.mark.parametrize("name", sorted(QUALITIES))
def test_by_formula_and_never_above_the_positives_alone(name: str) -> None:
    p, n = (grid.ravel().astype(float) for grid in np.mgrid[0:13, 0:21])
    p, n = p[p + n > 0], n[p + n > 0]
    setting = Setting(12, 20, m=2.0)
    values = QUALITIES[name](p, n, setting)
    expected = [value(name, a, b, 12, 20) for a, b in zip(p, n, strict=True)]
    np.testing.assert_allclose(values, expected, rtol=1e-12, atol=1e-12)
    bounds = QUALITIES[name](p, np.zeros_like(p), setting)
    for a, b, bound in zip(p, n, bounds, strict=True):
        within = (p <= a) & (n <= b)
        assert a == 0 or values[within].max() <= bound + 1e-12


def test_a_gain_is_over_the_rule_before() -> None:
    setting = Setting(10, 30, before=(8, 8))
    assert one("foil_gain", 6, 2, setting) == pytest.approx(6 * math.log2(1.5))


def test_no_weight_in_a_class_is_no_error() -> None:
    for name in QUALITIES:
        for setting in (Setting(5, 0, m=0.0), Setting(5, 5, m=0.0)):
            assert np.isfinite(one(name, 0, 0, setting)), name


@pytest.mark.parametrize("ratio", [0.0, 0.5, 3.84, 6.63, 40.0])
def test_significance_is_the_tail_of_chi_square(ratio: float) -> None:
    assert significance_level(ratio) == pytest.approx(chi2.sf(ratio, 1), rel=1e-12)
    assert significance_level(-ratio) == 1
