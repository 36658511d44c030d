"""SQL trees as text."""

from __future__ import annotations

from sqlglot import ErrorLevel, exp
from sqlglot.generator import Generator

from dbrules.compile.dialects import dialect_named


def render(tree: exp.Expr, dialect: str = "duckdb", *, pretty: bool = True) -> str:
    """Return ``tree`` as SQL text of ``dialect``, with every identifier quoted.

    Text passed through verbatim and text literals keep their line breaks. Raises
    ``sqlglot.errors.UnsupportedError`` rather than write something else than was meant.

    >>> print(render(exp.select("age").from_("people"), pretty=False))
    SELECT "age" FROM "people"
    """
    name = dialect_named(dialect).name
    if pretty and any("\n" in raw.name for raw in tree.find_all(exp.Var)):
        tree = tree.copy()
        for raw in list(tree.find_all(exp.Var)):
            # the generator would indent a second line, also inside a text literal
            raw.set("this", raw.name.replace("\n", Generator.SENTINEL_LINE_BREAK))
    return tree.sql(dialect=name, identify=True, pretty=pretty, unsupported_level=ErrorLevel.RAISE)
