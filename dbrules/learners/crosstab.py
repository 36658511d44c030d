"""A feature as a table of literals × classes, and what its majority classes get wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dbrules.data.binning import Bins, assign, find_cuts
from dbrules.data.literals import interval_conditions, level_condition, missing_condition
from dbrules.data.ordinal import to_ordinal
from dbrules.language.column import Column
from dbrules.language.condition import Condition
from dbrules.statistics.classes import ClassCounts
from dbrules.statistics.counts import ValueCounts

#: From this many rows on, a text column with less than two rows a level is an identifier (P11).
_IDENTIFIER_ROWS = 10


@dataclass(frozen=True)
class Crosstab:
    """Literals of one feature with the weight and rows of each class.

    ``weights`` and ``rows`` have shape (literals, k); ``group`` gives the literal of each distinct
    value. The literal for missing values, where there is one, comes last; ``missing_rows`` are
    counted in any case.
    """

    column: Column
    conditions: tuple[Condition, ...]
    weights: NDArray[np.float64]
    rows: NDArray[np.int64]
    group: NDArray[np.int64]
    has_missing: bool
    missing_rows: int

    def majority(self, classes: ClassCounts) -> NDArray[np.int64]:
        """Return the most frequent class per literal; shape (literals,).

        Ties go to the class of larger total, then to the smaller label (policy P5); a literal
        without weight has the overall majority.
        """
        order = np.lexsort((np.arange(len(classes.weights)), -classes.weights))
        label = order[np.argmax(self.weights[:, order], axis=1)]
        label[self.weights.sum(axis=1) == 0] = classes.majority
        return np.asarray(label, dtype=np.int64)

    def errors(self, counts: ValueCounts, classes: ClassCounts) -> float:
        """Return the weight of ``counts`` that the majority classes get wrong.

        Missing values without a literal of their own get the default.
        """
        label = self.majority(classes)
        right = counts.weights[np.arange(len(counts.values)), label[self.group]].sum()
        missing = label[-1] if self.has_missing else classes.majority
        right += counts.missing_weights[missing]
        return float(counts.weights.sum() + counts.missing_weights.sum() - right)


def crosstab(
    counts: ValueCounts, bins: Bins, *, missing_level: bool, max_levels: int | None
) -> Crosstab | str:
    """Return the crosstab of one feature, or the reason why it is not used."""
    column = counts.column
    has_missing = missing_level and bool(counts.missing_weights.sum())
    if column.type.is_ordered:
        cuts = find_cuts(bins, counts.values, counts.weights, column.type)
        conditions = interval_conditions(column.name, cuts, bins.closed)
        group = assign(counts.values, [to_ordinal(c, column.type) for c in cuts], bins.closed)
        kind = "bin"
    else:
        levels, rows = len(counts.values), int(counts.rows.sum())
        if rows >= _IDENTIFIER_ROWS and 2 * levels > rows:
            return f"{levels} levels in {rows} rows, not used"
        conditions = tuple(level_condition(column.name, v) for v in counts.values.tolist())
        group = np.arange(levels)
        kind = "level"
    if max_levels is not None and len(conditions) > max_levels:
        return f"{len(conditions)} {kind}s, more than max_levels {max_levels}, not used"
    if len(conditions) + has_missing < 2:
        return f"one {kind} only, nothing to tell apart"
    weights = _sum_by(group, counts.weights, len(conditions))
    rows_table = _sum_by(group, counts.rows, len(conditions)).astype(np.int64)
    if has_missing:
        conditions = (*conditions, missing_condition(column.name))
        weights = np.vstack([weights, counts.missing_weights])
        rows_table = np.vstack([rows_table, counts.missing_rows])
    return Crosstab(
        column,
        conditions,
        weights,
        rows_table,
        group.astype(np.int64),
        has_missing,
        int(counts.missing_rows.sum()),
    )


def _sum_by(group: NDArray[np.int64], table: NDArray[Any], groups: int) -> NDArray[np.float64]:
    """Return the sums of a table's rows by group, shape (groups, k); a group may be empty."""
    return np.column_stack([np.bincount(group, column, minlength=groups) for column in table.T])
