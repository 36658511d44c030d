"""Ordered values as numbers and back, exactly: the scale on which bins are cut."""

from __future__ import annotations

import datetime as dt
import math
import sys
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from dbrules.errors import ColumnTypeError
from dbrules.language.column import ColumnType, Value

#: A place on the ordered scale of a column. Data lie on int or float; only a hand-given cut
#: finer than the column (27.25 on an integer, 0.005 on DECIMAL(4,2)) lies between, as Fraction.
Ordinal = int | float | Fraction

_EPOCH = dt.datetime(1970, 1, 1)
_EPOCH_DAY = _EPOCH.toordinal()
_MICROSECOND = dt.timedelta(microseconds=1)
_DAY = 86_400_000_000
_LARGEST_REAL = float.fromhex("0x1.fffffep+127")  # of 32 bits


def to_ordinal(value: Value, column_type: ColumnType) -> Ordinal:
    """Return ``value`` as a number of its column's scale.

    An integer is itself, a DECIMAL the integer ``value * 10**scale``, a REAL or DOUBLE the
    float; a date counts days and a timestamp microseconds since 1970-01-01 (UTC with a zone), a
    time microseconds since midnight. Raises ColumnTypeError for values without such an order.

    >>> to_ordinal(Decimal("1.50"), ColumnType("DECIMAL(4,2)"))
    150
    >>> to_ordinal(dt.date(1970, 1, 31), ColumnType("DATE"))
    30
    """
    typed = column_type.coerce(value)
    if isinstance(typed, dt.datetime):
        return (typed.replace(tzinfo=None) - _EPOCH) // _MICROSECOND
    if isinstance(typed, dt.date):
        return typed.toordinal() - _EPOCH_DAY
    if isinstance(typed, dt.time):
        return (dt.datetime.combine(_EPOCH, typed) - _EPOCH) // _MICROSECOND
    if typed is None or isinstance(typed, str) or not column_type.is_ordered:
        raise ColumnTypeError(
            f"value {value!r} of type {column_type.name} has no place in an order: "
            "give a number, date or time"
        )
    if isinstance(typed, float):
        return typed
    exact = Fraction(typed) * Fraction(10) ** column_type.scale
    return exact.numerator if exact.denominator == 1 else exact


@lru_cache(maxsize=256)
def representable(column_type: ColumnType) -> tuple[int | float, int | float]:
    """Return the least and greatest finite ordinal that has a Python value of this type.

    >>> representable(ColumnType("DATE"))
    (-719162, 2932896)
    """
    kind = column_type.kind
    if kind == "date":
        return dt.date.min.toordinal() - _EPOCH_DAY, dt.date.max.toordinal() - _EPOCH_DAY
    if kind == "time":
        return 0, _DAY - 1
    if kind in ("timestamp", "timestamptz"):
        first, last = dt.datetime.min - _EPOCH, dt.datetime.max - _EPOCH
        return first // _MICROSECOND, last // _MICROSECOND
    if kind == "real":
        return -_LARGEST_REAL, _LARGEST_REAL
    if kind == "double":
        return -sys.float_info.max, sys.float_info.max
    return -math.inf, math.inf


def to_value(ordinal: int | float, column_type: ColumnType) -> Value:
    """Return the typed value at ``ordinal``; the inverse of :func:`to_ordinal`.

    Raises OverflowError where Python has no such date or time (year 0, 24:00:00).

    >>> to_value(150, ColumnType("DECIMAL(4,2)"))
    Decimal('1.50')
    >>> to_value(-1, ColumnType("TIMESTAMP"))
    datetime.datetime(1969, 12, 31, 23, 59, 59, 999999)
    """
    kind = column_type.kind
    if kind in ("real", "double"):
        return float(ordinal)
    number = int(ordinal)
    if kind == "integer":
        return number
    if kind == "decimal":
        return Decimal(f"{number}E-{column_type.scale}")  # the constructor never rounds
    if kind == "date":
        return _date(number)
    if kind == "time":
        if not 0 <= number < _DAY:
            raise OverflowError(f"{number} microseconds lie outside one day")
        return (_EPOCH + number * _MICROSECOND).time()
    moment = _EPOCH + number * _MICROSECOND
    return moment.replace(tzinfo=dt.UTC) if kind == "timestamptz" else moment


def _date(day: int) -> dt.date:
    try:
        return dt.date.fromordinal(day + _EPOCH_DAY)
    except ValueError:
        raise OverflowError(f"day {day} lies outside the years 1 to 9999") from None
