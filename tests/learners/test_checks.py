"""A setting that cannot be is named, with what it is and what to give."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dbrules.errors import InvalidSetting
from dbrules.learners.checks import check_count, check_number, check_one_of


@pytest.mark.parametrize("value", [None, 1, 3, 10**30])
def test_counts(value):
    check_count("max_rules", value)


@pytest.mark.parametrize("value", [0, -1, 1.0, "1", True, math.inf, np.float64(2)])
def test_no_counts(value):
    with pytest.raises(InvalidSetting, match=r"^max_rules .* number of at least 1: give 1"):
        check_count("max_rules", value)
    with pytest.raises(InvalidSetting, match=r"give 5 or more$"):
        check_count("max_rules", 4, least=5)


@pytest.mark.parametrize(
    ("value", "limits"),
    [(0, {"least": 0}), (1, {"least": 0, "most": 1}), (5e-324, {"above": 0}), (1e308, {"least": 0}),
     (np.float64(0.5), {"least": 0, "most": 1}), (-2, {"least": -2}), (0.1, {"above": 0})],
)  # fmt: skip
def test_numbers_inside(value, limits):
    check_number("rule_cost", value, **limits)


@pytest.mark.parametrize(
    ("value", "limits", "wanted"),
    [(0, {"above": 0}, "above 0"), (-1e-9, {"least": 0}, "of at least 0"),
     (1.01, {"least": 0, "most": 1}, "of at least 0 and at most 1"),
     (2, {"above": 0, "most": 1}, "above 0 and at most 1"),
     (math.nan, {"least": 0}, "of at least 0"), (math.inf, {"above": 0}, "above 0"),
     (True, {"least": 0}, "of at least 0"), ("1", {"least": 0}, "of at least 0"),
     (None, {"above": 0}, "above 0"), ([1], {"above": 0}, "above 0")],
)  # fmt: skip
def test_numbers_outside(value, limits, wanted):
    with pytest.raises(InvalidSetting) as caught:
        check_number("rule_cost", value, **limits)
    assert str(caught.value) == f"rule_cost {value!r} is not a number {wanted}: give one"


def test_choices_and_their_near_match():
    check_one_of("search", "exact", ("exact", "monte_carlo"))
    with pytest.raises(InvalidSetting) as caught:
        check_one_of("search", "monte", ("exact", "monte_carlo"))
    assert str(caught.value) == (
        "search 'monte' is not known (did you mean 'monte_carlo'?): give exact or monte_carlo"
    )
    with pytest.raises(InvalidSetting, match=r"^search None is not known: give exact or monte_c"):
        check_one_of("search", None, ("exact", "monte_carlo"))
