"""Views and tables of scores."""

from __future__ import annotations

from sqlglot import exp

from dbrules.compile.dialects import dialect_named
from dbrules.compile.source import source_of
from dbrules.errors import InvalidSetting


def create_view(
    name: str | exp.Table, query: exp.Query, dialect: str = "duckdb", *, replace: bool = False
) -> exp.Create:
    """Return ``CREATE [OR REPLACE] VIEW name AS query``.

    Raises InvalidSetting where the dialect cannot replace a view.

    >>> create_view("scores", exp.select("*").from_("t"), replace=True).sql("duckdb")
    'CREATE OR REPLACE VIEW scores AS SELECT * FROM t'
    """
    return _create("VIEW", name, query, dialect, replace=replace)


def create_table(
    name: str | exp.Table, query: exp.Query, dialect: str = "duckdb", *, replace: bool = False
) -> exp.Create:
    """Return ``CREATE [OR REPLACE] TABLE name AS query``.

    Raises InvalidSetting where the dialect cannot replace a table.

    >>> create_table("scores", exp.select("*").from_("t")).sql("duckdb")
    'CREATE TABLE scores AS SELECT * FROM t'
    """
    return _create("TABLE", name, query, dialect, replace=replace)


def _create(
    kind: str, name: str | exp.Table, query: exp.Query, dialect: str, *, replace: bool
) -> exp.Create:
    traits = dialect_named(dialect)
    if replace and not (traits.replace_view if kind == "VIEW" else traits.replace_table):
        raise InvalidSetting(
            f"{traits.name} has no CREATE OR REPLACE {kind}: drop the {kind.lower()} first "
            "and create it without replace"
        )
    return exp.Create(
        this=source_of(name, traits), kind=kind, replace=replace, expression=query.copy()
    )
