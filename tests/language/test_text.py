from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dbrules.errors import (
    ColumnTypeError,
    DbrulesError,
    InvalidCondition,
    InvalidRuleText,
    UnknownClass,
    UnknownColumn,
)
from dbrules.language.column import Column, ColumnType
from dbrules.language.condition import Condition
from dbrules.language.rule import Outcome, Rule, Target
from dbrules.language.rule_list import RuleList
from dbrules.language.rule_set import RuleSet
from dbrules.language.text import (
    format_condition,
    format_identifier,
    format_rule_list,
    format_value,
    parse_conditions,
    parse_rule_list,
    parse_rule_set,
)
from dbrules.language.wrap import RULE_WIDTH

YES_NO = Target("y", ColumnType("VARCHAR"), ("no", "yes"))


def conditions_and_labels(rules: RuleList | RuleSet) -> list[Any]:
    said = [(repr(rule.conditions), repr(rule.label)) for rule in rules.rules]
    return [*said, repr(rules.default.label)]


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_text_reads_back_to_the_same_rules(data: Any, rule_lists: Any) -> None:
    rule_list = data.draw(rule_lists)
    for counts in (True, False):
        text = format_rule_list(rule_list, counts=counts)
        back = parse_rule_list(text, target=rule_list.target, features=rule_list.features)
        assert conditions_and_labels(back) == conditions_and_labels(rule_list)
        assert (back.target, back.features) == (rule_list.target, rule_list.features)


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_text_alone_is_enough_to_score_like_the_list(data: Any, rule_lists: Any) -> None:
    rule_list = data.draw(rule_lists)
    back = parse_rule_list(str(rule_list))
    assert [rule.features for rule in back.rules] == [rule.features for rule in rule_list.rules]
    assert format_rule_list(parse_rule_list(str(back)), counts=False) == str(back)


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_rule_set_text_reads_back(data: Any, rule_lists: Any) -> None:
    rules = data.draw(rule_lists)
    resolution = data.draw(st.sampled_from(["first", "majority", "weighted", "best"]))
    rule_set = RuleSet(rules.target, rules.features, rules.rules, rules.default, resolution)
    text = str(rule_set)
    assert text.startswith(f"-- rule set, overlaps resolved by: {resolution}\n")
    back = parse_rule_set(text, target=rules.target, features=rules.features)
    assert conditions_and_labels(back) == conditions_and_labels(rule_set)
    assert back.resolution == resolution
    assert parse_rule_set(f"-- of a file\n\n{text}", target=rules.target).resolution == resolution
    again = parse_rule_set(text, target=rules.target, features=rules.features, resolution="first")
    assert again.resolution == "first"
    with pytest.raises(InvalidRuleText, match=r"^line 3, column 1: .* rule set; .*parse_rule_set"):
        parse_rule_list(f"-- of a file\n\n{text}", target=rules.target)


def test_else_before_a_further_if_may_be_left_out_of_a_list() -> None:
    text = "IF x < 5 THEN A IF x < 9 THEN B ELSE D"
    assert parse_rule_list(f"-- by hand\n{text}") == parse_rule_list(
        text.replace(" IF", " ELSE IF")
    )
    # only a comment above the rules says that they are a set, as parse_rule_set reads it
    below = f"{text}\n-- rule set, overlaps resolved by: majority"
    assert parse_rule_list(below) == parse_rule_list(text)
    assert parse_rule_set(below).resolution == "first"


@settings(deadline=None)
@given(text=st.text(alphabet="IFTHENelse xy'\"<=>(),;-.0159 \n", max_size=40))
def test_any_text_is_a_list_or_a_clear_error(text: str) -> None:
    told = "line "
    try:
        parse_rule_list(text)
    except DbrulesError as error:
        told = str(error)
    assert told.startswith("line ")


EXAMPLE = """\
IF age >= 60 AND "default" = 'no' THEN yes -- 1: 12 of 15, probability 0.8, 95 % from 0.548 to 0.93
ELSE IF 30 <= age < 60 THEN no             -- 2: 3 of 4.5 (rows: 4), probability 0.6667, \
95 % from 0.261 to 0.919
ELSE IF plan IN ('basic', 'gold') AND city IS NOT NULL
    THEN no                                -- 3: 0 (rows: 2), probability 0.5
ELSE yes                                   -- 4: 7 of 7, probability 1, 95 % from 0.646 to 1"""


