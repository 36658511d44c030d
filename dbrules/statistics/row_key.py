"""A key that orders rows at random, the same on every engine: the hash of their content."""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp


def row_key(cells: Iterable[exp.Expr], seed: int) -> exp.Expr:
    """Return the hash of seed and cells: text with lengths, so that no two rows mix.

    >>> print(row_key([exp.column("a")], 7).sql("duckdb"))
    MD5('7:' || COALESCE((CAST(LENGTH(CAST(a AS TEXT)) AS TEXT) || ':' || CAST(a AS TEXT)), '-'))
    """
    key: exp.Expr = exp.Literal.string(f"{seed}:")
    for cell in cells:
        text = exp.cast(cell, "VARCHAR")
        length = exp.cast(exp.Length(this=text.copy()), "VARCHAR")
        part = exp.DPipe(
            this=exp.DPipe(this=length, expression=exp.Literal.string(":")), expression=text
        )
        known = exp.Coalesce(this=exp.paren(part), expressions=[exp.Literal.string("-")])
        key = exp.DPipe(this=key, expression=known)
    return exp.MD5(this=key)
