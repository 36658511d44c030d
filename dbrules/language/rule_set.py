"""A rule set: unordered rules whose overlaps are resolved by a vote, else the default."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from dbrules.errors import InvalidSetting, near
from dbrules.language.column import Column, Value
from dbrules.language.rule import Outcome, Rule, Target
from dbrules.language.rule_list import typed_outcome, typed_row, typed_rules, used_columns
from dbrules.language.write import format_rule_list

#: How rules that cover one row and disagree are resolved.
RESOLUTIONS: Final = ("first", "majority", "weighted", "best")


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Unordered rules, a default and the resolution of overlaps.

    ``first``: the first rule that covers the row; ``majority``: the label with most rules;
    ``weighted``: the label whose rules have the largest total quality; ``best``: the rule of
    highest quality. A rule's quality is its own probability of the label it predicts. Equal
    labels: larger total count over all outcomes, then class order (policy P5). A row that no
    rule covers gets the default. Source: decision sets in sequential covering, unordered mode
    (Clark and Boswell 1991, EWSL, section 3).

    Raises what RuleList raises, and InvalidSetting for an unknown resolution.
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

    @property
    def used(self) -> tuple[Column, ...]:
        """The columns that some rule reads, in feature order."""
        return used_columns(self.rules, self.features)

    def captures(self, row: Mapping[str, object]) -> tuple[int, ...]:
        """Return the numbers (1..k) of all rules that cover ``row``, ascending."""
        typed = typed_row(row, self.used)
        return tuple(
            number for number, rule in enumerate(self.rules, start=1) if rule.covers(typed)
        )

    def quality(self, number: int) -> float:
        """Return the quality of rule ``number`` (1..k): its probability of its own label."""
        outcome = self.rules[number - 1].outcome
        return outcome.probability[self.target.index(outcome.label)]

    def predict(self, row: Mapping[str, object]) -> Value:
        """Return the label for one row, overlaps resolved."""
        numbers = self.captures(row)
        if not numbers:
            return self.default.label
        if self.resolution == "first":
            return self.rules[numbers[0] - 1].label
        votes: dict[int, list[float]] = {}
        for number in numbers:
            place = self.target.index(self.rules[number - 1].label)
            votes.setdefault(place, []).append(self.quality(number))
        totals = {p: math.fsum(outcome.counts[p] for outcome in self.outcomes) for p in votes}
        place = max(votes, key=lambda p: (self._score(votes[p]), totals[p], -p))
        return self.target.classes[place]

    def _score(self, qualities: list[float]) -> float:
        if self.resolution == "majority":
            return len(qualities)
        # fsum: the same sum for any order of the rules, so that a tie is a tie
        return math.fsum(qualities) if self.resolution == "weighted" else max(qualities)
