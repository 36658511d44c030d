from __future__ import annotations

import math
import sqlite3

import pytest

from dbrules.compile.dialects import DIALECTS
from dbrules.compile.render import render
from dbrules.compile.values import select_values
from dbrules.language.column import Column, ColumnType

COLUMNS = [
    Column('a "b', ColumnType("VARCHAR")),
    Column("select", ColumnType("BIGINT")),
    Column("x", ColumnType("DOUBLE")),
]
ROWS = [("it's", 2**60 + 1, 0.1 + 0.2), ("C:\\new", -1, 5e-324), ("", 0, math.pi)]


def test_duckdb_reads_the_values_back(con):
    query = render(select_values("t", COLUMNS, ROWS))
    assert con.execute(query).fetchall() == ROWS
    assert [column[0] for column in con.description] == ['a "b', "select", "x"]


def test_sqlite_reads_the_values_back():
    lite = sqlite3.connect(":memory:")
    cursor = lite.execute(render(select_values("t", COLUMNS, ROWS, "sqlite"), "sqlite"))
    assert cursor.fetchall() == ROWS
    assert [column[0] for column in cursor.description] == ['a "b', "select", "x"]
    lite.close()


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
def test_every_dialect_names_the_columns(dialect):
    query = render(select_values("t", COLUMNS[1:], [row[1:] for row in ROWS], dialect), dialect)
    assert query.startswith("SELECT")
    assert "select" in query
    assert str(2**60 + 1) in query
