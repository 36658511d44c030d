"""What is unusual in data to score: columns that do not fit, missing and unseen values."""

from __future__ import annotations

from collections.abc import Collection, Sequence
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
    notes = []
    for column in bound.used:
        known = _known_levels(bound, training, column)
        unseen, unseen_rows, missing = _scored_column(column, known, origin, engine)
        parts = []
        if unseen:
            named = ", ".join(repr(level) for level in unseen[:_NAMED_LEVELS])
            more = ", …" if len(unseen) > _NAMED_LEVELS else ""
            parts.append(f"{_plural(len(unseen), 'unseen level')} in "
                         f"{_plural(unseen_rows, 'row')} ({named}{more})")  # fmt: skip
        if missing:
            name = _trained_name(column, training.missing)
            new = name is not None and not training.missing[name]
            parts.append(f"{missing} missing" + (" scored, none in training" if new else ""))
        if parts:
            notes.append(f"{column.name}: {', '.join(parts)}")
    return tuple(notes)


def _known_levels(answers: Answers, training: Training, column: Column) -> tuple[Value, ...] | None:
    """Return the levels that training saw of a column; None where no level is an unseen one.

    Where a model does not say which, as those of before did not, they are the levels that a rule
    names. A list written by hand has seen none, and a column that is ordered has none.
    """
    if column.type.is_ordered:
        return None
    name = _trained_name(column, training.levels)
    if name is not None:
        return training.levels[name]
    if _trained_name(column, training.missing) is None:
        return None
    named = [
        value
        for rule in all_rules(answers)
        for part in rule.conditions
        if part.feature == column.name and part.op in (EQ, IN)
        for value in part.values
    ]
    return tuple(named) or None


def _scored_column(
    column: Column, known: tuple[Value, ...] | None, origin: Source, engine: Engine
) -> tuple[list[Value], int, int]:
    """Return unseen levels (in value order), the rows they have, and rows without a value.

    No level is unseen where ``known`` is None.
    """
    missing = condition(Condition(column.name, IS_NULL), column, engine.dialect)
    unseen: exp.Expr = exp.null() if known is None else engine.encode(column)
    if known:
        seen = condition(Condition(column.name, IN, known), column, engine.dialect)
        unseen = exp.Case(ifs=[exp.If(this=seen, true=exp.null())], default=unseen)
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


def _trained_name(column: Column, names: Collection[str]) -> str | None:
    """Return which of the names a column had in training; None where it was not learned from."""
    if column.name in names:
        return column.name
    folded = column.name.casefold()
    return next((name for name in names if name.casefold() == folded), None)


def refuse_unseen(answers: Answers, training: Training, data: object, connection: Any) -> None:
    """Raise UnknownClass where a column has levels that training did not see."""
    origin = source(data)
    with connect(origin, connection) as engine:
        bound, _ = bind(answers, engine.columns(origin))
        for column in bound.used:
            known = _known_levels(bound, training, column)
            unseen, rows, _ = _scored_column(column, known, origin, engine)
            if unseen:
                named = ", ".join(repr(level) for level in unseen[:_NAMED_LEVELS])
                raise UnknownClass(
                    f"column {column.name!r} has {_plural(len(unseen), 'unseen level')} in "
                    f"{_plural(rows, 'row')} ({named}): map them, or use on_unseen='default'"
                )


def _plural(n: int, what: str) -> str:
    return f"{n} {what}{'' if n == 1 else 's'}"
