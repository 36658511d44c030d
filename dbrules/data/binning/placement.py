"""Where a cut is written between two neighbouring data values: short, typed, on one side."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from fractions import Fraction

import numpy as np

from dbrules.data.binning.calendar import nearest_multiple, round_moments
from dbrules.data.ordinal import representable, to_value
from dbrules.language.column import ColumnType, Kind, Value

#: A cut that is free to move stays within this share of the gap from its middle.
_SHARE = 0.1


def place_between(
    low: int | float, high: int | float, closed: str, column_type: ColumnType
) -> Value | None:
    """Return a short cut near the middle of the data neighbours ``low < high`` (ordinals).

    ``low`` falls to its left and ``high`` to its right: ``low < cut <= high`` for
    ``closed="left"`` and ``low <= cut < high`` for ``"right"``. None where the type has no
    finite value there.

    >>> place_between(0.0100905, 0.0129155, "left", ColumnType("DOUBLE"))
    0.0115
    >>> place_between(5, 6, "left", ColumnType("INTEGER"))
    6
    """
    start, end = _typed_gap(low, high, column_type)
    if column_type.is_float:
        middle, reach = start / 2 + end / 2, (end / 2 - start / 2) * 2 * _SHARE
        return place_near(middle, reach, low, high, closed, column_type)
    # a tenth of the gap around its middle, in whole numbers: there can be thousands of cuts
    first, last = int(start), int(end)
    least, greatest = -(-(6 * first + 4 * last) // 10), (4 * first + 6 * last) // 10
    goal = Fraction(first + last, 2)
    candidates = _whole(goal, least, greatest, closed, column_type.kind)
    return _first_that_parts(candidates, low, high, closed, column_type)


def place_near(
    goal: Fraction | float,
    reach: Fraction | float,
    low: int | float,
    high: int | float,
    closed: str,
    column_type: ColumnType,
) -> Value | None:
    """Return the shortest cut at most ``reach`` from ``goal``; no data value changes side.

    Where the type has none so near, it is the next value that parts the data as ``goal`` does.
    """
    if column_type.is_float:
        single = column_type.kind == "real"
        candidates: Iterator[int | float] = _floats(float(goal), float(reach), closed, single)
    else:
        goal = Fraction(goal)
        least, greatest = math.ceil(goal - reach), math.floor(goal + reach)
        candidates = _whole(goal, least, greatest, closed, column_type.kind)
    return _first_that_parts(candidates, low, high, closed, column_type)


def _first_that_parts(
    candidates: Iterable[int | float],
    low: int | float,
    high: int | float,
    closed: str,
    column_type: ColumnType,
) -> Value | None:
    first, last = representable(column_type)
    for cut in candidates:
        parts = low < cut <= high if closed == "left" else low <= cut < high
        if parts and first <= cut <= last:
            return to_value(cut, column_type)
    return None


def _typed_gap(
    low: int | float, high: int | float, column_type: ColumnType
) -> tuple[int | float, int | float]:
    """Narrow a gap to what the type and Python can say; infinities come within reach."""
    if low == -math.inf:
        low = -1.0 if high == math.inf else high - max(1.0, abs(high))
    if high == math.inf:
        high = low + max(2.0, abs(low))
    first, last = representable(column_type)
    return max(low, first), min(high, last)


def _whole(
    goal: Fraction, least: int, greatest: int, closed: str, kind: Kind
) -> Iterator[int | float]:
    """Yield whole cuts near ``goal``, roundest first, the last one also beyond the limits."""
    is_number = kind in ("integer", "decimal")
    rounded = _round_integers(goal) if is_number else round_moments(goal, kind, least, greatest)
    yield from (cut for cut in rounded if least <= cut <= greatest)
    # x < 27.2 is x < 28, and x <= 27.2 is x <= 27
    yield math.ceil(goal) if closed == "left" else math.floor(goal)


def _round_integers(goal: Fraction) -> Iterator[int]:
    """Yield the integers nearest to ``goal`` with ever more significant digits."""
    size = len(str(abs(int(goal))))
    for power in (10**exponent for exponent in range(size, -1, -1)):
        yield nearest_multiple(goal, power)


def _floats(goal: float, reach: float, closed: str, single: bool) -> Iterator[float]:
    """Yield floats near ``goal`` with ever more significant digits.

    A REAL column may be compared in single precision, after the engine has rounded the cut.
    Only cuts are taken for which that selects the same values.
    """
    if abs(goal) <= reach:
        yield 0.0
    for digits in range(17):
        cut = float(f"{goal:.{digits}e}") + 0.0  # no minus zero
        if abs(cut - goal) <= reach and (not single or _is_safe_single(cut, closed)):
            yield cut
    nearest = float(np.float32(goal)) if single else goal
    yield nearest
    for toward in (-math.inf, math.inf):
        if single:
            yield float(np.nextafter(np.float32(goal), np.float32(toward)))
        else:
            yield math.nextafter(goal, toward)


def _is_safe_single(cut: float, closed: str) -> bool:
    if abs(cut) > representable(ColumnType("REAL"))[1]:
        return False  # would round to infinity
    rounded = float(np.float32(cut))
    return rounded >= cut if closed == "left" else rounded <= cut
