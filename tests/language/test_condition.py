from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dbrules.errors import ColumnTypeError, InvalidCondition, UnknownColumn
from dbrules.language.column import Column, ColumnType, is_missing
from dbrules.language.condition import INTERVALS, NULL_TESTS, SETS, Condition
from dbrules.language.rule import Outcome, Rule


@pytest.fixture(scope="module")
def con() -> Any:
    with duckdb.connect() as connection:
        connection.execute("SET TimeZone = 'Asia/Kathmandu'")
        yield connection


def sql_of(condition: Condition, column: Column) -> tuple[str, list[Any]]:
    """Write a condition as a person would in SQL, NaN counting as missing."""
    cell = f"CASE WHEN isnan({column.name}) THEN NULL ELSE {column.name} END"
    cell = f"({cell})" if column.type.is_float else column.name
    bound = f"CAST(? AS {column.type.name})"
    values = list(condition.values)
    if condition.op in NULL_TESTS:
        return f"{cell} {condition.op}", []
    if condition.op in SETS:
        return f"{cell} {condition.op} ({', '.join([bound] * len(values))})", values
    if condition.op in INTERVALS:
        lower, upper = condition.op.split(",")
        return f"({cell} {lower} {bound} AND {cell} {upper} {bound})", values
    return f"{cell} {condition.op} {bound}", values


@settings(deadline=None)
@given(data=st.data())
def test_covers_is_what_duckdb_says(data: Any, values: Any, conditions: Any, con: Any) -> None:
    columns = [Column(f"c{i}", ColumnType(name)) for i, name in enumerate(values)]
    row = {}
    for column in columns:
        missing = st.sampled_from([None, float("nan")] if column.type.is_float else [None])
        row[column.name] = data.draw(values[column.type.name] | missing)
    tests = [data.draw(conditions(column)) for column in columns]
    # the cell itself as a threshold: the boundary is where operators differ
    tests += [
        Condition(
            c.name, data.draw(st.sampled_from(["=", "<>", "<", "<=", ">", ">="])), row[c.name]
        )
        for c in columns
        if not is_missing(row[c.name])
    ]
    written = [sql_of(t, next(c for c in columns if c.name == t.feature)) for t in tests]
    source = ", ".join(f"CAST(? AS {c.type.name}) AS {c.name}" for c in columns)
    two = [data.draw(st.integers(0, len(tests) - 1)) for _ in range(2)]
    answers = ", ".join(f"({sql})" for sql, _ in [*written, *(written[i] for i in two)])
    both = f"({written[two[0]][0]}) AND ({written[two[1]][0]})"
    parameters = [v for _, bound in [*written, *(written[i] for i in two)] for v in bound]
    parameters += [v for i in two for v in written[i][1]]
    query = f"SELECT {answers}, {both} FROM (SELECT {source})"
    found = con.execute(query, [*parameters, *row.values()]).fetchone()
    typed = {column.name: column.read(row[column.name]) for column in columns}
    assert found[: len(tests)] == tuple(test.covers(typed) for test in tests)
    rule = Rule(tuple(tests[i] for i in two), Outcome("yes"))
    assert found[-1] == rule.covers(typed)


@pytest.mark.parametrize("missing", [None, float("nan"), Decimal("nan")])
def test_only_is_null_is_true_of_a_missing_value(missing: object) -> None:
    row = {"x": missing}
    assert Condition("x", "is null").covers(row) is True
    assert Condition("x", "is not null").covers(row) is False
    for op, value in [("=", 1), ("<>", 1), ("<", 1), (">=", 1), ("in", (1,)), ("not in", (1,)),
                      (">=,<", (1, 2)), (">,<=", (1, 2))]:  # fmt: skip
        assert Condition("x", op, value).covers(row) is None


def test_interval_bounds() -> None:
    left, right = Condition("x", ">=,<", (1, 3)), Condition("x", ">,<=", (1, 3))
    assert [left.covers({"x": x}) for x in (0, 1, 2, 3)] == [False, True, True, False]
    assert [right.covers({"x": x}) for x in (0, 1, 2, 3)] == [False, False, True, True]


def test_sets_are_sorted_and_free_of_repeats() -> None:
    assert Condition("x", "in", ("b", "a", "b")) == Condition("x", "in", ["a", "b"])
    assert Condition("x", "in", ("b", "a")).values == ("a", "b")


@pytest.mark.parametrize(
    ("op", "value", "told"),
    [
        ("~", 1, "unknown operator"),
        ("is null", 1, "takes no value"),
        ("=", None, "not missing"),
        ("<", float("nan"), "not missing"),
        ("in", (), "needs values"),
        ("in", ("a", None), "not missing"),
        ("=", (1, 2), "not missing"),
        (">=,<", (3, 3), "empty"),
        (">=,<", (4, 3), "empty"),
        (">=,<", (3,), "lower < upper"),
        (">,<=", (1, "a"), "different kinds"),
    ],
)
def test_conditions_that_cannot_be_built(op: str, value: Any, told: str) -> None:
    with pytest.raises(InvalidCondition, match=told) as caught:
        Condition("age", op, value)
    assert "'age'" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_cell_of_another_kind_is_a_clear_error() -> None:
    with pytest.raises(ColumnTypeError, match="'age'"):
        Condition("age", "<", 5).covers({"age": "old"})
    with pytest.raises(UnknownColumn, match="did you mean 'Age'"):
        Condition("age", "<", 5).covers({"Age": 1})


def test_typed_values_follow_the_column() -> None:
    moment = Condition("t", "<", "2024-02-29T00:00:00").typed(
        Column("t", ColumnType("TIMESTAMP WITH TIME ZONE"))
    )
    assert moment.value == dt.datetime(2024, 2, 29, tzinfo=dt.UTC)
    whole = Condition("n", "in", (2.0, 1)).typed(Column("n", ColumnType("INTEGER")))
    assert whole.values == (1, 2)
    assert all(type(value) is int for value in whole.values)
    with pytest.raises(ColumnTypeError, match=r"'n'.*'x'.*INTEGER"):
        Condition("n", "=", "x").typed(Column("n", ColumnType("INTEGER")))
