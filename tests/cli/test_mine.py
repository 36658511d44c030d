from __future__ import annotations

import csv
import inspect
import io
import json

import duckdb
import pytest

import dbrules
from dbrules.cli.mine import _SETTINGS

TEN = "SELECT i < 8 AS young, i % 2 = 0 AS even, i < 6 AS y FROM range(10) AS r(i)"


def rows_of(mined):
    return [tuple(row) for row in mined.to_frame().itertuples(index=False)]


def test_the_first_forty_are_printed(run, houses):
    ran = run("mine", houses, "--target", "value", "--positive", "high")
    mined = dbrules.mine(str(houses), "value", positive="high")
    assert len(mined) > 40
    table = mined.to_text(40, more="-o FILE or --json has them all")
    assert (ran.code, ran.out, ran.err) == (0, f"{table}\n", "")
    assert ran.out.endswith(f"-- and {len(mined) - 40} more: -o FILE or --json has them all\n")


def test_without_a_target(run, houses):
    ran = run("mine", houses, "--min-support", "0.5", "--exclude", "value,age")
    assert ran.out.splitlines()[1:] == [
        "n  support  antecedent",
        "3   0.5000  size = 'big'",
        "4   0.6667  location = 'good'",
    ]


def test_the_command_finds_what_python_does(run, houses):
    ran = run("mine", houses, "--target", "value", "--positive", "high", "--json",
              "--set", "min_support_positive=0.5", "--set", "min_support_negative=0.25",
              "--set", "bins.age=20", "--set", "missing=drop", "--set", "statistics=database",
              "--max-conditions", "3", "--features", "age,size",
              "--exclude", "location")  # fmt: skip
    mined = dbrules.mine(
        str(houses), "value", positive="high", min_support_positive=0.5, min_support_negative=0.25,
        bins={"age": [20]}, missing="drop", max_conditions=3, features=["age", "size"],
    )  # fmt: skip
    assert json.loads(ran.out) == mined.to_json()


def test_weights_count(run):
    ran = run("mine", "SELECT i % 2 = 0 AS even, i AS w FROM range(5) AS r(i)", "--weight", "w",
              "--json")  # fmt: skip
    counts = [found["counts"]["n"] for found in json.loads(ran.out)["antecedents"]]
    assert counts == [4, 6]


@pytest.mark.parametrize("ending", [".csv", ".parquet", ".json", ".jsonl"])
def test_every_format_has_the_same_rows(run, tmp_path, ending):
    path = tmp_path / f"found{ending}"
    ran = run("mine", TEN, "--target", "y", "-o", path)
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    reader = "read_json" if "json" in ending else f"read_{ending[1:]}"
    with duckdb.connect() as connection:
        found = connection.sql(f"FROM {reader}('{path}')")
        mined = dbrules.mine(TEN, "y", connection=connection)
        assert found.columns == list(mined.to_frame().columns)
        assert found.fetchall() == rows_of(mined)


def test_a_file_of_nothing_has_a_head(run, houses, tmp_path):
    path = tmp_path / "found.csv"
    assert run("mine", houses, "--min-support", "1", "-o", path).code == 0
    assert list(csv.reader(io.StringIO(path.read_text()))) == [["antecedent", "n", "support"]]


def test_a_table_is_created_beside_the_data(run, database):
    arguments = ("mine", "houses", "--db", database, "--table", "found", "--target", "value")
    ran = run(*arguments)
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    with duckdb.connect(str(database)) as connection:
        mined = dbrules.mine("houses", "value", connection=connection)
        assert connection.execute("FROM found").fetchall() == rows_of(mined)
    again = run(*arguments)
    assert again.code == 2
    assert "'found' already exists" in again.err
    assert run(*arguments, "--replace", "--min-support", "0.5").code == 0
    with duckdb.connect(str(database)) as connection:
        fewer = dbrules.mine("houses", "value", connection=connection, min_support=0.5)
        assert connection.execute("FROM found").fetchall() == rows_of(fewer)
        assert connection.execute("SHOW TABLES").fetchall() == [("found",), ("houses",)]


def test_the_database_is_not_written_to_without_a_table(run, database):
    before = database.read_bytes()
    assert run("mine", "houses", "--db", database).code == 0
    assert database.read_bytes() == before


def test_a_cut_is_a_warning_and_an_answer(run):
    columns = ", ".join(f"TRUE AS b{i}" for i in range(12))
    ran = run("mine", f"SELECT {columns} FROM range(50)", "--set", "max_conditions=null",
              "--set", "max_antecedents=500", "--json")  # fmt: skip
    assert ran.code == 0
    assert ran.err.startswith("dbrules: warning: mining was cut after 298 antecedents of up to 3")
    assert ran.err.count("\n") == 1
    document = json.loads(ran.out)
    assert len(document["antecedents"]) == 298
    assert document["cut"].startswith("length 4 and up: 495 candidates")


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (("--target", "valu"), "did you mean 'value'"),
        (("--features", "sise"), "did you mean 'size'"),
        (("--set", "min_suport=1"), "did you mean 'min_support'"),
        (("--set", "min_support=0.1", "--min-support", "0.2"), "as --min-support and by --set"),
        (("--set", "max_conditions=1", "--max-conditions", "2"), "as --max-conditions and by"),
        (("--max-conditions", "0"), "max_conditions 0"),
        (("--max-conditions", "x"), "--max-conditions"),
        (("--min-support", "2"), "min_support 2.0 is not a share"),
        (("--table", "found"), "add --db PATH"),
        (("--replace",), "add --table NAME"),
        (("-o", "found.xlsx"), "no ending that says its format"),
        (("-o", "none/found.csv"), "does not exist"),
        (("--set", "bins.size=3"), "has no order to cut"),
    ],
)
def test_wrong_input_is_one_line(run, houses, tmp_path, options, error):
    before = sorted(tmp_path.iterdir())
    ran = run("mine", houses, *options)
    assert ran.code == 2
    assert error in ran.err
    assert sorted(tmp_path.iterdir()) == before


def test_set_takes_every_setting_of_mine():
    others = {"data", "target", "connection", "positive", "features", "exclude", "weight",
              "progress"}  # fmt: skip
    assert set(_SETTINGS) == set(inspect.signature(dbrules.mine).parameters) - others
    assert list(_SETTINGS) == sorted(_SETTINGS)
