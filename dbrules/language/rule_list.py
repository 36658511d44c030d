"""A rule list: the first rule that covers a row answers, else the default."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from dbrules.errors import InvalidData, InvalidModel, UnknownColumn, near
from dbrules.language.column import Column, Value
from dbrules.language.listing import format_rule_list
from dbrules.language.rule import Outcome, Rule, Target


@dataclass(frozen=True, slots=True)
class RuleList:
    """Ordered rules that end in a default (policy P7).

    ``features`` are the columns that were open to the rules, with their types; ``used`` are
    those that a rule reads, the only ones needed to score (policy P9). Condition values and
    labels are stored as values of their columns' types. ``str`` gives the text form.
    """

    target: Target
    features: tuple[Column, ...]
    rules: tuple[Rule, ...]
    default: Outcome

    def __post_init__(self) -> None:
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

    def capture(self, row: Mapping[str, object]) -> int:
        """Return the number of the rule that answers: 1..k, k + 1 for the default.

        ``row`` needs the used columns only; cells are read by the columns' types.
        """
        typed = typed_row(row, self.used)
        for number, rule in enumerate(self.rules, start=1):
            if rule.covers(typed):
                return number
        return len(self.rules) + 1

    def predict(self, row: Mapping[str, object]) -> Value:
        """Return the label for one row."""
        return self.outcomes[self.capture(row) - 1].label


def used_columns(rules: Iterable[Rule], features: Iterable[Column]) -> tuple[Column, ...]:
    """Return the columns that some rule reads, in feature order."""
    names = {name for rule in rules for name in rule.features}
    return tuple(column for column in features if column.name in names)


def typed_row(row: Mapping[str, object], columns: Iterable[Column]) -> dict[str, Value | None]:
    """Read the cells of ``columns``; UnknownColumn where the row lacks one."""
    typed = {}
    for column in columns:
        if column.name not in row:
            raise UnknownColumn(
                f"the row has no value for {column.name!r}{near(column.name, row)}; "
                "give None where it is missing"
            )
        typed[column.name] = column.read(row[column.name])
    return typed


def typed_rules(
    rules: Iterable[Rule], features: tuple[Column, ...], target: Target
) -> tuple[Rule, ...]:
    """Return ``rules`` with values and labels of the columns' types, outcomes completed.

    Raises UnknownColumn for a condition on no feature, InvalidData for two features of one
    name, ColumnTypeError for a value of the wrong type and UnknownClass for a foreign label.
    """
    columns = {column.name: column for column in features}
    if len(columns) < len(features):
        names = [column.name for column in features]
        twice = next(name for name in names if names.count(name) > 1)
        raise InvalidData(f"feature {twice!r} is listed twice; give each column its own name")
    typed = []
    for number, rule in enumerate(rules, start=1):
        for name in rule.features:
            if name not in columns:
                raise UnknownColumn(
                    f"rule {number} reads {name!r}, which is not a feature{near(name, columns)}; "
                    "add it to the features or correct the name"
                )
        conditions = tuple(c.typed(columns[c.feature]) for c in rule.conditions)
        outcome = typed_outcome(rule.outcome, target)
        typed.append(Rule(conditions, outcome))
    return tuple(typed)


def typed_outcome(outcome: Outcome, target: Target) -> Outcome:
    """Fill in certainty for a hand-written outcome and check its label and lengths."""
    place = target.index(outcome.label)
    size = len(target.classes)
    probability = outcome.probability or tuple(float(i == place) for i in range(size))
    counts = outcome.counts or (0,) * size
    if len(probability) != size or len(counts) != size:
        raise InvalidModel(
            f"an outcome {outcome.label!r} has {len(probability)} probabilities and "
            f"{len(counts)} counts; give {size} of each, one per class of {target.name!r}"
        )
    return Outcome(target.classes[place], probability, counts, outcome.rows)
