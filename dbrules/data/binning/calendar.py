"""Round dates and times: the first of a year before a month, a midnight before an hour."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from dbrules.language.column import Kind

_DAY: Final = 86_400_000_000  # microseconds
_CLOCK: Final = (3_600_000_000, 60_000_000, 1_000_000, 1_000, 1)  # hour .. microsecond
_EPOCH_DAY: Final = dt.date(1970, 1, 1).toordinal()
_LAST_DAY: Final = dt.date.max.toordinal() - _EPOCH_DAY
_FIRST_DAY: Final = dt.date.min.toordinal() - _EPOCH_DAY


def round_moments(goal: Fraction, kind: Kind, least: int, greatest: int) -> Iterator[int]:
    """Yield the ordinals nearest to ``goal``, from the roundest unit to the finest.

    ``goal`` counts days for a date, else microseconds. Units without an ordinal from ``least``
    to ``greatest``, which lie as far from ``goal``, may be left out.

    >>> list(round_moments(Fraction(20_000), "date", 19_900, 20_100))  # 2024-10-04
    [20089, 19997, 20000]
    """
    if kind == "date":
        yield from _first_days(goal)
        yield nearest_multiple(goal, 1)
        return
    if kind != "time":
        midnight = nearest_multiple(goal, _DAY)
        if least <= midnight <= greatest:  # a first day of a month is no nearer
            yield from (day * _DAY for day in _first_days(goal / _DAY))
            yield midnight
    yield from (nearest_multiple(goal, unit) for unit in _CLOCK)


def nearest_multiple(goal: Fraction, unit: int) -> int:
    """Return the multiple of ``unit`` nearest to ``goal``, the upper of two.

    >>> nearest_multiple(Fraction(5, 2), 5)
    5
    """
    number, parts = goal.as_integer_ratio()
    return (2 * number + parts * unit) // (2 * parts * unit) * unit


def _first_days(goal: Fraction) -> Iterator[int]:
    """Yield the nearest first day of a year, then of a month."""
    day = min(max(math.floor(goal), _FIRST_DAY), _LAST_DAY)
    date = dt.date.fromordinal(day + _EPOCH_DAY)
    month = date.year * 12 + date.month - 1  # months since year 0
    for first, length in (((date.year * 12), 12), (month, 1)):
        starts = [_month_start(first), _month_start(first + length)]
        yield min(starts, key=lambda start: (abs(start - goal), start))


def _month_start(month: int) -> int:
    year, index = divmod(month, 12)
    if year > dt.MAXYEAR:
        return _LAST_DAY
    return dt.date(year, index + 1, 1).toordinal() - _EPOCH_DAY
