"""Read rules, lists and sets from text; :mod:`dbrules.language.grammar` states the grammar."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from dbrules.errors import (
    ColumnTypeError,
    InvalidCondition,
    InvalidRuleText,
    UnknownClass,
    UnknownColumn,
    near,
)
from dbrules.language.column import Column, ColumnType, Value
from dbrules.language.condition import INTERVALS, SETS, Condition, sort_key
from dbrules.language.grammar import Literal, Number, ParsedCondition, ParsedRules, Parser
from dbrules.language.listing import RESOLVED_BY
from dbrules.language.rule import Outcome, Rule, Target
from dbrules.language.rule_list import RuleList
from dbrules.language.rule_set import RuleSet
from dbrules.language.tokens import place


def parse_rule_list(
    text: str, *, target: Target | None = None, features: Iterable[Column] = ()
) -> RuleList:
    """Read a rule list, as :func:`~dbrules.language.listing.format_rule_list` prints it.

    Without ``target`` the target is called ``y`` and its classes are the labels found, sorted;
    for an edited model give ``target=model.rules.target, features=model.rules.features``.
    Without ``features`` the columns are those of the rules, in order, their types told by their
    values; with ``features`` values are read by the columns' types. Counts and probabilities
    stand in comments and are not read: every label gets probability 1. ELSE before a further IF
    may be left out; a comment above the rules that says how overlaps are resolved, as a printed
    set has it, is an error: as a list its rules would answer otherwise.

    Raises InvalidRuleText, UnknownColumn, UnknownClass, ColumnTypeError or InvalidCondition,
    each with the line and column.

    >>> rules = parse_rule_list("IF 30 <= age < 60 THEN no ELSE yes")
    >>> rules.predict({"age": 45}), rules.features[0].type.name, rules.target.classes
    ('no', 'BIGINT', ('no', 'yes'))
    """
    of_set = _resolution(text)
    if of_set is not None:
        raise InvalidRuleText(
            f"{place(text, of_set[0])}: the comment says that this is a rule set; read it by "
            "parse_rule_set, or delete the comment to read it as a list"
        )
    return RuleList(*_resolve(text, Parser(text).rules(), target, tuple(features)))


def parse_rule_set(
    text: str,
    *,
    target: Target | None = None,
    features: Iterable[Column] = (),
    resolution: str | None = None,
) -> RuleSet:
    r"""Read rules that may overlap; like :func:`parse_rule_list`, with their resolution.

    Without ``resolution`` it is the one that the comments above the rules name, as a printed set
    or model has them, else ``first``.

    >>> parse_rule_set("IF a = 1 THEN x\nIF b = 1 THEN y\nELSE y").captures({"a": 1, "b": 1})
    (1, 2)
    >>> parse_rule_set("-- rule set, overlaps resolved by: best\nELSE y").resolution
    'best'
    """
    if resolution is None:
        _, resolution = _resolution(text) or (0, "first")
    resolved = _resolve(text, Parser(text).rules(), target, tuple(features))
    return RuleSet(*resolved, resolution=resolution)


def _resolution(text: str) -> tuple[int, str] | None:
    """Return where a comment above the rules names a resolution, and which; None if none does."""
    start = 0
    for line in text.split("\n"):
        comment = line.strip()
        if comment and not comment.startswith("--"):
            break
        if comment.startswith(f"-- {RESOLVED_BY}"):
            return start + line.index("--"), comment.removeprefix(f"-- {RESOLVED_BY}")
        start += len(line) + 1
    return None


def parse_conditions(text: str, features: Iterable[Column] = ()) -> tuple[Condition, ...]:
    """Read conditions joined by AND; ``30 <= age < 60`` is one condition.

    >>> parse_conditions("age >= 30 AND 5 < size <= 9")[1]
    Condition(feature='size', op='>,<=', value=(5, 9))
    """
    raw = Parser(text).only_conditions()
    columns = tuple(features) or _inferred_columns(text, raw)
    return _typed_conditions(text, raw, columns)


def _resolve(
    text: str, parsed: ParsedRules, target: Target | None, features: tuple[Column, ...]
) -> tuple[Target, tuple[Column, ...], tuple[Rule, ...], Outcome]:
    if target is None:
        label_type = _inferred_type(text, "the label", parsed.labels)
        labels = {_typed(text, label_type, label) for label in parsed.labels}
        classes = tuple(sorted(labels, key=sort_key))
        positive = classes[1] if len(classes) == 2 else None  # as a fit has it
        target = Target("y", label_type, classes, positive)
    if not features:
        features = _inferred_columns(text, [c for rule, _ in parsed.rules for c in rule])
    rules = tuple(
        Rule(_typed_conditions(text, conditions, features), _outcome(text, target, label))
        for conditions, label in parsed.rules
    )
    return target, features, rules, _outcome(text, target, parsed.default)


def _outcome(text: str, target: Target, label: Literal) -> Outcome:
    value = _typed(text, target.class_type, label)
    try:
        return Outcome(target.classes[target.index(value)])
    except UnknownClass as error:
        raise UnknownClass(f"{place(text, label.start)}: {error}") from None


def _typed_conditions(
    text: str, raw: Iterable[ParsedCondition], features: tuple[Column, ...]
) -> tuple[Condition, ...]:
    columns = {column.name: column for column in features}
    conditions = []
    for condition in raw:
        token = condition.feature
        if token.text not in columns:
            raise UnknownColumn(
                f"{place(text, token.start)}: {token.text!r} is not a feature"
                f"{near(token.text, columns)}; correct the name or add the column"
            )
        column_type = columns[token.text].type
        values = tuple(_typed(text, column_type, literal) for literal in condition.literals)
        try:
            several = condition.op in SETS or condition.op in INTERVALS
            value = values if several else next(iter(values), None)
            conditions.append(Condition(token.text, condition.op, value))
        except InvalidCondition as error:
            raise InvalidCondition(f"{place(text, token.start)}: {error}") from None
    return tuple(conditions)


def _typed(text: str, column_type: ColumnType, literal: Literal) -> Value:
    value = literal.value
    try:
        typed = column_type.coerce(str(value) if isinstance(value, Number) else value)
    except ColumnTypeError as error:
        raise ColumnTypeError(f"{place(text, literal.start)}: {error}") from None
    assert typed is not None  # no literal is missing
    return typed


def _inferred_columns(text: str, raw: Iterable[ParsedCondition]) -> tuple[Column, ...]:
    literals: dict[str, list[Literal]] = {}
    for condition in raw:
        literals.setdefault(condition.feature.text, []).extend(condition.literals)
    return tuple(
        Column(name, _inferred_type(text, f"column {name!r}", found))
        for name, found in literals.items()
    )


def _inferred_type(text: str, what: str, literals: Iterable[Literal]) -> ColumnType:
    """Return the narrowest type that holds all values; VARCHAR where there are none."""
    names: dict[str, int] = {}
    for literal in literals:
        names.setdefault(_type_name(literal.value), literal.start)
    if len(names) > 1 and set(names) <= {"BIGINT", "HUGEINT", "DOUBLE"}:
        return ColumnType("DOUBLE" if "DOUBLE" in names else "HUGEINT")
    if len(names) > 1:
        raise InvalidRuleText(
            f"{place(text, max(names.values()))}: {what} is both {' and '.join(sorted(names))}; "
            "write all its values in one way"
        )
    return ColumnType(next(iter(names), "VARCHAR"))


def _type_name(value: Value | Number) -> str:
    if isinstance(value, Number):
        number = value.untyped()
        if isinstance(number, float):
            return "DOUBLE"
        return "BIGINT" if -(2**63) <= number < 2**63 else "HUGEINT"
    if isinstance(value, bool):
        return "BOOLEAN"
    if isinstance(value, float):
        return "DOUBLE"
    if isinstance(value, dt.datetime):
        return "TIMESTAMP" if value.tzinfo is None else "TIMESTAMP WITH TIME ZONE"
    return {dt.date: "DATE", dt.time: "TIME"}.get(type(value), "VARCHAR")
