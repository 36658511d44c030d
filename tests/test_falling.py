"""Falling probabilities, labels at the threshold, and models that carry them."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dbrules
from dbrules.errors import InvalidModel, InvalidSetting
from dbrules.falling import Falling, falling_probabilities
from dbrules.language.column import ColumnType
from dbrules.language.rule import Target

YES = Target("y", ColumnType("VARCHAR"), ("no", "yes"), "yes")
COUNTS = st.lists(
    st.tuples(st.integers(0, 6) | st.integers(0, 10**15), st.integers(0, 6)), min_size=1, max_size=8
).filter(lambda rows: any(map(sum, rows)))


@given(counts=COUNTS)
def test_probabilities_fall_and_are_the_least_share_so_far(counts):
    found = falling_probabilities(counts, 1)
    risks = [risk for _, risk in found]
    assert risks == sorted(risks, reverse=True)
    assert all(math.isclose(no + yes, 1) and 0 <= yes <= 1 for no, yes in found)
    shares = [Fraction(yes, no + yes) if no + yes else None for no, yes in counts]
    for place, (share, risk) in enumerate(zip(shares, risks, strict=True)):
        if share is not None:
            assert risk == min(float(s) for s in shares[: place + 1] if s is not None)


@given(counts=COUNTS)
def test_a_rule_without_rows_moves_no_other(counts):
    counted = [row for row in counts if sum(row)]
    found = falling_probabilities(counts, 1)
    kept = [answer for answer, row in zip(found, counts, strict=True) if sum(row)]
    assert kept == falling_probabilities(counted, 1)


@pytest.mark.parametrize(
    ("counts", "risks"),
    [
        ([(1, 3), (0, 0), (3, 1)], [0.75, 0.5, 0.25]),  # the share of all, 0.5
        ([(1, 3), (0, 0), (2, 3), (90, 1)], [0.75, 0.6, 0.6, 1 / 91]),  # no lower than the next
        ([(0, 0), (9, 1)], [0.1, 0.1]),
        ([(9, 1), (0, 0), (1, 9)], [0.1, 0.1, 0.1]),  # no higher than the one before
        ([(0, 2), (0, 0), (0, 0)], [1.0, 1.0, 1.0]),
        ([(2, 0), (0, 2)], [0.0, 0.0]),
    ],
)
def test_a_rule_without_rows_has_the_share_of_all_as_far_as_that_falls(counts, risks):
    assert [risk for _, risk in falling_probabilities(counts, 1)] == risks


def test_other_classes_share_the_rest_as_among_the_rows_of_the_rule():
    first, second, third = falling_probabilities([(4, 2, 2), (1, 6, 3), (8, 0, 0)], 0)
    assert first == (0.5, 0.25, 0.25)
    assert second == (0.1, 0.6, 0.3)
    # only positives here: the rest as among all rows, 8 to 5
    assert third == pytest.approx((0.1, 0.9 * 8 / 13, 0.9 * 5 / 13))


WEIGHTS = st.integers(1, 50) | st.decimals("0.001", 50, places=3).map(float)
UNITS = st.integers(0, 10**12).map(lambda n: n / 1000)


@given(weight=WEIGHTS, positives=UNITS, negatives=UNITS)
def test_the_threshold_is_exact(weight, positives, negatives):
    w, p, n = (Fraction(str(number)) for number in (weight, positives, negatives))
    assert Falling(weight).is_above(positives, negatives) == (w * p > n)


@pytest.mark.parametrize(("weight", "hits"), [(0.1, 10), (2, 0.3), (1 / 3, 3), (7, 1)])
def test_a_risk_at_the_threshold_is_not_above_it(weight, hits):
    misses = {0.1: 1, 2: 0.6, 1 / 3: 1, 7: 7}[weight]
    at, below = Falling(weight).outcomes(YES, [(misses, hits), (1, 0)])
    # the float nearest to 1/3 is less than 1/3, and three times it less than 1
    assert at.label == "no"
    above, _ = Falling(weight).outcomes(YES, [(misses, hits + 0.001), (1, 0)])
    assert (above.label, below.label) == ("yes", "no")


def test_outcomes_have_plain_numbers_and_falling_answers():
    counts = np.array([[1, 9], [30, 10], [20, 20], [0, 5]])
    outcomes = Falling(2).outcomes(YES, counts, np.array([5, 20, 20, 2]))
    assert [o.label for o in outcomes] == ["yes", "no", "no", "no"]
    assert [o.counts for o in outcomes] == [(1, 9), (30, 10), (20, 20), (0, 5)]
    assert [o.rows for o in outcomes] == [5, 20, 20, 2]
    assert [o.probability[1] for o in outcomes] == [0.9, 0.25, 0.25, 0.25]
    for o in outcomes:
        assert {type(n) for n in (*o.counts, o.rows)} == {int}
        assert {type(p) for p in o.probability} == {float}
    json.dumps([o.counts for o in outcomes])


def test_below_the_threshold_the_commonest_other_class_answers():
    target = Target("y", ColumnType("VARCHAR"), ("a", "b", "c"), "b")
    outcomes = Falling().outcomes(target, [(1, 8, 2), (1, 4, 3), (4, 1, 4), (2, 0, 0)])
    assert [o.label for o in outcomes] == ["b", "c", "c", "a"]
    # 2 and 2 in the rule, 2 and 2 in all: class order
    assert Falling().outcomes(target, [(2, 0, 2)])[0].label == "a"


@pytest.mark.parametrize("weight", [0, -1, math.nan, math.inf, True, "3", None])
def test_a_weight_that_is_none(weight):
    with pytest.raises(InvalidSetting, match="positive_weight"):
        Falling(weight)


def test_a_model_that_does_not_fall_is_refused(falling_model):
    model = falling_model("IF x = 1 THEN yes ELSE no", 1, [(1, 9), (5, 5)])
    first, default = model.rules.outcomes
    (rule,) = model.rules.rules
    swapped = replace(model.rules, rules=(replace(rule, outcome=default),), default=first)
    with pytest.raises(InvalidModel, match=r"rises at rule 2, from 0\.5 to 0\.9: recount"):
        replace(model, rules=swapped)
    document = replace(model, rules=swapped, falling=None).to_json()
    with pytest.raises(InvalidModel, match=r"^m\.json: the risk .* rises at rule 2"):
        dbrules.Model.from_json(document | {"falling": {"positive_weight": 1}}, "m.json")
    with pytest.raises(InvalidModel, match="needs a positive class and target 'y' has none"):
        replace(model, rules=dbrules.parse_rule_list("ELSE no"))


@pytest.mark.parametrize(
    "falling", [[], 3, {}, {"positive_weight": "3"}, {"positive_weight": 0}, {"threshold": 0.5}]
)
def test_a_file_whose_description_is_broken(falling_model, falling):
    model = falling_model("IF x = 1 THEN yes ELSE no", 1, [(1, 9), (5, 5)])
    with pytest.raises(InvalidModel, match=r"^m\.json: falling"):
        dbrules.Model.from_json(model.to_json() | {"falling": falling}, "m.json")


@pytest.mark.parametrize("weight", [1, 7, 0.1, 2.5])
def test_json_reads_back(falling_model, tmp_path, weight):
    model = falling_model("IF x = 1 THEN yes ELSE no", weight, [(1, 9.5), (50, 5)], [10, 60])
    assert model.to_json()["falling"] == {"positive_weight": weight}
    path = tmp_path / "m.json"
    model.save(path)
    loaded = dbrules.load(path)
    assert loaded == model
    assert (loaded.falling, str(loaded)) == (Falling(weight), str(model))
    loaded.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == path.read_bytes()
    assert replace(model, falling=None) != model