def example() -> RuleList:
    names = {"age": "INTEGER", "default": "VARCHAR", "plan": "VARCHAR", "city": "VARCHAR"}
    return RuleList(
        YES_NO,
        tuple(Column(name, ColumnType(kind)) for name, kind in names.items()),
        (
            Rule((Condition("age", ">=", 60), Condition("default", "=", "no")),
                 Outcome("yes", (0.2, 0.8), (3, 12))),
            Rule((Condition("age", ">=,<", (30, 60)),), Outcome("no", (2 / 3, 1 / 3), (3, 1.5), 4)),
            Rule((Condition("plan", "in", ("gold", "basic")), Condition("city", "is not null")),
                 Outcome("no", (0.5, 0.5), (0, 0), 2)),
        ),
        Outcome("yes", (0.0, 1.0), (0, 7), 7),
    )  # fmt: skip


def test_the_printed_list() -> None:
    assert str(example()).replace("  -- ", " -- ") == EXAMPLE
    assert format_rule_list(example(), counts=False) == "\n".join(
        line.partition(" -- ")[0].rstrip() for line in EXAMPLE.splitlines()
    )


def counted(*outcomes: Outcome) -> list[bool]:
    """Return which lines of a list with these outcomes show an interval."""
    columns = tuple(Column(f"c{n}", ColumnType("INTEGER")) for n in range(len(outcomes) - 1))
    rules = tuple(
        Rule((Condition(column.name, "=", 1),), outcome)
        for column, outcome in zip(columns, outcomes, strict=False)
    )
    listed = RuleList(YES_NO, columns, rules, outcomes[-1])
    lines = str(listed).splitlines()
    assert str(RuleSet(YES_NO, columns, rules, outcomes[-1], "best")).count("95 %") == str(
        listed
    ).count("95 %")
    return ["95 %" in line for line in lines]


def test_all_lines_show_the_interval_of_the_share_or_none_does() -> None:
    half, third = Outcome("yes", (0.5, 0.5), (24, 24)), Outcome("no", (2 / 3, 1 / 3), (4, 2))
    nothing = Outcome("yes", (0.3, 0.7), (0, 0))
    # (24 + 1) / (48 + 2) is the share, (4 + 1) / (6 + 2) is not
    laplace = Outcome("no", (5 / 8, 3 / 8), (4, 2))
    assert counted(half, third, half) == [True, True, True]
    assert counted(half, nothing, third) == [True, False, True]
    assert counted(half, laplace, half) == [False, False, False]
    assert counted(laplace, half) == [False, False]
    assert counted(half, laplace) == [False, False]
    # a default at its share of all rows, here 28 of 55, is not about what it captured
    assert counted(half, third, Outcome("no", (28 / 55, 27 / 55), (0, 1))) == [True, True, False]
    assert counted(half, third, Outcome("no", (0.5, 0.5), (0, 1))) == [False, False, False]
    assert counted(Outcome("no", (1.0, 0.0), (9, 0))) == [True]
    assert counted(Outcome("no", (10 / 11, 1 / 11), (9, 0))) == [False]


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_long_rules_of_lists_and_sets_leave_room_for_their_numbers(data: Any) -> None:
    columns = tuple(Column(f"column {n}", ColumnType("INTEGER")) for n in range(9))
    conditions = st.builds(
        Condition, st.sampled_from([column.name for column in columns]), st.just(">=,<"),
        st.integers(0, 999).map(lambda least: (least, least + 1)),
    )  # fmt: skip
    outcome = Outcome("yes", (0.25, 0.75), (100, 300))
    bodies = st.lists(conditions, min_size=1, max_size=6).map(tuple)
    rules = tuple(Rule(body, outcome) for body in data.draw(st.lists(bodies, max_size=4)))
    for made in (
        RuleList(YES_NO, columns, rules, outcome),
        RuleSet(YES_NO, columns, rules, outcome, "best"),
    ):
        assert str(made).startswith("-- rule set") == isinstance(made, RuleSet)
        lines = [line.partition("  -- ") for line in str(made).splitlines()]
        assert all(len(code.rstrip()) <= RULE_WIDTH for code, _, _ in lines)
        assert len({len(code) for code, comment, _ in lines if comment}) == 1
        assert [said.partition(":")[0] for _, comment, said in lines if comment] == [
            str(number) for number in range(1, len(rules) + 2)
        ]
        bare = format_rule_list(made, counts=False)
        assert bare == "\n".join(code.rstrip() for code, _, _ in lines)
        parse = parse_rule_list if isinstance(made, RuleList) else parse_rule_set
        back = parse(str(made), target=YES_NO, features=columns)
        assert conditions_and_labels(back) == conditions_and_labels(made)


