"""What a model keeps of a posterior: JSON, frames, the lines above a printed list."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbrules.errors import InvalidModel
from dbrules.language.column import Column, ColumnType
from dbrules.language.condition import Condition
from dbrules.language.listing import format_rule_list
from dbrules.language.parse import parse_rule_list
from dbrules.posterior import Posterior, PosteriorList
from dbrules.posterior_text import posterior_lines

RULES = parse_rule_list("IF age >= 60 AND job = 'a' THEN yes ELSE IF price < 1.5 THEN yes ELSE no")
FEATURES = (
    Column("age", ColumnType("BIGINT")),
    Column("job", ColumnType("VARCHAR")),
    Column("price", ColumnType("DECIMAL(6,2)")),
    Column("x", ColumnType("DOUBLE")),
)
OLD = (Condition("age", ">=", 60), Condition("job", "=", "a"))
CHEAP = (Condition("price", "<", Decimal("1.5")),)
ALL = (Condition("x", ">=,<", (-math.inf, 0.1 + 0.2)), Condition("job", "in", ("b", "c")))
KEPT = Posterior(
    draws=20000, chains=4, r_hat=1.0034, effective_sample_size=812.4, log_posterior=-123.45678,
    intervals=(((0.1, 0.3), (0.7, 0.9)), ((0.4, 0.6), (0.4, 0.6)), ((0.95, 1.0), (0.0, 0.05))),
    lists=(PosteriorList((OLD, CHEAP), 0.3), PosteriorList((ALL,), 0.25), PosteriorList((), 0.1)),
    inclusion=((OLD, 0.7), (CHEAP, 0.35), (ALL, 0.25)),
)  # fmt: skip


def through_json(posterior: Posterior) -> Posterior | None:
    text = json.dumps(posterior.to_json(FEATURES), allow_nan=False)
    return Posterior.from_json(json.loads(text), "the file", FEATURES)


@pytest.mark.parametrize(
    "posterior",
    [
        KEPT,
        replace(KEPT, r_hat=math.inf),
        replace(KEPT, r_hat=None, effective_sample_size=None, log_posterior=None, draws=0),
        replace(KEPT, lists=(), inclusion=(), intervals=()),
    ],
)
def test_it_reads_back_from_json(posterior):
    assert through_json(posterior) == posterior
    assert Posterior.from_json(None, "the file", FEATURES) is None


SHARES = st.lists(st.floats(0, 1), max_size=5).map(lambda found: sorted(found, reverse=True))


@given(st.floats(-1e300, 1e300), st.floats(0, 1e300), SHARES, st.floats(0, 1), st.data())
def test_numbers_read_back_to_the_bit(log_posterior, ratio, shares, end, data: Any):
    antecedents = [data.draw(st.sampled_from([OLD, CHEAP, ALL])) for _ in shares]
    posterior = replace(
        KEPT, log_posterior=log_posterior, r_hat=ratio, intervals=(((0.0, end), (end, 1.0)),),
        inclusion=tuple(zip(antecedents, shares, strict=True)),
        lists=tuple(PosteriorList((a,), p / 5) for a, p in zip(antecedents, shares, strict=True)),
    )  # fmt: skip
    assert through_json(posterior) == posterior


def changed(path, value):
    """Return the document of KEPT with another value at a path, or without it."""
    document = json.loads(json.dumps(KEPT.to_json(FEATURES)))
    place = document
    for key in path[:-1]:
        place = place[key]
    if value is KeyError:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return document


@pytest.mark.parametrize(
    ("path", "value", "place"),
    [
        *(((key,), KeyError, f"posterior.{key}") for key in KEPT.to_json(FEATURES)),
        (("draws",), 1.5, "posterior.draws"),
        (("draws",), -1, "posterior.draws"),
        (("chains",), 0, "posterior.chains"),
        (("r_hat",), "1.0", "posterior.r_hat"),
        (("r_hat",), math.nan, "posterior.r_hat"),
        (("effective_sample_size",), math.inf, "posterior.effective_sample_size"),
        (("effective_sample_size",), True, "posterior.effective_sample_size"),
        (("log_posterior",), -math.inf, "posterior.log_posterior"),
        (("log_posterior",), 10**400, "posterior.log_posterior"),
        (("intervals",), {}, "posterior.intervals"),
        (("intervals", 1), 3, r"posterior.intervals\[1\]"),
        (("intervals", 1, 0), [0.1], r"posterior.intervals\[1\]\[0\]"),
        (("intervals", 1, 0, 1), "a", r"posterior.intervals\[1\]\[0\]"),
        (("intervals", 1, 0), [0.2, 0.1], "posterior.intervals"),
        (("intervals", 1, 0), [0.2, 1.1], "posterior.intervals"),
        (("lists", 0), [], r"posterior.lists\[0\]"),
        (("lists", 0, "probability"), KeyError, r"posterior.lists\[0\].probability"),
        (("lists", 0, "probability"), 0.2, "posterior.lists"),
        (("lists", 0, "probability"), 0.9, "posterior.lists"),
        (("lists", 0, "rules"), KeyError, r"posterior.lists\[0\].rules"),
        (("lists", 0, "rules", 1), [], r"posterior.lists\[0\].rules\[1\]"),
        (("lists", 0, "rules", 1, 0), 3, r"posterior.lists\[0\].rules\[1\]\[0\]"),
        (
            ("lists", 0, "rules", 1, 0, "feature"),
            "y",
            r"posterior.lists\[0\].rules\[1\]\[0\].feature",
        ),
        (("inclusion", 2), None, r"posterior.inclusion\[2\]"),
        (("inclusion", 2, "probability"), 0.5, "posterior.inclusion"),
        (("inclusion", 2, "if", 0, "op"), "~", r"posterior.inclusion\[2\].if\[0\].op"),
        (("inclusion", 0, "if", 0, "value"), "old", r"posterior.inclusion\[0\].if\[0\].value"),
    ],
)
def test_what_does_not_fit_is_refused_by_its_place(path, value, place):
    with pytest.raises(InvalidModel, match=rf"^the file: {place}: "):
        Posterior.from_json(changed(path, value), "the file", FEATURES)


def test_what_is_no_posterior_is_refused():
    with pytest.raises(InvalidModel, match=r"the file: posterior: expected an object"):
        Posterior.from_json([], "the file", FEATURES)


def test_intervals_must_be_those_of_the_list():
    KEPT.refuse_misfit(RULES)
    few = replace(KEPT, intervals=KEPT.intervals[1:])
    narrow = replace(KEPT, intervals=(*KEPT.intervals[:2], KEPT.intervals[2][:1]))
    for wrong in (few, narrow):
        with pytest.raises(InvalidModel, match=r"the file: posterior.intervals: there must be 3"):
            wrong.refuse_misfit(RULES, "the file")
        with pytest.raises(InvalidModel, match=r"the model: posterior.intervals: .* of 2 classes"):
            wrong.intervals_frame(RULES)


def test_the_frames():
    lists = KEPT.lists_frame()
    assert lists.to_dict("list") == {
        "probability": [0.3, 0.25, 0.1],
        "length": [2, 1, 0],
        "list": [
            "IF age >= 60 AND job = 'a', ELSE IF price < 1.5, ELSE",
            "IF -INFINITY <= x < 0.30000000000000004 AND job IN ('b', 'c'), ELSE",
            "ELSE",
        ],
    }
    assert KEPT.inclusion_frame().to_dict("list") == {
        "antecedent": [
            "age >= 60 AND job = 'a'", "price < 1.5",
            "-INFINITY <= x < 0.30000000000000004 AND job IN ('b', 'c')",
        ],
        "probability": [0.7, 0.35, 0.25],
    }  # fmt: skip
    intervals = KEPT.intervals_frame(RULES)
    classes = list(RULES.target.classes)
    assert list(intervals["rule"]) == [1, 1, 2, 2, 3, 3]
    assert list(intervals["class"]) == classes * 3
    assert list(intervals["antecedent"][::2]) == ["age >= 60 AND job = 'a'", "price < 1.5", "ELSE"]
    assert list(intervals["probability"]) == [p for o in RULES.outcomes for p in o.probability]
    ends = [end for row in KEPT.intervals for end in row]
    assert list(zip(intervals["lower"], intervals["upper"], strict=True)) == ends


def test_frames_of_a_posterior_without_lists_have_their_columns():
    empty = replace(KEPT, lists=(), inclusion=())
    assert list(empty.lists_frame().columns) == ["probability", "length", "list"]
    assert list(empty.inclusion_frame().columns) == ["antecedent", "probability"]


def test_a_list_is_known_by_its_antecedents_in_any_order_within_one():
    assert KEPT.probability_of(RULES) == 0.3
    text = "IF job = 'a' AND age >= 60 THEN no ELSE IF price < 1.5 THEN no ELSE no"
    turned = parse_rule_list(text)
    assert KEPT.probability_of(turned) == 0.3
    assert KEPT.probability_of(replace(RULES, rules=RULES.rules[::-1])) is None
    assert KEPT.probability_of(replace(RULES, rules=())) == 0.1


CHAINS = "posterior: 20000 draws of 4 chains, R-hat 1.003, effective sample size 812"
SHOWN = "the list shown has probability 0.3 of the posterior (log posterior -123.4568)"


@pytest.mark.parametrize(
    ("change", "chains", "lists"),
    [
        ({}, CHAINS, f"{SHOWN}; 2 lists make up half of it"),
        ({"lists": KEPT.lists[:1]}, CHAINS,
         f"{SHOWN}; the 1 list kept makes up 0.3"),
        ({"lists": KEPT.lists[1:], "log_posterior": None}, CHAINS,
         "the list shown was improved beyond those drawn: it is not among the 2 lists kept; "
         "the 2 lists kept make up 0.35"),
        ({"lists": (PosteriorList((OLD, CHEAP), 0.99991),), "log_posterior": None}, CHAINS,
         "the list shown has probability 0.9999 of the posterior; 1 list makes up half of it"),
        ({"r_hat": 1.25, "chains": 1, "effective_sample_size": None},
         "posterior: 20000 draws of 1 chain, R-hat 1.250 (above 1.1: the chains do not agree, "
         "give more iterations)", f"{SHOWN}; 2 lists make up half of it"),
        ({"r_hat": math.inf, "effective_sample_size": 4.0},
         "posterior: 20000 draws of 4 chains, R-hat infinite (above 1.1: the chains do not agree, "
         "give more iterations), effective sample size 4", f"{SHOWN}; 2 lists make up half of it"),
        ({"draws": 0, "r_hat": None, "effective_sample_size": None, "lists": ()},
         "posterior: 0 draws of 4 chains",
         "the list shown was improved beyond those drawn: it is not among the 0 lists kept "
         "(log posterior -123.4568)"),
    ],
)  # fmt: skip
def test_the_lines_of_a_printed_model(change, chains, lists):
    found = posterior_lines(replace(KEPT, **change), RULES)
    assert found == [chains, lists, "95 %: credible intervals of the probabilities"]


def test_credible_intervals_take_the_place_of_the_others():
    lines = format_rule_list(RULES, intervals=KEPT.intervals).splitlines()
    place = RULES.target.index("yes")
    for line, row, label in zip(lines, KEPT.intervals, (place, place, 1 - place), strict=True):
        lower, upper = row[label]
        assert line.endswith(f"95 % from {lower:.3g} to {upper:.3g}")
    assert parse_rule_list("\n".join(lines)).rules == RULES.rules
