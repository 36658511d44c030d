"""Frames: columns of no one type play no part and are named."""

from __future__ import annotations

import datetime as dt
import uuid
from decimal import Decimal

import numpy as np
import pandas
import pytest

import dbrules
from dbrules.data.frame import odd_columns
from dbrules.errors import InvalidQuery


def objects(*cells):
    return pandas.DataFrame({"x": pandas.Series(list(cells), dtype=object)})


@pytest.mark.parametrize(
    "cells",
    [
        ["a", "b", None, float("nan")], [1, 2.5, Decimal("1.5"), None], [True, False, None],
        [dt.date(2024, 1, 1), None], [dt.datetime(2024, 1, 1), pandas.NaT], ["a", pandas.NA],
        [uuid.uuid4(), None], [[1], [2, 3]], [{"a": 1}], [np.int64(3), 4, np.float32(1)],
        [np.array([1, 2]), [3]], [b"x"], [],
    ],
    ids=repr,
)  # fmt: skip
def test_columns_of_one_type_are_fine(cells):
    assert odd_columns(objects(*cells)) == {}


class Thing:
    pass


@pytest.mark.parametrize(
    ("cells", "name"),
    [([1, "a"], "MIXED(int, str)"), ([True, 1], "MIXED(bool, int)"), ([Thing()], "MIXED(Thing)"),
     (["a", dt.date(2024, 1, 1)], "MIXED(date, str)"), ([[1], "a"], "MIXED(list, str)")],
    ids=repr,
)  # fmt: skip
def test_mixed_columns_are_named(cells, name):
    assert odd_columns(objects(*cells)) == {"x": name}


def test_a_mixed_column_is_left_out_with_a_note():
    frame = objects(1, "1", 2, "2").assign(k=["a", "b", "a", "b"], y=["p", "q", "p", "q"])
    model = dbrules.OneR().fit(frame, "y")
    assert [column.name for column in model.rules.features] == ["k"]
    assert "x: type MIXED(int, str) not supported, not used" in model.notes
    assert model.verify(frame)
    assert len(model.predict(frame).fetchall()) == 4


def test_names_that_are_no_texts_clash_too():
    with pytest.raises(InvalidQuery, match="several columns '1'"):
        dbrules.OneR().fit(pandas.DataFrame([[1, 2, 3]], columns=[1, "1", "y"]), "y")
