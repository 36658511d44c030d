from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats

from dbrules.data.binning.chi_square_tail import chi_square_quantile, log_tail
from dbrules.statistics.chi_square import chi_square


@given(st.integers(2, 6), st.integers(2, 5), st.integers(0, 2**32 - 1))
def test_agrees_with_scipy_on_tables(levels, classes, seed):
    rng = np.random.default_rng(seed)
    table = rng.integers(1, 10 ** rng.integers(1, 5), (levels, classes))
    ours = chi_square(table)
    theirs = stats.chi2_contingency(table, correction=False)
    assert ours.statistic == pytest.approx(theirs.statistic, rel=1e-9, abs=1e-12)
    assert ours.df == theirs.dof
    assert ours.p == pytest.approx(theirs.pvalue, rel=1e-8, abs=1e-300)


@given(st.integers(1, 5000), st.floats(0.01, 4))
def test_tail_agrees_with_scipy(df, times):
    statistic = df * times
    theirs = special.gammaincc(df / 2, statistic / 2)
    if theirs < 1e-290:
        return  # there scipy has no digits left; the closed forms below judge
    if theirs > 0.5:
        log_p = math.log1p(-special.gammainc(df / 2, statistic / 2))
    else:
        log_p = math.log(theirs)
    assert log_tail(statistic, df) == pytest.approx(log_p, rel=1e-9, abs=1e-300)


@pytest.mark.parametrize("statistic", [1e-12, 0.3, 3.0, 50.0, 2e3, 1e5, 1e8])
def test_tail_agrees_with_closed_forms(statistic):
    x = statistic / 2
    assert log_tail(statistic, 2) == -x
    assert log_tail(statistic, 4) == pytest.approx(math.log1p(x) - x, rel=1e-9, abs=1e-16)
    normal = math.log(2) + special.log_ndtr(-math.sqrt(statistic))
    assert log_tail(statistic, 1) == pytest.approx(normal, rel=1e-9)


@given(st.integers(1, 200_000), st.floats(0.0, 1e6), st.floats(0.01, 1e3))
def test_a_larger_statistic_is_never_more_probable(df, statistic, more):
    assert log_tail(statistic + more, df) <= log_tail(statistic, df) <= 0


@pytest.mark.parametrize("df", [1, 2, 3, 10, 99, 1000])
@pytest.mark.parametrize("level", [0.05, 0.5, 0.95, 0.999])
def test_quantile_agrees_with_scipy(level, df):
    assert chi_square_quantile(level, df) == pytest.approx(stats.chi2.ppf(level, df), rel=1e-9)


def test_tiny_probabilities_still_compare():
    strong = chi_square([[10_000, 0], [0, 10_000]])
    stronger = chi_square([[20_000, 0], [0, 20_000]])
    assert strong.p == stronger.p == 0
    assert stronger.log_p < strong.log_p < -1000


@pytest.mark.parametrize("table", [[[3, 4]], [[3], [4]], [[0, 0], [3, 4]], [[3, 0], [4, 0]],
                                   np.zeros((0, 2)), np.zeros((2, 2))])  # fmt: skip
def test_a_table_without_freedom_has_probability_one(table):
    test = chi_square(table)
    assert (test.statistic, test.df, test.p) == (0, 0, 1)


def test_rows_and_columns_without_weight_do_not_count():
    assert chi_square([[3, 0, 9], [0, 0, 0], [8, 0, 2]]) == chi_square([[3, 9], [8, 2]])
