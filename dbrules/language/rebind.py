"""Rules for the table at hand: same conditions, that table's names and types."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeVar, overload

from dbrules.errors import ColumnTypeError, UnknownColumn, near
from dbrules.language.answers import Answers
from dbrules.language.column import Column, ColumnType, Value
from dbrules.language.condition import Condition
from dbrules.language.rule_average import RuleAverage
from dbrules.language.rule_list import RuleList
from dbrules.language.rule_set import RuleSet

_NUMBERS = frozenset(("integer", "decimal", "real", "double"))
_DAYS = frozenset(("date", "timestamp"))
_Rules = TypeVar("_Rules", bound=RuleList | RuleSet)


@overload
def rebind(answers: RuleList, columns: Iterable[Column]) -> RuleList: ...


@overload
def rebind(answers: RuleSet, columns: Iterable[Column]) -> RuleSet: ...


@overload
def rebind(answers: RuleAverage, columns: Iterable[Column]) -> RuleAverage: ...


@overload
def rebind(answers: Answers, columns: Iterable[Column]) -> Answers: ...


def rebind(answers: Answers, columns: Iterable[Column]) -> Answers:
    """Return a list, set or average with the used columns as ``columns`` name and type them.

    Only used columns are needed (policy P9); any numeric type serves for another, and a
    timestamp for a date. Raises UnknownColumn or ColumnTypeError, before anything is run.
    """
    available = list(columns)
    bound = {column.name: _match(column, available) for column in answers.used}
    names = {column.name for column in bound.values()}
    unused = [c for c in answers.features if c.name not in bound and c.name not in names]
    features = (*bound.values(), *unused)
    if isinstance(answers, RuleAverage):
        return replace(
            answers,
            lists=tuple(_rebound(part, bound, features) for part in answers.lists),
            shown=None if answers.shown is None else _rebound(answers.shown, bound, features),
        )
    return _rebound(answers, bound, features)


def _rebound(answers: _Rules, bound: Mapping[str, Column], features: tuple[Column, ...]) -> _Rules:
    rules = tuple(
        replace(
            rule,
            conditions=tuple(
                _retype(condition, bound[condition.feature]) for condition in rule.conditions
            ),
        )
        for rule in answers.rules
    )
    return replace(answers, rules=rules, features=features)


def _match(wanted: Column, available: list[Column]) -> Column:
    exact = [column for column in available if column.name == wanted.name]
    folded = [c for c in available if c.name.casefold() == wanted.name.casefold()]
    found = exact or (folded if len(folded) == 1 else [])
    if not found:
        raise UnknownColumn(
            f"column {wanted.name!r} is not in the data to score"
            f"{near(wanted.name, [column.name for column in available])}; a rule reads it"
        )
    column = found[0]
    kinds = {wanted.type.kind, column.type.kind}
    if len(kinds) > 1 and not kinds <= _NUMBERS and not kinds <= _DAYS:
        raise ColumnTypeError(
            f"column {column.name!r}: {wanted.type.name} wanted, {column.type.name} found; "
            "cast it in the query"
        )
    return replace(column, trim=wanted.trim)


def _retype(condition: Condition, column: Column) -> Condition:
    values = tuple(_value(value, column.type) for value in condition.values)
    if not values:
        return replace(condition, feature=column.name)
    value = values if isinstance(condition.value, tuple) else values[0]
    return replace(condition, feature=column.name, value=value)


def _value(value: Value, column_type: ColumnType) -> Value:
    coerced = column_type.coerce(value)
    assert coerced is not None
    return coerced