def test_given_intervals_stand_in_place_of_wilsons() -> None:
    given = [((0.1, 0.3), (0.7, 0.9)), ((0.25, 0.5), (0.5, 0.75)), *[((0, 1), (0, 1))] * 2]
    ends = ["0.7 to 0.9", "0.25 to 0.5", "0 to 1", "0 to 1"]
    lines, shown = (
        [line for line in text.splitlines() if " -- " in line]
        for text in (str(example()), format_rule_list(example(), intervals=given))
    )
    for line, default, end in zip(shown, lines, ends, strict=True):
        assert line == f"{default.partition(', 95 %')[0]}, 95 % from {end}"
    assert format_rule_list(example(), counts=False, intervals=given) == format_rule_list(
        example(), counts=False
    )
    with pytest.raises(ValueError, match="zip"):
        format_rule_list(example(), intervals=given[:3])


def test_a_hand_written_list_prints_without_comments() -> None:
    text = "IF age >= 60 THEN yes\nELSE IF age < 3 THEN 'a b'\nELSE no"
    assert str(parse_rule_list(text)) == text


def test_a_person_may_write_it_freely() -> None:
    text = """
      -- two rules a line, keywords in any case
      if 60<=age and "default"!='no' then YES if age BETWEEN 30 AND 59 then no
      Else If flag = true -- "quotes" in 'comments' do not count
         and x >-1.5e3 Then no
      ELSE YES;
    """
    rules = parse_rule_list(text)
    assert [rule.conditions for rule in rules.rules] == [
        (Condition("age", ">=", 60), Condition("default", "<>", "no")),
        (Condition("age", ">=", 30), Condition("age", "<=", 59)),
        (Condition("flag", "=", True), Condition("x", ">", -1500.0)),
    ]
    assert rules.target == Target("y", ColumnType("VARCHAR"), ("YES", "no"), "no")
    assert [(c.name, c.type.name) for c in rules.features] == [
        ("age", "BIGINT"), ("default", "VARCHAR"), ("flag", "BOOLEAN"), ("x", "DOUBLE"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "conditions"),
    [
        ("30 <= age < 60", [(">=,<", (30, 60))]),
        ("30 < age <= 60", [(">,<=", (30, 60))]),
        ("60 > age >= 30", [(">=,<", (30, 60))]),
        ("60 >= age > 30", [(">,<=", (30, 60))]),
        ("30 <= age <= 60", [(">=", 30), ("<=", 60)]),
        ("30 < age < 60", [(">", 30), ("<", 60)]),
        ("age >= 30 AND age < 60", [(">=", 30), ("<", 60)]),
        ("30 = age", [("=", 30)]),
        ("age not in (3, 1, 3)", [("not in", (1, 3))]),
        ("age IN (1)", [("in", (1,))]),
        ("age is null", [("is null", None)]),
        ("age < -infinity", [("<", float("-inf"))]),
    ],
)
def test_conditions(text: str, conditions: list[Any]) -> None:
    assert parse_conditions(text) == tuple(Condition("age", op, v) for op, v in conditions)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (5e-324, "5e-324"), (1e308, "1e+308"), (-0.0, "-0.0"), (2**60 + 1, "1152921504606846977"),
        (0.1 + 0.2, "0.30000000000000004"), (float("inf"), "INFINITY"),
        (Decimal("1E+2"), "100"), (Decimal("1.50"), "1.50"), ("it's", "'it''s'"), (True, "TRUE"),
        (dt.date(2024, 2, 29), "DATE '2024-02-29'"), (dt.time(13, 5), "TIME '13:05:00'"),
        (dt.datetime(2024, 2, 29, 1, 2, 3, 40), "TIMESTAMP '2024-02-29 01:02:03.000040'"),
        (dt.datetime(2024, 2, 29, tzinfo=dt.UTC), "TIMESTAMPTZ '2024-02-29 00:00:00+00:00'"),
    ],
)  # fmt: skip
def test_values(value: Any, text: str) -> None:
    assert format_value(value) == text
    assert parse_conditions(f"x = {text}")[0].value == value


@pytest.mark.parametrize("name", ["age", "_a1", "Group_", "y"])
def test_plain_names_stay_bare(name: str) -> None:
    assert format_identifier(name) == name


@pytest.mark.parametrize(
    "name", ["", "select", "Default", "1st", "a b", 'a"b', "péage", "date", "if", "a\nb", "x;--"]
)
def test_other_names_are_quoted_and_kept(name: str) -> None:
    assert format_identifier(name)[0] == '"'
    text = format_condition(Condition(name, "=", "v"))
    assert parse_conditions(text) == (Condition(name, "=", "v"),)


