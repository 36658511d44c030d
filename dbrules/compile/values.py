"""A few rows of plain values as a query."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlglot import exp

from dbrules.compile.dialects import dialect_named
from dbrules.compile.literal import literal
from dbrules.language.column import Column, Value

#: Dialects whose VALUES cannot be given column names; it calls them column1, column2, …
_UNNAMED = frozenset({"sqlite"})


def select_values(
    name: str, columns: Sequence[Column], rows: Iterable[Sequence[Value]], dialect: str = "duckdb"
) -> exp.Select:
    """Return ``SELECT`` of one row for each of ``rows``, at least one, in their order.

    ``name`` is what the dialects that need one call the rows.

    >>> from dbrules.language.column import ColumnType
    >>> columns = [Column("a", ColumnType("VARCHAR")), Column("n", ColumnType("BIGINT"))]
    >>> print(select_values("t", columns, [("x = 'u'", 3)]).sql("duckdb", identify=True))
    SELECT "a", "n" FROM (VALUES ('x = ''u''', 3)) AS "t"("a", "n")
    """
    traits = dialect_named(dialect)
    tuples = [
        exp.Tuple(
            expressions=[
                literal(value, column.type, traits)
                for value, column in zip(row, columns, strict=True)
            ]
        )
        for row in rows
    ]
    names = [exp.to_identifier(column.name, quoted=True) for column in columns]
    if traits.name in _UNNAMED:
        outputs: list[exp.Expr] = [
            exp.alias_(exp.column(f"column{place}"), column.name, quoted=True)
            for place, column in enumerate(columns, start=1)
        ]
        return exp.select(*outputs).from_(exp.Values(expressions=tuples))
    alias = exp.TableAlias(this=exp.to_identifier(name, quoted=True), columns=names)
    outputs = [exp.column(column.name, quoted=True) for column in columns]
    return exp.select(*outputs).from_(exp.Values(expressions=tuples, alias=alias))
