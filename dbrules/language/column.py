"""Columns and their types, as the language of rules needs them: no SQL, no database."""

from __future__ import annotations

import datetime as dt
import math
import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cache
from typing import Literal

from dbrules.errors import ColumnTypeError

#: What a condition may compare with. NULL and NaN are missing and never a value.
Value = bool | int | float | Decimal | str | dt.date | dt.time | dt.datetime

Kind = Literal[
    "integer", "decimal", "real", "double", "text", "boolean",
    "date", "time", "timestamp", "timestamptz", "other",
]  # fmt: skip

_KINDS: dict[str, Kind] = {
    **dict.fromkeys(
        ("TINYINT", "SMALLINT", "INTEGER", "INT", "BIGINT", "HUGEINT", "UTINYINT",
         "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT", "BIGNUM", "VARINT"), "integer"),
    **dict.fromkeys(("DECIMAL", "NUMERIC"), "decimal"),
    **dict.fromkeys(("FLOAT", "REAL"), "real"),
    "DOUBLE": "double",
    **dict.fromkeys(("VARCHAR", "TEXT", "CHAR", "ENUM", "UUID", "STRING", '"NULL"'), "text"),
    **dict.fromkeys(("BOOLEAN", "BOOL"), "boolean"),
    "DATE": "date",
    "TIME": "time",
    **dict.fromkeys(
        ("TIMESTAMP", "DATETIME", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS"), "timestamp"),
    **dict.fromkeys(("TIMESTAMP WITH TIME ZONE", "TIMESTAMPTZ"), "timestamptz"),
}  # fmt: skip

_ORDERED: frozenset[Kind] = frozenset(
    ("integer", "decimal", "real", "double", "date", "time", "timestamp", "timestamptz")
)


def is_missing(value: object) -> bool:
    """True for None and NaN (policy P1), and for the NaT of data frames.

    >>> is_missing(None), is_missing(float("nan")), is_missing("")
    (True, True, False)
    """
    return value is None or (isinstance(value, (float, Decimal, dt.datetime)) and value != value)


#: Ends the type of a text column that the database would compare by a collation of its own.
COLLATED = " COLLATED"


@cache
def _kind(name: str) -> Kind:
    if name.endswith("]"):
        return "other"
    name = name.removesuffix(COLLATED)
    return _KINDS.get(re.sub(r"\(.*\)", "", name, flags=re.S).strip().upper(), "other")


@dataclass(frozen=True, slots=True)
class ColumnType:
    """A column type by its SQL name, such as ``DOUBLE`` or ``DECIMAL(10,2)``.

    >>> ColumnType("DECIMAL(10,2)").kind, ColumnType("DECIMAL(10,2)").scale
    ('decimal', 2)
    >>> ColumnType("INTEGER[]").kind
    'other'
    """

    name: str

    @property
    def kind(self) -> Kind:
        """The family of the type; ``other`` for types that rules cannot speak of."""
        return _kind(self.name)

    @property
    def is_ordered(self) -> bool:
        """True where values are cut into intervals; False where each value is a level."""
        return self.kind in _ORDERED

    @property
    def is_collated(self) -> bool:
        """True where the database's ``=`` on this text is not the exact one that rules mean."""
        return self.name.endswith(COLLATED)

    @property
    def is_float(self) -> bool:
        """True where the column can hold NaN, which counts as missing."""
        return self.kind in ("real", "double")

    @property
    def scale(self) -> int:
        """Digits after the point of a DECIMAL (0 for other kinds)."""
        match = re.search(r"\(\s*\d+\s*,\s*(\d+)\s*\)", self.name)
        return int(match[1]) if self.kind == "decimal" and match else 0

    @property
    def precision(self) -> int:
        """All digits of a DECIMAL (18 where the name gives none)."""
        match = re.search(r"\(\s*(\d+)", self.name)
        return int(match[1]) if self.kind == "decimal" and match else 18

    def coerce(self, value: object) -> Value | None:
        """Return ``value`` as the Python value of this type; None where it is missing.

        Numbers keep their exact value: an integer column accepts ``18.0`` as 18 and keeps a
        fractional threshold as it is. Text is read for numbers and temporal types, as JSON has
        neither decimals nor dates. Raises ColumnTypeError where the value cannot be of this type.

        >>> ColumnType("DECIMAL(4,2)").coerce("1.50"), ColumnType("BIGINT").coerce(18.0)
        (Decimal('1.5'), 18)
        """
        if is_missing(value):
            return None
        item = getattr(value, "item", None)  # NumPy scalars
        if item is not None and not isinstance(value, (dt.date, dt.time)):
            return self.coerce(item())
        try:
            converted = self._convert(value)
        except (ValueError, InvalidOperation, OverflowError):
            converted = None
        if converted is None:
            raise ColumnTypeError(
                f"value {value!r} does not fit type {self.name}: give one of that type"
            )
        return converted

    def _convert(self, value: object) -> Value | None:
        kind = self.kind
        if kind == "boolean":
            return value if isinstance(value, bool) else None
        if kind in ("integer", "decimal", "real", "double"):
            return None if isinstance(value, bool) else _number(value, kind)
        if kind == "date":
            return _date(value)
        if kind == "time":
            return dt.time.fromisoformat(value) if isinstance(value, str) else (
                value if isinstance(value, dt.time) else None)  # fmt: skip
        if kind in ("timestamp", "timestamptz"):
            return _timestamp(value, aware=kind == "timestamptz")
        # SQL writes booleans in small letters
        return str(value).lower() if isinstance(value, bool) else str(value)

    def to_json(self, value: Value) -> bool | int | float | str:
        """Return ``value`` as plain JSON that :meth:`coerce` reads back to the same value.

        >>> ColumnType("DECIMAL(4,2)").to_json(Decimal("1.50"))
        '1.50'
        """
        if isinstance(value, (float, Decimal)) and math.isinf(value):
            return str(float(value))
        if isinstance(value, (bool, int, float, str)):
            return value
        return str(value) if isinstance(value, Decimal) else value.isoformat()


def _number(value: object, kind: Kind) -> Value | None:
    if isinstance(value, str):
        value = Decimal(value)
    if not isinstance(value, (int, float, Decimal)) or value != value:
        return None
    if not isinstance(value, int) and math.isinf(value):
        return float(value)
    if kind == "decimal":
        exact = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
        text = format(exact, "f")  # one form: 1E+2 is 100, and 1.50 is 1.5
        return Decimal(text.rstrip("0").rstrip(".") if "." in text else text)
    if kind in ("real", "double"):
        return float(value)  # rounds an integer beyond 2**53, as SQL does
    if value == int(value):
        return int(value)
    # one form for a fractional threshold: a float wherever its digits say the same
    return float(value) if Decimal(repr(float(value))) == Decimal(str(value)) else value


def _date(value: object) -> dt.date | None:
    if isinstance(value, str):
        return dt.date.fromisoformat(value[:10]) if len(value) <= 10 else None
    if isinstance(value, dt.datetime):
        return value.date() if value.time() == dt.time() else None
    return value if isinstance(value, dt.date) else None


def _timestamp(value: object, *, aware: bool) -> dt.datetime | None:
    if isinstance(value, str):
        value = dt.datetime.fromisoformat(value)
    elif isinstance(value, dt.date) and not isinstance(value, dt.datetime):
        value = dt.datetime(value.year, value.month, value.day)
    if not isinstance(value, dt.datetime):
        return None
    if not aware:
        return value if value.tzinfo is None else None
    return (value if value.tzinfo else value.replace(tzinfo=dt.UTC)).astimezone(dt.UTC)


@dataclass(frozen=True, slots=True)
class Column:
    """A named, typed column; ``trim`` says that blanks around its text do not count."""

    name: str
    type: ColumnType
    trim: bool = False

    def read(self, row_value: object) -> Value | None:
        """Return a cell of this column as a rule sees it: typed, trimmed, None if missing."""
        value = self.type.coerce(row_value)
        return value.strip(" ") if self.trim and isinstance(value, str) else value
