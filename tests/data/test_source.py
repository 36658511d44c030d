"""What is read as a table, a query, a file or a frame."""

from __future__ import annotations

import pathlib

import duckdb
import pandas
import polars
import pyarrow
import pytest

import dbrules
from dbrules.data.source import Source, source, table_name
from dbrules.errors import InvalidQuery


@pytest.mark.parametrize(
    ("text", "kind", "read"),
    [
        ("bank", "table", "bank"),
        ("  bank  ", "table", "bank"),
        ("main.bank", "table", "main.bank"),
        ('my."odd table"', "table", 'my."odd table"'),
        ('odd "tbl', "table", 'odd "tbl'),
        ("my table", "table", "my table"),
        ("select", "table", "select"),
        ("from", "table", "from"),
        ("values.t", "table", "values.t"),
        ("create", "table", "create"),
        ("drop.me", "table", "drop.me"),
        ("it's", "table", "it's"),
        ("SELECT 1", "query", "SELECT 1"),
        ("select 1 ; ", "query", "select 1"),
        ("SELECT ';' -- ;", "query", "SELECT ';'"),
        ("/* first; */ SELECT 1", "query", "SELECT 1"),
        ("WITH a AS (SELECT 1) FROM a", "query", "WITH a AS (SELECT 1) FROM a"),
        ("FROM bank", "query", "FROM bank"),
        ("(SELECT 1)", "query", "(SELECT 1)"),
        ("VALUES (1)", "query", "VALUES (1)"),
        ("SELECT $$a;b$$ AS x", "query", "SELECT $$a;b$$ AS x"),
        ("bank.parquet", "file", "bank.parquet"),
        ("a b/BANK.CSV", "file", "a b/BANK.CSV"),
        ("x.csv.gz", "file", "x.csv.gz"),
        ("x.ndjson", "file", "x.ndjson"),
        ("s3://bucket/x.parquet", "file", "s3://bucket/x.parquet"),
        ("SELECT * FROM 'x.parquet'", "query", "SELECT * FROM 'x.parquet'"),
    ],
)
def test_text(text, kind, read):
    found = source(text)
    assert (found.kind, found.text) == (kind, read)
    assert source(found) is found


def test_paths_frames_and_relations():
    assert source(pathlib.Path("a.parquet")) == Source("file", "a.parquet")
    frame = pandas.DataFrame({"x": [1]})
    assert source(frame).kind == "frame"
    assert source(frame).text == "pandas DataFrame"
    assert source(pyarrow.table({"x": [1]})).text == "pyarrow Table"
    assert source(polars.DataFrame({"x": [1]})).text == "polars DataFrame"
    with duckdb.connect() as con:
        assert source(con.sql("SELECT 1 AS x")).kind == "relation"


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("t", ["t"]), ("s.t", ["s", "t"]), ("c.s.t", ["c", "s", "t"]), ('"a.b"', ["a.b"]),
        ('s."a ""b"', ["s", 'a "b']), ("a b", ["a b"]), ('a"b', ['a"b']), ("1st", ["1st"]),
        ("a.b.c.d", ["a.b.c.d"]), ("a;b", ["a;b"]), ("'t'", ["'t'"]), ("select", ["select"]),
        ("f(x)", ["f(x)"]),
    ],
)  # fmt: skip
def test_table_names(name, parts):
    assert [part.name for part in table_name(name).parts] == parts


@pytest.mark.parametrize("name", ["select", "my table", 'od"d', "1st", "péage", "x.y.z.w"])
def test_a_table_by_its_bare_name(con, name):
    quoted = '"' + name.replace('"', '""') + '"'
    con.execute(f"CREATE TABLE {quoted} AS SELECT i % 2 AS x, i % 2 AS y FROM range(4) t(i)")
    for data in (name, quoted):
        model = dbrules.OneR(min_bucket=2).fit(data, target="y", connection=con)
        assert model.training.objective == 0


@pytest.mark.parametrize("ending", ["csv", "tsv", "csv.gz", "json", "ndjson", "jsonl", "parquet"])
def test_files(con, tmp_path, ending):
    path = tmp_path / f"it's a file.{ending}"
    options = {"tsv": "(DELIMITER '\t')", "json": "(ARRAY true)", "ndjson": "(FORMAT json)",
               "jsonl": "(FORMAT json)", "csv.gz": "(FORMAT csv)"}  # fmt: skip
    target = str(path).replace("'", "''")
    con.execute(
        "COPY (SELECT i % 2 AS x, CASE WHEN i % 2 = 0 THEN 'Yes' ELSE 'No' END AS y "
        f"FROM range(8) t(i)) TO '{target}' {options.get(ending, '')}"
    )
    for data in (path, str(path)):
        model = dbrules.OneR(min_bucket=2).fit(data, target="y")
        # Yes and No stay texts
        assert model.rules.target.classes == ("No", "Yes")
        assert model.training.objective == 0
        assert model.verify(data)


@pytest.mark.parametrize(
    "text", ["", ";", "-- c", "SELECT 1; SELECT 2", "DROP TABLE t", "a; b c d", "INSERT INTO t x"]
)
def test_what_is_no_single_query(text):
    with pytest.raises(InvalidQuery):
        source(text)


def test_str_is_short_and_of_one_line():
    text = str(source("SELECT a,\n" + "b, " * 50 + "c FROM t"))
    assert "\n" not in text
    assert len(text) == 60
