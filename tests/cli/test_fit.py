from __future__ import annotations

import json

import duckdb
import pytest

import dbrules
from dbrules.cli.fit import default_learner
from dbrules.cli.inputs import opened
from dbrules.learners.registry import LEARNERS


def test_the_model_is_printed_and_written(run, houses, tmp_path):
    path = tmp_path / "model.json"
    ran = run("fit", houses, "--target", "value", "--learner", "one_r", "-o", path)
    assert ran.code == 0
    model = dbrules.load(path)
    assert ran.out == f"{model}\n"
    assert ran.err == ""
    assert [rule.conditions[0].feature for rule in model.rules.rules] == ["size"] * 3


def test_json_is_all_of_stdout(run, houses):
    ran = run("fit", houses, "--target", "value", "--learner", "one_r", "--json")
    assert dbrules.Model.from_json(json.loads(ran.out)).rules.target.name == "value"


def test_the_command_learns_what_python_does(run, houses, tmp_path):
    path = tmp_path / "model.json"
    run("fit", houses, "--target", "value", "--positive", "high", "--learner", "one_r",
        "--set", "ties=chi2", "--set", "bins.age=20", "--exclude", "size",
        "--seed", "3", "-o", path)  # fmt: skip
    mine = dbrules.OneR(ties="chi2", bins={"age": [20]}, seed=3).fit(
        str(houses), "value", positive="high", exclude=["size"]
    )
    assert dbrules.load(path).rules == mine.rules
    assert dbrules.load(path).settings == mine.settings


def test_columns_are_chosen_by_name(run, tmp_path):
    path = tmp_path / "odd.csv"
    path.write_text('"a,b","c.d",w,y\n1,5,1,p\n1,6,1,p\n2,7,2,q\n2,8,1,q\n', encoding="utf-8")
    fit = ("fit", path, "--target", "y", "--learner", "one_r")
    by_comma = run(*fit, "--features", '"a,b"', "--weight", "w")
    assert '"a,b"' in by_comma.out
    by_dot = run(*fit, "--features", "c.d", "--set", "bins.c.d=7")
    assert '"c.d" < 7' in by_dot.out
    left = run(*fit, "--exclude", '"a,b",w', "--set", "bins=width:2")
    assert '"c.d"' in left.out
    falling = run("fit", path, "--target", "y", "--features", "c.d", "--set", "bins.c.d=7")
    assert '"c.d" >= 7' in falling.out


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (("--target", "valu"), "did you mean 'value'"),
        (("--target", "value", "--learner", "one-r"), "did you mean 'one_r'"),
        (("--target", "value", "--learner", "one_r", "--set", "tie=chi2"), "did you mean 'ties'"),
        (("--target", "value", "--learner", "one_r", "--set", "ties=coin"), "ties 'coin'"),
        (("--target", "value", "--set", "bins.ag=18"), "did you mean 'age'"),
        (("--target", "value", "--set", "seed=1", "--seed", "2"), "seed is given twice"),
        (("--target", "value", "--seed", "x"), "--seed"),
        (("--target", "value", "--positive", "hihg"), "positive class 'hihg'"),
        (("--target", "value", "--exclude", "sise"), "did you mean 'size'"),
        (("--target", "value", "--features", ""), "no column is left"),
        (("--target", "value", "--weight", "size"), "weight 'size'"),
        ((), "--target"),
    ],
)
def test_wrong_input_is_one_line(run, houses, tmp_path, options, error):
    before = sorted(tmp_path.iterdir())
    ran = run("fit", houses, *options, "-o", tmp_path / "model.json")
    assert ran.code == 2
    assert error in ran.err
    assert sorted(tmp_path.iterdir()) == before


def test_an_output_that_cannot_be_is_said_before_the_work(run, tmp_path):
    for path in (tmp_path, tmp_path / "none" / "model.json"):
        ran = run("fit", "no such file.csv", "--target", "y", "-o", path)
        assert ran.code == 2
        assert ran.err.startswith("dbrules: output ")


