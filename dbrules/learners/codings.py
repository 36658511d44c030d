"""The codings of all features of a data set, one statement a feature."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dbrules.data.binning.spec import Bins
from dbrules.data.code_column import code_column
from dbrules.data.coding import Coding, level_coding
from dbrules.data.thresholds import Thresholds
from dbrules.language.column import Column
from dbrules.learners.seen import Seen
from dbrules.search.support import MinSupport
from dbrules.statistics.classes import ClassCounts
from dbrules.statistics.counts import ValueCounts, check_unchanged, value_counts
from dbrules.statistics.dataset import Dataset
from dbrules.statistics.patterns import units_per_weight

#: From this many rows on, a text column with less than two rows a level is an identifier (P11).
_IDENTIFIER_ROWS = 10
#: Levels of one column that can be conditions: a rarer one says little, and codes have 16 bits.
_LEVELS = 10_000


@dataclass(frozen=True)
class Codings:
    """The features that have a literal, coded; ``notes`` name the others, and why.

    ``seen``: missing values and levels of each feature. ``warnings`` name the features without
    any value.
    """

    codings: tuple[Coding, ...]
    seen: Seen
    notes: tuple[str, ...]
    warnings: tuple[str, ...] = ()


def code_features(
    dataset: Dataset,
    classes: ClassCounts,
    support: MinSupport,
    how: Callable[[Column], Bins | Thresholds],
    *,
    missing_level: bool = True,
    constants: bool = False,
) -> Codings:
    """Return the codings of the features of a data set.

    ``how`` says for an ordered column how to cut it. Literals that do not meet ``support`` are
    left out. ``constants`` keeps the level that all rows have, which tells no rows apart.
    """
    found = Columns()
    codings = []
    for counts in usable_columns(dataset, classes, found, constants=constants):
        column = counts.column
        coding = code(counts, classes, support, how(column), missing_level, constants)
        if coding.literals:
            codings.append(coding)
        elif code(counts, classes, MinSupport(0), how(column), missing_level, constants).literals:
            found.notes.append(f"{column.name}: no condition has {support}, not used")
        else:
            found.alike(column)
    return Codings(tuple(codings), found.seen, tuple(found.notes), tuple(found.warnings))


@dataclass(frozen=True)
class Columns:
    """What is found out about the features while they are coded; see :class:`Codings`."""

    seen: Seen = field(default_factory=Seen)
    notes: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def alike(self, column: Column) -> None:
        """Note that a column tells no rows apart."""
        kind = "bin" if column.type.is_ordered else "level"
        self.notes.append(f"{column.name}: one {kind} only, nothing to tell apart")


def usable_columns(
    dataset: Dataset, classes: ClassCounts, found: Columns, *, constants: bool = False
) -> Iterator[ValueCounts]:
    """Yield the value counts of the features but identifiers and those without a value."""
    for column in dataset.roles.features:
        counts = value_counts(dataset, column, classes)
        check_unchanged(counts, classes.rows)
        found.seen.add(counts)
        levels, rows = len(counts.values), int(counts.rows.sum())
        if not levels and not constants:
            found.warnings.append(f"{column.name}: all values missing, not used")
        elif not column.type.is_ordered and rows >= _IDENTIFIER_ROWS and 2 * levels > rows:
            found.notes.append(f"{column.name}: {levels} levels in {rows} rows, not used")
        elif column.type.is_ordered or levels <= _LEVELS:
            yield counts
        else:
            found.notes.append(
                f"{column.name}: {levels} levels, conditions on the {_LEVELS} most frequent"
            )
            yield _most_frequent(counts)


def _most_frequent(counts: ValueCounts) -> ValueCounts:
    """Return the levels of most weight, in their order; of equal ones the first."""
    order = np.argsort(-counts.weights.sum(axis=1), kind="stable")[:_LEVELS]
    kept = np.sort(order)
    return replace(
        counts, values=counts.values[kept], weights=counts.weights[kept], rows=counts.rows[kept]
    )


def code(
    counts: ValueCounts,
    classes: ClassCounts,
    support: MinSupport,
    how: Bins | Thresholds,
    missing_level: bool,
    constants: bool = False,
) -> Coding:
    """Return the coding of one column; see :func:`code_features`."""
    column, scale = counts.column, units_per_weight(classes)
    units = np.rint(counts.weights * scale).astype(np.int64)
    missing = np.rint(counts.missing_weights * scale).astype(np.int64)
    totals = units.sum(axis=0) + missing
    # a sum of decimals, fetched as a double, can be a unit too small: the search decides
    slack = 0 if classes.whole else 1

    def meets(captured: NDArray[np.int64]) -> NDArray[np.bool_]:
        return support.met(captured + slack, totals)

    if constants and not column.type.is_ordered:
        kept = counts.values[meets(units)].tolist()
        absent = missing_level and bool(missing.any() and meets(missing[np.newaxis])[0])
        return level_coding(column, kept, missing=absent)
    return code_column(
        column, counts.values, units, missing, meets, how,
        missing_level=missing_level, unit=Fraction(1, scale),
    )  # fmt: skip
