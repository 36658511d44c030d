"""A rule set: rules that may overlap, a resolution of their overlaps, else the default."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from dbrules.errors import InvalidSetting, near
from dbrules.language.column import Column, Value
from dbrules.language.listing import format_rule_list
from dbrules.language.rule import Outcome, Rule, Target
from dbrules.language.rule_list import (
    RuleList,
    typed_outcome,
    typed_row,
    typed_rules,
    used_columns,
)

#: How rules that cover one row and disagree are resolved.
RESOLUTIONS: Final = ("first", "majority", "weighted", "best")
#: The resolutions by which a label can win that no single rule decides.
VOTES: Final = ("majority", "weighted")
#: A vote by weight is the quality of a rule in these parts of 1, rounded: whole numbers add up to
#: the same in every order and on every engine, so that equal votes are a tie.
MILLIONTHS: Final = 1_000_000


class Answer(NamedTuple):
    """What a rule set says of a row: the rule's number, the label's place, all probabilities."""

    number: int
    place: int
    probability: tuple[float, ...]


@dataclass(frozen=True)
class RuleSet:
    """Rules that may overlap, a default and the resolution of overlaps.

    ``first``: the first rule that covers the row answers. ``best``: the rule of highest quality
    does, which is a rule's own probability of the label it predicts. ``majority``: each rule that
    covers the row has one vote for its label. ``weighted``: it has its quality in millionths,
    rounded, and one at the least. The label of most votes is predicted, with the mean of the
    probabilities of the rules that voted for it; the number is that of the best of them. Equal
    labels: larger total count over all outcomes, then class order (policy P5); equal rules: the
    first. A row that no rule covers gets the default.

    The counts of a rule's outcome are of all rows it covers, those of the default of the rows
    that no rule covers. A mean adds the doubles in the order of the rules and divides once, so
    that SQL which does the same gives the same bits.

    Raises what RuleList raises, and InvalidSetting for an unknown resolution. Source: Clark and
    Boswell (1991), EWSL, section 3 (unordered rules); Lakkaraju, Bach and Leskovec (2016), KDD,
    section 3.1 (decision sets).

    >>> from dbrules.language.parse import parse_rule_set
    >>> text = "IF age >= 60 THEN yes IF income > 9.5 THEN no IF age < 90 THEN no ELSE yes"
    >>> rules = parse_rule_set(text, resolution="majority")
    >>> rules.captures({"age": 61, "income": 10.0}), rules.predict({"age": 61, "income": 10.0})
    ((1, 2, 3), 'no')
    """

    target: Target
    features: tuple[Column, ...]
    rules: tuple[Rule, ...]
    default: Outcome
    resolution: str = "first"

    def __post_init__(self) -> None:
        if self.resolution not in RESOLUTIONS:
            raise InvalidSetting(
                f"unknown resolution {self.resolution!r}{near(str(self.resolution), RESOLUTIONS)}; "
                f"use one of {', '.join(RESOLUTIONS)}"
            )
        object.__setattr__(self, "features", tuple(self.features))
        object.__setattr__(self, "rules", typed_rules(self.rules, self.features, self.target))
        object.__setattr__(self, "default", typed_outcome(self.default, self.target))

    def __str__(self) -> str:
        return format_rule_list(self)

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The outcome of each rule, the default's last."""
        return (*(rule.outcome for rule in self.rules), self.default)

    @cached_property
    def used(self) -> tuple[Column, ...]:
        """The columns that some rule reads, in feature order."""
        return used_columns(self.rules, self.features)

    @cached_property
    def tie_order(self) -> tuple[int, ...]:
        """The places of the classes; of those that tie, the one that comes first here answers."""
        totals = [
            math.fsum(outcome.counts[place] for outcome in self.outcomes)
            for place in range(len(self.target.classes))
        ]
        return tuple(sorted(range(len(totals)), key=lambda place: (-totals[place], place)))

    @cached_property
    def by_quality(self) -> tuple[int, ...]:
        """The numbers of the rules, the best first; equal ones by label and then number."""
        rank = {place: rank for rank, place in enumerate(self.tie_order)}
        return tuple(
            sorted(
                range(1, len(self.rules) + 1),
                key=lambda n: (-self.quality(n), rank[self.place(n)], n),
            )
        )

    def place(self, number: int) -> int:
        """Return the place of the label of rule ``number`` (1..k) in the class order."""
        return self._places[number - 1]

    def quality(self, number: int) -> float:
        """Return the quality of rule ``number`` (1..k): its probability of its own label."""
        return self.rules[number - 1].outcome.probability[self.place(number)]

    def vote(self, number: int) -> int:
        """Return how much rule ``number`` (1..k) counts for its label where rules vote.

        >>> from dbrules.language.parse import parse_rule_set
        >>> parse_rule_set("IF a = 1 THEN x ELSE y", resolution="weighted").vote(1)
        1000000
        """
        if self.resolution != "weighted":
            return 1
        return max(1, round(self.quality(number) * MILLIONTHS))

    def voters(self, place: int) -> tuple[int, ...]:
        """Return the numbers of the rules that predict the class at ``place``, ascending."""
        return tuple(n for n, found in enumerate(self._places, start=1) if found == place)

    def first_match(self) -> tuple[RuleList, tuple[int, ...]]:
        """Return the list that answers as the set does, and its rules' numbers in the set.

        InvalidSetting where rules vote: no list answers as they do.
        """
        if self.resolution in VOTES:
            raise InvalidSetting(
                f"rules that are resolved by {self.resolution} have no list that answers the "
                "same: use the set itself, or resolution first or best"
            )
        numbers = tuple(range(1, len(self.rules) + 1))
        if self.resolution == "best":
            numbers = self.by_quality
        rules = tuple(self.rules[number - 1] for number in numbers)
        return RuleList(self.target, self.features, rules, self.default), numbers

    def captures(self, row: Mapping[str, object]) -> tuple[int, ...]:
        """Return the numbers (1..k) of all rules that cover ``row``, ascending.

        ``row`` needs the used columns only; cells are read by the columns' types.
        """
        typed = typed_row(row, self.used)
        return tuple(
            number for number, rule in enumerate(self.rules, start=1) if rule.covers(typed)
        )

    def resolve(self, numbers: Sequence[int]) -> Answer:
        """Return the answer for a row that the rules ``numbers``, ascending, cover."""
        if not numbers:
            place = self.target.index(self.default.label)
            return Answer(len(self.rules) + 1, place, self.default.probability)
        if self.resolution not in VOTES:
            ranked = self.resolution == "best"
            number = min(numbers, key=self._rank.__getitem__) if ranked else numbers[0]
            return Answer(number, self.place(number), self.outcomes[number - 1].probability)
        votes = dict.fromkeys(self.tie_order, 0)
        for number in numbers:
            votes[self.place(number)] += self.vote(number)
        place = max(votes, key=votes.__getitem__)  # the first in order of those that tie
        voters = [number for number in numbers if self.place(number) == place]
        sums: list[float] = []
        for number in voters:
            # not sum(): newer Pythons compensate its rounding, databases do not
            shares = self.rules[number - 1].outcome.probability
            sums = [a + b for a, b in zip(sums, shares, strict=True)] if sums else list(shares)
        mean = tuple(total / len(voters) for total in sums)
        return Answer(min(voters, key=self._rank.__getitem__), place, mean)

    def capture(self, row: Mapping[str, object]) -> int:
        """Return the number of the rule that answers: 1..k, k + 1 for the default."""
        return self.resolve(self.captures(row)).number

    def probabilities(self, row: Mapping[str, object]) -> tuple[float, ...]:
        """Return the probability of each class, in class order."""
        return self.resolve(self.captures(row)).probability

    def predict(self, row: Mapping[str, object]) -> Value:
        """Return the label for one row, overlaps resolved."""
        return self.target.classes[self.resolve(self.captures(row)).place]

    @cached_property
    def _places(self) -> tuple[int, ...]:
        return tuple(self.target.index(rule.label) for rule in self.rules)

    @cached_property
    def _rank(self) -> dict[int, int]:
        return {number: rank for rank, number in enumerate(self.by_quality)}
