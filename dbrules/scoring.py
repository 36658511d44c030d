"""Scoring: the model's SQL over a table, a query or a frame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import duckdb
import numpy as np
from sqlglot import exp

from dbrules.compile.case import case_label
from dbrules.compile.condition import condition
from dbrules.compile.dbt import dbt_model
from dbrules.compile.relation import create_table, create_view
from dbrules.compile.render import render
from dbrules.compile.select import select
from dbrules.data.source import Source, source, table_name
from dbrules.engine.connect import connect, open_connection
from dbrules.engine.duckdb import DuckDBEngine
from dbrules.engine.statement import load
from dbrules.errors import EngineError, InvalidSetting, UnknownClass, near
from dbrules.language.column import Column, ColumnType, Value
from dbrules.language.condition import EQ, IN, IS_NULL, Condition
from dbrules.language.rebind import rebind
from dbrules.language.rule_list import RuleList

if TYPE_CHECKING:
    from dbrules.model import Model

FORMS = ("case", "select", "view", "table", "dbt")
#: How many unseen levels a message names.
_NAMED_LEVELS = 3


def to_sql(
    rules: RuleList,
    over: str | None,
    *,
    dialect: str,
    form: str | None,
    name: str | None,
    probabilities: bool,
    reasons: bool,
    columns: Sequence[str] | None,
) -> str:
    """Return the rules as SQL text; see :meth:`dbrules.model.Model.to_sql`."""
    form = form or ("case" if over is None else "select")
    if form not in FORMS:
        raise InvalidSetting(f"form {form!r} is not known{near(form, FORMS)}: {', '.join(FORMS)}")
    if form == "case":
        return render(case_label(rules, dialect), dialect)
    if over is None:
        raise InvalidSetting(f"form {form!r} needs a table to score: give over")
    if form == "dbt":
        return dbt_model(rules, over, dialect=dialect, input_columns=columns,
                         probabilities=probabilities, reasons=reasons)  # fmt: skip
    query = select(rules, _over(over), dialect, input_columns=columns,
                   probabilities=probabilities, reasons=reasons)  # fmt: skip
    if form in ("view", "table"):
        if name is None:
            raise InvalidSetting(f"form {form!r} needs the name of what to create: give name")
        create = create_view if form == "view" else create_table
        return render(create(table_name(name), query, dialect), dialect)
    return render(query, dialect)


def create(
    rules: RuleList,
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
        origin = source(over)
        bound, names = bind(rules, engine.columns(origin))
        query = select(bound, origin.relation, engine.dialect, input_columns=names,
                       probabilities=probabilities, reasons=reasons)  # fmt: skip
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


def predict(
    rules: RuleList,
    data: object,
    connection: Any,
    *,
    probabilities: bool = False,
    reasons: bool = False,
    on_unseen: str = "default",
) -> Any:
    """Return the lazy relation of ``data`` and the answers."""
    if on_unseen not in ("default", "error"):
        raise InvalidSetting(f"on_unseen {on_unseen!r} is not known: give default or error")
    origin = source(data)
    if on_unseen == "error":
        _refuse_unseen(rules, origin, connection)
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
        bound, names = bind(rules, columns)
        outputs = select(bound, "t", engine.dialect, input_columns=names,
                         probabilities=probabilities, reasons=reasons).selects[1:]  # fmt: skip
        return base.select(
            duckdb.StarExpression(),
            *(duckdb.SQLExpression(render(e.this, engine.dialect)).alias(e.alias) for e in outputs),
        )
    bound, names = bind(rules, engine.columns(origin))
    query = select(bound, origin.relation, engine.dialect, input_columns=names,
                   probabilities=probabilities, reasons=reasons)  # fmt: skip
    return own.sql(render(query, engine.dialect))


def bind(rules: RuleList, columns: Sequence[Column]) -> tuple[RuleList, list[str]]:
    """Return the rules for columns as they are found, and the names of those columns."""
    return rebind(rules, columns), [column.name for column in columns]


def check(model: Model, data: object, connection: Any) -> tuple[str, ...]:
    """Return one note per used column that has missing or unseen values in ``data``."""
    origin = source(data)
    with connect(origin, connection) as engine:
        return scoring_notes(model, origin, engine)


def scoring_notes(model: Model, origin: Source, engine: DuckDBEngine) -> tuple[str, ...]:
    """Return the notes of :func:`check` on an open engine."""
    bound, _ = bind(model.rules, engine.columns(origin))
    notes = []
    for column in bound.used:
        unseen, unseen_rows, missing = _scored_column(bound, column, origin, engine)
        parts = []
        if unseen:
            named = ", ".join(repr(level) for level in unseen[:_NAMED_LEVELS])
            more = ", …" if len(unseen) > _NAMED_LEVELS else ""
            parts.append(f"{_plural(len(unseen), 'unseen level')} in "
                         f"{_plural(unseen_rows, 'row')} ({named}{more})")  # fmt: skip
        if missing:
            trained = model.training.missing.get(column.name, 0)
            parts.append(f"{missing} missing" + ("" if trained else " scored, none in training"))
        if parts:
            notes.append(f"{column.name}: {', '.join(parts)}")
    return tuple(notes)


def _scored_column(
    rules: RuleList, column: Column, origin: Source, engine: DuckDBEngine
) -> tuple[list[Value], int, int]:
    """Return unseen levels (in value order), the rows they have, and rows without a value."""
    missing = condition(Condition(column.name, IS_NULL), column, engine.dialect)
    named = [
        value
        for rule in rules.rules
        for part in rule.conditions
        if part.feature == column.name and part.op in (EQ, IN)
        for value in part.values
    ]
    unseen: exp.Expr = exp.null()
    if named and not column.type.is_ordered:
        known = condition(Condition(column.name, IN, tuple(named)), column, engine.dialect)
        unseen = exp.Case(ifs=[exp.If(this=known, true=exp.null())],
                          default=engine.encode(column))  # fmt: skip
    flag = exp.Case(
        ifs=[exp.If(this=missing, true=exp.Literal.number(1))], default=exp.Literal.number(0)
    )
    query = exp.select(exp.alias_(unseen, "unseen"), exp.alias_(flag, "missing")).from_(
        engine.relation(origin)
    )
    name = "profile/scored_column"
    result = engine.run(name, load(name).bind(dataset=query), {"column": column.name})
    rows = np.asarray(result["rows"], dtype=np.int64)
    absent = np.asarray(result["missing"], dtype=bool)
    new = ~np.ma.getmaskarray(result["unseen"])
    levels = sorted(np.ma.getdata(result["unseen"])[new].tolist())
    return levels, int(rows[new].sum()), int(rows[absent].sum())


def _refuse_unseen(rules: RuleList, origin: Source, connection: Any) -> None:
    with connect(origin, connection) as engine:
        bound, _ = bind(rules, engine.columns(origin))
        for column in bound.used:
            unseen, rows, _ = _scored_column(bound, column, origin, engine)
            if unseen:
                named = ", ".join(repr(level) for level in unseen[:_NAMED_LEVELS])
                raise UnknownClass(
                    f"column {column.name!r} has {_plural(len(unseen), 'unseen level')} in "
                    f"{_plural(rows, 'row')} ({named}): map them, or use on_unseen='default'"
                )


def _over(over: str) -> exp.Table | exp.Subquery:
    return source(over).relation


def _plural(n: int, what: str) -> str:
    return f"{n} {what}{'' if n == 1 else 's'}"
