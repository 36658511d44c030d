"""An ordered column as codes in value order: a threshold can stand between any two."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dbrules.data.coding import MOST_CODES
from dbrules.data.literals import missing_condition
from dbrules.data.ordinal import representable, to_value
from dbrules.errors import InvalidSetting
from dbrules.language.column import Column, Value
from dbrules.language.condition import EQ, GE, IS_NOT_NULL, LE, Condition


@dataclass(frozen=True, eq=False)
class Scale:
    """Codes of an ordered column: of each value its own, or of neighbours in quantiles.

    Code i is of the values from ``lows[i]`` to ``highs[i]``, ordinals as in data/ordinal, shape
    (steps,) and increasing. With ``missing``, code ``steps`` is of NULL and NaN, which then are a
    condition of their own; the last code is of no value that has a condition.

    >>> from dbrules.language.column import ColumnType
    >>> age = Scale(Column("age", ColumnType("INTEGER")), np.array([18, 30]), np.array([29, 99]))
    >>> age.codes(np.array([18, 29, 30])).tolist(), age.size
    ([0, 0, 1], 3)
    >>> age.conditions(0, 1)
    (Condition(feature='age', op='<=', value=29),)
    """

    column: Column
    lows: NDArray[Any] = field(repr=False)
    highs: NDArray[Any] = field(repr=False)
    missing: bool = False
    #: how many values the column has in the data, where they are more than codes
    distinct: int = 0

    @property
    def steps(self) -> int:
        """The number of codes in value order."""
        return len(self.lows)

    @property
    def size(self) -> int:
        """The number of codes."""
        return self.steps + self.missing + 1

    @property
    def absent(self) -> int:
        """The code of NULL and NaN."""
        return self.steps

    @property
    def merges(self) -> bool:
        """Whether a code is of several values."""
        return bool((self.lows != self.highs).any())

    @property
    def values(self) -> list[Value]:
        """The least value of each code in value order."""
        return [self._value(low) for low in self.lows]

    def codes(self, ordinals: NDArray[Any]) -> NDArray[np.int64]:
        """Return the codes of ordinals of the column, from which the scale was made."""
        if not self.steps:  # infinities only, and a threshold can name none
            return np.full(len(ordinals), self.size - 1, dtype=np.int64)
        codes = np.searchsorted(self.lows, ordinals, side="right") - 1
        return np.maximum(codes, 0).astype(np.int64)

    def conditions(self, first: int, end: int) -> tuple[Condition, ...]:
        """Return what holds of the codes from ``first`` to ``end`` (exclusive): one or two.

        Thresholds are values of the column; a run of one value is an equality.
        """
        name = self.column.name
        if first >= self.steps:
            return (missing_condition(name),)
        if 0 < first == end - 1 < self.steps - 1 and self.lows[first] == self.highs[first]:
            return (Condition(name, EQ, self._value(self.lows[first])),)
        found = []
        if first > 0:
            found.append(Condition(name, GE, self._value(self.lows[first])))
        if end < self.steps:
            found.append(Condition(name, LE, self._value(self.highs[end - 1])))
        return tuple(found) or (Condition(name, IS_NOT_NULL),)

    def _value(self, ordinal: Any) -> Value:
        plain = ordinal.item() if isinstance(ordinal, np.generic) else ordinal
        return to_value(plain, self.column.type)


def scale_of(
    column: Column, values: NDArray[Any], units: NDArray[np.int64], max_cuts: int,
    *, missing: bool = False,
) -> Scale:  # fmt: skip
    """Return the scale of a column from its values, increasing ordinals, and their units.

    A code for each value where they are at most ``max_cuts``; else as many codes of equal weight,
    as far as single values let them. Values that no threshold can name (infinities, and dates out
    of Python's range) share the code of their neighbour. Raises InvalidSetting for ``max_cuts``
    beyond 16 bits.
    """
    if max_cuts >= MOST_CODES - 1:
        raise InvalidSetting(
            f"max_cuts {max_cuts} is more than codes of 16 bits hold: give at most {MOST_CODES - 2}"
        )
    least, most = representable(column.type)
    named = (values >= least) & (values <= most)
    if values.dtype.kind == "f":
        named &= np.isfinite(values)
    values, units = values[named], units[named]
    if len(values) <= max_cuts:
        return Scale(column, values, values, missing)
    total = int(units.sum())
    ends = np.array([-(-total * part // max_cuts) for part in range(1, max_cuts)], dtype=np.int64)
    part = np.searchsorted(ends, np.cumsum(units) - units, side="right")
    first = np.flatnonzero(np.diff(part, prepend=-1))
    last = np.append(first[1:], len(values)) - 1
    return Scale(column, values[first], values[last], missing, len(values))
