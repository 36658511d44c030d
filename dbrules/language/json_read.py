"""Read the parts of a model document, naming the place of whatever is wrong with it."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable
from typing import Any, TypeVar

from dbrules.errors import DbrulesError, InvalidModel
from dbrules.language.column import Column, ColumnType, Value
from dbrules.language.condition import INTERVALS, NULL_TESTS, OPS, SETS, Condition
from dbrules.language.rule import Outcome, Rule, Target

_T = TypeVar("_T")
_JSON_NAMES: dict[type, str] = {
    dict: "an object", list: "a list", str: "a text", int: "a whole number", bool: "true or false"
}  # fmt: skip
_REMEDY = "correct the file or save the model again"


def read_parts(
    document: object, kind: str
) -> tuple[Target, tuple[Column, ...], tuple[Rule, ...], Outcome]:
    """Return target, features, rules and default of a model document of ``kind``.

    Raises InvalidModel, naming the place, where something is missing or of the wrong kind.
    """
    model = _checked(document, dict, "the model")
    if model.get("kind") != kind:
        raise InvalidModel(f"kind: expected {kind!r}, found {model.get('kind')!r}; {_REMEDY}")
    target = _target(member(model, "target", dict, ""))
    features = tuple(
        _column(_checked(item, dict, f"features[{i}]"), f"features[{i}]")
        for i, item in enumerate(member(model, "features", list, ""))
    )
    return target, features, *read_rules(model, target, features, "")


def read_rules(
    document: dict[str, Any], target: Target, features: Iterable[Column], where: str
) -> tuple[tuple[Rule, ...], Outcome]:
    """Return the members ``rules`` and ``else`` of a document that stands at ``where``."""
    prefix = f"{where}." if where else ""
    types = {column.name: column.type for column in features}
    rules = tuple(
        _rule(_checked(item, dict, f"{prefix}rules[{i}]"), f"{prefix}rules[{i}]", target, types)
        for i, item in enumerate(member(document, "rules", list, where))
    )
    return rules, _outcome(member(document, "else", dict, where), f"{prefix}else", target)


def label_keys(target: Target) -> list[str]:
    """Return each class as an object key: its text, or its JSON text (true, 1, 0.5)."""
    labels = [target.class_type.to_json(label) for label in target.classes]
    return [label if isinstance(label, str) else json.dumps(label) for label in labels]


def _checked(value: object, kind: type[_T], where: str) -> _T:
    # bool is an int to Python, not to JSON
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        found = type(value).__name__ if value is not None else "null"
        raise InvalidModel(f"{where}: expected {_JSON_NAMES[kind]}, found {found}; {_REMEDY}")
    return value


def member(document: dict[str, Any], key: str, kind: type[_T], where: str) -> _T:
    """Return ``document[key]``, which must be there and of ``kind``."""
    path = f"{where}.{key}" if where else key
    if key not in document:
        raise InvalidModel(f"{path}: missing; {_REMEDY}")
    return _checked(document[key], kind, path)


def _value(column_type: ColumnType, value: object, where: str) -> Value:
    if not isinstance(value, (bool, int, float, str)):
        raise InvalidModel(f"{where}: expected a {column_type.kind} value, found {value!r}")
    if column_type.kind == "text" and not isinstance(value, str):
        raise InvalidModel(f"{where}: expected a text, found {value!r}; {_REMEDY}")
    try:
        typed = column_type.coerce(value)
    except DbrulesError as error:
        raise InvalidModel(f"{where}: {error}") from None
    if typed is None:
        raise InvalidModel(f'{where}: NaN is no value; use the op "is null" for missing')
    return typed


def _values(column_type: ColumnType, items: Iterable[object], where: str) -> tuple[Value, ...]:
    return tuple(_value(column_type, item, f"{where}[{i}]") for i, item in enumerate(items))


def _target(document: dict[str, Any]) -> Target:
    name = member(document, "name", str, "target")
    column_type = ColumnType(member(document, "type", str, "target"))
    cuts: tuple[Value, ...] = ()
    closed = "left"
    if "cuts" in document:
        cuts = _values(column_type, member(document, "cuts", list, "target"), "target.cuts")
        closed = member(document, "closed", str, "target")
        if closed not in ("left", "right"):
            raise InvalidModel(f"target.closed: {closed!r} is unknown; use left or right")
    target = Target(name, column_type, (), cuts=cuts, closed=closed)
    label_type = target.class_type
    classes = _values(label_type, member(document, "classes", list, "target"), "target.classes")
    if not classes or len(set(classes)) < len(classes):
        raise InvalidModel("target.classes: empty or a class twice; list each class once")
    target = Target(name, column_type, classes, cuts=cuts, closed=closed)
    positive = document.get("positive")
    if positive is None:
        return target
    label = _label(target, positive, "target.positive")
    return Target(name, column_type, classes, label, cuts, closed)


def _label(target: Target, value: object, where: str) -> Value:
    label = _value(target.class_type, value, where)
    try:
        return target.classes[target.index(label)]
    except DbrulesError as error:
        raise InvalidModel(f"{where}: {error}") from None


def _column(document: dict[str, Any], where: str) -> Column:
    trim = member(document, "trim", bool, where) if "trim" in document else False
    column_type = ColumnType(member(document, "type", str, where))
    return Column(member(document, "name", str, where), column_type, trim)


def _rule(
    document: dict[str, Any], where: str, target: Target, types: dict[str, ColumnType]
) -> Rule:
    conditions = tuple(
        read_condition(_checked(item, dict, f"{where}.if[{i}]"), f"{where}.if[{i}]", types)
        for i, item in enumerate(member(document, "if", list, where))
    )
    if not conditions:
        raise InvalidModel(f"{where}.if: empty; a rule needs a condition")
    return Rule(conditions, _outcome(document, where, target))


def read_condition(document: dict[str, Any], where: str, types: dict[str, ColumnType]) -> Condition:
    """Return a condition on a column of ``types``; InvalidModel names the place of an error."""
    feature = member(document, "feature", str, where)
    op = member(document, "op", str, where)
    if feature not in types:
        raise InvalidModel(f"{where}.feature: {feature!r} is not among the features; {_REMEDY}")
    if op not in OPS:
        raise InvalidModel(f"{where}.op: unknown operator {op!r}; use one of {', '.join(OPS)}")
    column_type = types[feature]
    value: Value | tuple[Value, ...] | None = None
    if op in SETS or op in INTERVALS:
        value = _values(column_type, member(document, "value", list, where), f"{where}.value")
    elif op not in NULL_TESTS:
        value = _value(column_type, document.get("value"), f"{where}.value")
    elif document.get("value") is not None:
        raise InvalidModel(f"{where}.value: {op} takes no value; leave it out")
    try:
        return Condition(feature, op, value)
    except DbrulesError as error:
        raise InvalidModel(f"{where}: {error}") from None


def _outcome(document: dict[str, Any], where: str, target: Target) -> Outcome:
    if "then" not in document:
        raise InvalidModel(f"{where}.then: missing; {_REMEDY}")
    label = _label(target, document["then"], f"{where}.then")
    probability = _per_class(document, "probability", where, target, most=1.0)
    counts = _per_class(document, "counts", where, target, most=math.inf)
    rows = member(document, "rows", int, where) if "rows" in document else None
    return Outcome(label, tuple(float(p) for p in probability), counts, rows)


def _per_class(
    document: dict[str, Any], key: str, where: str, target: Target, *, most: float
) -> tuple[int | float, ...]:
    numbers = member(document, key, dict, where)
    keys = label_keys(target)
    if set(numbers) != set(keys):
        raise InvalidModel(
            f"{where}.{key}: has {sorted(numbers)}, the classes are {keys}; give one number each"
        )
    for name, number in numbers.items():
        known = isinstance(number, (int, float)) and not isinstance(number, bool)
        if not known or not 0 <= number <= min(most, sys.float_info.max):
            raise InvalidModel(
                f"{where}.{key}.{name}: {number!r} is no number from 0 to {most:g}; {_REMEDY}"
            )
    return tuple(numbers[name] for name in keys)
