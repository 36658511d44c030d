"""How a falling list prints: the form of the paper, and still text that reads back."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dbrules
from dbrules.falling import Falling
from dbrules.falling_text import falling_text
from dbrules.language.column import Column, ColumnType
from dbrules.language.condition import Condition
from dbrules.language.rule import Rule, Target
from dbrules.language.rule_list import RuleList
from dbrules.training import Training

VARCHAR = ColumnType("VARCHAR")
#: Chen and Rudin (2018), table 2: the rules and counts of their list for w = 1.
HARD = """
    IF poutcome = 'success' AND loan = 'no' THEN yes
    ELSE IF poutcome = 'success' AND marital = 'married' THEN yes
    ELSE IF poutcome = 'success' AND campaign = 1 THEN yes
    ELSE no"""
HARD_COUNTS = [(495, 934), (19, 31), (7, 9), (39401, 4315)]
PROVED = Training(
    rows=45211, objective=0.10696811910818164, lower_bound=0.10696811910818164, proved=True,
    nodes=4711,
)  # fmt: skip


def test_a_hard_list(falling_model):
    model = falling_model(HARD, 1, HARD_COUNTS, training=PROVED)
    assert (
        str(model)
        == """\
-- frl: 45211 rows
-- objective 0.106968, lower bound 0.106968, gap 0 %, 4711 nodes searched: proved optimal
-- risk: probability that y is yes; the answer is yes above 0.5 (positive weight 1)
--                                                             risk     +      −         95 %
IF poutcome = 'success' AND loan = 'no' THEN yes        -- 1  0.6536   934    495  0.629–0.678
ELSE IF poutcome = 'success' AND marital = 'married'
    THEN yes                                            -- 2  0.6200    31     19  0.482–0.741
ELSE IF poutcome = 'success' AND campaign = 1 THEN yes  -- 3  0.5625     9      7  0.332–0.769
-- threshold 0.5: from here on the risk is not above it
ELSE no                                                 -- 4  0.0987  4315  39401  0.096–0.102"""
    )


def test_the_weighted_errors_behind_the_mark_are_the_published_ones(falling_model):
    model = falling_model(HARD, 1, HARD_COUNTS)
    frame = model.to_frame()
    above = frame["above_threshold"]
    assert frame["n_no"][above].sum() + frame["n_yes"][~above].sum() == 4836
    assert (frame["risk"] == frame["empirical"]).all()
    assert (frame["risk"] == frame["p_yes"]).all()
    assert ((frame["lower"] < frame["risk"]) & (frame["risk"] < frame["upper"])).all()


def test_a_soft_list_has_the_share_found_beside_the_falling_risk(falling_model):
    text = "IF a = 1 THEN yes ELSE IF b = 1 THEN yes ELSE IF c = 1 THEN no ELSE no"
    cut = Training(rows=1000, objective=0.25, lower_bound=0.24, proved=False,
                   notes=("stopped after 60 seconds",))  # fmt: skip
    counts = [(10, 40), (5, 45), (250, 50), (400, 200)]
    model = falling_model(text, 3, counts, training=cut)
    assert (
        str(model)
        == """\
-- frl: 1000 rows
-- objective 0.250000, lower bound 0.240000, gap 4.00 %: not proved optimal
-- risk: probability that y is yes; the answer is yes above 0.25 (positive weight 3)
-- stopped after 60 seconds
--                             risk  empirical    +    −         95 %
IF a = 1 THEN yes      -- 1  0.8000     0.8000   40   10  0.670–0.888
ELSE IF b = 1 THEN yes -- 2  0.8000     0.9000   45    5  0.786–0.957
-- threshold 0.25: from here on the risk is not above it
ELSE IF c = 1 THEN no  -- 3  0.1667     0.1667   50  250  0.129–0.213
ELSE no                -- 4  0.1667     0.3333  200  400  0.297–0.372""".replace(" -- ", "  -- ")
    )
    frame = model.to_frame()
    assert list(frame["empirical"]) == [0.8, 0.9, 50 / 300, 200 / 600]
    assert list(frame["risk"]) == [0.8, 0.8, 50 / 300, 50 / 300]
    assert list(frame["above_threshold"]) == [True, True, False, False]


def test_weights_have_their_rows_beside_them(falling_model):
    model = falling_model("IF a = 1 THEN yes ELSE no", 0.5, [(0.25, 9.5), (100, 0.125)], [12, 70])
    assert (
        str(model)
        == """\
-- frl: 82 rows of weight 109.875
-- risk: probability that y is yes; the answer is yes above 0.6667 (positive weight 0.5)
--                        risk      +     −  rows         95 %
IF a = 1 THEN yes  -- 1  0.9744    9.5  0.25    12  0.682–0.999
-- threshold 0.6667: from here on the risk is not above it
ELSE no            -- 2  0.0012  0.125   100    70  0.000–0.039"""
    )


def test_given_intervals_are_those_of_the_risk(falling_model):
    model = falling_model("IF a = 1 THEN yes ELSE no", 1, [(3, 7), (0, 0)])
    given = [((0.1, 0.5), (0.5, 0.9)), ((0.25, 1.0), (0.0, 0.75))]
    assert (
        falling_text(model.rules, model.falling, given)
        == """\
