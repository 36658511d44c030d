"""Which connection is used, and who closes it."""

from __future__ import annotations

import duckdb
import pandas
import pytest

import dbrules
from dbrules.data.source import source
from dbrules.engine.connect import connect, open_connection
from dbrules.errors import DbrulesError, UnknownTable

FRAME = pandas.DataFrame({"x": ["a", "b", "a", "b"], "y": [1, 2, 1, 2]})


def is_open(con):
    return con.execute("SELECT 1").fetchall() == [(1,)]


def test_the_callers_connection_stays_open(con):
    con.execute("CREATE TABLE t AS SELECT 1 AS x")
    with connect(source("t"), con) as engine:
        assert engine.connection is con
    assert is_open(con)
    with pytest.raises(ZeroDivisionError), connect(source("t"), con):
        raise ZeroDivisionError
    assert is_open(con)


def test_a_database_by_path_is_closed_and_was_read_only(tmp_path):
    path = str(tmp_path / "a.duckdb")
    with duckdb.connect(path) as con:
        con.execute("CREATE TABLE t AS SELECT i % 2 AS x, i % 2 AS y FROM range(4) t(i)")
    with connect(source("t"), path) as engine:
        used = engine.connection
        with pytest.raises(duckdb.Error, match="read-only"):
            used.execute("CREATE TABLE u AS SELECT 1")
    with pytest.raises(duckdb.Error, match="closed"):
        used.execute("SELECT 1")


def test_a_database_that_is_open_here_for_writing_is_shared(tmp_path):
    path = str(tmp_path / "a.duckdb")
    with duckdb.connect(path) as con:
        con.execute("CREATE TABLE t AS SELECT i % 2 AS x, i % 2 AS y FROM range(4) t(i)")
        model = dbrules.OneR(min_bucket=2).fit("t", target="y", connection=path)
        assert model.training.rows == 4
        assert is_open(con)


def test_a_view_is_created_by_path(tmp_path):
    path = str(tmp_path / "a.duckdb")
    with duckdb.connect(path) as con:
        con.execute("CREATE TABLE t AS SELECT i % 2 AS x, i % 2 AS y FROM range(4) t(i)")
    model = dbrules.OneR(min_bucket=2).fit("t", target="y", connection=path)
    model.create_view(path, "scored", over="t")
    model.create_table(path, "kept", over="t")
    with duckdb.connect(path, read_only=True) as con:
        for name in ("scored", "kept"):
            rows = con.execute(f"SELECT y = predicted_y FROM {name}").fetchall()
            assert rows == [(True,)] * 4


def test_without_a_connection_files_are_read_in_memory(tmp_path, leftovers):
    before = leftovers(duckdb.default_connection())
    path = tmp_path / "t.csv"
    FRAME.to_csv(path, index=False)
    assert dbrules.OneR().fit(path, "y").training.rows == 4
    assert dbrules.OneR().fit(FRAME, "y").training.rows == 4
    assert leftovers(duckdb.default_connection()) == before


def test_a_frame_is_read_whatever_the_connection(con, leftovers):
    before = leftovers(con)
    for connection in (None, con, ":memory:"):
        model = dbrules.OneR().fit(FRAME, "y", connection=connection)
        assert model.training.objective == 0
        assert model.predict(FRAME, connection=connection).fetchall()[0] == ("a", 1, 1, 1.0, 1)
    assert leftovers(con) == before


def test_a_predicted_relation_outlives_its_source(con):
    relation = dbrules.OneR().fit(FRAME, "y").predict(FRAME.copy())
    assert len(relation.fetchall()) == 4
    assert len(relation.fetchall()) == 4


def test_a_table_without_a_connection_is_of_the_default_one():
    with pytest.raises(UnknownTable, match="no_such_table"):
        dbrules.OneR().fit("no_such_table", "y")


def test_a_database_of_no_path():
    for path in ("no/such/folder/a.duckdb", ""):
        with pytest.raises(DbrulesError):
            open_connection(None, path)


def test_an_unfetched_result_of_the_caller_does_not_break_a_fit(con):
    con.execute("CREATE TABLE t AS SELECT i % 2 AS x, i % 2 AS y FROM range(5000) t(i)")
    for data in ("t", "SELECT * FROM t"):
        con.execute("SELECT * FROM range(100000)").fetchone()
        model = dbrules.OneR(bins=[1]).fit(data, target="y", connection=con)
        con.execute("SELECT * FROM range(100000)").fetchone()
        assert model.verify(data, connection=con)
