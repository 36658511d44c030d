"""Conditions on one column as sets of cells: exact set algebra on bit masks.

All values that conditions name on a column cut it into finitely many cells: missing, each
named value, and the open gaps between them. A condition is true on whole cells, so implication,
contradiction and union are ``&``, ``|`` and ``~`` of integers with one bit a cell.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from dbrules.language.column import Column, Value
from dbrules.language.condition import Condition, sort_key


class Cells:
    """The cells of one column for all conditions that will be asked about.

    Bit 0 is missing, bit 2i + 1 the gap below the i-th value, bit 2i + 2 that value itself and
    the last bit the gap above all values.

    >>> from dbrules.language.column import ColumnType
    >>> low, high = Condition("x", "<", 3), Condition("x", ">=", 3)
    >>> cells = Cells(Column("x", ColumnType("BIGINT")), [low, high])
    >>> cells.mask(low) & cells.mask(high), cells.mask(low) | cells.mask(high) | 1 == cells.all
    (0, True)
    """

    def __init__(self, column: Column, conditions: Iterable[Condition]) -> None:
        values = {value for condition in conditions for value in condition.values}
        if column.type.kind == "boolean":
            values |= {False, True}
        self.values: tuple[Value, ...] = tuple(sorted(values, key=sort_key))
        self._place = {value: place for place, value in enumerate(self.values)}
        self.all = (1 << (2 * len(self.values) + 2)) - 1
        for gap in range(len(self.values) + 1):
            if self._is_empty(gap, column):
                self.all &= ~(1 << (2 * gap + 1))

    def _is_empty(self, gap: int, column: Column) -> bool:
        """True where no value can lie in the gap: beyond infinity, below "", beside booleans."""
        if column.type.kind == "boolean":
            return True
        if gap == 0:
            return self.values[:1] in ((-math.inf,), ("",))
        return gap == len(self.values) and self.values[-1] == math.inf

    def mask(self, condition: Condition) -> int:
        """Return the cells on which ``condition`` is true."""
        op, values = condition.op, condition.values
        if op == "is null":
            return 1
        bits = self.all & ~1
        if op == "is not null":
            return bits
        if op in ("=", "in"):
            return self._points(values) & bits
        if op in ("<>", "not in"):
            return bits & ~self._points(values)
        if op in (">", ">=", ">=,<", ">,<="):
            bits &= self._above(values[0], closed=op.startswith(">="))
        if op in ("<", "<=", ">=,<", ">,<="):
            bits &= ~self._above(values[-1], closed=not op.endswith("="))
        return bits

    def points(self, mask: int) -> tuple[Value, ...] | None:
        """Return the values of ``mask`` if it holds nothing but single values, else None."""
        found = tuple(v for i, v in enumerate(self.values) if mask >> (2 * i + 2) & 1)
        return found if mask == self._points(found) else None

    def _points(self, values: Iterable[Value]) -> int:
        bits = 0
        for value in values:
            bits |= 1 << (2 * self._place[value] + 2)
        return bits

    def _above(self, value: Value, *, closed: bool) -> int:
        lowest = 2 * self._place[value] + (2 if closed else 3)
        return self.all >> lowest << lowest