--                        risk  +  −         95 %
IF a = 1 THEN yes  -- 1  0.7000  7  3  0.500–0.900
ELSE yes           -- 2  0.7000  0  0  0.000–0.750
-- threshold 0.5: every risk is above it"""
    )
    with pytest.raises(ValueError, match="zip"):
        falling_text(model.rules, model.falling, given[:1])


@pytest.mark.parametrize(
    ("counts", "label", "last"),
    [
        ([(7, 3)], "no", ["-- threshold 0.5: from here on the risk is not above it",
                          "ELSE no  -- 1  0.3000  3  7  0.108–0.603"]),
        ([(3, 7)], "yes", ["ELSE yes  -- 1  0.7000  7  3  0.397–0.892",
                           "-- threshold 0.5: every risk is above it"]),
        ([(5, 5)], "no", ["-- threshold 0.5: from here on the risk is not above it",
                          "ELSE no  -- 1  0.5000  5  5  0.237–0.763"]),
    ],
)  # fmt: skip
def test_a_default_alone(falling_model, counts, label, last):
    model = falling_model(f"ELSE {label}", 1, counts)
    lines = str(model).splitlines()
    assert lines[-2:] == last
    assert model.rules.predict({}) == label
    assert dbrules.parse_rule_list(str(model)).default.label == label


def test_of_more_classes_all_but_the_positive_one_are_negatives():
    target = Target("y", VARCHAR, ("a", "b", "c"), "b")
    (default,) = Falling().outcomes(target, [(4, 3, 2)])
    model = dbrules.Model(RuleList(target, (), (), default), falling=Falling())
    assert str(model).splitlines()[-1] == "ELSE a  -- 1  0.3333  3  6  0.121–0.646"
    assert list(model.to_frame()["p_c"]) == [2 / 9]


def test_small_risks_show_two_figures(falling_model):
    model = falling_model("IF a = 1 THEN yes ELSE no", 1e4, [(999_900, 100), (9_999_973, 27)])
    first, _, default = str(model).splitlines()[-3:]
    assert first.split()[-5:] == ["1", "0.0001000", "100", "999900", "0.000082–0.000122"]
    assert default.split()[-4:-1] == ["0.0000027", "27", "9999973"]


def test_a_rule_without_rows_has_dashes(falling_model):
    model = falling_model("IF a = 1 THEN yes IF b = 1 THEN yes ELSE no", 1,
                          [(1, 9), (0, 0), (9, 1)])  # fmt: skip
    line = next(line for line in str(model).splitlines() if "b = 1" in line)
    assert line.split("  -- ")[1].split() == ["2", "0.5000", "0", "0", "-"]
    frame = model.to_frame()
    assert frame[["empirical", "lower", "upper"]].iloc[1].isna().all()
    assert frame[["empirical", "lower", "upper"]].dtypes.astype(str).unique().tolist() == [
        "float64"
    ]


def test_a_long_antecedent_keeps_its_numbers_in_sight(falling_model):
    levels = ", ".join(f"'level number {i}'" for i in range(30))
    text = f"IF job IN ({levels}) AND 30 <= age < 60 THEN yes ELSE IF a = 1 THEN yes ELSE no"
    model = falling_model(text, 1, [(1, 9), (2, 8), (9, 1)])
    assert max(map(len, str(model).splitlines())) <= 110
    again = dbrules.parse_rule_list(str(model))
    assert [r.conditions for r in again.rules] == [r.conditions for r in model.rules.rules]


def test_labels_that_the_threshold_does_not_ask_for_are_named(falling_model):
    model = falling_model("IF a = 1 THEN yes ELSE no", 1, [(1, 9), (9, 1)])
    assert "answers" not in str(model)
    kept = replace(model, falling=Falling(99))
    assert "-- rule 2 answers no at a risk above the threshold" in str(kept).splitlines()
    kept = replace(model, falling=Falling(0.01))
    assert "-- rule 1 answers yes at a risk not above the threshold" in str(kept).splitlines()


TEXTS = st.sampled_from(["O'Brien", "x\ny -- z", "a;--", '"', "", " a", "IF", "😀"])
NAMES = st.sampled_from(["age", "a b", 'a"b', "if", "a\nb", "x'); --", ""])
SETS = st.tuples(NAMES, st.lists(TEXTS | st.text(max_size=30), min_size=1, max_size=5))
NUMBERS = st.integers(0, 9) | st.floats(0, 1e6) | st.integers(0, 2**53)


@settings(max_examples=100, deadline=None)
@given(
    antecedents=st.lists(st.lists(SETS, min_size=1, max_size=4), max_size=4),
    labels=st.lists(TEXTS, min_size=2, max_size=2, unique=True),
    data=st.data(),
)
def test_any_falling_list_reads_back(antecedents: Any, labels: Any, data: Any) -> None:
    target = Target("a\nb", VARCHAR, tuple(labels), labels[0])
    counts = [data.draw(st.tuples(NUMBERS, NUMBERS)) for _ in antecedents]
    falling = Falling(data.draw(st.sampled_from([1, 3, 0.1, 1e-6])))
    *outcomes, default = falling.outcomes(target, [*counts, (1, 2)])
    rules = tuple(
        Rule(tuple(Condition(name, "in", values) for name, values in antecedent), outcome)
        for antecedent, outcome in zip(antecedents, outcomes, strict=True)
    )
    names = dict.fromkeys(name for rule in rules for name in rule.features)
    features = tuple(Column(name, VARCHAR) for name in names)
    model = dbrules.Model(RuleList(target, features, rules, default), falling=falling)
    for text in (str(model), falling_text(model.rules, falling)):
        back = dbrules.parse_rule_list(text, target=target, features=features)
        assert [rule.conditions for rule in back.rules] == [rule.conditions for rule in rules]
        assert [o.label for o in back.outcomes] == [o.label for o in model.rules.outcomes]
    assert dbrules.Model.from_json(json.loads(json.dumps(model.to_json()))) == model
