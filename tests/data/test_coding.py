from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbrules.data.coding import MOST_CODES, Coding, interval_coding, level_coding
from dbrules.errors import ColumnTypeError, InvalidCondition
from dbrules.language.column import Column, ColumnType
from dbrules.language.condition import Condition

AGE = Column("age", ColumnType("INTEGER"))
PRICE = Column("price", ColumnType("DOUBLE"))
TOWN = Column("town", ColumnType("VARCHAR"))


def holds(coding, literal, value):
    return coding.literals[literal].covers({coding.column.name: coding.column.read(value)}) is True


def agrees(coding, value):
    """Every literal says of a value what it says of the value's code."""
    code = coding.code(value)
    return [holds(coding, i, value) for i in range(len(coding.literals))] == list(
        coding.members[:, code]
    )


@given(
    st.lists(st.floats(allow_nan=False, allow_infinity=False), unique=True, max_size=5).map(sorted),
    st.none() | st.floats(),
    st.sampled_from(["left", "right"]),
    st.booleans(),
)
def test_intervals_hold_of_their_codes(cuts, value, closed, missing):
    coding = interval_coding(PRICE, cuts, closed, missing=missing)
    assert coding.size == len(cuts) + 2 + missing
    assert agrees(coding, value)
    is_missing = value is None or math.isnan(value)
    assert (coding.code(value) > len(cuts)) == is_missing
    assert any(coding.members[:, coding.code(value)]) == (missing or not is_missing)


@given(st.lists(st.text(max_size=2), unique=True), st.none() | st.text(max_size=2), st.booleans())
def test_levels_hold_of_their_codes(levels, value, missing):
    coding = level_coding(TOWN, levels, missing=missing)
    assert agrees(coding, value)
    if value in levels:
        assert coding.code(value) == levels.index(value)
    else:
        assert coding.code(value) == len(levels) + (missing and value is not None)


def test_cells_are_read_as_the_column_is():
    trimmed = level_coding(Column("town", ColumnType("VARCHAR"), trim=True), ["Oslo"])
    assert trimmed.code(" Oslo ") == 0
    assert level_coding(TOWN, ["Oslo"]).code(" Oslo ") == 1
    with pytest.raises(ColumnTypeError):
        interval_coding(AGE, [18], "left").code("young")


def test_equal_codings_are_equal_and_cannot_be_changed():
    coding = interval_coding(AGE, [18], "left")
    assert coding == interval_coding(AGE, [18], "left")
    assert hash(coding) == hash(interval_coding(AGE, [18], "left"))
    assert coding != interval_coding(AGE, [18], "right")
    with pytest.raises(ValueError, match="read-only"):
        coding.members[0, 0] = False


def test_a_literal_may_hold_of_several_codes():
    below = Condition("age", "<", 30)
    coding = Coding(AGE, interval_coding(AGE, [18, 30], "left").cells, (below,),
                    np.array([[True, True, False, False]]))  # fmt: skip
    assert all(agrees(coding, age) for age in (17, 18, 29, 30, None))


YOUNG, OLD = Condition("age", "<", 18), Condition("age", ">=", 18)


@pytest.mark.parametrize(
    ("cells", "literals", "members", "message"),
    [
        ([YOUNG], [YOUNG], [[1, 0, 0]], r"shape \(1, 3\); give \(1, 2\)"),
        ([YOUNG], [], [], r"shape \(0,\); give \(0, 2\)"),
        ([YOUNG], [OLD], [[0, 1]], "last code"),
        ([YOUNG], [OLD], [[0, 0]], "of none"),
        ([YOUNG], [YOUNG, YOUNG], [[1, 0], [1, 0]], "the same codes"),
        ([Condition("size", "<", 18)], [], [], "on 'size'"),
        ([YOUNG], [Condition("size", "<", 18)], [[1, 0]], "on 'size'"),
        ([YOUNG] * MOST_CODES, [], [], "65537 codes"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(cells, literals, members, message):
    with pytest.raises(InvalidCondition, match=message) as raised:
        Coding(AGE, cells, literals, np.array(members))
    assert "'age'" in str(raised.value)
    assert "\n" not in str(raised.value)
