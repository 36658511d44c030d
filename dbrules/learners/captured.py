"""What the rules of a list capture in the data of a fit, by one statement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sqlglot import exp

from dbrules.compile.case import case_rule
from dbrules.engine.statement import load
from dbrules.errors import InvalidData
from dbrules.language.condition import Condition
from dbrules.language.rule import Outcome, Rule
from dbrules.language.rule_list import RuleList
from dbrules.statistics.classes import ClassCounts
from dbrules.statistics.counts import class_places
from dbrules.statistics.dataset import Dataset


@dataclass(frozen=True, eq=False)
class Captured:
    """Weight and rows of each rule, the default last, and class; (rules + 1, classes)."""

    weights: NDArray[np.float64]
    rows: NDArray[np.int64]


def captured(
    dataset: Dataset, classes: ClassCounts, antecedents: Sequence[tuple[Condition, ...]]
) -> Captured:
    """Count the rows that a list of ``antecedents`` captures, all of them, in one statement.

    Raises InvalidData where the table changed since the classes were counted.
    """
    outcome = Outcome(classes.target.classes[0])
    rules = tuple(Rule(conditions, outcome) for conditions in antecedents)
    listed = RuleList(classes.target, dataset.roles.features, rules, outcome)
    number = exp.alias_(case_rule(listed, dataset.engine.dialect), "value")
    weighted = dataset.roles.weight is not None
    name = "counts/value_class" if weighted else "counts/value_class_rows"
    statement = load(name).bind(dataset=dataset.project(None).select(number))
    result = dataset.engine.run(name, statement, {"rules": len(rules)})
    place = class_places(result["label"], classes)
    known = place >= 0
    rule = np.ma.getdata(result["value"])[known].astype(np.int64) - 1
    shape = (len(rules) + 1, len(classes.target.classes))
    rows = np.zeros(shape, dtype=np.int64)
    weights = np.zeros(shape)
    np.add.at(rows, (rule, place[known]), np.asarray(result["rows"], dtype=np.int64)[known])
    if not np.array_equal(rows.sum(axis=0), classes.rows):
        raise InvalidData(
            "the table changed while the rules of the list were counted: "
            "fit from a SELECT, which is read once"
        )
    counted = result["weight"] if weighted else result["rows"]
    np.add.at(weights, (rule, place[known]), np.asarray(counted, dtype=np.float64)[known])
    return Captured(weights, rows)
