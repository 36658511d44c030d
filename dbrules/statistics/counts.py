"""Value × class counts of one column: the sufficient statistic of OneR and every binning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dbrules.engine.result import plain
from dbrules.engine.statement import load
from dbrules.errors import InvalidData
from dbrules.language.column import Column
from dbrules.statistics.dataset import Dataset

if TYPE_CHECKING:
    from dbrules.statistics.classes import ClassCounts


@dataclass(frozen=True)
class ValueCounts:
    """Counts of the distinct values of a column, in value order.

    ``values``: ordinals (see data/ordinal) or levels, strictly increasing, shape (v,).
    ``weights``: total weight per value and class, shape (v, k). ``rows``: rows, shape (v, k).
    ``missing_weights`` and ``missing_rows``: the same for NULL and NaN, shape (k,).
    """

    column: Column
    values: NDArray[Any]
    weights: NDArray[np.float64]
    rows: NDArray[np.int64]
    missing_weights: NDArray[np.float64]
    missing_rows: NDArray[np.int64]

    @property
    def class_rows(self) -> NDArray[np.int64]:
        """Rows per class over all values, missing included; shape (k,)."""
        return np.asarray(self.rows.sum(axis=0) + self.missing_rows, dtype=np.int64)


def value_counts(dataset: Dataset, column: Column, classes: ClassCounts) -> ValueCounts:
    """Count one column by one statement; rows without a target are left out."""
    name = "counts/value_class_rows" if dataset.roles.weight is None else "counts/value_class"
    statement = load(name).bind(dataset=dataset.project(column))
    result = dataset.engine.run(name, statement, {"column": column.name})
    return tabulate(dataset, column, classes, result)


def tabulate(
    dataset: Dataset, column: Column, classes: ClassCounts, result: Mapping[str, Any],
    weight: str = "weight",
) -> ValueCounts:  # fmt: skip
    """Turn the rows of a value × class statement into arrays."""
    places = class_places(result["label"], classes)
    known = places >= 0
    rows = np.asarray(result["rows"], dtype=np.int64)
    weights = np.asarray(result[weight], dtype=np.float64) if weight in result else None
    missing = np.ma.getmaskarray(result["value"])
    present = known & ~missing
    decode = dataset.engine.decoder(column)
    cells = decode(np.ma.getdata(result["value"])[present])
    values, index = distinct(cells)
    k = len(classes.target.classes)
    place = index * k + places[present]

    chosen = known & missing

    def table(counts: NDArray[Any]) -> NDArray[np.float64]:
        flat = np.bincount(place, counts[present], minlength=len(values) * k)
        return flat.reshape(len(values), k).astype(np.float64, copy=False)

    def absent(counts: NDArray[Any]) -> NDArray[np.float64]:
        return np.bincount(places[chosen], counts[chosen], minlength=k).astype(np.float64)

    counted, uncounted = table(rows), absent(rows)
    return ValueCounts(
        column,
        values,
        counted if weights is None else table(weights),
        counted.astype(np.int64),
        uncounted if weights is None else absent(weights),
        uncounted.astype(np.int64),
    )


def class_places(cells: Any, classes: ClassCounts) -> NDArray[np.int64]:
    """Return the class of each row in class order, -1 for none."""
    if classes.labels is None:
        return np.asarray(np.ma.filled(cells, -1), dtype=np.int64)
    return np.array([classes.labels.get(label, -1) for label in plain(cells)], dtype=np.int64)


def check_unchanged(counts: ValueCounts, class_rows: NDArray[np.int64]) -> None:
    """Raise InvalidData where the table changed between two statements."""
    if not np.array_equal(counts.class_rows, class_rows):
        raise InvalidData(
            f"the table changed while {counts.column.name!r} was counted: "
            "fit from a SELECT, which is read once"
        )


def distinct(cells: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return sorted distinct cells and the place of each cell among them."""
    if cells.dtype != object:
        return _distinct_numbers(cells)
    ordered = sorted(set(cells.tolist()))
    places = {value: place for place, value in enumerate(ordered)}
    index = np.fromiter((places[cell] for cell in cells.tolist()), np.int64, len(cells))
    values = np.empty(len(ordered), dtype=object)
    values[:] = ordered
    return values, index


def _distinct_numbers(cells: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return what ``np.unique`` does, at once where the engine has sorted the cells."""
    order = None
    if (cells[1:] < cells[:-1]).any():
        order = np.argsort(cells, kind="stable")
        cells = cells[order]
    new = np.ones(len(cells), dtype=bool)
    np.not_equal(cells[1:], cells[:-1], out=new[1:])
    place = np.cumsum(new) - 1
    if order is None:
        return cells[new], place
    index = np.empty(len(cells), dtype=np.int64)
    index[order] = place
    return cells[new], index
