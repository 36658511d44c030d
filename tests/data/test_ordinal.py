from __future__ import annotations

import datetime as dt
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbrules.data.ordinal import representable, to_ordinal, to_value
from dbrules.errors import ColumnTypeError
from dbrules.language.column import ColumnType

VALUES = {
    "INTEGER": st.integers(-(2**31), 2**31 - 1),
    "HUGEINT": st.integers(-(2**127), 2**127 - 1),
    "DECIMAL(38,10)": st.integers(-(10**38) + 1, 10**38 - 1).map(lambda n: Decimal(f"{n}E-10")),
    "DECIMAL(4,0)": st.integers(-9999, 9999).map(Decimal),
    "REAL": st.floats(width=32, allow_nan=False),
    "DOUBLE": st.floats(allow_nan=False),
    "DATE": st.dates(),
    "TIME": st.times(),
    "TIMESTAMP": st.datetimes(),
    "TIMESTAMP WITH TIME ZONE": st.datetimes(timezones=st.just(dt.UTC)),
}


@pytest.mark.parametrize("name", VALUES)
def test_a_value_comes_back_exactly_and_keeps_its_order(name):
    column_type = ColumnType(name)

    @given(VALUES[name], VALUES[name])
    def check(a, b):
        x, y = to_ordinal(a, column_type), to_ordinal(b, column_type)
        assert isinstance(x, float if column_type.is_float else int)
        back = to_value(x, column_type)
        assert back == a
        assert type(back) is type(a)
        assert (x < y) == (a < b)

    check()


def test_a_zone_is_only_a_way_to_write_a_moment():
    oslo = dt.datetime(2024, 7, 1, 12, tzinfo=dt.timezone(dt.timedelta(hours=2)))
    utc = dt.datetime(2024, 7, 1, 10, tzinfo=dt.UTC)
    column_type = ColumnType("TIMESTAMPTZ")
    assert to_ordinal(oslo, column_type) == to_ordinal(utc, column_type)


def test_a_cut_finer_than_the_column_lies_between_its_values():
    assert to_ordinal(Decimal("0.005"), ColumnType("DECIMAL(4,2)")) == Fraction(1, 2)
    assert to_ordinal(27.5, ColumnType("INTEGER")) == 27.5


@pytest.mark.parametrize("name", ["DATE", "TIME", "TIMESTAMP", "TIMESTAMPTZ"])
def test_what_python_cannot_say_overflows(name):
    column_type = ColumnType(name)
    first, last = representable(column_type)
    assert to_value(first, column_type) < to_value(last, column_type)
    for outside in (first - 1, last + 1, 2**62):
        with pytest.raises(OverflowError):
            to_value(outside, column_type)


@pytest.mark.parametrize(("value", "name"), [("a", "VARCHAR"), (True, "BOOLEAN"), (None, "DATE")])
def test_values_without_order_are_refused(value, name):
    with pytest.raises(ColumnTypeError):
        to_ordinal(value, ColumnType(name))
