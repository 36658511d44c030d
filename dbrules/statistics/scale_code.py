"""The code of an ordered column as SQL: looked up, or searched by halves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sqlglot import exp

from dbrules.compile.condition import condition, reference
from dbrules.compile.literal import literal
from dbrules.data.scale import Scale
from dbrules.language.column import Column, Value
from dbrules.language.condition import IS_NULL, Condition

#: Up to so many codes a CASE costs less than a join.
FEW: Final = 64
#: Types with values that are no exact literal, so that a list of them is none either.
_LONG: Final = ("UHUGEINT", "BIGNUM", "VARINT")


def scale_expression(scale: Scale, dialect: str, step: int = 1) -> exp.Expr:
    """Return ``step`` times the code of a row, as :meth:`Scale.codes` gives it.

    Codes of a value each are looked up, which joins the rows with a short list: for 1000 codes
    that is some 30 times as fast as to search.
    """
    is_list = scale.steps > FEW and not scale.merges
    if is_list and scale.column.type.name.upper() not in _LONG:
        return lookup(scale, dialect, step)
    return search(scale, dialect, step)


def search(scale: Scale, dialect: str, step: int = 1) -> exp.Expr:
    """Return the code by CASE in CASE, as deep as the logarithm of the number of codes.

    Each compares the column with the least value of the middle code.

    >>> import numpy as np
    >>> from dbrules.language.column import Column, ColumnType
    >>> age = Scale(Column("age", ColumnType("INTEGER")), np.array([18, 30]), np.array([29, 99]))
    >>> print(search(age, "duckdb").sql("duckdb"))
    CASE WHEN "age" IS NULL THEN 2 WHEN "age" >= 30 THEN 1 ELSE 0 END
    """

    def between(first: int, end: int) -> exp.Expr:
        if end - first == 1:
            return _number(step * first)
        middle = (first + end) // 2
        above = exp.If(this=_from(middle, scale, dialect), true=between(middle, end))
        return exp.Case(ifs=[above], default=between(first, middle))

    code = between(0, scale.steps) if scale.steps else _number(step * (scale.size - 1))
    return _unless_missing(code, scale, dialect, step)


def lookup(scale: Scale, dialect: str, step: int = 1) -> exp.Expr:
    """Return the code by a list of values and codes; a value that is not in it is an extreme.

    >>> import numpy as np
    >>> from dbrules.language.column import Column, ColumnType
    >>> ages = np.array([18, 30])
    >>> age = Scale(Column("age", ColumnType("INTEGER")), ages, ages)
    >>> print(lookup(age, "duckdb").args["this"].sql("duckdb", pretty=True))
    (
      SELECT
        MAX("age code")
      FROM (VALUES
        (18, 0),
        (30, 1)) AS "age codes"("age value", "age code")
      WHERE
        "age value" = "age"
    )
    """
    last = scale.steps - 1
    above = exp.If(this=_from(last, scale, dialect), true=_number(step * last))
    extreme = exp.Case(ifs=[above], default=_number(0))
    otherwise = _unless_missing(extreme, scale, dialect, step)
    return looked_up(scale.column, scale.values, dialect, otherwise, step)


def looked_up(
    column: Column, values: Sequence[Value], dialect: str, otherwise: exp.Expr, step: int = 1
) -> exp.Expr:
    """Return ``step`` times the place of a row's value in a list, ``otherwise`` where it has none.

    The engine joins the rows with the list: its cost does not grow with the list as that of a CASE.
    """
    # names that are not the column's own
    value, code, codes = (
        exp.to_identifier(f"{column.name} {part}", quoted=True)
        for part in ("value", "code", "codes")
    )
    pairs = [
        exp.Tuple(expressions=[literal(found, column.type, dialect), _number(step * place)])
        for place, found in enumerate(values)
    ]
    alias = exp.TableAlias(this=codes, columns=[value.copy(), code.copy()])
    is_found = exp.EQ(this=exp.column(value), expression=reference(column))
    found = (
        exp.Select(expressions=[exp.Max(this=exp.column(code))])
        .from_(exp.Values(expressions=pairs, alias=alias), copy=False)
        .where(is_found, copy=False)
    )
    return exp.Coalesce(this=found.subquery(copy=False), expressions=[otherwise])


def _from(code: int, scale: Scale, dialect: str) -> exp.Expr:
    """Return the condition that a value, which is not missing, is of this code or a later one."""
    (least,) = scale.conditions(code, scale.steps)
    return condition(least, scale.column, dialect, guard=False)


def _unless_missing(code: exp.Expr, scale: Scale, dialect: str, step: int) -> exp.Case:
    column = scale.column
    missing = condition(Condition(column.name, IS_NULL), column, dialect)
    absent = exp.If(this=missing, true=_number(step * scale.absent))
    if isinstance(code, exp.Case):
        return exp.Case(ifs=[absent, *code.args["ifs"]], default=code.args["default"])
    return exp.Case(ifs=[absent], default=code)


def _number(value: int) -> exp.Expr:
    return exp.Literal.number(value)
