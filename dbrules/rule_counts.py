"""How many rows of each class every rule captures, or every score has: one statement each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sqlglot import exp

from dbrules.compile.average import sums_over
from dbrules.compile.case import case_rule
from dbrules.cover_counts import count_cover
from dbrules.data.roles import find_weight
from dbrules.data.source import Source
from dbrules.engine.engine import Engine
from dbrules.engine.statement import load
from dbrules.language.answers import Answers
from dbrules.language.column import Column
from dbrules.language.rebind import rebind
from dbrules.language.rule_average import RuleAverage
from dbrules.language.rule_list import RuleList
from dbrules.language.rule_set import RuleSet
from dbrules.score_counts import RuleCounts, ScoreCounts, encoded_label, tally, target_column
from dbrules.statistics.dataset import refuse_bad_weights, unit_weight, with_weight


def count_scores(
    answers: Answers, origin: Source, engine: Engine, columns: Sequence[Column], weight: str | None
) -> ScoreCounts:
    """Ask one statement how often each score has each class; see :func:`count_rules`."""
    if isinstance(answers, RuleAverage):
        return _count_average(answers, origin, engine, columns, weight)
    if isinstance(answers, RuleSet):
        return count_cover(answers, origin, engine, columns, weight)
    outcomes = answers.outcomes
    return ScoreCounts(
        np.arange(len(outcomes)),
        np.array([outcome.probability for outcome in outcomes]),
        np.array([answers.target.index(outcome.label) for outcome in outcomes]),
        count_rules(answers, origin, engine, columns, weight),
    )


def count_rules(
    rules: RuleList, origin: Source, engine: Engine, columns: Sequence[Column], weight: str | None
) -> RuleCounts:
    """Ask one statement what each rule captures; InvalidData where no row has a target.

    ``columns`` are those of ``origin``.
    """
    rules = rebind(rules, columns)
    column = target_column(rules.target, columns)
    weights = find_weight(columns, weight)
    query = exp.select(
        exp.alias_(case_rule(rules, engine.dialect), "value"),
        exp.alias_(encoded_label(rules.target, column, engine), "label"),
    ).from_(engine.relation(origin))
    name = "counts/value_class_rows" if weights is None else "counts/value_class"
    result = engine.run(name, load(name).bind(dataset=with_weight(query, weights)))
    if weights is not None:
        refuse_bad_weights(weights, result["bad_weights"])
    number = np.ma.getdata(result["value"]).astype(np.int64)
    return tally(result, number - 1, len(rules.outcomes), rules.target, column, engine)


def _count_average(
    average: RuleAverage,
    origin: Source,
    engine: Engine,
    columns: Sequence[Column],
    weight: str | None,
) -> ScoreCounts:
    average = rebind(average, columns)
    target = average.target
    column = target_column(target, columns)
    weights = find_weight(columns, weight)
    names = [column.name for column in columns]
    sums, relation = sums_over(average, engine.relation(origin), names, engine.dialect)
    query = exp.select(
        exp.alias_(case_rule(average.read, engine.dialect), "rule"),
        *(exp.alias_(total, f"share_{i}", copy=False) for i, total in enumerate(sums)),
        exp.alias_(encoded_label(target, column, engine), "label"),
    ).from_(relation)
    name = "counts/score_class"
    k = len(target.classes)
    dataset = unit_weight(with_weight(query, weights))
    result = engine.run(name, load(name).bind(repeat={"share": k}, dataset=dataset))
    if weights is not None:
        refuse_bad_weights(weights, result["bad_weights"])
    keys = np.column_stack(
        [
            np.ma.getdata(result[key]).astype(np.float64)
            for key in ("rule", *(f"share_{place}" for place in range(k)))
        ]
    )
    scores, place = np.unique(keys, axis=0, return_inverse=True)
    probability = np.ascontiguousarray(scores[:, 1:])
    return ScoreCounts(
        scores[:, 0].astype(np.int64) - 1,
        probability,
        np.array([average.answer(row) for row in probability.tolist()], dtype=np.int64),
        tally(result, place.reshape(-1), len(scores), target, column, engine),
    )
