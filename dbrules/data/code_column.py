"""A column's literals and codes, from its value x class counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dbrules.data.binning.find import find_cuts, left_of
from dbrules.data.binning.spec import Bins
from dbrules.data.coding import Coding, disjoint_coding
from dbrules.data.literals import interval_conditions, level_condition, missing_condition
from dbrules.data.thresholds import Cuts, Thresholds, find_thresholds
from dbrules.language.column import Column, Value
from dbrules.language.condition import Condition

#: Class counts in units of weight; the last axis is of classes.
Counts = NDArray[np.int64]


def code_column(
    column: Column,
    values: NDArray[Any],
    counts: Counts,
    missing: Counts,
    meets: Callable[[Counts], NDArray[np.bool_]],
    how: Bins | Thresholds,
    *,
    missing_level: bool = True,
    unit: Fraction = Fraction(1),
) -> Coding:
    """Return the coding of one column.

    ``values``: ordinals or levels, strictly increasing, shape (n,); ``counts``: of each value and
    class in multiples of ``unit`` weight, shape (n, classes); ``missing``: those of NULL and NaN,
    shape (classes,). ``meets`` says of class counts, shape (literals, classes), which are enough.

    Text and booleans have a literal ``=`` a level. Ordered columns have literals ``x < c`` and
    ``x >= c`` at each threshold, and intervals, as :class:`Thresholds` says; or a literal a bin,
    as :class:`Bins` says. With ``missing_level`` there is one for missing values. Literals that
    do not meet the support, or that hold of every row, are left out; so are the codes that no
    literal needs. Raises as :func:`~dbrules.data.binning.find.find_cuts` does.

    >>> from dbrules.language.column import ColumnType
    >>> coding = code_column(
    ...     Column("size", ColumnType("VARCHAR")), np.array(["big", "huge", "small"], dtype=object),
    ...     np.array([[4, 1], [0, 1], [1, 5]]), np.array([0, 0]), lambda c: c.sum(axis=1) >= 2,
    ...     Thresholds())
    >>> [literal.value for literal in coding.literals], coding.code("huge")
    (['big', 'small'], 2)
    """
    total = counts.sum(axis=0) + missing

    def useful(captured: Counts) -> NDArray[np.bool_]:
        tells_apart = captured.any(axis=1) & (captured != total).any(axis=1)
        return np.asarray(tells_apart & meets(captured))

    with_missing = missing_level and bool(useful(missing[np.newaxis])[0])
    if not column.type.is_ordered:
        kept = values[useful(counts)].tolist()
        levels = [level_condition(column.name, level) for level in kept]
        return disjoint_coding(column, levels, missing=with_missing)
    weights = counts * unit.numerator / unit.denominator
    if isinstance(how, Bins):
        found = Cuts(find_cuts(how, values, weights, column.type))
        runs = [(place, place + 1) for place in range(len(found.cuts) + 1)]
    else:
        found = find_thresholds(how, values, weights, column.type)
        runs = found.runs() or [(0, 1)]
    edges = [0, *left_of(found.cuts, values, how.closed, column.type), len(values)]
    cumulated = np.zeros((len(values) + 1, counts.shape[1]), dtype=np.int64)
    np.cumsum(counts, axis=0, out=cumulated[1:])
    start, end = np.take(edges, np.array(runs).T)
    is_useful = useful(cumulated[end] - cumulated[start])
    kept_runs = [run for run, keep in zip(runs, is_useful, strict=True) if keep]
    return _run_coding(column, found.cuts, how.closed, kept_runs, missing=with_missing)


def _run_coding(
    column: Column,
    cuts: Sequence[Value],
    closed: str,
    runs: Sequence[tuple[int, int]],
    *,
    missing: bool,
) -> Coding:
    """Return the coding whose literals are runs of the bins between ``cuts``.

    Bins that no literal tells apart share a cell, and those that none holds of the last code.
    """
    ends = sorted({place for run in runs for place in run} | {0, len(cuts) + 1})
    conditions = interval_conditions(column.name, [cuts[place - 1] for place in ends[1:-1]], closed)
    first, end = np.array(runs, dtype=np.intp).reshape(-1, 2).T[:, :, np.newaxis]
    holds = (first <= ends[:-1]) & (end >= ends[1:])
    held = holds.any(axis=0)
    cells = tuple(cell for cell, used in zip(conditions, held, strict=True) if used)
    literals = tuple(_run_condition(column, cuts, closed, run) for run in runs)
    absent = (missing_condition(column.name),) if missing else ()
    members = np.zeros((len(runs) + missing, len(cells) + missing + 1), dtype=np.bool_)
    members[: len(runs), : len(cells)] = holds[:, held]
    members[len(runs) :, len(cells) : -1] = True
    return Coding(column, (*cells, *absent), (*literals, *absent), members)


def _run_condition(
    column: Column, cuts: Sequence[Value], closed: str, run: tuple[int, int]
) -> Condition:
    limits = [cuts[place - 1] for place in run if 0 < place <= len(cuts)]
    return interval_conditions(column.name, limits, closed)[int(run[0] > 0)]
