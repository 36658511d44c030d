"""How many rows of each class every rule captures: one statement, rule × class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlglot import exp

from dbrules.check import bind
from dbrules.compile.case import case_rule
from dbrules.data.literals import interval_conditions
from dbrules.data.roles import find_column, find_weight
from dbrules.data.source import Source
from dbrules.engine.engine import Engine
from dbrules.engine.result import plain
from dbrules.engine.statement import load
from dbrules.errors import ColumnTypeError, InvalidData
from dbrules.language.column import Column, Value
from dbrules.language.condition import sort_key
from dbrules.language.rule import Target
from dbrules.language.rule_list import RuleList
from dbrules.statistics.dataset import refuse_bad_weights, with_weight
from dbrules.statistics.label import class_number, label_value


@dataclass(frozen=True)
class RuleCounts:
    """Weights and rows per rule (the default last) and class, shape (rules + 1, k + unknown).

    ``unknown`` are labels that are no class of the target, in order; ``excluded_rows`` have none.
    """

    weights: NDArray[np.float64]
    rows: NDArray[np.int64]
    unknown: tuple[Value, ...]
    excluded_rows: int


def count_rules(
    rules: RuleList, origin: Source, engine: Engine, columns: Sequence[Column], weight: str | None
) -> RuleCounts:
    """Ask one statement what each rule captures; InvalidData where no row has a target.

    ``columns`` are those of ``origin``.
    """
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
    if weights is not None:
        refuse_bad_weights(weights, result["bad_weights"])
    cells = plain(result["label"])
    counted = np.asarray(result["rows"], dtype=np.int64)
    weighed = np.asarray(result.get("weight", counted), dtype=np.float64)
    used = [i for i, cell in enumerate(cells) if cell is not None]
    if not used:
        raise InvalidData(
            f"no row to evaluate: {int(counted.sum())} rows, none with a target; give labelled data"
        )
    labels = [_decoded(cells[i], rules.target, column, engine) for i in used]
    known = rules.target.classes
    unknown = tuple(sorted({label for label in labels if label not in known}, key=sort_key))
    places = {label: place for place, label in enumerate((*known, *unknown))}
    shape = (len(rules.outcomes), len(places))
    found = RuleCounts(
        np.zeros(shape),
        np.zeros(shape, dtype=np.int64),
        unknown,
        int(counted.sum() - counted[used].sum()),
    )
    number = np.ma.getdata(result["value"]).astype(np.int64)
    for i, label in zip(used, labels, strict=True):
        found.weights[number[i] - 1, places[label]] += weighed[i]
        found.rows[number[i] - 1, places[label]] += counted[i]
    return found


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
