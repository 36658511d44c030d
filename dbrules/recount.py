"""Counts and probabilities for a list or set that was written or edited by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from dbrules.data.source import source
from dbrules.engine.connect import connect
from dbrules.errors import InvalidData, InvalidSetting
from dbrules.falling import Falling, falling_probabilities, positive_place
from dbrules.language.rule import Outcome
from dbrules.language.rule_average import RuleAverage
from dbrules.language.rule_list import RuleList
from dbrules.language.rule_set import RuleSet
from dbrules.metrics import by_class, whole
from dbrules.rule_counts import count_scores
from dbrules.training import Training

Rules = TypeVar("Rules", bound=RuleList | RuleSet)


def refuse_average(average: RuleAverage | None) -> None:
    """Raise InvalidSetting for a model that answers by an average of lists."""
    if average is not None:
        raise InvalidSetting(
            f"recount counts for one list, this model averages {len(average.lists)}: fit it anew, "
            "or recount its list alone, dataclasses.replace(model, average=None)"
        )


def recount(
    rules: Rules,
    data: object,
    connection: Any,
    weight: str | None,
    falling: Falling | None = None,
) -> tuple[Rules, Training]:
    """Return the list with what its rules capture in ``data``, or the set with what they cover.

    See ``Model.recount``.
    """
    origin = source(data)
    with connect(origin, connection) as engine:
        scores = count_scores(rules, origin, engine, engine.columns(origin), weight)
    counts = scores.of_rules(len(rules.outcomes))
    if counts.unknown:
        raise InvalidData(
            f"label {counts.unknown[0]!r} of {rules.target.name!r} is no class of the rules: "
            "parse them with a target that has it"
        )
    overall = scores.counts.weights.sum(axis=0)
    if not overall.sum():
        raise InvalidData("all weights are 0: give rows a weight above 0")
    outcomes = [
        _counted(outcome, weights, int(rows.sum()) if weight else None, overall)
        for outcome, weights, rows in zip(rules.outcomes, counts.weights, counts.rows, strict=True)
    ]
    if falling is not None:
        shares = falling_probabilities(
            [outcome.counts for outcome in outcomes], positive_place(rules.target)
        )
        outcomes = [replace(o, probability=p) for o, p in zip(outcomes, shares, strict=True)]
    numbered = zip(rules.rules, outcomes, strict=False)
    counted = replace(
        rules,
        rules=tuple(replace(rule, outcome=outcome) for rule, outcome in numbered),
        default=outcomes[-1],
    )
    training = Training(rows=int(scores.counts.rows.sum()), excluded_rows=counts.excluded_rows)
    if isinstance(rules, RuleSet):
        training = replace(training, class_counts=by_class(rules.target, overall.tolist()))
    return counted, training


def _counted(
    outcome: Outcome, weights: NDArray[np.float64], rows: int | None, overall: NDArray[np.float64]
) -> Outcome:
    """Return the outcome with its shares; those of all rows where it captures none."""
    shares = weights if weights.sum() else overall
    return Outcome(
        outcome.label,
        tuple((shares / shares.sum()).tolist()),
        tuple(whole(weight) for weight in weights.tolist()),
        rows,
    )
