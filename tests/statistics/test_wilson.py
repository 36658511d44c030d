from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from dbrules.errors import InvalidSetting
from dbrules.statistics.wilson import wilson


@given(st.integers(1, 10**6), st.floats(0, 1), st.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_agrees_with_scipy(total, share, level):
    successes = round(total * share)
    theirs = stats.binomtest(successes, total).proportion_ci(level, method="wilson")
    assert wilson(successes, total, level) == pytest.approx(tuple(theirs), rel=1e-9, abs=1e-12)


WEIGHTS = st.just(0.0) | st.floats(1e-6, 1e9)


@given(WEIGHTS, WEIGHTS)
def test_holds_the_share_within_zero_and_one(successes, failures):
    total = successes + failures
    lower, upper = wilson(successes, total)
    assert 0 <= lower <= upper <= 1
    if total:
        assert lower - 1e-12 <= successes / total <= upper + 1e-12


def test_no_rows_say_nothing():
    assert wilson(0, 0) == (0, 1)


@pytest.mark.parametrize("level", [0, 1, 95])
def test_a_level_is_a_probability(level):
    with pytest.raises(InvalidSetting, match="between 0 and 1"):
        wilson(1, 2, level)
