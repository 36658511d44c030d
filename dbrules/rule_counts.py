"""How many rows of each class every rule captures, or every score has: one statement each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlglot import exp

from dbrules.compile.average import sums_over
from dbrules.compile.case import case_rule
from dbrules.data.literals import interval_conditions
from dbrules.data.roles import find_column, find_weight
from dbrules.data.source import Source
from dbrules.engine.engine import Engine
from dbrules.engine.result import Result, plain
from dbrules.engine.statement import load
from dbrules.errors import ColumnTypeError, InvalidData
from dbrules.language.column import Column, Value
from dbrules.language.condition import sort_key
from dbrules.language.rebind import rebind
from dbrules.language.rule import Target
from dbrules.language.rule_average import Answers, RuleAverage
from dbrules.language.rule_list import RuleList
from dbrules.statistics.dataset import refuse_bad_weights, unit_weight, with_weight
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


@dataclass(frozen=True)
class ScoreCounts:
    """What is said of rows and how often: ``counts`` has a row for each of s scores.

    A score is a rule (``rule``, 0-based place in the list that is read, shape (s,)) with the
    probabilities of the k classes (``probability``, shape (s, k)) and the place of the class that
    is predicted (``predicted``, shape (s,)). A rule list has one score for each rule.
    """

    rule: NDArray[np.int64]
    probability: NDArray[np.float64]
    predicted: NDArray[np.int64]
    counts: RuleCounts


def count_scores(
    answers: Answers, origin: Source, engine: Engine, columns: Sequence[Column], weight: str | None
) -> ScoreCounts:
    """Ask one statement how often each score has each class; see :func:`count_rules`."""
    if isinstance(answers, RuleAverage):
        return _count_average(answers, origin, engine, columns, weight)
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
    column = _target_column(rules.target, columns)
    weights = find_weight(columns, weight)
    query = exp.select(
        exp.alias_(case_rule(rules, engine.dialect), "value"),
        exp.alias_(_label(rules.target, column, engine), "label"),
    ).from_(engine.relation(origin))
    name = "counts/value_class_rows" if weights is None else "counts/value_class"
    result = engine.run(name, load(name).bind(dataset=with_weight(query, weights)))
    if weights is not None:
        refuse_bad_weights(weights, result["bad_weights"])
    number = np.ma.getdata(result["value"]).astype(np.int64)
    return _tally(result, number - 1, len(rules.outcomes), rules.target, column, engine)


def _count_average(
    average: RuleAverage,
    origin: Source,
    engine: Engine,
    columns: Sequence[Column],
    weight: str | None,
) -> ScoreCounts:
    average = rebind(average, columns)
    target = average.target
    column = _target_column(target, columns)
    weights = find_weight(columns, weight)
    names = [column.name for column in columns]
    sums, relation = sums_over(average, engine.relation(origin), names, engine.dialect)
    query = exp.select(
        exp.alias_(case_rule(average.read, engine.dialect), "rule"),
        *(exp.alias_(total, f"share_{i}", copy=False) for i, total in enumerate(sums)),
        exp.alias_(_label(target, column, engine), "label"),
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
        _tally(result, place.reshape(-1), len(scores), target, column, engine),
    )


def _tally(
    result: Result,
    place: NDArray[np.int64],
    size: int,
    target: Target,
    column: Column,
    engine: Engine,
) -> RuleCounts:
    """Add up counted rows into ``size`` rows of classes, each at its ``place``."""
    cells = plain(result["label"])
    counted = np.asarray(result["rows"], dtype=np.int64)
    weighed = np.asarray(result.get("weight", counted), dtype=np.float64)
    used = [i for i, cell in enumerate(cells) if cell is not None]
    if not used:
        raise InvalidData(
            f"no row to evaluate: {int(counted.sum())} rows, none with a target; give labelled data"
        )
    labels = [_decoded(cells[i], target, column, engine) for i in used]
    known = target.classes
    unknown = tuple(sorted({label for label in labels if label not in known}, key=sort_key))
    places = {label: place for place, label in enumerate((*known, *unknown))}
    shape = (size, len(places))
    excluded = int(counted.sum() - counted[used].sum())
    found = RuleCounts(np.zeros(shape), np.zeros(shape, dtype=np.int64), unknown, excluded)
    for i, label in zip(used, labels, strict=True):
        found.weights[place[i], places[label]] += weighed[i]
        found.rows[place[i], places[label]] += counted[i]
    return found


def _target_column(target: Target, columns: Sequence[Column]) -> Column:
    """Return the column of the target; ColumnTypeError where its labels cannot be compared."""
    column = find_column(columns, target.name, "target")
    numbers = ("integer", "decimal", "real", "double")
    kinds = {target.type.kind, column.type.kind}
    if len(kinds) > 1 and not kinds <= set(numbers):
        raise ColumnTypeError(
            f"target {column.name!r}: {target.type.name} wanted, {column.type.name} found; "
            "cast it in the query"
        )
    return column


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
