from __future__ import annotations

import datetime as dt
import itertools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dbrules.language.column import Column, ColumnType
from dbrules.language.condition import INTERVALS, NULL_TESTS, OPS, SETS, Condition
from dbrules.language.parse import parse_rule_list
from dbrules.language.rule import Outcome, Rule, Target
from dbrules.language.rule_list import RuleList
from dbrules.language.simplify import Simplified, simplify
from dbrules.language.text import format_rule_list

INF, NAN = float("inf"), float("nan")
# values that conditions name, and for rows the values between and beyond them
NAMED: dict[str, list[Any]] = {
    "BIGINT": [1, 3, 5],
    "DOUBLE": [-INF, 0.0, 0.5, INF],
    "VARCHAR": ["", "b", "d"],
    "BOOLEAN": [False, True],
    "DATE": [dt.date(2024, 2, 28), dt.date(2024, 3, 1)],
}
CELLS: dict[str, list[Any]] = {
    "BIGINT": [None, 0, 1, 2, 3, 4, 5, 6],
    "DOUBLE": [None, NAN, -INF, -1.0, 0.0, 0.25, 0.5, 1.0, INF],
    "VARCHAR": [None, "", "a", "b", "c", "d", "e"],
    "BOOLEAN": [None, False, True],
    "DATE": [None, *(dt.date(2024, 2, 27) + dt.timedelta(days) for days in range(5))],
}


@st.composite
def conditions(draw: st.DrawFn, column: Column) -> Condition:
    named = st.sampled_from(NAMED[column.type.name])
    op = draw(st.sampled_from(OPS))
    if op in NULL_TESTS:
        return Condition(column.name, op)
    if op in SETS:
        return Condition(column.name, op, tuple(draw(st.lists(named, min_size=1, max_size=3))))
    if op in INTERVALS:
        pair = draw(st.lists(named, min_size=2, max_size=2, unique=True))
        return Condition(column.name, op, tuple(sorted(pair)))
    return Condition(column.name, op, draw(named))


@st.composite
def rule_lists(draw: st.DrawFn, columns: int) -> RuleList:
    features = tuple(
        Column(f"c{i}", ColumnType(draw(st.sampled_from(list(NAMED))))) for i in range(columns)
    )
    some = st.lists(st.sampled_from(features).flatmap(conditions), min_size=1, max_size=4)
    rules = draw(st.lists(some, max_size=5))
    labels = tuple(range(len(rules) + 1))  # a label of its own tells every rule apart
    return RuleList(
        Target("y", ColumnType("BIGINT"), labels),
        features,
        tuple(Rule(tuple(rule), Outcome(i)) for i, rule in enumerate(rules)),
        Outcome(len(rules)),
    )


def rows(rule_list: RuleList) -> list[dict[str, Any]]:
    names = [column.name for column in rule_list.features]
    cells = [CELLS[column.type.name] for column in rule_list.features]
    return [dict(zip(names, row, strict=True)) for row in itertools.product(*cells)]


@settings(deadline=None)
@given(rule_list=rule_lists(columns=2))
def test_every_row_keeps_its_prediction(rule_list: RuleList) -> None:
    found = simplify(rule_list)
    for row in rows(rule_list):
        assert found.rules.predict(row) == rule_list.predict(row)
    kept = {rule.label for rule in found.rules.rules}
    dropped = {f.number for f in found.findings if f.kind != "merged"}
    assert kept == {rule.label for rule in rule_list.rules} - {number - 1 for number in dropped}


@settings(deadline=None)
@given(rule_list=rule_lists(columns=1))
def test_on_one_column_every_rule_that_is_kept_answers_some_row(rule_list: RuleList) -> None:
    kept = simplify(rule_list).rules
    answered = {kept.predict(row) for row in rows(kept)}
    assert {rule.label for rule in kept.rules} <= answered


@settings(deadline=None)
@given(rule_list=rule_lists(columns=2))
def test_simplifying_twice_finds_nothing_new(rule_list: RuleList) -> None:
    once = simplify(rule_list).rules
    assert simplify(once) == Simplified(once, ())
    for rule in once.rules:
        assert len(set(rule.conditions)) == len(rule.conditions)


@settings(deadline=None)
@given(rule_list=rule_lists(columns=1))
def test_no_condition_that_is_kept_can_go(rule_list: RuleList) -> None:
    for rule in simplify(rule_list).rules.rules:
        for left_out in rule.conditions if len(rule.conditions) > 1 else ():
            rest = [c for c in rule.conditions if c != left_out]
            assert any(
                all(c.covers(row) for c in rest) and not left_out.covers(row)
                for row in rows(rule_list)
            )


def simplified(conditions: str) -> str:
    found = simplify(parse_rule_list(f"IF {conditions} THEN a ELSE b"))
    return format_rule_list(found.rules).partition(" THEN")[0].removeprefix("IF ")


