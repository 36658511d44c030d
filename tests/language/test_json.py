from __future__ import annotations

import copy
import datetime as dt
import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dbrules.errors import InvalidModel
from dbrules.language.column import Column, ColumnType
from dbrules.language.condition import Condition
from dbrules.language.json import (
    rule_list_from_json,
    rule_list_to_json,
    rule_set_from_json,
    rule_set_to_json,
)
from dbrules.language.rule import Outcome, Rule, Target
from dbrules.language.rule_list import RuleList
from dbrules.language.rule_set import RuleSet


def through_text(document: dict[str, Any]) -> dict[str, Any]:
    return json.loads(json.dumps(document, allow_nan=False))


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_json_reads_back_to_the_same_list(data: Any, rule_lists: Any) -> None:
    rule_list = data.draw(rule_lists)
    document = through_text(rule_list_to_json(rule_list))
    back = rule_list_from_json(document)
    assert back == rule_list
    assert str(back) == str(rule_list)
    assert rule_list_to_json(back) == document


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_json_reads_back_to_the_same_set(data: Any, rule_lists: Any) -> None:
    rules = data.draw(rule_lists)
    rule_set = RuleSet(rules.target, rules.features, rules.rules, rules.default, "weighted")
    document = through_text(rule_set_to_json(rule_set))
    assert rule_set_from_json(document) == rule_set
    assert (document["kind"], document["resolution"]) == ("rule_set", "weighted")


def test_the_document() -> None:
    rule_list = RuleList(
        Target("churned", ColumnType("BOOLEAN"), (False, True), positive=True),
        (Column("age", ColumnType("INTEGER")), Column("city", ColumnType("VARCHAR"), trim=True)),
        (
            Rule(
                (Condition("age", ">=,<", (18, 30)), Condition("city", "in", ("Rome", "Oslo"))),
                Outcome(True, (0.25, 0.75), (1, 3), 2),
            ),
            Rule((Condition("age", "is null"),), Outcome(False, (1.0, 0.0), (2, 0))),
        ),
        Outcome(False, (0.5, 0.5), (1.5, 1.5)),
    )
    assert rule_list_to_json(rule_list) == {
        "kind": "rule_list",
        "target": {
            "name": "churned", "type": "BOOLEAN", "classes": [False, True], "positive": True
        },
        "features": [
            {"name": "age", "type": "INTEGER"},
            {"name": "city", "type": "VARCHAR", "trim": True},
        ],
        "rules": [
            {
                "if": [
                    {"feature": "age", "op": ">=,<", "value": [18, 30]},
                    {"feature": "city", "op": "in", "value": ["Oslo", "Rome"]},
                ],
                "then": True,
                "probability": {"false": 0.25, "true": 0.75},
                "counts": {"false": 1, "true": 3},
                "rows": 2,
            },
            {
                "if": [{"feature": "age", "op": "is null"}],
                "then": False,
                "probability": {"false": 1.0, "true": 0.0},
                "counts": {"false": 2, "true": 0},
            },
        ],
        "else": {
            "then": False,
            "probability": {"false": 0.5, "true": 0.5},
            "counts": {"false": 1.5, "true": 1.5},
        },
    }  # fmt: skip


@pytest.mark.parametrize(
    ("type_name", "value"),
    [
        ("DOUBLE", 0.1 + 0.2), ("DOUBLE", 5e-324), ("DOUBLE", 1e308), ("DOUBLE", -0.0),
        ("DOUBLE", float("-inf")), ("BIGINT", 2**60 + 1), ("BIGINT", 0.5),
        ("DATE", dt.date(2024, 2, 29)), ("DECIMAL(20,2)", Decimal("123456789012345678.50")),
        ("TIMESTAMPTZ", dt.datetime(2024, 2, 29, 23, 59, 59, 999999, dt.UTC)),
        ("TIMESTAMPTZ", dt.datetime(2024, 2, 29, tzinfo=dt.timezone(dt.timedelta(hours=2)))),
        *(("VARCHAR", text) for text in
          ("O'Brien", "C:\\new", "50%", "", "NULL", " a", "a", "x\ny", "😀", "a;--", "inf", "1")),
    ],
)  # fmt: skip
def test_values_read_back_to_the_bit(type_name: str, value: Any) -> None:
    rule_list = RuleList(
        Target("y", ColumnType("VARCHAR"), ("a", "b")),
        (Column("x", ColumnType(type_name)),),
        (Rule((Condition("x", "<=", value),), Outcome("a", (1 / 3, 2 / 3), (2**53 + 1, 0.1))),),
        Outcome("b"),
    )
    back = rule_list_from_json(through_text(rule_list_to_json(rule_list)))
    assert repr(back) == repr(rule_list)


