from __future__ import annotations

import datetime as dt
import math
import random
import struct
from decimal import Decimal
from typing import Any

import duckdb
import pytest
from sqlglot import exp

from dbrules.compile.condition import condition
from dbrules.compile.literal import literal, typed_literal
from dbrules.compile.render import render
from dbrules.errors import ColumnTypeError
from dbrules.language.column import Column, ColumnType
from dbrules.language.condition import Condition


def bits(value: float) -> bytes:
    return struct.pack("d", value)


def read_back(expressions: list[exp.Expr]) -> list[tuple[Any, ...]]:
    query = exp.union(
        *(exp.select(exp.Literal.number(i), e) for i, e in enumerate(expressions)), distinct=False
    ) if len(expressions) > 1 else exp.select(exp.Literal.number(0), expressions[0])  # fmt: skip
    with duckdb.connect() as con:
        con.execute("SET TimeZone = 'America/New_York'")
        return con.execute(render(query, pretty=False)).fetchall()


def test_C04_six_thousand_doubles_read_back_to_the_bit() -> None:
    rng = random.Random(0)
    doubles = [0.1 + 0.2, 5e-324, -5e-324, 1e308, -0.0, 0.0, math.inf, -math.inf, 0.41, 1e22, 1e16]
    doubles += [rng.random() for _ in range(3000)]
    while len(doubles) < 6011:
        value = struct.unpack("d", rng.randbytes(8))[0]
        doubles += [] if math.isnan(value) else [value]
    values = ", ".join(f"({literal(v, ColumnType('DOUBLE')).sql('duckdb')})" for v in doubles)
    with duckdb.connect() as con:
        got = [row[0] for row in con.execute(f"FROM (VALUES {values})").fetchall()]
    assert [bits(g) for g in got] == [bits(v) for v in doubles]


def test_C04_neighbours_are_told_apart() -> None:
    x = Column("x", ColumnType("DOUBLE"))
    where = render(condition(Condition("x", ">=", 0.41000000000000003), x))
    with duckdb.connect() as con:
        con.execute("CREATE TABLE c04 AS SELECT unnest(['0.41', '0.41000000000000003'])::DOUBLE x")
        assert con.execute(f"SELECT {where} FROM c04").fetchall() == [(False,), (True,)]


@pytest.mark.parametrize("kind", ["REAL", "DOUBLE"])
def test_C05_the_stored_value_of_a_real_is_the_threshold(kind: str) -> None:
    stored = struct.unpack("f", struct.pack("f", 0.2))[0]
    x = Column("x", ColumnType("REAL"))
    where = render(condition(Condition("x", "<=", stored), x))
    with duckdb.connect() as con:
        con.execute(f"CREATE TABLE c05 AS SELECT unnest([0.1, 0.2, 0.3, 0.4])::REAL::{kind} AS x")
        got = [row[0] for row in con.execute(f"SELECT {where} FROM c05").fetchall()]
    assert got == [True, True, False, False]


def test_C28_values_read_back_with_their_type() -> None:
    cases: list[tuple[Any, str]] = [
        (2**60 + 1, "BIGINT"), (-(2**63), "HUGEINT"), (dt.date(2024, 2, 29), "DATE"),
        (Decimal("1.50"), "DECIMAL(10,2)"), (dt.time(1, 2, 3, 4), "TIME"),
        (dt.datetime(2024, 2, 29, 1, 2, 3, 4), "TIMESTAMP"), (True, "BOOLEAN"), (3, "UTINYINT"),
        (1, "INTEGER"), (0.5, "FLOAT"), (0.5, "DOUBLE"), ("O'Brien\\\n", "VARCHAR"),
    ]  # fmt: skip
    with duckdb.connect() as con:
        for value, kind in cases:
            tree = typed_literal(value, ColumnType(kind))
            text = render(exp.select(tree, exp.func("typeof", tree.copy())))
            assert con.execute(text).fetchone() == (value, kind)


def test_a_moment_with_zone_is_the_same_in_any_session_zone() -> None:
    moment = dt.datetime(2024, 2, 29, 12, 0, tzinfo=dt.UTC)
    tree = literal(moment, ColumnType("TIMESTAMP WITH TIME ZONE"))
    assert tree.sql("duckdb") == "CAST('2024-02-29 12:00:00+00:00' AS TIMESTAMPTZ)"
    assert read_back([exp.func("epoch", tree)]) == [(0, moment.timestamp())]


def test_a_threshold_between_two_steps_of_a_decimal_is_not_rounded() -> None:
    tree = literal(Decimal("1.505"), ColumnType("DECIMAL(10,2)"))
    assert tree.sql("duckdb") == "CAST('1.505' AS DECIMAL(11, 3))"
    assert literal(2.5, ColumnType("BIGINT")).sql("duckdb") == "CAST('2.5' AS DECIMAL(2, 1))"


@pytest.mark.parametrize("value", [None, math.nan, Decimal("NaN")])
def test_missing_has_no_literal(value: Any) -> None:
    with pytest.raises(ColumnTypeError, match="use IS NULL"):
        literal(value, ColumnType("DOUBLE"))


@pytest.mark.parametrize(
    ("dialect", "written"),
    [
        ("duckdb", "'C:\\new'"), ("postgres", "'C:\\new'"), ("sqlite", "'C:\\new'"),
        ("mysql", "'C:\\\\new'"), ("bigquery", "'C:\\\\new'"), ("databricks", "'C:\\\\new'"),
        ("clickhouse", "'C:\\\\new'"), ("snowflake", "'C:\\\\new'"),
    ],
)  # fmt: skip
def test_C11_backslashes_are_doubled_where_they_escape(dialect: str, written: str) -> None:
    text = ColumnType("VARCHAR")
    assert render(literal("C:\\new", text, dialect), dialect) == written
    quoted = "'O\\'Brien'" if dialect in ("bigquery", "databricks", "snowflake") else "'O''Brien'"
    assert render(literal("O'Brien", text, dialect), dialect) == quoted


@pytest.mark.parametrize(
    ("dialect", "written"),
    [
        ("clickhouse", "CAST('2024-02-29 01:02:03.000004' AS DateTime64(6))"),
        ("mysql", "CAST('2024-02-29 01:02:03.000004' AS DATETIME(6))"),
        ("sqlite", "'2024-02-29 01:02:03.000004'"),
        ("bigquery", "CAST('2024-02-29 01:02:03.000004' AS DATETIME)"),
    ],
)
def test_fractions_of_a_second_are_kept(dialect: str, written: str) -> None:
    value = dt.datetime(2024, 2, 29, 1, 2, 3, 4)
    assert render(literal(value, ColumnType("TIMESTAMP"), dialect), dialect) == written


def test_text_beyond_ascii_is_national_in_tsql() -> None:
    assert render(literal("é", ColumnType("VARCHAR"), "tsql"), "tsql") == "N'é'"
    assert render(literal(True, ColumnType("BOOLEAN"), "tsql"), "tsql") == "CAST(1 AS BIT)"
