"""Values as SQL literals that keep their type and every bit (policy P8)."""

from __future__ import annotations

import datetime as dt
import math
from decimal import Decimal

from sqlglot import exp

from dbrules.compile.dialects import Dialect, traits_of
from dbrules.errors import ColumnTypeError
from dbrules.language.column import ColumnType, Kind, Value
from dbrules.language.condition import is_missing

_INTEGER = ColumnType("INTEGER")
_DOUBLE = ColumnType("DOUBLE")
_TYPES: dict[Kind, str] = {
    "date": "DATE",
    "time": "TIME",
    "timestamp": "TIMESTAMP",
    "timestamptz": "TIMESTAMPTZ",
}
_MOST_DIGITS = 38  # of a DECIMAL in most engines


def literal(value: Value, column_type: ColumnType, dialect: str | Dialect = "duckdb") -> exp.Expr:
    """Return ``value`` as a literal to compare with a column of ``column_type``.

    A double is written with an exponent, because engines read plain digits as DECIMAL and
    DuckDB before 2.0 rounds 7% of them wrongly; a DECIMAL keeps its digits, and a temporal value
    is a cast of its ISO text. Raises ColumnTypeError for a missing value, which has no literal:
    a rule asks ``IS NULL`` instead.

    >>> literal(0.41, ColumnType("DOUBLE")).sql("duckdb")
    '0.41e0'
    >>> literal(Decimal("1.50"), ColumnType("DECIMAL(10,2)")).sql("duckdb")
    "CAST('1.50' AS DECIMAL(10, 2))"
    >>> literal(18, ColumnType("BIGINT")).sql("duckdb")
    '18'
    """
    traits = traits_of(dialect)
    if is_missing(value):
        raise ColumnTypeError(
            f"a missing value has no literal of type {column_type.name}: use IS NULL"
        )
    if isinstance(value, bool):
        return boolean(value, traits)
    if isinstance(value, (int, float, Decimal)):
        return _number(value, column_type, traits)
    if isinstance(value, str):
        if traits.national_text and not value.isascii():
            return exp.National(this=value)
        return exp.Literal.string(value)
    return _temporal(value, traits)


def typed_literal(
    value: Value, column_type: ColumnType, dialect: str | Dialect = "duckdb"
) -> exp.Expr:
    """Return ``value`` as a literal whose own SQL type is ``column_type``, for an output column.

    >>> typed_literal(1, ColumnType("BIGINT")).sql("duckdb")
    'CAST(1 AS BIGINT)'
    >>> typed_literal(1, ColumnType("INTEGER")).sql("duckdb")
    '1'
    """
    traits = traits_of(dialect)
    plain = literal(value, column_type, traits)
    kind, name = column_type.kind, column_type.name.upper()
    if kind == "integer" and name not in ("INTEGER", "INT") and isinstance(value, int):
        return exp.Cast(this=plain, to=exp.DataType.build(name, dialect="duckdb"))
    if kind == "real":
        return exp.Cast(this=plain, to=exp.DataType.build("FLOAT"))
    if name == "UUID" and traits.uuid:
        return exp.Cast(this=plain, to=exp.DataType.build("UUID"))
    return plain


def integer(value: int) -> exp.Expr:
    """Return a plain integer literal."""
    return literal(value, _INTEGER)


def double(value: float) -> exp.Expr:
    """Return a double literal that reads back to the bit."""
    return literal(value, _DOUBLE)


def boolean(value: bool, traits: Dialect) -> exp.Expr:
    """Return TRUE or FALSE as a value (a cast bit where the dialect has no such literal)."""
    if traits.boolean_values:
        return exp.true() if value else exp.false()
    return exp.cast(exp.Literal.number(int(value)), "BOOLEAN")


def _number(value: int | float | Decimal, column_type: ColumnType, traits: Dialect) -> exp.Expr:
    if isinstance(value, float) and math.isinf(value):
        text = traits.infinity or "Infinity"
        return exp.cast(exp.Literal.string(f"-{text}" if value < 0 else text), "DOUBLE")
    if column_type.is_float:
        return _signed(_exponent(float(value)))
    if isinstance(value, int) and column_type.kind != "decimal":
        return _signed(str(value))
    if isinstance(value, float):
        value = Decimal(repr(value))  # a fractional threshold of an exact column
    return _decimal(Decimal(value), column_type)


def _exponent(value: float) -> str:
    digits = repr(value)
    return digits if "e" in digits else f"{digits}e0"


def _signed(digits: str) -> exp.Expr:
    if digits.startswith("-"):
        return exp.Neg(this=exp.Literal.number(digits[1:]))
    return exp.Literal.number(digits)


def _decimal(value: Decimal, column_type: ColumnType) -> exp.Expr:
    """Cast to the column's own DECIMAL, widened where the value has more digits."""
    digits = len(value.as_tuple().digits)
    exponent = int(value.as_tuple().exponent)
    scale = max(column_type.scale, -exponent, 0)
    whole = max(digits + exponent, 1)
    if column_type.kind == "decimal":
        whole = max(whole, column_type.precision - column_type.scale)
    precision = min(max(whole + scale, 1), max(_MOST_DIGITS, digits))
    to = exp.DataType.build(f"DECIMAL({precision}, {scale})")
    return exp.Cast(this=exp.Literal.string(f"{value:f}"), to=to)


def _temporal(value: dt.date | dt.time | dt.datetime, traits: Dialect) -> exp.Expr:
    kind: Kind
    if isinstance(value, dt.datetime):
        kind = "timestamp" if value.tzinfo is None else "timestamptz"
        if value.tzinfo is not None:
            value = value.astimezone(dt.UTC)
            if not traits.utc_offset:
                value = value.replace(tzinfo=None)
        text = value.isoformat(sep=" ")
    else:
        kind = "date" if isinstance(value, dt.date) else "time"
        text = value.isoformat()
    name = traits.types.get(kind, _TYPES[kind])
    if not name:
        return exp.Literal.string(text)
    own = name if kind in traits.types else None
    return exp.Cast(
        this=exp.Literal.string(text),
        to=exp.DataType.build(name, dialect=traits.name if own else "duckdb"),
    )
