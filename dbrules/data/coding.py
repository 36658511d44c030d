"""A feature as codes: each value has one code, and a literal is a set of codes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dbrules.data.literals import interval_conditions, level_condition, missing_condition
from dbrules.errors import InvalidCondition
from dbrules.language.column import Column, Value
from dbrules.language.condition import Condition

#: Codes are stored in at most 16 bits.
MOST_CODES: Final = 1 << 16


@dataclass(frozen=True)
class Coding:
    """How one feature becomes codes.

    ``cells``: disjoint conditions; code i is of the rows that meet ``cells[i]``, and code
    ``len(cells)`` of all other rows (levels too rare for a literal, missing where it is none).
    ``literals``: the conditions that antecedents may use, in canonical order. ``members``: shape
    (literals, cells + 1); entry (i, c) says that literal i holds of code c. No literal holds of
    the last code, and no two hold of the same codes. Raises InvalidCondition where these do not
    fit together.

    >>> from dbrules.language.column import ColumnType
    >>> coding = level_coding(Column("size", ColumnType("VARCHAR")), ["big", "small"])
    >>> coding.size, coding.code("small"), coding.code("medium")
    (3, 1, 2)
    >>> coding.members.astype(int).tolist()
    [[1, 0, 0], [0, 1, 0]]
    """

    column: Column
    cells: tuple[Condition, ...]
    literals: tuple[Condition, ...]
    members: NDArray[np.bool_] = field(compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "cells", tuple(self.cells))
        object.__setattr__(self, "literals", tuple(self.literals))
        members = np.array(self.members, dtype=np.bool_)
        members.flags.writeable = False
        object.__setattr__(self, "members", members)
        self._check()

    @property
    def size(self) -> int:
        """The number of codes."""
        return len(self.cells) + 1

    def code(self, value: object) -> int:
        """Return the code of one cell of the column, None and NaN included.

        Raises ColumnTypeError for a value that is not of the column's type.
        """
        row: Mapping[str, object] = {self.column.name: self.column.read(value)}
        for code, cell in enumerate(self.cells):
            if cell.covers(row):
                return code
        return len(self.cells)

    def _check(self) -> None:
        where = f"coding of {self.column.name!r}"
        for condition in (*self.cells, *self.literals):
            if condition.feature != self.column.name:
                raise InvalidCondition(
                    f"{where}: a condition is on {condition.feature!r}; give its own column's only"
                )
        if self.size > MOST_CODES:
            raise InvalidCondition(
                f"{where}: {self.size} codes, more than {MOST_CODES}; give fewer cells"
            )
        expected = (len(self.literals), self.size)
        if self.members.shape != expected:
            raise InvalidCondition(
                f"{where}: members of shape {self.members.shape}; give {expected}, one row a "
                "literal and one column a code"
            )
        if self.members[:, -1].any() or not self.members.any(axis=1).all():
            raise InvalidCondition(
                f"{where}: a literal holds of the last code or of none; give it cells of its own"
            )
        if len({row.tobytes() for row in self.members}) < len(self.literals):
            raise InvalidCondition(f"{where}: two literals hold of the same codes; give one")


def level_coding(column: Column, levels: Sequence[Value], *, missing: bool = False) -> Coding:
    """Return a code and a literal ``=`` for each of ``levels``, in their order.

    ``missing`` adds a code and a literal for NULL and NaN, after the levels.
    """
    return disjoint_coding(
        column, [level_condition(column.name, level) for level in levels], missing=missing
    )


def interval_coding(
    column: Column, cuts: Sequence[Value], closed: str, *, missing: bool = False
) -> Coding:
    """Return a code and a literal for each interval between ``cuts``, the outer ones open-ended.

    >>> from dbrules.language.column import ColumnType
    >>> coding = interval_coding(Column("age", ColumnType("INTEGER")), [18, 30], "left")
    >>> [coding.code(age) for age in (17, 18, 30, None)]
    [0, 1, 2, 3]
    """
    return disjoint_coding(column, interval_conditions(column.name, cuts, closed), missing=missing)


def disjoint_coding(column: Column, cells: Sequence[Condition], *, missing: bool = False) -> Coding:
    """Return the coding whose literals are its cells."""
    conditions = tuple(cells)
    if missing:
        conditions = (*conditions, missing_condition(column.name))
    members = np.eye(len(conditions), len(conditions) + 1, dtype=np.bool_)
    return Coding(column, conditions, conditions, members)
