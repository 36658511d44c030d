from __future__ import annotations

import html
import json
import re

import dbrules
from dbrules.cli.show import markdown


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
