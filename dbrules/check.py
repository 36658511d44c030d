"""What is unusual in data to score: columns that do not fit, missing and unseen values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sqlglot import exp

from dbrules.compile.condition import condition
from dbrules.data.source import Source, source
from dbrules.engine.connect import connect
from dbrules.engine.engine import Engine
from dbrules.engine.statement import load
from dbrules.errors import UnknownClass
from dbrules.language.answers import Answers, all_rules
from dbrules.language.column import Column, Value
from dbrules.language.condition import EQ, IN, IS_NULL, Condition
from dbrules.language.rebind import rebind
from dbrules.training import Training

#: How many unseen levels a message names.
_NAMED_LEVELS = 3


def bind(answers: Answers, columns: Sequence[Column]) -> tuple[Answers, list[str]]:
    """Return what answers for columns as they are found, and the names of those columns."""
    return rebind(answers, columns), [column.name for column in columns]


def check(answers: Answers, training: Training, data: object, connection: Any) -> tuple[str, ...]:
    """Return one note per used column that has missing or unseen values in ``data``."""
    origin = source(data)
    with connect(origin, connection) as engine:
        return scoring_notes(answers, training, origin, engine, engine.columns(origin))


def scoring_notes(
    answers: Answers,
    training: Training,
    origin: Source,
    engine: Engine,
    columns: Sequence[Column],
) -> tuple[str, ...]:
    """Return the notes of :func:`check` on an open engine; ``columns`` are those of ``origin``."""
    bound, _ = bind(answers, columns)
    learned_from = _trained(training)
    notes = []
    for column in bound.used:
        unseen, unseen_rows, missing = _scored_column(bound, column, origin, engine)
        trained = learned_from.get(column.name.casefold())
        parts = []
        if unseen and trained is not None:
            named = ", ".join(repr(level) for level in unseen[:_NAMED_LEVELS])
            more = ", …" if len(unseen) > _NAMED_LEVELS else ""
            parts.append(f"{_plural(len(unseen), 'unseen level')} in "
                         f"{_plural(unseen_rows, 'row')} ({named}{more})")  # fmt: skip
        if missing:
            parts.append(
                f"{missing} missing" + (" scored, none in training" if trained == 0 else "")
            )
        if parts:
            notes.append(f"{column.name}: {', '.join(parts)}")
    return tuple(notes)


def _scored_column(
    answers: Answers, column: Column, origin: Source, engine: Engine
) -> tuple[list[Value], int, int]:
    """Return unseen levels (in value order), the rows they have, and rows without a value."""
    missing = condition(Condition(column.name, IS_NULL), column, engine.dialect)
    named = [
        value
        for rule in all_rules(answers)
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


def _trained(training: Training) -> dict[str, int]:
    """Return missing rows by column learned from; a list written by hand has seen no level."""
    return {name.casefold(): rows for name, rows in training.missing.items()}


def refuse_unseen(answers: Answers, training: Training, data: object, connection: Any) -> None:
    """Raise UnknownClass where a column learned from has levels that no rule names."""
    origin = source(data)
    with connect(origin, connection) as engine:
        bound, _ = bind(answers, engine.columns(origin))
        for column in bound.used:
            unseen, rows, _ = _scored_column(bound, column, origin, engine)
            if unseen and column.name.casefold() in _trained(training):
                named = ", ".join(repr(level) for level in unseen[:_NAMED_LEVELS])
                raise UnknownClass(
                    f"column {column.name!r} has {_plural(len(unseen), 'unseen level')} in "
                    f"{_plural(rows, 'row')} ({named}): map them, or use on_unseen='default'"
                )


def _plural(n: int, what: str) -> str:
    return f"{n} {what}{'' if n == 1 else 's'}"
