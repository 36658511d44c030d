"""Patterns that stay in the engine, in one temporary table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from sqlglot import exp

from dbrules.engine.statement import load
from dbrules.statistics.classes import ClassCounts
from dbrules.statistics.counts import class_places
from dbrules.statistics.dataset import Dataset
from dbrules.statistics.patterns import check_rows, pattern_statement, units_per_weight


@dataclass(frozen=True)
class KeptPatterns:
    """A temporary table of patterns: ``code_0``, …, ``label``, ``units``.

    ``unit`` is that of :class:`Patterns`; the table counts in units of which ``zeros`` (a power
    of ten) make one. ``totals``: count of each class, shape (classes,).
    """

    table: exp.Table
    unit: Fraction
    zeros: int
    totals: NDArray[np.int64]


@contextmanager
def keep_patterns(
    dataset: Dataset, codes: Sequence[exp.Expr], classes: ClassCounts
) -> Iterator[KeptPatterns]:
    """Yield the patterns of ``codes`` as a table that is dropped at the end; rows are read once.

    Raises InvalidData as :func:`read_patterns` does.
    """
    _, query = pattern_statement(dataset, codes, classes)
    with keep_query(dataset, query, classes) as patterns:
        yield patterns


@contextmanager
def keep_query(dataset: Dataset, query: exp.Query, classes: ClassCounts) -> Iterator[KeptPatterns]:
    """Yield what a query returns as ``pattern_statement`` does; see :func:`keep_patterns`."""
    with dataset.engine.snapshot(query) as table:
        weighted = dataset.roles.weight is not None
        columns = ["label", "units"]
        columns += ["rows", "bad_weights"] if weighted else ["units AS rows", "0 AS bad_weights"]
        name = "patterns/totals"
        statement = load(name).bind(patterns=exp.select(*columns).from_(table.copy()))
        result = dataset.engine.run(name, statement)
        check_rows(dataset, classes, result)
        scale = units_per_weight(classes)
        zeros = min(scale, 10 ** int(np.min(result["zeros"])))
        totals = np.zeros(len(classes.rows), dtype=np.int64)
        units = np.asarray(result["units"], dtype=np.int64)
        totals[class_places(result["label"], classes)] = units // zeros
        yield KeptPatterns(table, Fraction(zeros, scale), zeros, totals)
