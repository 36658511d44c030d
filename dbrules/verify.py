"""Verification: the engine's answers against the model's own, for every distinct row."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from sqlglot import exp

from dbrules.check import bind
from dbrules.compile.select import output_names, select
from dbrules.data.ordinal import representable, to_value
from dbrules.data.source import source
from dbrules.engine.connect import connect
from dbrules.engine.engine import Engine
from dbrules.engine.result import plain
from dbrules.engine.statement import load
from dbrules.evaluation import json_value
from dbrules.language.answers import Answers
from dbrules.language.column import Column
from dbrules.language.rule_average import RuleAverage
from dbrules.language.rule_set import RuleSet

_SHOWN = 10


@dataclass(frozen=True)
class Mismatch:
    """A row (used columns) on which SQL and rules disagree, how often, and both answers."""

    row: dict[str, Any]
    rows: int
    sql: tuple[Any, ...]
    rules: tuple[Any, ...]


@dataclass(frozen=True)
class Verification:
    """``rows`` compared, as ``distinct`` different ones; the first mismatches, if any."""

    rows: int
    distinct: int
    wrong_rows: int
    mismatches: tuple[Mismatch, ...]

    @property
    def ok(self) -> bool:
        """True where every row has the same label, probability and rule in SQL and in rules."""
        return self.wrong_rows == 0

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        if self.ok:
            return (
                f"verified: {self.rows} rows ({self.distinct} distinct) have the same label, "
                "probability and rule in SQL as in the model"
            )
        first = self.mismatches[0]
        return (
            f"not verified: {self.wrong_rows} of {self.rows} rows differ; first {first.row}: "
            f"SQL says {first.sql}, the model {first.rules}"
        )

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return {
            "ok": self.ok,
            "rows": self.rows,
            "distinct": self.distinct,
            "wrong_rows": self.wrong_rows,
            "mismatches": [
                {"row": {name: json_value(cell) for name, cell in m.row.items()}, "rows": m.rows,
                 "sql": [json_value(c) for c in m.sql], "rules": [json_value(c) for c in m.rules]}
                for m in self.mismatches
            ],
        }  # fmt: skip


def verify(answers: Answers, data: object, connection: Any) -> Verification:
    """Compare label, probability and rule of every distinct row; see ``Model.verify``."""
    origin = source(data)
    with connect(origin, connection) as engine:
        bound, names = bind(answers, engine.columns(origin))
        # the very SELECT that scores; the label is fetched like a column, so that it arrives exact
        scored = select(
            bound, engine.relation(origin), engine.dialect, input_columns=names, share=True
        )
        label_name, *others = output_names(bound, names)
        label = Column(label_name, bound.target.class_type)
        query = exp.select(
            *(exp.alias_(engine.encode(c), f"input_{i}") for i, c in enumerate(bound.used)),
            exp.alias_(engine.encode(label), "answer_0"),
            *(
                exp.alias_(exp.column(other, quoted=True), f"answer_{i}")
                for i, other in enumerate(others, start=1)
            ),
        ).from_(scored.subquery("scored"))
        name = "verify/distinct_rows"
        result = engine.run(name, load(name).bind(dataset=query))
    cells = [_values(result[f"input_{i}"], c, engine) for i, c in enumerate(bound.used)]
    labels = _values(result["answer_0"], label, engine)
    said_by_column = [labels, plain(result["answer_1"]), plain(result["answer_2"])]
    rows = np.asarray(result["rows"], dtype=np.int64).tolist()
    mismatches: list[Mismatch] = []
    wrong = 0
    for i, count in enumerate(rows):
        row = {c.name: column[i] for c, column in zip(bound.used, cells, strict=True)}
        said = tuple(said_of[i] for said_of in said_by_column)
        expected = _expected(bound, row)
        if not _same(said, expected):
            wrong += count
            if len(mismatches) < _SHOWN:
                mismatches.append(Mismatch(row, count, said, expected))
    return Verification(sum(rows), len(rows), wrong, tuple(mismatches))


def _expected(answers: Answers, row: dict[str, Any]) -> tuple[Any, ...]:
    if isinstance(answers, RuleSet):
        number, place, probabilities = answers.resolve(answers.captures(row))
        return answers.target.classes[place], probabilities[place], number
    number = answers.capture(row)
    if isinstance(answers, RuleAverage):
        probabilities = answers.probabilities(row)
        place = answers.answer(probabilities)
        return answers.target.classes[place], probabilities[place], number
    outcome = answers.outcomes[number - 1]
    return outcome.label, outcome.probability[answers.target.index(outcome.label)], number


def _same(said: tuple[Any, ...], expected: tuple[Any, ...]) -> bool:
    return all(
        a == b and isinstance(a, bool) == isinstance(b, bool)
        for a, b in zip(said, expected, strict=True)
    )


def _values(cells: Any, column: Column, engine: Engine) -> list[Any]:
    mask = np.ma.getmaskarray(cells)
    known = engine.decoder(column)(np.ma.getdata(cells)[~mask])
    values: list[Any] = known.tolist()
    if column.type.is_ordered:
        # Python has no infinite or distant dates: the nearest that it has lies on the same side
        # of every cut between the two ends
        least, most = representable(column.type)
        if column.type.is_float:
            least, most = -math.inf, math.inf
        values = [to_value(min(max(v, least), most), column.type) for v in values]
    left = iter(values)
    return [None if absent else next(left) for absent in mask.tolist()]
