"""What the rules of a list capture in the data of a fit, or those of a set cover: one statement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sqlglot import exp

from dbrules.compile.case import case_rule
from dbrules.cover_counts import hit_masks, read_cover
from dbrules.engine.result import Result
from dbrules.engine.statement import load
from dbrules.errors import InvalidData
from dbrules.language.condition import Condition
from dbrules.language.rule import Outcome, Rule
from dbrules.language.rule_list import RuleList
from dbrules.language.rule_set import RuleSet
from dbrules.statistics.classes import ClassCounts
from dbrules.statistics.counts import class_places
from dbrules.statistics.dataset import Dataset, unit_weight


@dataclass(frozen=True, eq=False)
class Captured:
    """Weight and rows of each rule, the default last, and class; (rules + 1, classes)."""

    weights: NDArray[np.float64]
    rows: NDArray[np.int64]

    def behind(self, dataset: Dataset) -> list[int] | None:
        """Return the rows behind the weights of each rule; None where they are the same."""
        return None if dataset.roles.weight is None else self.rows.sum(axis=1).tolist()


def captured(
    dataset: Dataset, classes: ClassCounts, antecedents: Sequence[tuple[Condition, ...]]
) -> Captured:
    """Count the rows that a list of ``antecedents`` captures, all of them, in one statement.

    Raises InvalidData where the table changed since the classes were counted.
    """
    rules, outcome = _rules(classes, antecedents)
    listed = RuleList(classes.target, dataset.roles.features, rules, outcome)
    number = exp.alias_(case_rule(listed, dataset.engine.dialect), "value")
    weighted = dataset.roles.weight is not None
    name = "counts/value_class" if weighted else "counts/value_class_rows"
    statement = load(name).bind(dataset=dataset.project(None).select(number))
    result = dataset.engine.run(name, statement, {"rules": len(rules)})
    rule = np.ma.getdata(result["value"]).astype(np.int64) - 1
    return _tally(result, rule, len(rules) + 1, classes)


def covered(
    dataset: Dataset, classes: ClassCounts, antecedents: Sequence[tuple[Condition, ...]]
) -> Captured:
    """Count the rows that each of the ``antecedents`` covers, and last those that none does.

    One statement counts how often the same ones cover a row. Raises InvalidData as
    :func:`captured` does.
    """
    rule_set = RuleSet(classes.target, dataset.roles.features, *_rules(classes, antecedents))
    masks = hit_masks(rule_set, dataset.engine.dialect)
    query = dataset.project(None).select(
        *(exp.alias_(mask, f"mask_{place}", copy=False) for place, mask in enumerate(masks))
    )
    name = "counts/cover_class"
    statement = load(name).bind(repeat={"mask": len(masks)}, dataset=unit_weight(query))
    result = dataset.engine.run(name, statement, {"rules": len(antecedents)})
    cover, place = read_cover(result, len(antecedents))
    together = _tally(result, place, len(cover.masks), classes)
    chosen = [*map(cover.of, range(1, len(antecedents) + 1)), ~cover.any]
    return Captured(
        np.array([together.weights[some].sum(axis=0) for some in chosen]),
        np.array([together.rows[some].sum(axis=0) for some in chosen]),
    )


def _rules(
    classes: ClassCounts, antecedents: Sequence[tuple[Condition, ...]]
) -> tuple[tuple[Rule, ...], Outcome]:
    outcome = Outcome(classes.target.classes[0])
    return tuple(Rule(conditions, outcome) for conditions in antecedents), outcome


def _tally(result: Result, place: NDArray[np.int64], size: int, classes: ClassCounts) -> Captured:
    """Add up the rows of a result by ``place``; InvalidData where the table changed."""
    label = class_places(result["label"], classes)
    known = label >= 0
    shape = (size, len(classes.target.classes))
    rows = np.zeros(shape, dtype=np.int64)
    weights = np.zeros(shape)
    at = place[known], label[known]
    np.add.at(rows, at, np.asarray(result["rows"], dtype=np.int64)[known])
    if not np.array_equal(rows.sum(axis=0), classes.rows):
        raise InvalidData(
            "the table changed while the rules of the list were counted: "
            "fit from a SELECT, which is read once"
        )
    counted = result.get("weight", result["rows"])
    np.add.at(weights, at, np.asarray(counted, dtype=np.float64)[known])
    return Captured(weights, rows)
