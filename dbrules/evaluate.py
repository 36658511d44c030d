"""Evaluation by query: score × class is counted, everything else follows."""

from __future__ import annotations

from typing import Any

from dbrules.check import scoring_notes
from dbrules.data.source import source
from dbrules.engine.connect import connect
from dbrules.evaluation import Evaluation
from dbrules.language.answers import Answers, read_rules
from dbrules.metrics import summarise
from dbrules.rule_counts import count_scores
from dbrules.training import Training


def evaluate(
    answers: Answers, training: Training, data: object, connection: Any, weight: str | None
) -> Evaluation:
    """Return the metrics of a model on ``data``; see :meth:`dbrules.model.Model.evaluate`."""
    origin = source(data)
    with connect(origin, connection) as engine:
        columns = engine.columns(origin)
        scores = count_scores(answers, origin, engine, columns, weight)
        notes = scoring_notes(answers, training, origin, engine, columns)
    counts = scores.counts
    if counts.unknown:
        listed = ", ".join(repr(label) for label in counts.unknown[:3])
        notes = (*notes, f"{answers.target.name}: labels the model does not know: {listed}")
    return summarise(read_rules(answers), scores, notes)
