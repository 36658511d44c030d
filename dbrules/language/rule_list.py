"""A rule list: the first rule that covers a row answers, else the default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from dbrules.errors import UnknownColumn, near
from dbrules.language.column import Column, Value
from dbrules.language.rule import Outcome, Rule, Target


@dataclass(frozen=True, slots=True)
class RuleList:
    """Ordered rules that end in a default (policy P7).

    ``features`` are the columns that were open to the rules, with their types; ``used`` are
    those that a rule reads, the only ones needed to score (policy P9).
    """

    target: Target
    features: tuple[Column, ...]
    rules: tuple[Rule, ...]
    default: Outcome

    def __post_init__(self) -> None:
        known = {column.name for column in self.features}
        for rule in self.rules:
            for name in rule.features:
                if name not in known:
                    raise UnknownColumn(
                        f"a rule reads {name!r}, which is not a feature{near(name, known)}"
                    )
        classes = self.target.classes
        rules = tuple(replace(r, outcome=_complete(r.outcome, self.target)) for r in self.rules)
        object.__setattr__(self, "rules", rules)
        object.__setattr__(self, "default", _complete(self.default, self.target))
        assert all(len(outcome.probability) == len(classes) for outcome in self.outcomes)

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The outcome of each rule, the default's last."""
        return (*(rule.outcome for rule in self.rules), self.default)

    @property
    def used(self) -> tuple[Column, ...]:
        """The columns that some rule reads, in feature order."""
        names = {name for rule in self.rules for name in rule.features}
        return tuple(column for column in self.features if column.name in names)

    def capture(self, row: Mapping[str, object]) -> int:
        """Return the number of the rule that answers: 1..k, k + 1 for the default.

        ``row`` needs the used columns only; cells are read by the columns' types.
        """
        typed = {column.name: column.read(row[column.name]) for column in self.used}
        for number, rule in enumerate(self.rules, start=1):
            if rule.covers(typed):
                return number
        return len(self.rules) + 1

    def predict(self, row: Mapping[str, object]) -> Value:
        """Return the label for one row."""
        return self.outcomes[self.capture(row) - 1].label


def _complete(outcome: Outcome, target: Target) -> Outcome:
    """Fill in certainty for a hand-written outcome and check its label and lengths."""
    place = target.index(outcome.label)
    size = len(target.classes)
    probability = outcome.probability or tuple(float(i == place) for i in range(size))
    counts = outcome.counts or (0,) * size
    if len(probability) != size or len(counts) != size:
        raise UnknownColumn(
            f"an outcome needs {size} probabilities and counts, one per class of {target.name!r}"
        )
    return replace(outcome, probability=probability, counts=counts)
