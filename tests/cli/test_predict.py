from __future__ import annotations

import csv
import io
import json
import os

import duckdb
import pytest

import dbrules


def test_csv_on_stdout(run, model, houses):
    ran = run("predict", model, houses)
    rows = list(csv.DictReader(io.StringIO(ran.out)))
    expected = dbrules.load(model).predict(str(houses), connection=duckdb.connect())
    assert list(rows[0]) == expected.columns
    assert [(row["predicted_value"], int(row["rule"])) for row in rows] == expected.project(
        "predicted_value, rule"
    ).fetchall()


@pytest.mark.parametrize("ending", [".parquet", ".csv", ".json", ".jsonl", ".PARQUET"])
def test_every_format_has_the_same_rows(run, model, houses, tmp_path, ending):
    path = tmp_path / f"out{ending}"
    ran = run("predict", model, houses, "-o", path, "--reasons", "--probabilities")
    assert (ran.code, ran.out) == (0, "")
    expected = dbrules.load(model).predict(
        str(houses), connection=duckdb.connect(), reasons=True, probabilities=True
    )
    reader = "read_json" if "json" in ending else f"read_{ending[1:].lower()}"
    with duckdb.connect() as connection:
        found = connection.sql(f"FROM {reader}('{path}')")
        assert found.columns == expected.columns
        assert found.fetchall() == expected.fetchall()


def test_json_has_null_for_what_it_lacks(run, model, tmp_path):
    path = tmp_path / "out.json"
    query = "SELECT 'big' AS size, unnest(['nan', 'inf', '1.5', NULL])::DOUBLE AS \"a b\""
    assert run("predict", model, query, "-o", path).code == 0
    rows = json.loads(path.read_text(encoding="utf-8"))
    assert [row["a b"] for row in rows] == [None, None, 1.5, None]


def test_notes_go_to_stderr(run, model):
    ran = run("predict", model, "SELECT unnest(['big', 'huge', NULL]) AS size")
    assert ran.err == (
        "dbrules: note: size: 1 unseen level in 1 row ('huge'), "
        "1 missing scored, none in training\n"
    )
    assert ran.out.count("\n") == 4


def test_stdin_is_scored(run, model, houses):
    ran = run("predict", model, "-", stdin=houses.read_bytes())
    assert ran.out == run("predict", model, houses).out


def test_what_is_read_is_not_overwritten(run, model, houses):
    for read in (model, houses):
        before = read.read_bytes()
        ran = run("predict", model, houses, "-o", read)
        assert ran.code == 2
        assert "is what is read" in ran.err
        assert read.read_bytes() == before


@pytest.mark.parametrize("ending", [".parquet", ".csv", ".json"])
@pytest.mark.parametrize("existed", [True, False])
def test_a_query_that_fails_half_way_leaves_nothing(run, model, tmp_path, ending, existed):
    path = tmp_path / f"out{ending}"
    if existed:
        path.write_bytes(b"old")
    before = sorted(os.listdir(tmp_path))
    query = (
        "SELECT 'big' AS size, CAST(if(i = 99999, 'x', '1') AS INT) AS n FROM range(100000) r(i)"
    )
    ran = run("predict", model, query, "-o", path)
    assert ran.code == 2
    assert "Could not convert string 'x'" in ran.err
    assert sorted(os.listdir(tmp_path)) == before
    assert not existed or path.read_bytes() == b"old"
    assert run("predict", model, query).out == ""


@pytest.mark.parametrize("name", ["out", "out.xlsx", "none/out.csv"])
def test_an_output_that_cannot_be(run, model, houses, tmp_path, name):
    ran = run("predict", model, houses, "-o", tmp_path / name)
    assert ran.code == 2
    assert ran.err.startswith("dbrules: output ")


def test_a_missing_column_is_named(run, model):
    ran = run("predict", model, "SELECT 1 AS siz")
    assert ran.code == 2
    assert "'size'" in ran.err
