from __future__ import annotations

import json

import pytest

import dbrules


def test_text_is_the_printed_evaluation(run, model, houses):
    ran = run("evaluate", model, houses)
    assert ran.out == f"{dbrules.load(model).evaluate(str(houses))}\n"
    assert "accuracy 0.8333" in ran.out


def test_json(run, model, houses):
    found = json.loads(run("evaluate", model, houses, "--json").out)
    assert found == dbrules.load(model).evaluate(str(houses)).to_json()
    assert found["rows"] == 6


def test_weight_counts_rows_more_than_once(run, model, database):
    query = "SELECT *, if(size = 'big', 3, 1) AS w FROM houses"
    ran = run("evaluate", model, query, "--db", database, "--weight", "w", "--json")
    assert json.loads(ran.out)["accuracy"] == pytest.approx(9 / 12)


def test_a_json_number_is_always_one(run, model):
    ran = run("evaluate", model, "SELECT 'big' AS size, 'huge' AS value", "--json")
    json.loads(ran.out, parse_constant=pytest.fail)


def test_wrong_input_is_one_line(run, model, houses):
    assert "target 'value'" in run("evaluate", model, "SELECT 'big' AS size").err
    assert "did you mean 'age'" in run("evaluate", model, houses, "--weight", "agee").err
