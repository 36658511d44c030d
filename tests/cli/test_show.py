from __future__ import annotations

import html
import json
import re
from dataclasses import replace

import dbrules
from dbrules.cli.show import markdown
from dbrules.training import Training


def test_a_rule_set_says_how_overlaps_are_resolved(run, tmp_path):
    rules = dbrules.parse_rule_set(
        "IF size = 'big' THEN high IF age < 20 THEN low IF age > 9 THEN low ELSE low",
        resolution="majority",
    )
    path = tmp_path / "set.json"
    dbrules.Model(rules).save(path)
    assert "-- rule set, overlaps resolved by: majority\nIF size" in run("show", path).out
    table = run("show", path, "--format", "markdown").out
    assert "rule set, overlaps resolved by: majority" in table
    assert "| 3 | `age > 9` | `low` | 1 | 0 |" in table
    assert json.loads(run("show", path, "--json").out)["resolution"] == "majority"


def test_a_rule_set_is_scored_and_judged(run, tmp_path, houses):
    text = "IF size = 'big' THEN high IF age < 20 THEN low IF age > 9 THEN low ELSE medium"
    rules = dbrules.parse_rule_set(text, resolution="majority")
    rules = replace(rules, target=replace(rules.target, name="value"))
    path = tmp_path / "set.json"
    dbrules.Model(rules).save(path)
    for form in ("case", "select", "view", "table", "dbt"):
        over = [] if form == "case" else ["--over", "houses"]
        name = ["--name", "v"] if form in ("view", "table") else []
        for dialect in ("duckdb", "tsql"):
            said = run("sql", path, "--as", form, *over, *name, "--dialect", dialect)
            assert said.code == 0
            assert said.out.count("WHEN") > 4
    rows = run("predict", path, houses).out.splitlines()[1:]
    assert [row.split(",")[-3:] for row in rows] == [
        ["low", "1.0", "2"], ["low", "1.0", "2"], ["low", "1.0", "2"],
        ["low", "1.0", "3"], ["high", "1.0", "1"], ["low", "1.0", "3"],
    ]  # fmt: skip
    assert run("verify", path, houses).code == 0
    assert "covered by two rules" in run("evaluate", path, houses).out
    found = json.loads(run("evaluate", path, houses, "--json").out)
    assert found["overlap"] == [[3, 2, 2], [2, 3, 2], [2, 2, 4]]


def test_text_is_the_printed_model(run, model):
    assert run("show", model).out == f"{dbrules.load(model)}\n"


def test_json_is_the_file(run, model):
    document = json.loads(model.read_text(encoding="utf-8"))
    assert json.loads(run("show", model, "--format", "json").out) == document
    assert json.loads(run("show", model, "--json").out) == document


def test_markdown_is_one_row_a_rule(run, model):
    lines = run("show", model, "--format", "markdown").out.splitlines()
    table = [line for line in lines if line.startswith("|")]
    assert table[2:] == [
        "| 1 | `size = 'big'` | `high` | 0.6667 | 3 |",
        "| 2 | `size = 'medium'` | `medium` | 1 | 1 |",
        "| 3 | `size = 'small'` | `low` | 1 | 2 |",
        "| 4 | else | `low` | 0.5 | 0 |",
    ]


def test_a_falling_list_is_shown_as_one(run, falling_model, tmp_path):
    training = Training(rows=300, objective=0.25, lower_bound=0.24, proved=False,
                        notes=("stopped after 60 seconds",))  # fmt: skip
    fitted = falling_model("IF a|b = 1 THEN yes ELSE IF b = 1 THEN yes ELSE no".replace(
        "a|b", '"a|b"'), 3, [(10, 40), (5, 45), (180, 20)], training=training)  # fmt: skip
    path = tmp_path / "falling.json"
    fitted.save(path)
    assert run("show", path).out == f"{fitted}\n"
    assert json.loads(run("show", path, "--json").out)["falling"] == {"positive_weight": 3}
    assert (
        run("show", path, "--format", "markdown").out
        == """\
**y** by frl, 300 rows

objective 0.250000, lower bound 0.240000, gap 4.00 %: not proved optimal

risk: probability that y is yes; the answer is yes above 0.25 (positive weight 3)

| rule | if | then | risk | empirical | + | − | 95 % |
|---:|---|---|---:|---:|---:|---:|---:|
| 1 | <code>"a&#124;b" = 1</code> | `yes` | 0.8000 | 0.8000 | 40 | 10 | 0.670–0.888 |
| 2 | `b = 1` | `yes` | 0.8000 | 0.9000 | 45 | 5 | 0.786–0.957 |
| | *threshold 0.25: from here on the risk is not above it* | | | | | | |
| 3 | else | `no` | 0.1000 | 0.1000 | 20 | 180 | 0.066–0.149 |

stopped after 60 seconds
"""
    )


def test_every_row_of_a_table_has_as_many_cells(falling_model):
    for counts, rows in (([(1, 9), (9, 1)], None), ([(1, 9), (2, 3)], [4, 5]), ([(4, 1)], None)):
        text = "IF a = 1 THEN yes ELSE no" if len(counts) == 2 else "ELSE no"
        lines = markdown(falling_model(text, 1, counts, rows)).splitlines()
        assert len({line.count("|") for line in lines if line.startswith("|")}) == 1
        assert sum("threshold" in line for line in lines) == 1


def test_no_value_breaks_the_table(by_hand):
    hostile = "a|b`c\nd <e> & \\f*_"
    model = by_hand(f"IF x = '{hostile}' THEN '{hostile}' ELSE no")
    table = [line for line in markdown(model).splitlines() if line.startswith("|")]
    assert len(table) == 4
    cells = table[2].split("|")
    assert len(cells) == 7
    code = re.fullmatch(r" <code>(.*)</code> ", cells[2])
    assert code is not None
    assert html.unescape(code[1]) == f"x = '{hostile}'"


def test_what_cannot_be_shown(run, model, houses):
    assert "did you mean 'markdown'" in run("show", model, "--format", "markdwn").err
    assert "does not exist" in run("show", "none.json").err
    assert "not whole JSON" in run("show", houses).err
