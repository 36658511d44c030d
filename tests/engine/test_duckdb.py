"""The DuckDB engine: columns, statements, snapshots, exact values."""

from __future__ import annotations

import duckdb
import pytest
from sqlglot import exp, parse_one

from dbrules.data.source import source
from dbrules.engine.duckdb import DuckDBEngine
from dbrules.errors import EngineError, InvalidQuery, UnknownTable


@pytest.fixture
def engine(con):
    con.execute("CREATE TABLE t AS SELECT i AS a, 'x' || i AS b FROM range(4) t(i)")
    con.execute("CREATE VIEW v AS SELECT * FROM t")
    return DuckDBEngine(con)


def test_columns(engine):
    for data in ("t", "v", "SELECT * FROM t", "main.t"):
        found = [(column.name, column.type.name) for column in engine.columns(source(data))]
        assert found == [("a", "BIGINT"), ("b", "VARCHAR")]
    with pytest.raises(InvalidQuery, match="several columns 'a'"):
        engine.columns(source("SELECT a, a FROM t"))
    with pytest.raises(UnknownTable, match="Did you mean"):
        engine.columns(source("tt"))


def test_columns_are_told_without_reading_rows(engine):
    found = engine.columns(source("SELECT error('read')::INTEGER AS x FROM range(10)"))
    assert [column.name for column in found] == ["x"]


@pytest.mark.parametrize(
    ("data", "stored"),
    [("t", True), ("v", False), ("SELECT * FROM t", False), ("main.t", True), ("tmp", True),
     ("x.parquet", True), ("nowhere", False), ("other.main.t", True)],
)  # fmt: skip
def test_only_tables_and_files_are_read_again(engine, con, data, stored):
    con.execute("CREATE TEMP TABLE tmp AS SELECT 1 AS x")
    con.execute("ATTACH ':memory:' AS other")
    con.execute("CREATE TABLE other.t AS SELECT 1 AS x")
    assert engine.is_stored(source(data)) == stored


def test_a_view_that_hides_a_table_of_its_name_is_no_table(engine, con):
    con.execute("CREATE TEMP VIEW t AS SELECT random() AS a, 'x' AS b FROM range(4)")
    assert not engine.is_stored(source("t"))


def test_run_notes_what_it_did(engine):
    result = engine.run("counts/some", parse_one("SELECT a, b FROM t", read="duckdb"), {"k": 1})
    assert result["a"].tolist() == [0, 1, 2, 3]
    (entry,) = engine.journal
    assert (entry.name, entry.rows, entry.parameters) == ("counts/some", 4, {"k": 1})
    assert entry.ms > 0
    with pytest.raises(EngineError, match=r"statement counts/bad failed.*boom.*it was: SELECT"):
        engine.run("counts/bad", parse_one("SELECT error('boom')", read="duckdb"))
    assert len(engine.journal) == 1


def test_a_snapshot_is_dropped_whatever_happens(engine, con, leftovers):
    before = leftovers(con)
    query = parse_one("SELECT random() AS r FROM range(9)", read="duckdb")
    with engine.snapshot(query) as table:
        first, second = (
            con.execute(exp.select("r").from_(table.copy()).sql("duckdb")).fetchall() for _ in "12"
        )
        assert first == second
        assert leftovers(con) != before
    assert leftovers(con) == before
    with pytest.raises(ZeroDivisionError), engine.snapshot(query):
        raise ZeroDivisionError
    assert leftovers(con) == before
    with (
        pytest.raises(EngineError, match="while its rows are read"),
        engine.snapshot(parse_one("SELECT error('boom')", read="duckdb")),
    ):
        pass
    assert leftovers(con) == before


def test_a_relation_brings_its_connection(con, leftovers):
    con.execute("CREATE TABLE t AS SELECT 1 AS a")
    before = leftovers(con)
    engine = DuckDBEngine(relation=con.table("t"))
    origin = source(con.table("t"))
    assert [column.name for column in engine.columns(origin)] == ["a"]
    result = engine.run("counts/x", exp.select("a").from_(engine.relation(origin)))
    assert result["a"].tolist() == [1]
    engine.close()
    assert leftovers(con) == before


def test_errors_are_of_one_line(engine):
    with pytest.raises(EngineError) as caught:
        engine.run("counts/x", parse_one("SELECT no_such_column FROM t", read="duckdb"))
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value, RuntimeError)


def test_two_engines_do_not_share_names():
    with duckdb.connect() as con:
        one, two = DuckDBEngine(con), DuckDBEngine(con)
        query = parse_one("SELECT 1 AS x", read="duckdb")
        with one.snapshot(query) as first, two.snapshot(query) as second:
            assert first.name != second.name
