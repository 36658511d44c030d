"""The codes of rows as SQL: one small integer a feature, or several features in one number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from sqlglot import exp

from dbrules.compile.condition import condition
from dbrules.data.coding import Coding
from dbrules.data.scale import Scale
from dbrules.engine.engine import Engine
from dbrules.language.condition import EQ
from dbrules.search.covering.literal import Feature
from dbrules.statistics.scale_code import FEW, looked_up, scale_expression

#: How a feature becomes codes: levels and bins, or values of an ordered column.
Codes: TypeAlias = Coding | Scale

#: A packed number stays below this, within a signed BIGINT.
_PACKED_LIMIT = 1 << 62
_BIGINT = exp.DataType.build("BIGINT")
_BYTE = exp.DataType.build("UTINYINT", dialect="duckdb")
_TWO_BYTES = exp.DataType.build("USMALLINT", dialect="duckdb")


def feature_of(coding: Codes) -> Feature:
    """Return the codes of a feature as sequential covering sees them."""
    if isinstance(coding, Scale):
        return Feature(coding.size, coding.steps, coding.distinct)
    return Feature(coding.size)


def code_expression(coding: Codes, engine: Engine) -> exp.Expr:
    """Return the code of a row as the smallest integer type that holds all of them.

    >>> from dbrules.data.coding import level_coding
    >>> from dbrules.engine.duckdb import DuckDBEngine
    >>> from dbrules.language.column import Column, ColumnType
    >>> coding = level_coding(Column("size", ColumnType("VARCHAR")), ["big"])
    >>> print(code_expression(coding, DuckDBEngine()).sql("duckdb"))
    CAST(CASE WHEN "size" = 'big' THEN 0 ELSE 1 END AS UTINYINT)
    """
    kind = _BYTE if coding.size <= 1 << 8 else _TWO_BYTES
    return exp.Cast(this=_case(coding, engine), to=kind.copy())


@dataclass(frozen=True)
class Packing:
    """The codes of all features in as few BIGINTs as hold them: they group and travel faster.

    ``groups``: the features of each number, in order. The first feature of a number counts most,
    so that the order of the numbers is the lexicographic order of the codes.

    >>> packing = pack([3, 2])
    >>> packing.unpack([np.array([0, 1, 5])]).tolist()
    [[0, 0], [0, 1], [2, 1]]
    """

    sizes: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...]

    def expressions(self, codings: Sequence[Codes], engine: Engine) -> list[exp.Expr]:
        """Return each number as SQL: a sum of codes, each times the sizes that follow it."""

        def term(feature: int, step: int) -> exp.Expr:
            case = _case(codings[feature], engine, step)
            # wide from the first term on: the sum must not overflow
            is_first = any(feature == group[0] for group in self.groups)
            return exp.Cast(this=case, to=_BIGINT.copy()) if is_first else case

        return self._sums(term)

    def of_columns(self) -> list[exp.Expr]:
        """Return each number as SQL over columns ``code_0``, ….

        >>> [number.sql("duckdb") for number in pack([3, 2]).of_columns()]
        ['CAST(code_0 AS BIGINT) * 2 + CAST(code_1 AS BIGINT) * 1']
        """

        def term(feature: int, step: int) -> exp.Expr:
            wide = exp.Cast(this=exp.column(f"code_{feature}"), to=_BIGINT.copy())
            return exp.Mul(this=wide, expression=exp.Literal.number(step))

        return self._sums(term)

    def unpack(self, numbers: Sequence[NDArray[np.int64]]) -> NDArray[np.uint8 | np.uint16]:
        """Return the codes, shape (rows, features), each feature contiguous in memory."""
        dtype = code_dtype(self.sizes)
        codes = np.empty((len(self.sizes), len(numbers[0])), dtype=dtype)
        for group, number in zip(self.groups, numbers, strict=False):
            rest = number
            for feature in reversed(group):
                quotient = rest // self.sizes[feature]
                codes[feature] = rest - quotient * self.sizes[feature]
                rest = quotient
        return codes.T

    def _sums(self, term: Callable[[int, int], exp.Expr]) -> list[exp.Expr]:
        """Return for each number the sum of the terms of its features and their steps."""
        numbers = [
            reduce(
                lambda a, b: exp.Add(this=a, expression=b),
                map(term, group, self._steps(group)),
            )
            for group in self.groups
        ]
        return numbers or [exp.Cast(this=exp.Literal.number(0), to=_BIGINT.copy())]

    def _steps(self, group: tuple[int, ...]) -> list[int]:
        steps, step = [], 1
        for feature in reversed(group):
            steps.append(step)
            step *= self.sizes[feature]
        return steps[::-1]


def pack(sizes: Sequence[int]) -> Packing:
    """Return the packing of features with so many codes each."""
    groups: list[tuple[int, ...]] = []
    product = 1
    for feature, size in enumerate(sizes):
        product *= size
        if not groups or product > _PACKED_LIMIT:
            groups.append(())
            product = size
        groups[-1] = (*groups[-1], feature)
    return Packing(tuple(sizes), tuple(groups))


def code_dtype(sizes: Sequence[int]) -> type[np.uint8 | np.uint16]:
    """Return the smallest type that holds every code."""
    return np.uint8 if max(sizes, default=1) <= 1 << 8 else np.uint16


def _case(coding: Codes, engine: Engine, step: int = 1) -> exp.Expr:
    """Return ``step`` times the code of a row."""
    if isinstance(coding, Scale):
        return scale_expression(coding, engine.dialect, step)
    last = exp.Literal.number(step * len(coding.cells))
    levels = [value for cell in coding.cells if cell.op == EQ for value in cell.values]
    cells = list(enumerate(coding.cells))
    is_list = len(levels) > FEW and coding.column.type.kind == "text"
    if is_list:  # missing, if it has a code, has the one after the levels
        cells = cells[len(levels) :]
    ifs = [
        exp.If(
            this=condition(cell, coding.column, engine.dialect),
            true=exp.Literal.number(step * code),
        )
        for code, cell in cells
    ]
    case = exp.Case(ifs=ifs, default=last) if ifs else last
    return looked_up(coding.column, levels, engine.dialect, case, step) if is_list else case
