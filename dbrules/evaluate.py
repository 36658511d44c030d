"""Evaluation by query: rule × class is counted, everything else follows."""

from __future__ import annotations

from typing import Any

from dbrules.check import scoring_notes
from dbrules.data.source import source
from dbrules.engine.connect import connect
from dbrules.evaluation import Evaluation
from dbrules.language.rule_list import RuleList
from dbrules.metrics import summarise
from dbrules.rule_counts import count_rules
from dbrules.training import Training


def evaluate(
    rules: RuleList, training: Training, data: object, connection: Any, weight: str | None
) -> Evaluation:
    """Return the metrics of rules on ``data``; see :meth:`dbrules.model.Model.evaluate`."""
    origin = source(data)
    with connect(origin, connection) as engine:
        columns = engine.columns(origin)
        counts = count_rules(rules, origin, engine, columns, weight)
        notes = scoring_notes(rules, training, origin, engine, columns)
    if counts.unknown:
        listed = ", ".join(repr(label) for label in counts.unknown[:3])
        notes = (*notes, f"{rules.target.name}: labels the model does not know: {listed}")
    return summarise(
        rules,
        counts.weights,
        rows=int(counts.rows.sum()),
        excluded_rows=counts.excluded_rows,
        unknown=counts.unknown,
        notes=notes,
    )
