"""Strategies for random columns, values, conditions, rule lists and rows."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import strategies as st

from dbrules.language.column import Column, ColumnType
from dbrules.language.condition import INTERVALS, NULL_TESTS, OPS, SETS, Condition
from dbrules.language.rule import Outcome, Rule, Target
from dbrules.language.rule_list import RuleList

# texts that have broken tools of this kind
TEXTS = [
    "O'Brien", "C:\\new", "50%", "", "NULL", " a", "a", "x\ny", "😀", "a;--", '"', "''", "\r\n",
    "é", "TRUE", "Oslo",
]  # fmt: skip
NAMES = [
    "age", "default", "select", "a b", 'a"b', "x'); DROP TABLE keep_me; --", "péage", "1st",
    "Group", "if", "date", "", "a\nb", "true", "infinity", "ſ",
]  # fmt: skip

VALUES: dict[str, st.SearchStrategy[Any]] = {
    "BIGINT": st.sampled_from([0, 1, 5, -5, 2**60 + 1, 2**60, 2**63 - 1, -(2**63)])
    | st.integers(-20, 20),
    "DOUBLE": st.sampled_from([0.1 + 0.2, 0.3, 5e-324, 1e308, -0.0, float("inf"), float("-inf")])
    | st.floats(allow_nan=False),
    "REAL": st.floats(allow_nan=False, width=32),
    "DECIMAL(10,2)": st.decimals(-99999999, 99999999, places=2) | st.just(Decimal("1E+2")),
    "VARCHAR": st.sampled_from(TEXTS) | st.text(max_size=5),
    "BOOLEAN": st.booleans(),
    "DATE": st.dates() | st.just(dt.date(2024, 2, 29)),
    "TIME": st.times().map(lambda time: time.replace(fold=0)),
    "TIMESTAMP": st.datetimes(allow_imaginary=False).map(lambda time: time.replace(fold=0)),
    "TIMESTAMP WITH TIME ZONE": st.datetimes(
        dt.datetime(2, 1, 1), dt.datetime(9998, 1, 1), timezones=st.just(dt.UTC)
    ).map(lambda time: time.replace(fold=0)),
}


@st.composite
def _conditions(draw: st.DrawFn, column: Column) -> Condition:
    op = draw(st.sampled_from(OPS))
    values = VALUES[column.type.name]
    if op in NULL_TESTS:
        return Condition(column.name, op)
    if op in SETS:
        return Condition(column.name, op, tuple(draw(st.lists(values, min_size=1, max_size=4))))
    if op in INTERVALS:
        pair = sorted(draw(st.lists(values, min_size=2, max_size=2, unique=True)))
        return Condition(column.name, op, tuple(pair))
    return Condition(column.name, op, draw(values))


@st.composite
def _rule_lists(draw: st.DrawFn) -> RuleList:
    names = draw(st.lists(
        st.sampled_from(NAMES) | st.text(max_size=4), min_size=1, max_size=4, unique=True
    ))  # fmt: skip
    features = tuple(
        Column(name, ColumnType(draw(st.sampled_from(list(VALUES)))), draw(st.booleans()))
        for name in names
    )
    target = draw(_targets())
    outcomes = st.builds(
        Outcome,
        st.sampled_from(target.classes),
        st.tuples(*(st.floats(0, 1) for _ in target.classes)),
        st.tuples(*(st.integers(0, 2**53) | st.floats(0, 1e9) for _ in target.classes)),
        st.none() | st.integers(0, 100),
    )
    conditions = st.sampled_from(features).flatmap(_conditions)
    rules = st.builds(Rule, st.lists(conditions, min_size=1, max_size=3).map(tuple), outcomes)
    return RuleList(target, features, tuple(draw(st.lists(rules, max_size=4))), draw(outcomes))


@st.composite
def _targets(draw: st.DrawFn) -> Target:
    name = draw(st.sampled_from(NAMES))
    type_name = draw(st.sampled_from(list(VALUES)))
    cuts: tuple[Any, ...] = ()
    labels = VALUES[type_name]
    if type_name == "DOUBLE" and draw(st.booleans()):
        cuts, labels = (0.1 + 0.2, 2.0), st.sampled_from(["x < 0.3", "[0.3, 2)", "x >= 2"])
    classes = tuple(sorted(draw(st.lists(labels, min_size=2, max_size=2, unique=True))))
    if type_name == "TIMESTAMP WITH TIME ZONE":
        classes = tuple(label.astimezone(dt.UTC) for label in classes)
    positive = draw(st.none() | st.sampled_from(classes))
    closed = draw(st.sampled_from(["left", "right"])) if cuts else "left"
    return Target(name, ColumnType(type_name), classes, positive, cuts, closed)


@pytest.fixture(scope="session")
def values() -> dict[str, st.SearchStrategy[Any]]:
    """Values of each column type, by type name."""
    return VALUES


@pytest.fixture(scope="session")
def conditions() -> Any:
    """A function from a column to random conditions on it."""
    return _conditions


@pytest.fixture(scope="session")
def rule_lists() -> st.SearchStrategy[RuleList]:
    """Random counted rule lists over hostile names and values of every type."""
    return _rule_lists()