def broken(*path: Any, value: Any = "missing") -> dict[str, Any]:
    document = copy.deepcopy(DOCUMENT)
    inner: Any = document
    for step in path[:-1]:
        inner = inner[step]
    if value == "missing":
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return document


DOCUMENT = rule_list_to_json(
    RuleList(
        Target("y", ColumnType("VARCHAR"), ("a", "b"), positive="b"),
        (Column("x", ColumnType("DOUBLE")),),
        (Rule((Condition("x", ">=,<", (1.0, 2.0)),), Outcome("a")),),
        Outcome("b"),
    )
)
IF = ("rules", 0, "if", 0)


@pytest.mark.parametrize(
    ("document", "told"),
    [
        (None, "the model: expected an object, found null"),
        ([], "the model: expected an object"),
        (broken("kind"), "kind: expected 'rule_list', found None"),
        (broken("kind", value="rule_set"), "kind: expected 'rule_list'"),
        (broken("target"), "target: missing"),
        (broken("target", "name", value=3), "target.name: expected a text"),
        (broken("target", "classes", value=[]), "target.classes: .*each class once"),
        (broken("target", "classes", value=["a", "a"]), "target.classes: .*each class once"),
        (broken("target", "classes", value=["a", 1]), r"target.classes\[1\]: expected a text"),
        (broken("target", "positive", value="c"), "target.positive: label 'c' is not a class"),
        (broken("target", "cuts", value=["x"]), r"target.cuts|target.closed"),
        (broken("features", value={}), "features: expected a list"),
        (broken("features", 0, value="x"), r"features\[0\]: expected an object"),
        (broken("features", 0, "type"), r"features\[0\].type: missing"),
        (broken("features", 0, "trim", value=1), r"features\[0\].trim: expected true or false"),
        (broken("rules", 0, "then"), r"rules\[0\].then: missing"),
        (broken("rules", 0, "then", value="c"), r"rules\[0\].then: label 'c' is not a class"),
        (broken("rules", 0, "if", value=[]), r"rules\[0\].if: empty"),
        (broken(*IF, "feature", value="z"), r"rules\[0\].if\[0\].feature: 'z'"),
        (broken(*IF, "op", value="~"), r"rules\[0\].if\[0\].op: unknown operator"),
        (broken(*IF, "op", value="is null"), r"rules\[0\].if\[0\].value: .*leave it out"),
        (broken(*IF, "value", value=3), r"rules\[0\].if\[0\].value: expected a list"),
        (broken(*IF, "value", value=[1, "q"]), r"rules\[0\].if\[0\].value\[1\]: value 'q'"),
        (broken(*IF, "value", value=[2, 1]), r"rules\[0\].if\[0\]: .*empty"),
        (broken(*IF, "value", value=[1, None]), r"value\[1\]: expected a double value"),
        (broken(*IF, "value", value=[1, float("nan")]), r"value\[1\]: NaN is no value"),
        (broken("rules", 0, "rows", value="2"), r"rules\[0\].rows: expected a whole number"),
        (broken("else"), "else: missing"),
        (broken("else", "counts", "a"), "else.counts: has .*'b'"),
        (broken("else", "counts", "a", value=-1), "else.counts.a: -1 is no number from 0"),
        (broken("else", "counts", "a", value=True), "else.counts.a: True is no number"),
        (broken("else", "probability", "a", value=1.5), "else.probability.a: 1.5 .* from 0 to 1"),
        (broken("else", "probability", "a", value=float("nan")), "else.probability.a: nan"),
        (broken("features", value=[{"name": "x", "type": "DOUBLE"}] * 2), "'x' is listed twice"),
    ],
)  # fmt: skip
def test_broken_documents_name_the_place(document: Any, told: str) -> None:
    with pytest.raises(InvalidModel, match=told) as caught:
        rule_list_from_json(document)
    assert "\n" not in str(caught.value)


def test_an_unknown_resolution_is_refused() -> None:
    document = {**DOCUMENT, "kind": "rule_set", "resolution": "vote"}
    with pytest.raises(InvalidModel, match="unknown resolution 'vote'"):
        rule_set_from_json(document)
    with pytest.raises(InvalidModel, match="resolution: missing"):
        rule_set_from_json({**DOCUMENT, "kind": "rule_set"})
