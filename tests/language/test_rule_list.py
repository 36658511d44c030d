from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dbrules.errors import (
    ColumnTypeError,
    InvalidCondition,
    InvalidData,
    InvalidModel,
    UnknownClass,
    UnknownColumn,
)
from dbrules.language.column import Column, ColumnType
from dbrules.language.condition import Condition
from dbrules.language.parse import parse_rule_list
from dbrules.language.rule import Outcome, Rule, Target
from dbrules.language.rule_list import RuleList

YES_NO = Target("y", ColumnType("VARCHAR"), ("no", "yes"))
AGE = Column("age", ColumnType("INTEGER"))
OLD = Rule((Condition("age", ">=", 60),), Outcome("yes"))


def test_C03_negated_and_boolean_conditions_on_null() -> None:
    rows = [{"city": "Oslo", "flag": True}, {"city": "Bergen", "flag": False},
            {"city": None, "flag": None}]  # fmt: skip
    negated = parse_rule_list("IF city <> 'Oslo' THEN abroad ELSE home")
    assert [negated.predict(row) for row in rows] == ["home", "abroad", "home"]
    boolean = parse_rule_list("IF flag = TRUE THEN T IF flag = FALSE THEN F ELSE '?'")
    assert [boolean.predict(row) for row in rows] == ["T", "F", "?"]


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_the_first_rule_that_covers_answers(data: Any, rule_lists: Any, values: Any) -> None:
    rule_list = data.draw(rule_lists)
    row = {c.name: data.draw(st.none() | values[c.type.name]) for c in rule_list.features}
    typed = {column.name: column.read(row[column.name]) for column in rule_list.features}
    covering = [n for n, rule in enumerate(rule_list.rules, start=1) if rule.covers(typed) is True]
    assert rule_list.capture(row) == min([*covering, len(rule_list.rules) + 1])
    assert rule_list.predict(row) == rule_list.outcomes[rule_list.capture(row) - 1].label
    assert pickle.loads(pickle.dumps(rule_list)) == rule_list


def test_only_used_columns_are_needed_to_score() -> None:
    features = (Column("x", ColumnType("DOUBLE")), AGE)
    rule_list = RuleList(YES_NO, features, (OLD,), Outcome("no"))
    assert rule_list.used == (AGE,)
    assert rule_list.predict({"age": 60, "extra": "?"}) == "yes"
    with pytest.raises(UnknownColumn, match=r"no value for 'age'.*did you mean 'Age'"):
        rule_list.predict({"Age": 60})


def test_values_and_labels_take_the_types_of_their_columns() -> None:
    price = Column("price", ColumnType("DECIMAL(8,2)"))
    rule = Rule((Condition("price", "<=", 1.1),), Outcome(True))
    target = Target("y", ColumnType("BOOLEAN"), (False, True))
    rule_list = RuleList(target, (price,), (rule,), Outcome(False))
    assert rule_list.predict({"price": "1.10"}) is True
    with pytest.raises(ColumnTypeError, match=r"'price'.*'x'"):
        RuleList(target, (price,), (Rule((Condition("price", "=", "x"),), Outcome(True)),),
                 Outcome(False))  # fmt: skip


def test_a_hand_written_outcome_is_certain() -> None:
    rule_list = RuleList(YES_NO, (AGE,), (OLD,), Outcome("no"))
    assert rule_list.rules[0].outcome == Outcome("yes", (0.0, 1.0), (0, 0))
    assert rule_list.default.total == 0


def test_lists_that_cannot_be_built() -> None:
    with pytest.raises(UnknownColumn, match=r"rule 1 reads 'age'.*did you mean 'Age'"):
        RuleList(YES_NO, (Column("Age", ColumnType("INTEGER")),), (OLD,), Outcome("no"))
    with pytest.raises(InvalidData, match="'age' is listed twice"):
        RuleList(YES_NO, (AGE, AGE), (OLD,), Outcome("no"))
    with pytest.raises(UnknownClass, match="'maybe' is not a class of 'y'"):
        RuleList(YES_NO, (AGE,), (OLD,), Outcome("maybe"))
    with pytest.raises(InvalidModel, match="give 2 of each"):
        RuleList(YES_NO, (AGE,), (), Outcome("no", (1.0,)))
    with pytest.raises(InvalidCondition, match="needs a condition"):
        Rule((), Outcome("no"))


def test_classes_take_the_type_of_the_target() -> None:
    target = Target("y", ColumnType("INTEGER"), (1.0, 2.0), positive=2.0)
    assert repr((target.classes, target.positive)) == "((1, 2), 2)"
    cut = Target("y", ColumnType("INTEGER"), ("low", "high"), cuts=(5.0,))
    assert repr((cut.classes, cut.cuts)) == "(('low', 'high'), (5,))"
    with pytest.raises(ColumnTypeError, match="target 'y': value 'a' does not fit type INTEGER"):
        Target("y", ColumnType("INTEGER"), ("a",))
    with pytest.raises(ColumnTypeError, match="target 'y': a class or cut is missing"):
        Target("y", ColumnType("INTEGER"), (None, 1))  # type: ignore[arg-type]


def test_labels_of_true_and_one_are_two_things() -> None:
    with pytest.raises(UnknownClass):
        Target("y", ColumnType("INTEGER"), (0, 1)).index(True)
