"""Features of sequential covering: a code for each value, so that a threshold can be any."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from dbrules.data.binning import Bins
from dbrules.data.coding import Coding
from dbrules.data.scale import Scale, scale_of
from dbrules.errors import InvalidData
from dbrules.language.column import Column
from dbrules.language.condition import Condition
from dbrules.learners.codings import Columns, code, usable_columns
from dbrules.search.covering.literal import Antecedent, Feature, merged
from dbrules.search.covering.subset import Rows
from dbrules.search.support import MinSupport
from dbrules.statistics.classes import ClassCounts
from dbrules.statistics.coded_patterns import Codes, read_coded_patterns
from dbrules.statistics.coded_rows import coded
from dbrules.statistics.counts import ValueCounts
from dbrules.statistics.dataset import Dataset
from dbrules.statistics.memory_rows import MemoryRows
from dbrules.statistics.patterns import units_per_weight


@dataclass(frozen=True, eq=False)
class Scaled:
    """What sequential covering works on.

    ``codings``: one a feature of ``rows``. ``unit``: the weight of one unit of counts.
    ``found``: missing values, and the columns that are not used.
    """

    rows: Rows
    codings: tuple[Codes, ...]
    unit: float
    found: Columns

    def conditions(self, antecedent: Antecedent) -> tuple[Condition, ...]:
        """Return the conditions that an antecedent is written with."""
        return tuple(
            condition
            for feature, first, end in merged(antecedent)
            for condition in _conditions(self.codings[feature], first, end)
        )


@contextmanager
def scaled_rows(
    dataset: Dataset, classes: ClassCounts, bins: Callable[[Column], Bins | None], *,
    missing_level: bool, max_cuts: int, where: str, max_patterns: int, seed: int,
) -> Iterator[Scaled]:  # fmt: skip
    """Yield the rows of a data set as codes, from memory or in the engine.

    ``bins`` cuts an ordered column; None keeps its values apart while they are at most
    ``max_cuts``. Raises InvalidData where no feature has a value.
    """
    found = Columns({}, [], [])
    codings: list[Codes] = []
    for counts in usable_columns(dataset, classes, found):
        coding = _coding(counts, classes, bins(counts.column), missing_level, max_cuts)
        if coding is None:
            found.alike(counts.column)
        else:
            codings.append(coding)
    if found.warnings and not codings and not found.notes:
        raise InvalidData(f"{found.warnings[0]}; no feature is left: give one with values")
    patterns = read_coded_patterns(dataset, codings, classes)
    assert patterns is not None
    features = [feature_of(coding) for coding in codings]
    rows = MemoryRows(coded(patterns, features), patterns.counts)
    yield Scaled(rows, tuple(codings), float(patterns.unit), found)


def feature_of(coding: Codes) -> Feature:
    """Return the codes of a feature as the search sees them."""
    return Feature(coding.size, coding.steps if isinstance(coding, Scale) else 0)


def _coding(
    counts: ValueCounts, classes: ClassCounts, bins: Bins | None, missing_level: bool, max_cuts: int
) -> Codes | None:
    """Return the coding of a column, None where it tells no rows apart."""
    column = counts.column
    if bins is not None or not column.type.is_ordered:
        how = Bins("mdlp") if bins is None else bins
        coding = code(counts, classes, MinSupport(0), how, missing_level)
        return coding if coding.literals else None
    units = np.rint(counts.weights.sum(axis=1) * units_per_weight(classes)).astype(np.int64)
    missing = missing_level and bool(counts.missing_rows.any())
    scale = scale_of(column, counts.values, units, max_cuts, missing=missing)
    return scale if scale.steps > 1 or missing else None


def _conditions(coding: Codes, first: int, end: int) -> tuple[Condition, ...]:
    if isinstance(coding, Coding):
        return coding.cells[first:end]
    return coding.conditions(first, end)
