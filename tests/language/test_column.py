from __future__ import annotations

import datetime as dt
import json
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dbrules.errors import ColumnTypeError
from dbrules.language.column import Column, ColumnType, is_missing


@settings(max_examples=50, deadline=None)
@given(data=st.data())
def test_json_reads_back_to_the_same_value(data: Any, values: Any) -> None:
    for name, strategy in values.items():
        column_type = ColumnType(name)
        value = column_type.coerce(data.draw(strategy))
        back = column_type.coerce(json.loads(json.dumps(column_type.to_json(value))))
        assert (type(back), back) == (type(value), value)
        if isinstance(value, float):
            assert repr(back) == repr(value)  # -0.0 stays -0.0


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("DECIMAL(18,3)", "decimal"), ("HUGEINT", "integer"), ("FLOAT", "real"),
        ("ENUM('a', 'b)')", "text"), ("varchar(10)", "text"), ("TIMESTAMP_NS", "timestamp"),
        ("TIMESTAMP WITH TIME ZONE", "timestamptz"), ("INTEGER[]", "other"),
        ("INTEGER[3]", "other"), ("STRUCT(a INTEGER)", "other"), ("BLOB", "other"),
    ],
)  # fmt: skip
def test_kinds(name: str, kind: str) -> None:
    assert ColumnType(name).kind == kind


@pytest.mark.parametrize(
    ("name", "value", "right"),
    [
        ("BIGINT", 18.0, 18), ("BIGINT", 17.5, 17.5), ("BIGINT", Decimal("17.5"), 17.5),
        ("BIGINT", "0.1", 0.1), ("BIGINT", "9007199254740993", 9007199254740993),
        ("BIGINT", Decimal("9007199254740993.5"), Decimal("9007199254740993.5")),
        ("DOUBLE", 1, 1.0), ("DOUBLE", "inf", float("inf")), ("DOUBLE", "1e-5", 1e-5),
        ("DECIMAL(4,2)", 0.1, Decimal("0.1")), ("DECIMAL(4,2)", "1.50", Decimal("1.50")),
        ("BOOLEAN", np.bool_(True), True), ("BIGINT", np.int64(3), 3),
        ("DATE", "2024-02-29", dt.date(2024, 2, 29)),
        ("DATE", dt.datetime(2024, 2, 29), dt.date(2024, 2, 29)),
        ("TIMESTAMP", dt.date(2024, 2, 29), dt.datetime(2024, 2, 29)),
        ("VARCHAR", True, "true"), ("VARCHAR", 5, "5"),
    ],
)  # fmt: skip
def test_coerce(name: str, value: object, right: object) -> None:
    found = ColumnType(name).coerce(value)
    assert (type(found), found) == (type(right), right)


@pytest.mark.parametrize("missing", [None, float("nan"), Decimal("nan"), pd.NaT, np.float32("nan")])
def test_missing_values_are_none_in_every_type(missing: object, values: Any) -> None:
    for name in values:
        assert ColumnType(name).coerce(missing) is None
    assert is_missing(ColumnType("DOUBLE").coerce(missing))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("BIGINT", "x"), ("BIGINT", True), ("BIGINT", "nan"), ("DOUBLE", "nan"),
        ("DECIMAL(4,2)", "nan"), ("BOOLEAN", 1), ("BOOLEAN", "true"), ("DATE", 5),
        ("DATE", "2023-02-29"), ("DATE", dt.datetime(2024, 1, 1, 12)), ("TIME", 5),
        ("TIMESTAMP", dt.datetime(2024, 1, 1, tzinfo=dt.UTC)), ("TIMESTAMP", "soon"),
    ],
)  # fmt: skip
def test_values_of_another_type_are_refused(name: str, value: object) -> None:
    with pytest.raises(ColumnTypeError, match="does not fit type"):
        ColumnType(name).coerce(value)


def test_trim_takes_blanks_only() -> None:
    column = Column("city", ColumnType("VARCHAR"), trim=True)
    assert column.read("  Oslo ") == "Oslo"
    assert column.read("Oslo\n") == "Oslo\n"
