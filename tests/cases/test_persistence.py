"""C28 and C29: saved and loaded lists are the same; redundant rules are named."""

from __future__ import annotations

import datetime as dt
import json
import pickle
import subprocess
import sys

import pytest

import dbrules
from dbrules.errors import InvalidModel
from dbrules.language.column import Column, ColumnType
from dbrules.language.condition import Condition
from dbrules.language.rule import Outcome, Rule, Target
from dbrules.language.rule_list import RuleList
from dbrules.language.simplify import simplify
from dbrules.training import Training

TEXTS = ("O'Brien", "C:\\new", "50%", "", "NULL", " a", "a", "x\ny", "😀", "a;--")
DIALECTS = (
    "duckdb", "postgres", "mysql", "bigquery", "snowflake", "tsql", "spark", "databricks",
    "trino", "sqlite", "clickhouse", "oracle", "redshift",
)  # fmt: skip


@pytest.fixture
def model():
    features = (
        Column("x", ColumnType("DOUBLE")), Column("n", ColumnType("BIGINT")),
        Column("d", ColumnType("DATE")), Column("s", ColumnType("VARCHAR")),
        Column("m", ColumnType("DECIMAL(10,2)")), Column("f", ColumnType("REAL")),
    )  # fmt: skip
    target = Target("y", ColumnType("VARCHAR"), ("a", "b"), "b")
    conditions = [
        Condition("x", ">=", 0.1 + 0.2), Condition("x", "<", 5e-324), Condition("x", ">", 1e308),
        Condition("x", "<=", -0.0), Condition("n", "=", 2**60 + 1),
        Condition("d", ">=", dt.date(2024, 2, 29)), Condition("s", "in", TEXTS),
        Condition("m", ">=,<", ("1.50", "2.75")), Condition("f", "<", 0.1),
    ]  # fmt: skip
    rules = tuple(
        Rule((c,), Outcome("ab"[i % 2], (0.25, 0.75), (i + 0.5, 3.25), i + 1))
        for i, c in enumerate(conditions)
    )
    rule_list = RuleList(target, features, rules, Outcome("a", (0.5, 0.5), (2, 2), 4))
    settings = dbrules.OneR(bins={"x": "width:7:right", "*": [1, 2]}, trim=True, seed=7).settings()
    return dbrules.Model(rule_list, "one_r", settings, Training(rows=9, notes=("a note",)))


def test_c28_loaded_in_another_process_it_is_the_same_to_the_byte(model, tmp_path):
    path = tmp_path / "m.json"
    model.save(path)
    loaded = dbrules.load(path)
    assert loaded == model
    # -0.0 keeps its sign
    assert str(loaded.rules.rules[3].conditions[0].value) == "-0.0"
    program = (
        "import json, sys, dbrules; m = dbrules.load(sys.argv[1]); "
        "print(json.dumps([[m.to_sql(dialect=d), m.to_sql('t', dialect=d)] "
        "for d in sys.argv[2:]] + [m.to_json(), str(m)]))"
    )
    run = subprocess.run(
        [sys.executable, "-c", program, str(path), *DIALECTS],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    here = [[model.to_sql(dialect=d), model.to_sql("t", dialect=d)] for d in DIALECTS]
    assert json.loads(run.stdout) == json.loads(json.dumps([*here, model.to_json(), str(model)]))


def test_c28_the_file_is_plain_json_with_a_version(model, tmp_path):
    path = tmp_path / "m.json"
    model.save(path)
    document = json.loads(path.read_text(encoding="utf-8"))
    assert document["dbrules"] == 1
    assert document["learner"]["bins"] == {"x": "width:7:right", "*": [1, 2]}
    again = tmp_path / "again.json"
    dbrules.load(path).save(again)
    assert again.read_bytes() == path.read_bytes()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["again.json", "m.json"]


@pytest.mark.parametrize("version", [2, 99, "1", 1.5, True, None])
def test_c28_an_unknown_version_is_refused(model, tmp_path, version):
    path = tmp_path / "m.json"
    path.write_text(json.dumps(model.to_json() | {"dbrules": version}))
    with pytest.raises(InvalidModel, match=r"m\.json.*version"):
        dbrules.load(path)


def test_c28_a_file_cut_off_anywhere_is_refused(model, tmp_path):
    path = tmp_path / "m.json"
    model.save(path)
    text = path.read_text(encoding="utf-8")
    for length in range(0, len(text.rstrip()), 97):
        path.write_text(text[:length], encoding="utf-8")
        with pytest.raises(InvalidModel, match=r"m\.json"):
            dbrules.load(path)


def test_c28_pickle_works_as_well(model, con):
    assert pickle.loads(pickle.dumps(model)) == model
    fitted = dbrules.OneR().fit("SELECT i % 2 AS x, i % 2 AS y FROM range(8) t(i)", target="y",
                                connection=con)  # fmt: skip
    again = pickle.loads(pickle.dumps(fitted))
    assert again == fitted
    assert again.to_sql() == fitted.to_sql()


def test_c29_redundant_unreachable_and_impossible_rules(con, by_hand, answers):
    model = by_hand("IF x < 10 AND x < 5 THEN A IF x < 3 THEN B IF x <= 7 AND x > 7 THEN C ELSE D")
    data = "SELECT unnest([1, 4, 6, 20, NULL]) AS x, unnest(range(5)) AS id"
    expected = ["A", "A", "D", "D", "D"]
    assert [label for label, _ in answers(model, data, con, "id")] == expected
    simplified = simplify(model.rules)
    (first,) = simplified.rules.rules
    assert [(c.op, c.value) for c in first.conditions] == [("<", 5)]
    text = " | ".join(str(finding) for finding in simplified.findings)
    assert "unreachable" in text
    assert "impossible" in text
    small = dbrules.Model(simplified.rules, "by hand", {}, Training(rows=0))
    assert [label for label, _ in answers(small, data, con, "id")] == expected


def test_c29_one_r_returns_no_such_rule(con):
    con.execute(
        "CREATE TABLE t AS SELECT CASE WHEN i % 11 > 0 THEN i % 37 END AS x, "
        "CASE WHEN i % 3 > 0 THEN 'l' || (i % 5) END AS s, (i * i) % 7 % 3 AS y "
        "FROM range(500) t(i)"
    )
    for settings in ({"bins": "width:6"}, {"bins": "one_r:3"}, {"bins": "quantile:5:right"}):
        model = dbrules.OneR(**settings).fit("t", target="y", connection=con)
        simplified = simplify(model.rules)
        assert simplified.rules.rules == model.rules.rules
        assert len({rule.conditions for rule in model.rules.rules}) == len(model.rules.rules)
        assert all(len(rule.conditions) == 1 for rule in model.rules.rules)
