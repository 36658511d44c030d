"""What is counted of scored rows: weights and rows of each score, or rule, and class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlglot import exp

from dbrules.cover import Cover
from dbrules.data.literals import interval_conditions
from dbrules.data.roles import find_column
from dbrules.engine.engine import Engine
from dbrules.engine.result import Result, plain
from dbrules.errors import ColumnTypeError, InvalidData
from dbrules.language.column import Column, Value
from dbrules.language.condition import sort_key
from dbrules.language.rule import Target
from dbrules.statistics.label import class_number, label_value


@dataclass(frozen=True)
class RuleCounts:
    """Weights and rows per rule or score (the default last) and class, (rules + 1, k + unknown).

    ``unknown`` are labels that are no class of the target, in order; ``excluded_rows`` have none.
    """

    weights: NDArray[np.float64]
    rows: NDArray[np.int64]
    unknown: tuple[Value, ...]
    excluded_rows: int


@dataclass(frozen=True)
class ScoreCounts:
    """What is said of rows and how often: ``counts`` has a row for each of s scores.

    A score is a rule (``rule``, 0-based place among those that are read, shape (s,)) with the
    probabilities of the k classes (``probability``, shape (s, k)) and the place of the class that
    is predicted (``predicted``, shape (s,)). A rule list has one score for each rule. A rule set
    has one for each set of rules that cover a row together, which ``cover`` tells.
    """

    rule: NDArray[np.int64]
    probability: NDArray[np.float64]
    predicted: NDArray[np.int64]
    counts: RuleCounts
    cover: Cover | None = None

    def of_rules(self, size: int) -> RuleCounts:
        """Return the counts of ``size`` rules, the default last.

        A rule of a list has what it captured; one of a set all that it covers, also where another
        rule answered, and its default what none covers.
        """
        counts = self.counts
        shape = (size, counts.weights.shape[1])
        weights, rows = np.zeros(shape), np.zeros(shape, dtype=np.int64)
        if self.cover is None:
            np.add.at(weights, self.rule, counts.weights)
            np.add.at(rows, self.rule, counts.rows)
        else:
            for place, covered in enumerate([*map(self.cover.of, range(1, size)), ~self.cover.any]):
                weights[place] = counts.weights[covered].sum(axis=0)
                rows[place] = counts.rows[covered].sum(axis=0)
        return RuleCounts(weights, rows, counts.unknown, counts.excluded_rows)


def tally(
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


def target_column(target: Target, columns: Sequence[Column]) -> Column:
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


def encoded_label(target: Target, column: Column, engine: Engine) -> exp.Expr:
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
