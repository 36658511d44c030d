"""How DuckDB hands over the values of a column without loss: ordinals or levels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sqlglot import exp

from dbrules.compile.condition import condition, reference
from dbrules.compile.literal import literal
from dbrules.data.ordinal import to_ordinal
from dbrules.language.column import Column, ColumnType
from dbrules.language.condition import IS_NULL, Condition

_TEMPORAL = ("date", "time", "timestamp", "timestamptz")
#: Decimals up to this precision survive a double: value * 10**scale rounds to the exact integer.
_DOUBLE_DIGITS = 15
_INFINITE = 2**63 - 1


def encode(column: Column) -> exp.Expr:
    """Return the expression that fetches a column exactly as NumPy can hold it.

    NaN becomes NULL, temporal values whole days or microseconds, wide integers and decimals text.

    >>> print(encode(Column("day", ColumnType("DATE"))).sql("duckdb"))
    "day" - CAST('1970-01-01' AS DATE)
    """
    name = exp.column(exp.to_identifier(column.name, quoted=True))
    kind = column.type.kind
    if column.type.is_float:
        missing = condition(Condition(column.name, IS_NULL), column, "duckdb")
        return exp.Case(ifs=[exp.If(this=missing, true=exp.null())], default=name)
    if kind == "date":
        epoch = exp.cast(exp.Literal.string("1970-01-01"), "DATE")
        return exp.Sub(this=name, expression=epoch)
    if kind in ("timestamp", "timestamptz", "time"):
        return _epoch(name, column.type)
    if _as_text(column.type):
        return exp.cast(name, "VARCHAR")
    if kind == "text":
        if column.type.is_collated:
            return reference(column)
        text = name if column.type.name == "VARCHAR" else exp.cast(name, "VARCHAR")
        return exp.Trim(this=text) if column.trim else text
    return name


def decoder(column: Column) -> Callable[[Any], Any]:
    """Return the function from fetched cells (no NULLs) to an array of ordinals or levels."""
    if _as_text(column.type):
        return lambda cells: _exact(cells, column.type)
    if column.type.kind == "decimal":
        scale = 10.0**column.type.scale
        return lambda cells: np.rint(np.asarray(cells, dtype=np.float64) * scale).astype(np.int64)
    if column.type.is_float:
        return lambda cells: np.asarray(cells, dtype=np.float64)
    if column.type.kind == "integer" or column.type.kind in _TEMPORAL:
        return lambda cells: np.asarray(cells)
    return lambda cells: np.asarray(cells, dtype=object)


def _as_text(column_type: ColumnType) -> bool:
    wide = column_type.name.upper() in ("UBIGINT", "HUGEINT", "UHUGEINT", "BIGNUM", "VARINT")
    return wide or (column_type.kind == "decimal" and column_type.precision > _DOUBLE_DIGITS)


def _exact(cells: Any, column_type: ColumnType) -> Any:
    values = [to_ordinal(column_type.coerce(cell), column_type) for cell in cells]  # type: ignore[arg-type]
    if all(-(2**63) <= value < 2**63 for value in values):
        return np.array(values, dtype=np.int64)
    return np.array(values, dtype=object)


def _epoch(name: exp.Expr, column_type: ColumnType) -> exp.Expr:
    micros = exp.Anonymous(this="EPOCH_US", expressions=[name])
    if column_type.kind == "time":
        return micros
    # EPOCH_US of an infinite timestamp is NULL, yet it is not missing
    middle = column_type.coerce("2000-01-01")
    assert middle is not None
    bound = literal(middle, column_type)
    infinite = exp.Case(
        ifs=[
            exp.If(this=exp.GT(this=name.copy(), expression=bound),
                   true=exp.Literal.number(_INFINITE)),
            exp.If(this=exp.LT(this=name.copy(), expression=bound.copy()),
                   true=exp.Neg(this=exp.Literal.number(_INFINITE))),
        ]
    )  # fmt: skip
    return exp.Coalesce(this=micros, expressions=[infinite])
