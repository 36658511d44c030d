"""Rows without a target: all of them are of one class."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from sqlglot import exp

from dbrules.data.roles import Roles
from dbrules.data.source import Source
from dbrules.engine.engine import Engine
from dbrules.engine.statement import load
from dbrules.errors import InvalidData
from dbrules.language.column import Column, ColumnType
from dbrules.language.rule import Target
from dbrules.statistics.classes import ClassCounts
from dbrules.statistics.dataset import Dataset, open_dataset, refuse_bad_weights

_CLASS = Target("", ColumnType("INTEGER"), (0,))


@contextmanager
def open_unlabelled(
    engine: Engine, source: Source, weight: Column | None, features: tuple[Column, ...]
) -> Iterator[tuple[Dataset, ClassCounts]]:
    """Yield the data set, labelled 0 throughout, and its one class.

    Raises InvalidData for no rows or bad weights. There must be a feature.
    """
    # the target is a name only: its expression is a constant, and its column is a feature's
    with open_dataset(engine, source, Roles(features[0], weight, features)) as rows:
        dataset = rows.with_label(exp.Literal.number(0))
        yield dataset, _one_class(dataset)


def _one_class(dataset: Dataset) -> ClassCounts:
    weight = dataset.roles.weight
    name = "profile/classes" if weight is None else "profile/weighted_classes"
    result = dataset.engine.run(name, load(name).bind(dataset=dataset.project(None)))
    rows = np.asarray(result["rows"], dtype=np.int64)
    if not rows.sum():
        weighed = "" if weight is None else f" of a weight {weight.name!r} above 0"
        raise InvalidData(f"the data has 0 rows{weighed}: give a query or table that returns some")
    if weight is None:
        return ClassCounts(_CLASS, None, rows.astype(np.float64), rows, 0, whole=True)
    refuse_bad_weights(weight, result["bad_weights"])
    whole = not np.ma.filled(result["fractions"], 0).astype(np.int64).sum()
    weights = np.asarray(result["weight"], dtype=np.float64)
    return ClassCounts(_CLASS, None, weights, rows, 0, whole=whole)
