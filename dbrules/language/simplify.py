"""Simplify a rule list or set: the same answer for every row, with nothing said twice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, Literal, TypeVar

from dbrules.language.cells import Cells
from dbrules.language.column import Value
from dbrules.language.condition import (
    EQ,
    GE,
    GT,
    IN,
    INTERVALS,
    LE,
    LT,
    NE,
    NOT_IN,
    Condition,
)
from dbrules.language.rule import Rule
from dbrules.language.rule_list import RuleList
from dbrules.language.rule_set import RuleSet
from dbrules.language.write import format_conditions

FindingKind = Literal["merged", "impossible", "duplicate", "unreachable"]
Rules = TypeVar("Rules", bound=RuleList | RuleSet)
_Box = Mapping[str, int]  # the cells of each column that a rule reads


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found about rule ``number`` (1-based) of the original list."""

    number: int
    kind: FindingKind
    message: str


@dataclass(frozen=True, slots=True)
class Simplified(Generic[Rules]):
    """A simplified list or set and what was found on the way, by rule number."""

    rules: Rules
    findings: tuple[Finding, ...]


def simplify(rules: Rules) -> Simplified[Rules]:
    """Merge conditions and drop rules that never answer; predictions stay the same.

    Within a rule, conditions on one column become the fewest that say the same. A rule is
    *impossible* if its conditions contradict, a *duplicate* if an earlier rule has the same
    antecedent, *unreachable* if earlier rules capture every row that it captures: one of them
    alone, or several that differ from it on a single column. (Unions over several columns are
    not searched: a rule they cover is kept.) Only rules that capture no row are dropped, so
    the counts and probabilities of the others stay true. Of a rule set that is resolved by the
    first rule the same is dropped; of any other an impossible rule, if it has no counts, which
    may decide ties: a rule that others cover still votes.

    >>> from dbrules.language.parse import parse_rule_list
    >>> found = simplify(parse_rule_list(
    ...     "IF x < 10 AND x < 5 THEN A IF x < 3 THEN B IF x <= 7 AND x > 7 THEN C ELSE D"))
    >>> print(found.rules)
    IF x < 5 THEN A
    ELSE D
    >>> [(finding.number, finding.kind) for finding in found.findings]
    [(1, 'merged'), (2, 'unreachable'), (3, 'impossible')]
    """
    cells = {
        column.name: Cells(column, [
            condition for rule in rules.rules for condition in rule.conditions
            if condition.feature == column.name
        ])
        for column in rules.used
    }  # fmt: skip
    in_order = isinstance(rules, RuleList) or rules.resolution == "first"
    kept: list[Rule] = []
    findings: list[Finding] = []
    earlier: dict[int, _Box] = {}
    plain: dict[str, int] = {}  # the union of what earlier rules on one column alone capture
    for number, rule in enumerate(rules.rules, start=1):
        box = _box(rule, cells)
        finding = _impossible(number, rule, box)
        if finding is None and in_order:
            if _is_captured(box, earlier, plain, cells):
                finding = _unreachable(number, box, earlier, cells)
            earlier[number] = box
            if len(box) == 1:
                [(name, mask)] = box.items()
                plain[name] = plain.get(name, 0) | mask
        if finding is not None and not in_order and rule.outcome.total:
            kept.append(rule)
        if finding is None:
            conditions = _merged(rule.conditions, cells)
            kept.append(replace(rule, conditions=conditions))
            if conditions != rule.conditions:
                finding = Finding(number, "merged", (
                    f"rule {number}: {format_conditions(rule.conditions)} is "
                    f"{format_conditions(conditions)}"
                ))  # fmt: skip
        if finding is not None:
            findings.append(finding)
    return Simplified(replace(rules, rules=tuple(kept)), tuple(findings))


def _box(rule: Rule, cells: Mapping[str, Cells]) -> _Box:
    box: dict[str, int] = {}
    for condition in rule.conditions:
        column = cells[condition.feature]
        box[condition.feature] = box.get(condition.feature, column.all) & column.mask(condition)
    return box


def _impossible(number: int, rule: Rule, box: _Box) -> Finding | None:
    for name, mask in box.items():
        if not mask:
            told = format_conditions(c for c in rule.conditions if c.feature == name)
            message = f"rule {number} is never true: {told} contradict each other"
            if " AND " not in told:
                message = f"rule {number} is never true: no value makes {told} true"
            return Finding(number, "impossible", message)
    return None


