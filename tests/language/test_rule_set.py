from __future__ import annotations

import pytest

from dbrules.errors import InvalidSetting
from dbrules.language.column import Column, ColumnType
from dbrules.language.condition import Condition
from dbrules.language.rule import Outcome, Rule, Target
from dbrules.language.rule_set import RESOLUTIONS, RuleSet

TARGET = Target("y", ColumnType("VARCHAR"), ("a", "b", "c"))
X = Column("x", ColumnType("BIGINT"))


def rule(below: int, label: str, share: float, counts: tuple[int, ...] = ()) -> Rule:
    place = TARGET.index(label)
    rest = (1 - share) / 2
    probability = tuple(share if i == place else rest for i in range(3))
    return Rule((Condition("x", "<", below),), Outcome(label, probability, counts))


def rule_set(resolution: str, *rules: Rule) -> RuleSet:
    return RuleSet(TARGET, (X,), rules, Outcome("c"), resolution)


# x = 0 meets all four, x = 15 the last two
RULES = (rule(5, "b", 0.6), rule(5, "a", 0.95), rule(20, "b", 0.5), rule(20, "c", 0.55))


@pytest.mark.parametrize(
    ("resolution", "answers"),
    [
        ("first", ("b", "b", "c")),
        ("majority", ("b", "b", "c")),
        ("weighted", ("b", "c", "c")),
        ("best", ("a", "c", "c")),
    ],
)
def test_overlaps_are_resolved(resolution: str, answers: tuple[str, ...]) -> None:
    found = rule_set(resolution, *RULES)
    assert tuple(found.predict({"x": x}) for x in (0, 15, 99)) == answers


def test_captures_names_every_rule_that_covers() -> None:
    found = rule_set("majority", *RULES)
    assert [found.captures({"x": x}) for x in (0, 15, 99, None)] == [(1, 2, 3, 4), (3, 4), (), ()]
    assert found.quality(2) == 0.95


@pytest.mark.parametrize("resolution", ["majority", "weighted", "best"])
def test_ties_go_to_the_class_with_more_rows_then_to_class_order(resolution: str) -> None:
    even = rule_set(resolution, rule(5, "b", 0.7), rule(5, "a", 0.7))
    assert even.predict({"x": 0}) == "a"
    more = rule_set(resolution, rule(5, "a", 0.7, (3, 0, 0)), rule(5, "b", 0.7, (0, 4, 0)))
    assert more.predict({"x": 0}) == "b"


@pytest.mark.parametrize("resolution", RESOLUTIONS[1:])
def test_votes_do_not_depend_on_the_order_of_rules(resolution: str) -> None:
    rules = [rule(5, label, share) for share in (0.1, 0.2, 0.3) for label in "ab"]
    one, other = rule_set(resolution, *rules), rule_set(resolution, *reversed(rules))
    assert one.predict({"x": 0}) == other.predict({"x": 0}) == "a"


@pytest.mark.parametrize("resolution", RESOLUTIONS)
def test_a_row_that_no_rule_covers_gets_the_default(resolution: str) -> None:
    assert rule_set(resolution, *RULES).predict({"x": None}) == "c"
    assert rule_set(resolution).predict({}) == "c"


def test_a_vote_is_told_by_its_voters() -> None:
    for resolution in ("majority", "weighted"):
        found = rule_set(resolution, *RULES, rule(20, "b", 0.6))
        # 1, 3 and 5 vote for b; 1 and 5 are the best of them
        answer = found.resolve(found.captures({"x": 0}))
        assert (answer.number, answer.place) == (1, 1)
        total = 0.6 + 0.5 + 0.6
        rest = (1 - 0.6) / 2 + (1 - 0.5) / 2 + (1 - 0.6) / 2
        assert answer.probability == (rest / 3, total / 3, rest / 3)
        assert found.capture({"x": 15}) == 5
        assert found.probabilities({"x": None}) == (0, 0, 1)
        assert found.capture({"x": None}) == 6


def test_equal_weights_tie_whatever_way_they_add_up() -> None:
    assert 0.1 + 0.2 + 0.3 != 0.6  # so that sums of doubles would decide here
    small = [rule(5, "b", share) for share in (0.1, 0.2, 0.3)]
    found = rule_set("weighted", *small, rule(5, "a", 0.6))
    assert [found.vote(n) for n in (1, 2, 3, 4)] == [100_000, 200_000, 300_000, 600_000]
    assert found.predict({"x": 0}) == "a"
    third = rule_set("weighted", rule(5, "b", 1 / 3), rule(5, "a", 1 / 3 + 1e-12))
    assert third.vote(1) == third.vote(2)


def test_a_rule_that_covers_has_a_vote_even_without_quality() -> None:
    found = rule_set("weighted", rule(5, "a", 0.0))
    assert (found.vote(1), found.predict({"x": 0}), found.capture({"x": 0})) == (1, "a", 1)


@pytest.mark.parametrize("resolution", ["first", "best"])
def test_an_ordered_set_is_a_list(resolution: str) -> None:
    found = rule_set(resolution, *RULES)
    ordered, numbers = found.first_match()
    assert numbers == ((1, 2, 3, 4) if resolution == "first" else (2, 1, 4, 3))
    for x in (0, 15, 99, None):
        place = ordered.capture({"x": x})
        assert found.predict({"x": x}) == ordered.predict({"x": x})
        assert found.capture({"x": x}) == (*numbers, 5)[place - 1]


def test_the_text_names_the_resolution() -> None:
    assert str(rule_set("best", Rule((Condition("x", "<", 5),), Outcome("a")))) == (
        "-- rule set, overlaps resolved by: best\nIF x < 5 THEN a\nELSE c"
    )


def test_an_unknown_resolution_is_refused() -> None:
    with pytest.raises(InvalidSetting, match="did you mean 'majority'"):
        rule_set("majorty")
