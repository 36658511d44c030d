from __future__ import annotations

import datetime as dt
import math
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbrules.data.binning.placement import place_between
from dbrules.data.ordinal import to_ordinal, to_value
from dbrules.language.column import ColumnType

CLOSED = st.sampled_from(["left", "right"])
GAPS = {
    "BIGINT": st.integers(-(2**63), 2**63 - 1),
    "HUGEINT": st.integers(-(2**127), 2**127 - 1),
    "DECIMAL(38,10)": st.integers(-(10**38) + 1, 10**38 - 1),
    "REAL": st.floats(width=32, allow_nan=False, allow_infinity=False),
    "DOUBLE": st.floats(allow_nan=False, allow_infinity=False),
    "DATE": st.integers(-719162, 2932896),
    "TIME": st.integers(0, 86_399_999_999),
    "TIMESTAMP": st.integers(-(10**16), 10**17),
    "TIMESTAMPTZ": st.integers(-(10**16), 10**17),
}


def between(low, high, closed, name):
    """Place a cut between two values instead of two ordinals."""
    column_type = ColumnType(name)
    edges = to_ordinal(low, column_type), to_ordinal(high, column_type)
    return place_between(*edges, closed, column_type)


@pytest.mark.parametrize("name", GAPS)
def test_no_neighbour_changes_side_and_the_cut_is_typed(name):
    column_type = ColumnType(name)

    @given(GAPS[name], GAPS[name], CLOSED)
    def check(a, b, closed):
        low, high = min(a, b), max(a, b)
        if low == high:
            return
        cut = place_between(low, high, closed, column_type)
        assert type(cut) is type(to_value(low, column_type))
        if closed == "left":
            assert to_value(low, column_type) < cut <= to_value(high, column_type)
        else:
            assert to_value(low, column_type) <= cut < to_value(high, column_type)
        assert column_type.coerce(column_type.to_json(cut)) == cut
        if column_type.kind == "decimal":
            assert cut.as_tuple().exponent == -10

    check()


@given(st.floats(allow_nan=False), CLOSED, st.sampled_from(["DOUBLE", "REAL"]))
def test_neighbouring_floats_are_parted(a, closed, name):
    if name == "REAL":
        with np.errstate(over="ignore"):
            a = float(np.float32(a))
            b = float(np.nextafter(np.float32(a), np.float32(math.inf)))
    else:
        b = math.nextafter(a, math.inf)
    if not (a < b and math.isfinite(a) and math.isfinite(b)):
        return
    cut = place_between(a, b, closed, ColumnType(name))
    assert (a < cut <= b) if closed == "left" else (a <= cut < b)


@given(GAPS["REAL"], GAPS["REAL"], GAPS["REAL"], CLOSED)
def test_a_cut_on_real_means_the_same_in_single_precision(a, b, x, closed):
    low, high = min(a, b), max(a, b)
    if low == high:
        return
    cut = place_between(low, high, closed, ColumnType("REAL"))
    single = float(np.float32(cut))
    for value in (low, high, x, single):
        if closed == "left":
            assert (value < cut) == (value < single)
        else:
            assert (value <= cut) == (value <= single)


@pytest.mark.parametrize("closed", ["left", "right"])
@pytest.mark.parametrize(
    ("low", "high"),
    [(-math.inf, 5.0), (5.0, math.inf), (-math.inf, math.inf), (-math.inf, -5.0), (-7.0, math.inf),
     (-math.inf, 1e308), (1e308, math.inf), (0.0, math.inf)],
)  # fmt: skip
def test_beside_infinity_the_cut_is_finite(low, high, closed):
    cut = place_between(low, high, closed, ColumnType("DOUBLE"))
    assert math.isfinite(cut)
    assert low < cut < high


def test_between_the_last_float_and_infinity_there_is_none_but_itself():
    last = math.nextafter(math.inf, 0)
    assert place_between(last, math.inf, "left", ColumnType("DOUBLE")) is None
    assert place_between(last, math.inf, "right", ColumnType("DOUBLE")) == last


@pytest.mark.parametrize(
    ("name", "low", "high", "cut"),
    [
        ("DOUBLE", 0.0100905, 0.0129155, 0.0115),
        ("DOUBLE", 3.0, 8.0, 6.0),
        ("DOUBLE", -1.0, 1.2, 0.0),
        ("DOUBLE", 1e300, 2e300, 1.5e300),
        ("DOUBLE", 0.1, 0.3, 0.2),
        ("INTEGER", 20, 41, 30),
        ("INTEGER", 1234, 5678, 3500),
        ("DECIMAL(6,3)", Decimal("0.120"), Decimal("0.179"), Decimal("0.150")),
        ("DATE", dt.date(2023, 5, 1), dt.date(2024, 10, 1), dt.date(2024, 1, 1)),
        ("DATE", dt.date(2024, 2, 10), dt.date(2024, 3, 25), dt.date(2024, 3, 1)),
        ("TIME", dt.time(9, 10), dt.time(10, 50), dt.time(10)),
        ("TIME", dt.time(9, 10), dt.time(9, 20, 30), dt.time(9, 15)),
        ("TIMESTAMP", dt.datetime(2024, 5, 4, 13), dt.datetime(2024, 5, 5, 12),
         dt.datetime(2024, 5, 5)),
        ("TIMESTAMP", dt.datetime(2024, 5, 4, 13, 0, 5), dt.datetime(2024, 5, 4, 13, 0, 8),
         dt.datetime(2024, 5, 4, 13, 0, 6, 500_000)),
        ("TIMESTAMPTZ", dt.datetime(2024, 5, 4, 9, tzinfo=dt.UTC),
         dt.datetime(2024, 5, 4, 12, 30, tzinfo=dt.UTC),
         dt.datetime(2024, 5, 4, 11, tzinfo=dt.UTC)),
    ],
)  # fmt: skip
def test_a_free_cut_is_round(name, low, high, cut):
    for closed in ("left", "right"):
        assert between(low, high, closed, name) == cut


def test_integers_side_by_side_are_parted_by_one_of_them():
    assert place_between(27, 28, "left", ColumnType("INTEGER")) == 28
    assert place_between(27, 28, "right", ColumnType("INTEGER")) == 27


def test_infinite_moments_leave_a_cut_that_python_can_say():
    day = to_ordinal(dt.date(2024, 1, 1), ColumnType("DATE"))
    assert place_between(day, 2**31 - 1, "left", ColumnType("DATE")) > dt.date(2024, 1, 1)
    assert place_between(2**31 - 2, 2**31 - 1, "left", ColumnType("DATE")) is None