def test_texts_that_look_like_something_else() -> None:
    texts = ("", "NULL", " a", "a", "5", "TRUE", "-- no", "x\ny", "a;--", "''", "C:\\new")
    target = Target("y", ColumnType("VARCHAR"), tuple(sorted(texts)))
    rules = tuple(Rule((Condition("s", "=", t),), Outcome(t)) for t in texts)
    rule_list = RuleList(target, (Column("s", ColumnType("VARCHAR")),), rules, Outcome("a"))
    back = parse_rule_list(str(rule_list))
    assert [back.predict({"s": text}) for text in texts] == list(texts)
    assert back.predict({"s": None}) == "a"


def test_values_and_labels_follow_given_types() -> None:
    features = (Column("price", ColumnType("DECIMAL(8,2)")), Column("d", ColumnType("DATE")))
    target = Target("n", ColumnType("INTEGER"), (1, 2))
    rules = parse_rule_list(
        "IF price < 1.10 AND d >= '2024-02-29' THEN 2 ELSE 1", target=target, features=features
    )
    price, date = (condition.value for condition in rules.rules[0].conditions)
    assert (price, date) == (Decimal("1.10"), dt.date(2024, 2, 29))
    assert rules.default.label == 1


@pytest.mark.parametrize(
    ("text", "error", "told"),
    [
        ("", InvalidRuleText, "line 1, column 1: .*ELSE"),
        ("IF a = 1 THEN yes", InvalidRuleText, "line 1, column 18: .*without a default.*ELSE no"),
        ("IF a = 1\nTHEN yes ELSE\nIF b = 1 no", InvalidRuleText, "line 3, column 10: .*THEN"),
        ("IF a = 1 OR b = 1 THEN x ELSE y", InvalidRuleText, "column 10: OR .*one rule for each"),
        ("IF a = basic THEN x ELSE y", InvalidRuleText, "column 8: .*'basic'"),
        ("IF a = NULL THEN x ELSE y", InvalidRuleText, "IS NULL"),
        ("IF a = 'b THEN x ELSE y", InvalidRuleText, "column 8: .*never closed"),
        ("IF a ? 1 THEN x ELSE y", InvalidRuleText, "column 6: unexpected character"),
        ("IF if = 1 THEN x ELSE y", InvalidRuleText, 'column 4: .*double quotes'),
        ("IF a 5 THEN x ELSE y", InvalidRuleText, "column 6: expected a comparison"),
        ("IF a IN 5 THEN x ELSE y", InvalidRuleText, r"column 9: expected \("),
        ("IF a IN (5 6) THEN x ELSE y", InvalidRuleText, r"column 12: expected , or \)"),
        ("IF 1 <= a > 3 THEN x ELSE y", InvalidRuleText, "column 11: .*no interval"),
        ("IF 5 <= a < 5 THEN x ELSE y", InvalidCondition, "line 1, column 9: .*empty"),
        ("IF a = 1 THEN x ELSE y z", InvalidRuleText, "column 24: unexpected 'z'"),
        ("IF a = 1 THEN then ELSE y", InvalidRuleText, "column 15: expected a label"),
        ("IF a = DATE 'soon' THEN x ELSE y", InvalidRuleText, "column 8: 'soon' is no DATE"),
        ("IF a = 1 AND a = 'b' THEN x ELSE y", InvalidRuleText, "'a' is both BIGINT and VARCHAR"),
        ("IF a = 1 THEN 1 ELSE y", InvalidRuleText, "column 22: the label is both"),
        ("IF a = TIMESTAMP '2024-01-01 00:00+01:00' THEN 1 ELSE 2", InvalidRuleText, "TIMESTAMPTZ"),
    ],
)  # fmt: skip
def test_errors_say_where_and_what_to_do(text: str, error: Any, told: str) -> None:
    with pytest.raises(error, match=told) as caught:
        parse_rule_list(text)
    assert "\n" not in str(caught.value)


def test_errors_against_given_columns_and_classes() -> None:
    age = (Column("age", ColumnType("INTEGER")),)
    with pytest.raises(UnknownColumn, match=r"line 2, column 3: 'agee'.*did you mean 'age'"):
        parse_rule_list("IF\n  agee > 1 THEN yes ELSE no", target=YES_NO, features=age)
    with pytest.raises(UnknownClass, match="line 1, column 17: label 'maybe'"):
        parse_rule_list("IF age > 1 THEN maybe ELSE no", target=YES_NO, features=age)
    with pytest.raises(ColumnTypeError, match="line 1, column 10: value 'x'"):
        parse_rule_list("IF age > 'x' THEN yes ELSE no", target=YES_NO, features=age)