@pytest.mark.parametrize(
    ("conditions", "right"),
    [
        ("x < 10 AND x < 5", "x < 5"),
        ("x >= 3 AND x < 9", "3 <= x < 9"),
        ("x <= 9 AND y = 1 AND x > 3", "3 < x <= 9 AND y = 1"),
        ("3 <= x < 9 AND x < 5", "3 <= x < 5"),
        ("3 <= x < 9 AND 1 < x <= 20", "3 <= x < 9"),
        ("x > 3 AND x >= 3", "x > 3"),
        ("x >= 3 AND x <= 5", "x >= 3 AND x <= 5"),
        ("x >= 3 AND x <= 3", "x = 3"),
        ("x = 'a' AND x IN ('a', 'b')", "x = 'a'"),
        ("x IN ('a', 'b', 'c') AND x IN ('b', 'c', 'd')", "x IN ('b', 'c')"),
        ("x IN (1, 5, 9) AND x > 1", "x IN (5, 9)"),
        ("x <> 1 AND x <> 2 AND x NOT IN (2, 3)", "x NOT IN (1, 2, 3)"),
        ("x <> 1 AND x > 5", "x > 5"),
        ("x <> 7 AND x > 5", "x > 5 AND x <> 7"),
        ("x = 1 AND x = 1", "x = 1"),
        ("x IS NOT NULL AND x < 5", "x < 5"),
        ("x IS NOT NULL AND x IS NOT NULL", "x IS NOT NULL"),
        ("x <> TRUE AND x IN (TRUE, FALSE)", "x <> TRUE"),
    ],
)
def test_conditions_on_one_column_are_merged(conditions: str, right: str) -> None:
    assert simplified(conditions) == right


@pytest.mark.parametrize(
    "conditions",
    [
        "x <= 7 AND x > 7", "x = 'a' AND x = 'b'", "x IS NULL AND x = 1",
        "x IS NULL AND x IS NOT NULL", "x IN (1, 2) AND x IN (3, 4)", "x = 1 AND x <> 1",
        "x IN (1, 2) AND x > 2", "x = TRUE AND x = FALSE", "x > INFINITY", "x < -INFINITY",
        "y = 1 AND 1 <= x < 3 AND 3 <= x < 5", "x <> TRUE AND x <> FALSE",
    ],
)  # fmt: skip
def test_contradictions_are_impossible(conditions: str) -> None:
    found = simplify(parse_rule_list(f"IF {conditions} THEN a ELSE b"))
    assert found.rules.rules == ()
    assert [(f.number, f.kind) for f in found.findings] == [(1, "impossible")]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("IF x < 5 THEN a IF x < 3 AND y = 1 THEN b", {2: "unreachable"}),
        ("IF x < 5 THEN a IF x >= 5 THEN b IF x = 3 THEN c", {3: "unreachable"}),
        ("IF x < 5 THEN a IF x >= 5 THEN b IF x IS NOT NULL THEN c", {3: "unreachable"}),
        ("IF x < 5 THEN a IF x > 5 THEN b IF x IS NOT NULL THEN c", {}),
        ("IF x IS NULL THEN a IF x IS NOT NULL THEN b IF y = 1 THEN c", {3: "unreachable"}),
        ("IF x < 5 THEN a IF x >= 5 THEN b IF y = 1 THEN c", {}),  # x may be missing
        ("IF x < 5 AND y = 1 THEN a IF x >= 5 AND y = 1 THEN b IF y = 1 AND x > 0 THEN c",
         {3: "unreachable"}),
        ("IF x = 1 AND y = 2 THEN a IF y = 2 AND x = 1 THEN b", {2: "duplicate"}),
        ("IF x < 5 THEN a IF x < 5 AND x < 9 THEN b", {2: "duplicate"}),
        ("IF flag = TRUE THEN a IF flag = FALSE THEN b IF flag IS NOT NULL THEN c",
         {3: "unreachable"}),
        ("IF x < 3 THEN a IF x < 5 THEN b", {}),
    ],
)  # fmt: skip
def test_rules_that_never_answer_are_named(text: str, kinds: dict[int, str]) -> None:
    found = simplify(parse_rule_list(f"{text} ELSE d"))
    assert {f.number: f.kind for f in found.findings} == kinds


def test_messages_say_which_rules() -> None:
    found = simplify(parse_rule_list(
        "IF x < 10 AND x < 5 THEN a IF x = 1 THEN b IF x >= 5 THEN c IF x > 0 THEN d "
        "IF x = 1 AND x = 2 THEN e ELSE f"
    ))  # fmt: skip
    assert [finding.message for finding in found.findings] == [
        "rule 1: x < 10 AND x < 5 is x < 5",
        "rule 2 is unreachable: rule 1 captures all its rows",
        "rule 4 is unreachable: rules 1, 3 capture all its rows",
        "rule 5 is never true: x = 1 AND x = 2 contradict each other",
    ]


def test_C29_redundant_unreachable_impossible() -> None:
    found = simplify(parse_rule_list("""
        IF x < 10 AND x < 5 THEN A
        ELSE IF x < 3 THEN B
        ELSE IF x <= 7 AND x > 7 THEN C
        ELSE D
    """))  # fmt: skip
    assert str(found.rules) == "IF x < 5 THEN A\nELSE D"
    assert [(f.number, f.kind) for f in found.findings] == [
        (1, "merged"), (2, "unreachable"), (3, "impossible"),
    ]  # fmt: skip
    answers = [found.rules.predict({"x": x}) for x in (1, 4, 6, 20, None)]
    assert answers == ["A", "A", "D", "D", "D"]


def test_counts_of_kept_rules_stay() -> None:
    target = Target("y", ColumnType("VARCHAR"), ("a", "b"))
    counted = Outcome("a", (0.75, 0.25), (3, 1), 4)
    rule_list = RuleList(
        target,
        (Column("x", ColumnType("BIGINT")), Column("unused", ColumnType("BIGINT"))),
        (Rule((Condition("x", ">", 1), Condition("x", ">", 2)), counted),),
        Outcome("b", (0.0, 1.0), (0, 2)),
    )
    found = simplify(rule_list).rules
    assert found.rules[0].outcome == counted
    assert (found.default, found.features) == (rule_list.default, rule_list.features)