def _is_captured(
    box: _Box, earlier: Mapping[int, _Box], plain: Mapping[str, int], cells: Mapping[str, Cells]
) -> bool:
    """True where earlier rules that differ from ``box`` on at most one column cover it."""
    rest = {name: box.get(name, cells[name].all) & ~plain.get(name, 0) for name in cells}
    for wider in earlier.values():
        if len(wider) > 1:
            outside = _outside(box, wider, cells)
            if not outside:
                return True
            if len(outside) == 1:
                name = outside.pop()
                rest[name] &= ~wider[name]
    return not all(rest.values())


def _unreachable(
    number: int, box: _Box, earlier: Mapping[int, _Box], cells: Mapping[str, Cells]
) -> Finding:
    """Say which earlier rules capture all rows of rule ``number``."""
    for other, wider in earlier.items():
        if not _outside(box, wider, cells):
            if not _outside(wider, box, cells):
                message = f"rule {number} has the same conditions as rule {other}"
                return Finding(number, "duplicate", message)
            message = f"rule {number} is unreachable: rule {other} captures all its rows"
            return Finding(number, "unreachable", message)
    by: list[str] = []
    for name, column in cells.items():
        rest, by = box.get(name, column.all), []
        for other, wider in earlier.items():
            if rest and _outside(box, wider, cells) == {name} and rest & wider[name]:
                rest &= ~wider[name]
                by.append(str(other))
        if not rest:
            break
    message = f"rule {number} is unreachable: rules {', '.join(by)} capture all its rows"
    return Finding(number, "unreachable", message)


def _outside(inner: _Box, outer: _Box, cells: Mapping[str, Cells]) -> set[str]:
    """Return the columns on which ``inner`` holds rows that ``outer`` does not."""
    return {name for name, mask in outer.items() if inner.get(name, cells[name].all) & ~mask}


def _merged(conditions: Iterable[Condition], cells: Mapping[str, Cells]) -> tuple[Condition, ...]:
    by_feature: dict[str, list[Condition]] = {}
    for condition in conditions:
        by_feature.setdefault(condition.feature, []).append(condition)
    merged: list[Condition] = []
    for name, found in by_feature.items():
        merged += found if len(found) == 1 else _merge_column(name, found, cells[name])
    return tuple(merged)


def _merge_column(name: str, conditions: list[Condition], cells: Cells) -> list[Condition]:
    """Return the fewest conditions on one column that hold where all of several hold."""
    parts = _needed([part for condition in conditions for part in _parts(condition)], cells)
    if len(parts) == 1:
        return parts
    total = cells.all
    for part in parts:
        total &= cells.mask(part)
    points = cells.points(total)
    if points is not None:
        return [_level(name, points, EQ, IN)]
    bounds = {part.op: part.value for part in parts if part.op in (LT, LE, GT, GE)}
    merged: list[Condition] = []
    for interval in INTERVALS:
        ops = interval.split(",")
        if len(bounds) == 2 and all(op in bounds for op in ops):
            lower, upper = (bounds.pop(op) for op in ops)
            merged.append(Condition(name, interval, (lower, upper)))  # type: ignore[arg-type]
    merged += [Condition(name, op, value) for op, value in bounds.items()]
    excluded = tuple(value for part in parts if part.op == NE for value in part.values)
    return merged + ([_level(name, excluded, NE, NOT_IN)] if excluded else [])


def _parts(condition: Condition) -> list[Condition]:
    """Split a condition into one per bound or excluded value."""
    name, op, values = condition.feature, condition.op, condition.values
    if op in INTERVALS:
        lower, upper = op.split(",")
        return [Condition(name, lower, values[0]), Condition(name, upper, values[1])]
    if op == NOT_IN:
        return [Condition(name, NE, value) for value in values]
    return [condition]


def _needed(parts: list[Condition], cells: Cells) -> list[Condition]:
    """Drop every part that the others imply."""
    needed = list(parts)
    for part in parts:
        others = list(needed)
        others.remove(part)
        rest = cells.all
        for other in others:
            rest &= cells.mask(other)
        if others and not rest & ~cells.mask(part):
            needed = others
    return needed


def _level(name: str, values: tuple[Value, ...], one: str, several: str) -> Condition:
    value: Any = values if len(values) > 1 else values[0]
    return Condition(name, several if len(values) > 1 else one, value)
