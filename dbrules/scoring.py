"""Scoring: the model's SQL over a table, a query or a frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import duckdb
from sqlglot import exp

from dbrules.check import bind
from dbrules.compile.dbt import dbt_model
from dbrules.compile.first_match import is_vote
from dbrules.compile.relation import create_table, create_view
from dbrules.compile.render import render
from dbrules.compile.select import label_expression, select
from dbrules.data.source import Source, source, table_name, words
from dbrules.engine.connect import open_connection
from dbrules.engine.duckdb import DuckDBEngine
from dbrules.errors import EngineError, InvalidQuery, InvalidSetting, near
from dbrules.language.answers import Answers
from dbrules.language.column import Column, ColumnType
from dbrules.language.rule_average import RuleAverage

FORMS = ("case", "select", "view", "table", "dbt")


def to_sql(
    answers: Answers,
    over: str | None,
    *,
    dialect: str,
    form: str | None,
    name: str | None,
    probabilities: bool,
    reasons: bool,
    columns: Sequence[str] | None,
) -> str:
    """Return the model as SQL text; see :meth:`dbrules.model.Model.to_sql`."""
    form = form or ("case" if over is None else "select")
    if form not in FORMS:
        raise InvalidSetting(f"form {form!r} is not known{near(form, FORMS)}: {', '.join(FORMS)}")
    if form == "case":
        return render(label_expression(answers, dialect), dialect)
    if over is None:
        raise InvalidSetting(f"form {form!r} needs a table to score: give over")
    if form == "dbt":
        return dbt_model(answers, over, dialect=dialect, input_columns=columns,
                         probabilities=probabilities, reasons=reasons)  # fmt: skip
    query = select(answers, _over(over), dialect, input_columns=columns,
                   probabilities=probabilities, reasons=reasons, share=True)  # fmt: skip
    if form in ("view", "table"):
        if name is None:
            raise InvalidSetting(f"form {form!r} needs the name of what to create: give name")
        create = create_view if form == "view" else create_table
        return render(create(table_name(name), query, dialect), dialect)
    return render(query, dialect)


def create(
    answers: Answers,
    connection: Any,
    kind: str,
    name: str,
    over: str,
    *,
    replace: bool,
    probabilities: bool,
    reasons: bool,
) -> None:
    """Create a view or table of ``over`` and the answers, in one statement."""
    own, opened = open_connection(None, connection, read_only=False)
    try:
        engine = DuckDBEngine(own)
        origin = _named(over)
        bound, names = bind(answers, engine.columns(origin))
        relation = origin.relation
        if isinstance(relation, exp.Table) and origin.kind == "table":
            relation = engine.qualified(relation)
        query = select(bound, relation, engine.dialect, input_columns=names,
                       probabilities=probabilities, reasons=reasons, share=True)  # fmt: skip
        if kind == "view" and replace:
            _refuse_itself(name, origin, engine.views())
        make = create_view if kind == "view" else create_table
        try:
            engine.execute(
                f"create {kind}", make(table_name(name), query, engine.dialect, replace=replace)
            )
        except EngineError as error:
            if "already exists" in str(error):
                raise EngineError(
                    f"{name!r} already exists: drop it, choose another name, or pass replace=True"
                ) from None
            raise
    finally:
        if opened:
            own.close()


def _refuse_itself(name: str, origin: Source, views: Mapping[str, str]) -> None:
    """Raise InvalidSetting where a view would replace what it reads, and so destroy it."""
    replaced = table_name(name).name.lower()
    pending = [word.lower() for word in words(origin)]
    read: set[str] = set()
    while pending:
        word = pending.pop()
        if word not in read:
            read.add(word)
            if word in views:  # a view reads what its own query reads
                inner = words(Source("query", views[word]))
                pending += [w.lower() for w in inner if w.lower() != word]
    if replaced in read:
        raise InvalidSetting(f"view {name!r} would read itself: give it another name")


def predict(
    answers: Answers,
    data: object,
    connection: Any,
    *,
    probabilities: bool = False,
    reasons: bool = False,
) -> Any:
    """Return the lazy relation of ``data`` and the answers."""
    origin = source(data)
    if origin.kind == "relation":
        own: Any = None
        engine = DuckDBEngine(relation=origin.frame)
    else:
        own, _ = open_connection(origin, connection)
        engine = DuckDBEngine(own)
    if origin.kind in ("frame", "relation"):
        base = origin.frame if own is None else engine.register(origin)
        columns = tuple(
            Column(name, ColumnType(str(kind)))
            for name, kind in zip(base.columns, base.types, strict=True)
        )
        bound, names = bind(answers, columns)
        # sums of averages and votes are long: computed once, each subquery by its own relation
        share = isinstance(bound, RuleAverage) or is_vote(bound)
        query = select(bound, "t", engine.dialect, input_columns=names,
                       probabilities=probabilities, reasons=reasons, share=share)  # fmt: skip
        for part in reversed(list(query.find_all(exp.Select, bfs=True))):
            base = _selected(base, part.selects)
        return base
    bound, names = bind(answers, engine.columns(origin))
    query = select(bound, origin.relation, engine.dialect, input_columns=names,
                   probabilities=probabilities, reasons=reasons, share=True)  # fmt: skip
    return own.sql(render(query, engine.dialect))


def _selected(relation: Any, outputs: Sequence[exp.Expr]) -> Any:
    """Return the lazy relation of the outputs of a DuckDB SELECT from ``relation``."""
    return relation.select(*(
        duckdb.StarExpression()
        if isinstance(output, exp.Star)
        else duckdb.SQLExpression(render(output.unalias(), "duckdb")).alias(output.alias_or_name)
        for output in outputs
    ))  # fmt: skip


def _over(over: str) -> exp.Table | exp.Subquery:
    return _named(over).relation


def _named(over: object) -> Source:
    """Return the source of a statement that outlives this call; frames have no name there."""
    origin = source(over)
    if origin.kind in ("frame", "relation"):
        raise InvalidQuery(
            f"over cannot be a {origin.text}: give a table name, a SELECT or a file path"
        )
    return origin
