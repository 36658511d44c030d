"""What a training says of the search, and that files of before still load."""

from __future__ import annotations

import json
import math

import pytest

import dbrules
from dbrules.errors import InvalidModel
from dbrules.model_text import search_line
from dbrules.training import Training


@pytest.mark.parametrize(
    ("objective", "lower_bound", "gap", "relative"),
    [
        (0.5, 0.375, 0.125, 0.25),
        (0.5, 0.5, 0.0, 0.0),
        (0.5, 0.5000000000000001, 0.0, 0.0),
        (0.0, 0.0, 0.0, 0.0),
        (0.0, -1.0, 1.0, math.inf),
        (-2.0, -2.5, 0.5, 0.25),
        (0.5, None, None, None),
        (None, 0.5, None, None),
        (None, None, None, None),
    ],
)
def test_the_gap(objective, lower_bound, gap, relative):
    training = Training(rows=1, objective=objective, lower_bound=lower_bound)
    model = dbrules.Model(dbrules.parse_rule_list("ELSE no"), training=training)
    assert (training.gap, training.relative_gap) == (gap, relative)
    assert (model.objective, model.lower_bound, model.gap, model.proved) == (
        objective, lower_bound, gap, None
    )  # fmt: skip


@pytest.mark.parametrize("proved", [True, False, None])
@pytest.mark.parametrize("nodes", [0, 7, None])
def test_json_reads_back(proved, nodes):
    training = Training(rows=3, objective=0.5, lower_bound=0.25, proved=proved, nodes=nodes)
    document = training.to_json()
    assert (document["proved"], document["nodes"]) == (proved, nodes)
    assert Training.from_json(document, "here") == training


def test_levels_read_back_and_are_left_out_where_there_are_none():
    training = Training(rows=3, levels={"city": ("1", "a"), "flag": (False, True), "many": None})
    document = training.to_json()
    assert document["levels"] == {"city": ["1", "a"], "flag": [False, True], "many": None}
    assert Training.from_json(json.loads(json.dumps(document)), "here") == training
    assert "levels" not in Training(rows=3).to_json()
    for wrong in ("ab", [1.5], [None], {"a": 1}):
        with pytest.raises(InvalidModel, match=r"here: training\.levels must be lists of texts"):
            Training.from_json({"rows": 1, "levels": {"city": wrong}}, "here")


def test_a_model_that_saw_no_other_level_says_so_of_each(con):
    # a column learned from for its missing values alone, and one that has another case by now
    rules = dbrules.parse_rule_list("IF flag IS NULL THEN a IF City = 'x' THEN a ELSE b")
    levels = {"flag": (), "City": ("x", "y")}
    training = Training(rows=9, missing={"flag": 9, "City": 0}, levels=levels)
    model = dbrules.Model(rules, training=training)
    data = "SELECT 'q' AS flag, unnest(['x', 'y', 'X']) AS CITY"
    assert set(model.check(data, connection=con)) == {
        "flag: 1 unseen level in 3 rows ('q')", "CITY: 1 unseen level in 1 row ('X')"
    }  # fmt: skip


def test_a_file_of_before_loads():
    document = dbrules.Model(dbrules.parse_rule_list("IF x = 1 THEN a ELSE b")).to_json()
    for key in ("proved", "nodes"):
        del document["training"][key]
    assert "falling" not in document
    loaded = dbrules.Model.from_json(document)
    assert (loaded.proved, loaded.training.nodes, loaded.falling) == (None, None, None)


@pytest.mark.parametrize(
    ("key", "value"), [("proved", 1), ("proved", "yes"), ("nodes", True), ("nodes", 1.5),
                       ("rows", True), ("objective", False), ("levels", [])],
)  # fmt: skip
def test_what_does_not_fit_is_named(key, value):
    with pytest.raises(InvalidModel, match=rf"here: training\.{key} cannot be"):
        Training.from_json({"rows": 1, key: value}, "here")


@pytest.mark.parametrize(
    ("facts", "line"),
    [
        ({}, ""),
        ({"lower_bound": 0.1}, ""),
        ({"objective": 0.25}, "objective 0.250000"),
        ({"objective": 0.25, "proved": False}, "objective 0.250000: not proved optimal"),
        ({"objective": 0.25, "lower_bound": 0.24, "proved": False, "nodes": 9},
         "objective 0.250000, lower bound 0.240000, gap 4.00 %, 9 nodes searched: "
         "not proved optimal"),
        ({"objective": 0.25, "lower_bound": 0.2499999, "proved": False},
         "objective 0.250000, lower bound 0.250000, gap below 0.01 %: not proved optimal"),
        ({"objective": 0.25, "lower_bound": 0.25, "proved": True},
         "objective 0.250000, lower bound 0.250000, gap 0 %: proved optimal"),
    ],
)  # fmt: skip
def test_the_line_of_the_search(facts, line):
    assert search_line(Training(rows=1, **facts)) == line


def test_a_proof_is_printed_for_any_list_and_nothing_new_without_one():
    rules = dbrules.parse_rule_list("ELSE no")
    known = Training(rows=9, objective=0.25, lower_bound=0.25)
    assert str(dbrules.Model(rules, "x", {}, known)) == "-- x: 9 rows\nELSE no"
    proved = Training(rows=9, objective=0.25, lower_bound=0.25, proved=True)
    assert str(dbrules.Model(rules, "x", {}, proved)).splitlines()[1] == f"-- {search_line(proved)}"
