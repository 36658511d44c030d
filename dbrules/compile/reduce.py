"""The optimiser: the shortest flat CASE that gives every row the same answer.

A learned list repeats itself: every bin has both its ends, every float comparison a guard
against NaN, every level of a text column its own branch. A person would write
``CASE WHEN x < 5 THEN 'a' WHEN x < 10 THEN 'b' ELSE 'c' END``, and so does :func:`reduce_rules`.
All steps work on the cells of a column (:class:`dbrules.language.cells.Cells`), so they are
exact, missing values included.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from dbrules.language.cells import Cells
from dbrules.language.column import Column
from dbrules.language.condition import (
    CLOSED_LEFT,
    EQ,
    GE,
    GT,
    IN,
    INTERVALS,
    IS_NOT_NULL,
    IS_NULL,
    LE,
    LT,
    NE,
    NOT_IN,
    NULL_TESTS,
    Condition,
)
from dbrules.language.rule import Rule

Answer = TypeVar("Answer")
_LEVEL_OPS = (EQ, NE, IN, NOT_IN, *NULL_TESTS)  # exact in every collation


@dataclass(frozen=True, slots=True)
class Branch(Generic[Answer]):
    """One WHEN: the disjunction of ``alternatives``, each a conjunction of conditions.

    ``guard`` is False where an earlier branch has taken all missing values, so that float
    comparisons need no test for NaN.
    """

    alternatives: tuple[tuple[Condition, ...], ...]
    answer: Answer
    guard: bool = True


@dataclass(frozen=True, slots=True)
class Reduced(Generic[Answer]):
    """The branches of a CASE and its ELSE."""

    branches: tuple[Branch[Answer], ...]
    otherwise: Answer


def reduce_rules(
    rules: Sequence[Rule],
    answers: Sequence[Answer],
    columns: Mapping[str, Column],
    *,
    nan: bool = True,
) -> Reduced[Answer]:
    """Return the short CASE for the first-match answer of ``rules``.

    ``answers`` holds one value per rule and the default's last; ``columns`` the rules' columns
    by name; ``nan`` says whether the engine's float columns can hold NaN. Equal answers share a
    branch, so the result for labels is shorter than that for rule numbers.

    >>> from dbrules.language.column import ColumnType
    >>> from dbrules.language.rule import Outcome
    >>> bins = [Condition("x", "<", 5), Condition("x", ">=,<", (5, 10)), Condition("x", ">=", 10)]
    >>> rules = [Rule((bin,), Outcome("")) for bin in bins]
    >>> columns = {"x": Column("x", ColumnType("BIGINT"))}
    >>> reduced = reduce_rules(rules, ["a", "b", "c", "c"], columns)
    >>> [(b.alternatives[0][0].op, b.answer) for b in reduced.branches], reduced.otherwise
    ([('<', 'a'), ('<', 'b')], 'c')
    """
    otherwise = answers[-1]
    kept = len(rules)
    while kept and answers[kept - 1] == otherwise:
        kept -= 1
    start = _single_feature_suffix(rules[:kept])
    head = _drop_known_bounds(rules[:start], columns)
    branches = [Branch((c,), a) for c, a in zip(head, answers[:start], strict=True)]
    tail: Reduced[Answer] | None = None
    if start < kept:
        column = columns[rules[start].features[0]]
        tail = _reduce_one_feature(
            rules[start:kept], answers[start:kept], otherwise, column, nan=nan
        )
    if tail is None:
        rest = _drop_known_bounds(rules[:kept], columns)[start:]
        branches += [Branch((c,), a) for c, a in zip(rest, answers[start:kept], strict=True)]
        return Reduced(tuple(branches), otherwise)
    while not tail.branches and branches and branches[-1].answer == tail.otherwise:
        branches.pop()
    return Reduced((*branches, *tail.branches), tail.otherwise)


def _single_feature_suffix(rules: Sequence[Rule]) -> int:
    """Return where the run of rules on the last rule's only feature begins."""
    start = len(rules)
    while start and rules[start - 1].features == rules[-1].features[:1]:
        start -= 1
    return start


def _drop_known_bounds(
    rules: Sequence[Rule], columns: Mapping[str, Column]
) -> list[tuple[Condition, ...]]:
    """Drop the end of an interval that earlier one-condition rules have taken already."""
    by_feature: dict[str, list[Condition]] = {}
    for rule in rules:
        for cond in rule.conditions:
            ends = _ends(cond) if cond.op in INTERVALS else []
            by_feature.setdefault(cond.feature, []).extend((cond, *ends))
    cells = {name: Cells(columns[name], conds) for name, conds in by_feature.items()}
    left = {name: cell.all for name, cell in cells.items()}
    result = []
    for rule in rules:
        shortened = []
        for cond in rule.conditions:
            name = cond.feature
            wanted = cells[name].mask(cond) & left[name]
            if cond.op in INTERVALS and columns[name].type.is_ordered:
                for end in _ends(cond):
                    if cells[name].mask(end) & left[name] == wanted:
                        cond = end
                        break
            shortened.append(cond)
        result.append(tuple(shortened))
        if len(rule.conditions) == 1 and columns[name].type.is_ordered:
            left[name] &= ~cells[name].mask(rule.conditions[0])
    return result


