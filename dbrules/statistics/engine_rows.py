"""All rows in the engine, as sequential covering asks for them (``search/covering/subset``)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from sqlglot import exp

from dbrules.search.covering.literal import Antecedent, Feature
from dbrules.statistics.classes import ClassCounts
from dbrules.statistics.codes import Codes, feature_of
from dbrules.statistics.counts import class_places
from dbrules.statistics.dataset import Dataset
from dbrules.statistics.engine_subset import EngineSubset
from dbrules.statistics.kept_cells import label_is
from dbrules.statistics.kept_codes import (
    KeptCodes,
    branches_of,
    covers,
    first_of,
    keep_coded_patterns,
    lacks,
)


class EngineRows:
    """All rows, or those that the rules for earlier classes leave, over a kept table of patterns.

    ``unit``: the weight of one unit of counts. Made by :func:`engine_rows`.
    """

    def __init__(
        self,
        kept: KeptCodes,
        classes: ClassCounts,
        unit: Fraction,
        where: tuple[exp.Expr, ...] = (),
    ) -> None:
        self._kept, self._classes, self.unit, self._where = kept, classes, unit, where

    @property
    def features(self) -> tuple[Feature, ...]:
        """The features, in declared order."""
        return self._kept.features

    @cached_property
    def totals(self) -> NDArray[np.int64]:
        """Units of each class; shape (classes,)."""
        totals: NDArray[np.int64] = self._count([exp.Literal.number(0)], 1)[0, 0]
        return totals

    def against(self, positive: int) -> EngineSubset:
        """Return the rows with one class told from all others."""
        is_positive = exp.If(this=label_is(positive, self._classes), true=exp.Literal.number(1))
        side = exp.Case(ifs=[is_positive], default=exp.Literal.number(0))
        return EngineSubset(self._kept, side, self._where)

    def without(self, antecedents: Sequence[Antecedent]) -> EngineRows:
        """Return the rows that none of the rules covers."""
        where = (*self._where, *map(lacks, antecedents))
        return EngineRows(self._kept, self._classes, self.unit, where)

    def captures(self, antecedents: Sequence[Antecedent]) -> NDArray[np.int64]:
        """Return the class counts that each rule of a list captures; shape (rules, classes)."""
        captured = np.empty((len(antecedents), len(self._classes.rows)), dtype=np.int64)
        most, left = branches_of(self._kept.engine), self
        for start in range(0, len(antecedents), most):
            part = antecedents[start : start + most]
            number = first_of([covers(antecedent) for antecedent in part])
            captured[start : start + most] = left._count([number], len(part))[0]
            left = left.without(part)
        return captured

    def covers(self, antecedents: Sequence[Antecedent]) -> NDArray[np.int64]:
        """Return the class counts that each rule covers; shape (rules, classes)."""
        return self._count([first_of([covers(antecedent)]) for antecedent in antecedents], 1)[:, 0]

    def _count(self, groupings: Sequence[exp.Expr], cells: int) -> NDArray[np.int64]:
        """Return class counts in the first so many cells, shape (groupings, cells, classes)."""
        k = len(self._classes.rows)
        counts = np.zeros((len(groupings), cells + 1, k), dtype=np.int64)
        for start, result in self._kept.count(exp.column("label"), self._where, groupings):
            place = start + np.asarray(result["place"], dtype=np.int64)
            cell = np.asarray(result["cell"], dtype=np.int64)
            counts[place, cell, class_places(result["label"], self._classes)] = result["units"]
        return counts[:, :cells]


@contextmanager
def engine_rows(
    dataset: Dataset, codings: Sequence[Codes], classes: ClassCounts
) -> Iterator[EngineRows]:
    """Yield the rows as a temporary table of small integers in the engine, dropped at the end.

    The rows are read once, by the statement that makes the table. Counts are those of
    ``memory_rows``, to the unit. Raises InvalidData where the table changed since the classes
    were counted, and for weights that are bad or too large.
    """
    with keep_coded_patterns(dataset, codings, classes) as patterns:
        features = tuple(feature_of(coding) for coding in codings)
        kept = KeptCodes(dataset.engine, patterns.table, features, "units", patterns.zeros)
        yield EngineRows(kept, classes, patterns.unit)
