from __future__ import annotations

import duckdb
import pytest

import dbrules


def test_case_is_the_default_without_a_table(run, model):
    ran = run("sql", model)
    assert ran.out == dbrules.load(model).to_sql() + "\n"
    labels = duckdb.sql(f"SELECT {ran.out} FROM (SELECT 'big' AS size)").fetchall()
    assert labels == [("high",)]


@pytest.mark.parametrize("form", ["view", "table"])
def test_what_it_prints_creates_the_scores(run, model, database, form):
    ran = run("sql", model, "--over", "houses", "--as", form, "--name", "scores", "--reasons",
              "--probabilities")  # fmt: skip
    with duckdb.connect(str(database)) as connection:
        connection.execute(ran.out)
        rows = connection.sql("FROM scores WHERE size = 'big' AND age = 10").fetchall()
    assert rows == [
        ("big", "good", 10, "high", "high", 2 / 3, 2 / 3, 1 / 3, 0.0, 1, "size = 'big'")
    ]


def test_select_over_a_query_and_a_dialect(run, model):
    ran = run("sql", model, "--over", "SELECT * FROM t WHERE a < 3", "--dialect", "mysql")
    assert "SELECT * FROM t WHERE a < 3" in ran.out
    assert "`predicted_value`" in ran.out


def test_dbt(run, model):
    out = run("sql", model, "--over", "customers", "--as", "dbt").out
    assert out.startswith("{{ config(materialized='view') }}")
    assert out.endswith("FROM {{ ref('customers') }}\n")


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (("--dialect", "snowflak"), "did you mean 'snowflake'"),
        (("--as", "veiw"), "did you mean 'view'"),
        (("--as", "select"), "add --over"),
        (("--as", "view", "--over", "t"), "add --name"),
        (("--over", "t", "--name", "n"), "--name does not go with --as select"),
        (("--as", "case", "--over", "t"), "--over does not go"),
        (("--reasons",), "--reasons does not go"),
        (("--over", "SELECT 1; SELECT 2"), "statement"),
    ],
)
def test_wrong_input_is_one_line(run, model, options, error):
    ran = run("sql", model, *options)
    assert ran.code == 2
    assert error in ran.err
