from __future__ import annotations

import math
import pickle
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dbrules.errors import InvalidModel, UnknownColumn
from dbrules.language.column import Column, ColumnType
from dbrules.language.condition import Condition
from dbrules.language.rebind import rebind
from dbrules.language.rule import Outcome, Rule, Target
from dbrules.language.rule_average import RuleAverage
from dbrules.language.rule_list import RuleList

AGE = Column("age", ColumnType("INTEGER"))
CITY = Column("city", ColumnType("VARCHAR"))
UNUSED = Column("unused", ColumnType("DATE"))
TARGET = Target("y", ColumnType("VARCHAR"), ("a", "b", "c"))
OLD = Condition("age", ">=", 60)
OSLO = Condition("city", "=", "Oslo")


def part(*conditions: Condition, shares: Any, default: Any, counts: Any = ()) -> RuleList:
    rules = (Rule(conditions, Outcome("a", shares)),) if conditions else ()
    return RuleList(TARGET, (CITY, UNUSED, AGE), rules, Outcome("b", default, counts))


FIRST = part(OLD, shares=(0.5, 0.25, 0.25), default=(0.0, 0.5, 0.5))
SECOND = part(OSLO, OLD, shares=(0.0, 1.0, 0.0), default=(0.25, 0.25, 0.5))


def test_by_hand() -> None:
    average = RuleAverage((FIRST, SECOND), (0.75, 0.25))
    assert average.used == (CITY, AGE)
    assert average.probabilities({"age": 60, "city": "Oslo"}) == (0.375, 0.4375, 0.1875)
    assert average.probabilities({"age": None, "city": "Oslo"}) == (0.0625, 0.4375, 0.5)
    assert average.predict({"age": 60, "city": "Oslo"}) == "b"
    assert average.predict({"age": None, "city": None}) == "c"
    assert average.capture({"age": 60, "city": None}) == 1
    assert average.showing(SECOND).capture({"age": 60, "city": None}) == 2
    assert average.showing(SECOND).predict({"age": 60, "city": None}) == "a"


def test_the_class_of_larger_count_wins_a_tie_then_the_first() -> None:
    def answer(counts: tuple[int, ...], probability: tuple[float, ...]) -> object:
        first = part(shares=None, default=probability, counts=counts)
        other = part(shares=None, default=probability, counts=(9, 9, 9))
        return RuleAverage((first, other), (0.5, 0.5)).predict({})

    assert answer((1, 2, 3), (0.5, 0.0, 0.5)) == "c"
    assert answer((3, 2, 1), (0.5, 0.0, 0.5)) == "a"
    assert answer((2, 9, 2), (0.5, 0.0, 0.5)) == "a"
    assert answer((0, 0, 0), (0.0, 0.5, 0.5)) == "b"
    assert answer((9, 0, 0), (0.25, math.nextafter(0.375, 1), 0.375)) == "b"


@st.composite
def averages(draw: st.DrawFn, rule_lists: Any) -> RuleAverage:
    first = draw(rule_lists)
    parts = [first]
    for _ in range(draw(st.integers(0, 3))):
        rules = tuple(draw(st.permutations(first.rules)))[: draw(st.integers(0, 4))]
        shares = st.tuples(*(st.floats(0, 1) for _ in first.target.classes))
        rules = tuple(replace(rule, outcome=Outcome(rule.label, draw(shares))) for rule in rules)
        parts.append(replace(first, rules=rules))
    raw = [draw(st.integers(1, 1000)) for _ in parts]
    return RuleAverage(tuple(parts), tuple(weight / sum(raw) for weight in raw))


@settings(max_examples=50, deadline=None)
@given(data=st.data())
def test_probabilities_are_the_weighted_sum_in_order(
    data: Any, rule_lists: Any, values: Any
) -> None:
    average = data.draw(averages(rule_lists))
    row = {c.name: data.draw(st.none() | values[c.type.name]) for c in average.features}
    captured = [p.outcomes[p.capture(row) - 1].probability for p in average.lists]
    for place, probability in enumerate(average.probabilities(row)):
        total = average.weights[0] * captured[0][place]
        for weight, shares in list(zip(average.weights, captured, strict=True))[1:]:
            total = total + weight * shares[place]
        assert probability == total
    found = average.probabilities(row)
    assert found[average.target.index(average.predict(row))] == max(found)
    back = pickle.loads(pickle.dumps(average))
    assert (back, back.predict(row)) == (average, average.predict(row))


def test_rebinding_keeps_the_lists_together() -> None:
    average = RuleAverage((FIRST, part(OSLO, shares=None, default=())), (0.5, 0.5))
    columns = [Column("AGE", ColumnType("DOUBLE")), CITY]
    bound = rebind(average.showing(SECOND), columns)
    assert bound.used == (CITY, columns[0])
    row = {"AGE": 60.5, "city": "Oslo"}
    assert bound.probabilities(row) == average.probabilities({"age": 61, "city": "Oslo"})
    assert bound.capture(row) == 1
    with pytest.raises(UnknownColumn, match="'city' is not in the data"):
        rebind(average, columns[:1])


@pytest.mark.parametrize(
    ("lists", "weights", "message"),
    [
        ((), (), "give one list or more"),
        ((FIRST, SECOND), (1.0,), "a weight for each"),
        ((FIRST, replace(SECOND, features=(AGE, CITY))), (0.5, 0.5), "differ in target or feat"),
        ((FIRST, replace(SECOND, target=replace(TARGET, positive="a"))), (0.5, 0.5), "differ in"),
        ((FIRST, SECOND), (0.5, 0.5 + 1e-8), "weights above 0 that add up to 1"),
        ((FIRST, SECOND), (1.0, 0.0), "weights above 0 that add up to 1"),
        ((FIRST, SECOND), (1.5, -0.5), "weights above 0 that add up to 1"),
        ((FIRST, SECOND), (math.nan, 1.0), "weights above 0 that add up to 1"),
        ((FIRST, SECOND), (math.inf, 1.0), "weights above 0 that add up to 1"),
    ],
)
def test_what_is_no_average_is_refused(lists: Any, weights: Any, message: str) -> None:
    with pytest.raises(InvalidModel, match=message) as caught:
        RuleAverage(lists, weights)
    assert "\n" not in str(caught.value)


def test_weights_may_miss_one_by_rounding() -> None:
    assert RuleAverage((FIRST, SECOND), (0.5, 0.5 + 1e-10)).weights == (0.5, 0.5 + 1e-10)
    assert RuleAverage((FIRST,), (1 + 1e-10,)).weights == (1 + 1e-10,)


def test_what_is_shown_belongs_to_the_lists() -> None:
    with pytest.raises(InvalidModel, match="give all of them the same"):
        RuleAverage((FIRST,), (1,)).showing(replace(SECOND, features=(AGE, CITY)))
