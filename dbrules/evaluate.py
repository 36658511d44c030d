"""Evaluation by query: one statement counts rule × class, everything else follows."""

from __future__ import annotations

from typing import Any

import numpy as np
from sqlglot import exp

from dbrules.check import bind, scoring_notes
from dbrules.compile.case import case_rule
from dbrules.data.literals import interval_conditions
from dbrules.data.roles import find_column, find_weight
from dbrules.data.source import source
from dbrules.engine.connect import connect
from dbrules.engine.engine import Engine
from dbrules.engine.result import plain
from dbrules.engine.statement import load
from dbrules.errors import ColumnTypeError, InvalidData
from dbrules.evaluation import Evaluation
from dbrules.language.column import Column, Value
from dbrules.language.condition import sort_key
from dbrules.language.rule import Target
from dbrules.language.rule_list import RuleList
from dbrules.metrics import summarise
from dbrules.statistics.dataset import refuse_bad_weights, with_weight
from dbrules.statistics.label import class_number, label_value
from dbrules.training import Training


def evaluate(
    rules: RuleList, training: Training, data: object, connection: Any, weight: str | None
) -> Evaluation:
    """Return the metrics of rules on ``data``; see :meth:`dbrules.model.Model.evaluate`."""
    origin = source(data)
    with connect(origin, connection) as engine:
        columns = engine.columns(origin)
        rules, _ = bind(rules, columns)
        column = find_column(columns, rules.target.name, "target")
        _check_target(rules.target, column)
        weights = find_weight(columns, weight)
        query = exp.select(
            exp.alias_(case_rule(rules, engine.dialect), "value"),
            exp.alias_(_label(rules.target, column, engine), "label"),
        ).from_(engine.relation(origin))
        name = "counts/value_class_rows" if weights is None else "counts/value_class"
        result = engine.run(name, load(name).bind(dataset=with_weight(query, weights)))
        notes = scoring_notes(rules, training, origin, engine)
    cells = plain(result["label"])
    rows = np.asarray(result["rows"], dtype=np.int64)
    weighed = np.asarray(result.get("weight", rows), dtype=np.float64)
    if weights is not None:
        refuse_bad_weights(weights, result["bad_weights"])
    used = [i for i, cell in enumerate(cells) if cell is not None]
    if not used:
        raise InvalidData(
            f"no row to evaluate: {int(rows.sum())} rows, none with a target; give labelled data"
        )
    labels = [_decoded(cells[i], rules.target, column, engine) for i in used]
    known = rules.target.classes
    unknown = tuple(sorted({label for label in labels if label not in known}, key=sort_key))
    places = {label: place for place, label in enumerate((*known, *unknown))}
    counts = np.zeros((len(rules.outcomes), len(places)))
    number = np.ma.getdata(result["value"]).astype(np.int64)
    for i, label in zip(used, labels, strict=True):
        counts[number[i] - 1, places[label]] += weighed[i]
    if unknown:
        listed = ", ".join(repr(label) for label in unknown[:3])
        notes = (*notes, f"{rules.target.name}: labels the model does not know: {listed}")
    return summarise(
        rules,
        counts,
        rows=int(rows[used].sum()),
        excluded_rows=int(rows.sum() - rows[used].sum()),
        unknown=unknown,
        notes=notes,
    )


def _check_target(target: Target, column: Column) -> None:
    numbers = ("integer", "decimal", "real", "double")
    kinds = {target.type.kind, column.type.kind}
    if len(kinds) > 1 and not kinds <= set(numbers):
        raise ColumnTypeError(
            f"target {column.name!r}: {target.type.name} wanted, {column.type.name} found; "
            "cast it in the query"
        )


def _label(target: Target, column: Column, engine: Engine) -> exp.Expr:
    """Return the encoded label, or the class number where the target was cut."""
    if not target.cuts:
        return engine.encode(column)
    parts = interval_conditions(column.name, target.cuts, target.closed)
    return class_number(parts, column, engine)


def _decoded(cell: Any, target: Target, column: Column, engine: Engine) -> Value:
    if target.cuts:
        return target.classes[int(cell)]
    if not column.type.is_ordered:
        return cell  # type: ignore[no-any-return]
    value = label_value(engine.decoder(column)(np.array([cell])).tolist()[0], column)
    coerced = target.type.coerce(value)
    assert coerced is not None
    return coerced
