from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbrules.data.binning import assign
from dbrules.data.literals import (
    interval_conditions,
    interval_labels,
    level_condition,
    missing_condition,
)
from dbrules.language.column import ColumnType


@given(
    st.lists(st.floats(allow_nan=False, allow_infinity=False), unique=True, max_size=5).map(sorted),
    st.floats(allow_nan=False),
    st.sampled_from(["left", "right"]),
)
def test_every_value_meets_the_condition_of_its_bin_only(cuts, value, closed):
    conditions = interval_conditions("x", cuts, closed)
    held = [i for i, condition in enumerate(conditions) if condition.covers({"x": value})]
    assert held == assign([value], cuts, closed).tolist()
    assert len(conditions) == len(cuts) + 1


def test_the_outermost_bins_are_open_ended():
    left = interval_conditions("age", (18, 30), "left")
    assert [(c.op, c.value) for c in left] == [("<", 18), (">=,<", (18, 30)), (">=", 30)]
    right = interval_conditions("age", (18, 30), "right")
    assert [(c.op, c.value) for c in right] == [("<=", 18), (">,<=", (18, 30)), (">", 30)]


def test_missing_is_in_no_bin():
    for cuts in ((), (1,), (1, 2)):
        conditions = interval_conditions("x", cuts, "left")
        assert not any(condition.covers({"x": None}) for condition in conditions)
    assert missing_condition("x").covers({"x": float("nan")})
    assert level_condition("x", "").covers({"x": None}) is None


@pytest.mark.parametrize(
    ("cuts", "closed", "name", "labels"),
    [
        ((3152, 4548, 5956), "left", "BIGINT",
         ("< 3152", "[3152, 4548)", "[4548, 5956)", ">= 5956")),
        ((3152, 4548), "right", "BIGINT", ("<= 3152", "(3152, 4548]", "> 4548")),
        ((3.0, 4.5), "left", "DOUBLE", ("< 3", "[3, 4.5)", ">= 4.5")),
        ((Decimal("1.50"),), "left", "DECIMAL(4,2)", ("< 1.50", ">= 1.50")),
        ((dt.date(2024, 1, 1),), "left", "DATE", ("< 2024-01-01", ">= 2024-01-01")),
        ((dt.datetime(2024, 1, 1, 6),), "left", "TIMESTAMP",
         ("< 2024-01-01 06:00:00", ">= 2024-01-01 06:00:00")),
    ],
)  # fmt: skip
def test_labels_of_a_cut_target(cuts, closed, name, labels):
    assert interval_labels(cuts, closed, ColumnType(name)) == labels