def test_a_warning_is_one_line_on_stderr(run):
    ran = run("fit", "SELECT 'x' AS y, i FROM range(9) AS r(i)", "--target", "y")
    assert ran.code == 0
    assert ran.err.startswith("dbrules: warning: target 'y' has one class")
    assert ran.out.endswith("probability 1, 95 % from 0.701 to 1\n")


def test_a_falling_list_is_learned_where_there_are_two_classes(run, database, tmp_path):
    path = tmp_path / "model.json"
    query = "SELECT * EXCLUDE (value), value = 'high' AS high FROM houses"
    named = ("--set", "positive_weight=7", "--set", "rule_cost=1e-6")
    ran = run("fit", query, "--db", database, "--target", "high", *named, "-o", path)
    assert (ran.code, ran.err) == (0, "")
    asked = run("fit", query, "--db", database, "--target", "high", "--learner", "frl", *named)
    assert asked.out == ran.out
    model = dbrules.load(path)
    assert (model.learner, model.proved) == ("frl", True)
    assert (model.settings["positive_weight"], model.settings["rule_cost"]) == (7, 1e-6)
    mine = dbrules.FallingRuleList(positive_weight=7, rule_cost=1e-6)
    with duckdb.connect(str(database), read_only=True) as connection:
        assert mine.fit(query, "high", connection=connection) == model
    assert run("show", path).out == ran.out
    assert run("verify", path, query, "--db", database).code == 0
    # more classes need their positive one, and get another learner where none is named
    more = run("fit", "houses", "--db", database, "--target", "value")
    assert more.out.startswith("-- ripper: ")
    refused = run("fit", "houses", "--db", database, "--target", "value", "--learner", "frl")
    assert refused.code == 2
    assert "give positive, one of 'high', 'low', 'medium'" in refused.err
    named = run("fit", "houses", "--db", database, "--target", "value", "--learner", "frl",
                "--positive", "high")  # fmt: skip
    assert named.out.startswith("-- frl: 6 rows")


@pytest.mark.parametrize(
    ("setting", "error"),
    [
        (
            "ties=chi2",
            "ties: learner frl has no such setting: leave it out, or give --learner one_r",
        ),
        ("positive_weigth=7", "did you mean 'positive_weight'"),
        ("positive_weight=0", "positive_weight 0 is not a number above 0"),
        ("positive_weight=-1", "positive_weight -1 is not a number above 0"),
        ("positive_weight=balance", "did you mean 'balanced'"),
        ("search=monte-carlo", "did you mean 'monte_carlo'"),
        ("progress=true", "progress True is not a function"),
        ("min_support_positive=7", "min_support_positive 7 is not a share"),
    ],
)
def test_wrong_settings_of_the_default_are_one_line(run, setting, error):
    query = "SELECT i % 3 AS x, i % 2 AS y FROM range(12) AS r(i)"
    ran = run("fit", query, "--target", "y", "--set", setting)
    assert ran.code == 2
    assert error in ran.err


@pytest.mark.parametrize(
    ("existing", "classes", "chosen"),
    [
        (("one_r",), 2, "one_r"),
        (("one_r", "frl"), 2, "frl"),
        (("one_r", "frl"), 3, "one_r"),
        (("one_r", "ripper"), 2, "one_r"),
        (("one_r", "frl", "ripper"), 2, "frl"),
        (("one_r", "frl", "ripper"), 3, "ripper"),
    ],
)
def test_the_learner_follows_the_classes(existing, classes, chosen):
    known = dict.fromkeys(existing, LEARNERS["one_r"])
    with opened(f"SELECT i, 'c' || i % {classes} AS y FROM range(30) AS r(i)", None) as read:
        data, connection = read
        assert default_learner(known, data, "y", connection) == chosen


def test_a_cut_target_has_as_many_classes_as_intervals(run):
    query = "SELECT i % 7 AS n, i AS y FROM range(60) AS r(i)"
    two = run("fit", query, "--target", "y", "--set", "bins.y=30")
    more = run("fit", query, "--target", "y", "--set", "bins.y=20,40")
    assert (two.out[:6], more.out[:9]) == ("-- frl", "-- ripper")
