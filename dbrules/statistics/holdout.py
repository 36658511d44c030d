"""Validation split: part of every pattern's weight is held out, in the engine."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from sqlglot import exp

from dbrules.engine.statement import load, settings
from dbrules.language.column import Column
from dbrules.statistics.classes import ClassCounts
from dbrules.statistics.counts import ValueCounts, tabulate
from dbrules.statistics.dataset import WEIGHT_TYPE, Dataset, unit_weight
from dbrules.statistics.row_key import row_key


@dataclass(frozen=True)
class SplitCounts:
    """Counts of the training part and of the part held out."""

    training: ValueCounts
    held_out: ValueCounts


@contextmanager
def hold_out(
    dataset: Dataset, classes: ClassCounts, fraction: float, seed: int
) -> Iterator[Dataset]:
    """Yield a snapshot of the data set that carries ``held_out``, the weight held out.

    Its features are called feature_0, feature_1, … whatever the user calls them. Every class
    gives ``fraction`` of its weight; equal rows are divided as evenly as can be.
    """
    roles = dataset.roles
    stored = [replace(column, name=f"feature_{i}") for i, column in enumerate(roles.features)]
    query = unit_weight(dataset.project(None))
    query = query.select(
        *(
            exp.alias_(exp.column(column.name, quoted=True), kept.name)
            for column, kept in zip(roles.features, stored, strict=True)
        ),
        exp.alias_(row_key(map(dataset.engine.encode, roles.features), seed), "row_key"),
        exp.alias_(_units(query, whole=classes.whole), "units"),
    )
    statement = load("split/held_out").bind(
        dataset=query,
        settings=settings({"fraction": fraction, "start": random.Random(seed).random()}),
    )
    with dataset.engine.snapshot(statement) as table:
        yield replace(
            dataset,
            relation=table,
            label=exp.column("label"),
            roles=replace(roles, weight=None, features=tuple(stored)),
            extra=("weight", "held_out"),
        )


def split_counts(
    dataset: Dataset, stored: Column, classes: ClassCounts, column: Column
) -> SplitCounts:
    """Count one feature of a data set that :func:`hold_out` divided, ``stored`` there."""
    name = "counts/value_class_held_out"
    statement = load(name).bind(dataset=dataset.project(stored))
    result = dataset.engine.run(name, statement, {"column": column.name})
    whole = tabulate(dataset, column, classes, result)
    held = tabulate(dataset, column, classes, result, weight="held_out")
    training = replace(
        whole,
        weights=whole.weights - held.weights,
        missing_weights=whole.missing_weights - held.missing_weights,
    )
    return SplitCounts(training, held)


def _units(query: exp.Select, *, whole: bool) -> exp.Expr:
    if not whole:
        return exp.cast(exp.Literal.number(1), WEIGHT_TYPE)
    weight = next(s for s in query.selects if s.alias == "weight")
    return weight.this.copy()  # type: ignore[no-any-return]
