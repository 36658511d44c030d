"""Features of sequential covering: a code for each value, so that a threshold can be any."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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
from dbrules.search.covering.literal import Antecedent, merged
from dbrules.search.covering.subset import Rows
from dbrules.search.support import MinSupport
from dbrules.statistics.classes import ClassCounts
from dbrules.statistics.coded_patterns import read_coded_patterns
from dbrules.statistics.coded_rows import coded
from dbrules.statistics.codes import Codes, feature_of
from dbrules.statistics.counts import ValueCounts
from dbrules.statistics.dataset import Dataset
from dbrules.statistics.engine_rows import engine_rows
from dbrules.statistics.memory_rows import MemoryRows
from dbrules.statistics.patterns import Patterns, read_patterns, units_per_weight
from dbrules.statistics.sample import sample_patterns


@dataclass(frozen=True, eq=False)
class Scaled:
    """What sequential covering works on.

    ``codings``: one a feature of ``rows``. ``unit``: the weight of one unit of counts.
    ``found``: missing values, and the columns that are not used. ``step``: one row in so many was
    taken, None for all.
    """

    rows: Rows
    codings: tuple[Codes, ...]
    unit: float
    found: Columns
    step: int | None = None

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
    """Yield the rows of a data set as codes, in memory or in the engine.

    ``bins`` cuts an ordered column; None keeps its values apart while they are at most
    ``max_cuts``. ``where``: ``memory``, ``database``, or ``auto``, which is memory, and a sample of
    the rows where there are more than ``max_patterns`` patterns. Raises InvalidData where no
    feature has a value.
    """
    found = Columns()
    codings: list[Codes] = []
    for counts in usable_columns(dataset, classes, found):
        coding = _coding(counts, classes, bins(counts.column), missing_level, max_cuts)
        if coding is None:
            found.alike(counts.column)
        else:
            codings.append(coding)
    if found.warnings and not codings and not found.notes:
        raise InvalidData(f"{found.warnings[0]}; no feature is left: give one with values")
    if where == "database":
        with engine_rows(dataset, codings, classes) as rows:
            yield Scaled(rows, tuple(codings), float(rows.unit), found)
        return
    most = None if where == "memory" else max_patterns
    patterns, step = _read(dataset, codings, classes, most), None
    if patterns is None:
        sample = sample_patterns(dataset, codings, classes, max_patterns=max_patterns, seed=seed)
        patterns, step = sample.patterns, sample.step
    in_memory = MemoryRows(coded(patterns, [feature_of(c) for c in codings]), patterns.counts)
    yield Scaled(in_memory, tuple(codings), float(patterns.unit), found, step)


def _read(
    dataset: Dataset, codings: Sequence[Codes], classes: ClassCounts, most: int | None
) -> Patterns | None:
    """Return the patterns; None where they are more than ``most``."""
    patterns = read_coded_patterns(dataset, codings, classes, max_patterns=most)
    if patterns is None and any(isinstance(c, Scale) and c.merges for c in codings):
        # as values they are too many to fetch: as codes they can be few
        return read_patterns(dataset, codings, classes, max_patterns=most)
    return patterns


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