def _ends(cond: Condition) -> list[Condition]:
    low, high = (GE, LT) if cond.op == CLOSED_LEFT else (GT, LE)
    return [
        Condition(cond.feature, high, cond.values[1]),
        Condition(cond.feature, low, cond.values[0]),
    ]


def _reduce_one_feature(
    rules: Sequence[Rule],
    answers: Sequence[Answer],
    otherwise: Answer,
    column: Column,
    *,
    nan: bool,
) -> Reduced[Answer] | None:
    """Return the short form of rules that all read ``column``; None where theirs is shorter."""
    conditions = [cond for rule in rules for cond in rule.conditions]
    levels_only = all(cond.op in _LEVEL_OPS for cond in conditions)
    if not column.type.is_ordered and not levels_only:
        return None  # how text is ordered is the database's affair
    cells = Cells(column, conditions)
    groups: dict[Answer, int] = {}
    left = cells.all
    for rule, answer in zip(rules, answers, strict=True):
        mask = left
        for cond in rule.conditions:
            mask &= cells.mask(cond)
        left &= ~mask
        if mask:
            groups[answer] = groups.get(answer, 0) | mask
    groups[otherwise] = groups.get(otherwise, 0) | left
    levels = _as_levels(groups, otherwise, column, cells)
    if levels is not None:
        return levels
    if not column.type.is_ordered:
        return None
    ladder = _as_ladder(groups, column, cells, nan=nan and column.type.is_float)
    cost = sum(len(c.values) for c in conditions)
    return ladder if len(ladder.branches) <= max(cost, 1) else None


def _as_levels(
    groups: Mapping[Answer, int], otherwise: Answer, column: Column, cells: Cells
) -> Reduced[Answer] | None:
    """Return one list of levels per answer, where every answer but the ELSE has only levels."""
    branches = []
    for answer, mask in groups.items():
        if answer == otherwise:
            continue
        values = cells.points(mask & ~1)
        if values is None:
            return None
        alternatives = []
        if len(values) == 1:
            alternatives.append((Condition(column.name, EQ, values[0]),))
        elif values:
            alternatives.append((Condition(column.name, IN, values),))
        if mask & 1:
            alternatives.append((Condition(column.name, IS_NULL),))
        branches.append(Branch(tuple(alternatives), answer))
    return Reduced(tuple(branches), otherwise)


def _as_ladder(
    groups: Mapping[Answer, int], column: Column, cells: Cells, *, nan: bool
) -> Reduced[Answer]:
    """Return one comparison per step of the column, from its smallest value to its largest."""
    missing = next(answer for answer, mask in groups.items() if mask & 1)
    steps: list[tuple[int, Answer]] = []  # the first cell of each step and its answer
    cell_answers = {
        cell: answer for answer, mask in groups.items() for cell in _bits(mask & cells.all & ~1)
    }
    for cell, answer in sorted(cell_answers.items(), key=lambda item: item[0]):
        if not steps or steps[-1][1] != answer:
            steps.append((cell, answer))
    first, last = steps[0][1], steps[-1][1]

    def below(step: int, *, guard: bool) -> Branch[Answer]:
        cell = steps[step + 1][0]
        op = LE if cell % 2 else LT
        cond = Condition(column.name, op, cells.values[(cell - 1) // 2 - (cell % 2)])
        return Branch(((cond,),), steps[step][1], guard)

    def above(step: int, *, guard: bool) -> Branch[Answer]:
        cell = steps[step][0]
        op = GT if cell % 2 else GE
        cond = Condition(column.name, op, cells.values[(cell - 1) // 2 - (cell % 2)])
        return Branch(((cond,),), steps[step][1], guard)

    # a guard on one comparison is cheaper than a branch for the missing
    if missing == last and (not nan or len(steps) <= 2):
        return Reduced(tuple(below(i, guard=nan) for i in range(len(steps) - 1)), last)
    if missing == first and (not nan or len(steps) <= 2):
        return Reduced(tuple(above(i, guard=nan) for i in range(len(steps) - 1, 0, -1)), first)
    ascending = tuple(below(i, guard=False) for i in range(len(steps) - 1))
    if nan:
        # first, so that no comparison ever sees NaN
        null = Branch(((Condition(column.name, IS_NULL),),), missing)
        return Reduced((null, *ascending), last)
    present = Branch(((Condition(column.name, IS_NOT_NULL),),), last)
    return Reduced((*ascending, present), missing)


def _bits(mask: int) -> list[int]:
    return [place for place, bit in enumerate(reversed(f"{mask:b}")) if bit == "1"]
