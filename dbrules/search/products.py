"""Counts of conjunctions of literals, from the class counts over grids of codes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

#: Numbers in one intermediate table: 32 MB.
_TABLE: Final = 1 << 22

#: Which codes a literal holds of, as 0 and 1; shape (groups, literals, codes).
Members = NDArray[np.float64]


def product_counts(
    histograms: NDArray[np.int64], members: Sequence[Members]
) -> NDArray[np.int64]:  # fmt: skip
    """Return the class counts of every conjunction of one literal per feature.

    Groups of k features are counted side by side. ``histograms`` has shape (groups, codes_1, …,
    codes_k, classes), ``members`` one array for each of the k; the answer has shape (groups,
    literals_1, …, literals_k, classes). A literal's count is the sum over its codes, so that a
    grid is multiplied by one matrix an axis; counts below 2**53 are exact.

    >>> histograms = np.array([[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]])
    >>> either, second = np.array([[[1.0, 1.0]]]), np.array([[[0.0, 1.0]]])
    >>> product_counts(histograms, [either, second]).tolist()
    [[[[10, 12]]]]
    """
    groups, classes = len(histograms), histograms.shape[-1]
    table = histograms.astype(np.float64)
    for matrix in members:
        # the first axis goes, its literals come last: after k turns the classes are in front
        table = table.reshape(groups, matrix.shape[2], -1).swapaxes(1, 2) @ matrix.swapaxes(1, 2)
    shape = (groups, classes, *(matrix.shape[1] for matrix in members))
    return np.moveaxis(table.reshape(shape), 1, -1).astype(np.int64)


def chosen_counts(
    histograms: NDArray[np.int64],
    members: Sequence[Members],
    group: NDArray[np.int64],
    places: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Return the class counts of some conjunctions; shape (n, classes).

    ``group``: where each conjunction's histogram is, shape (n,); ``places``: the row of each of
    its literals in ``members``, shape (n, k). Memory stays within a small multiple of the
    histograms and 32 MB, however many literals there are.
    """
    if table_size(histograms.shape, members) <= max(_TABLE, histograms.size):
        counts: NDArray[np.int64] = product_counts(histograms, members)[(group, *places.T)]
        return counts
    counts = np.zeros((len(places), histograms.shape[-1]), dtype=np.int64)
    if len(histograms) > 1:
        for one in range(len(histograms)):
            asked, here = group == one, slice(one, one + 1)
            parts = [matrix[here] for matrix in members]
            counts[asked] = _one_group(histograms[here], parts, places[asked])
        return counts
    return _one_group(histograms, members, places)


def _one_group(
    histogram: NDArray[np.int64], members: Sequence[Members], places: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Count the literals asked for only; where they are too many, one first literal at a time."""
    used = [np.unique(column, return_inverse=True) for column in places.T]
    members = [matrix[:, rows] for matrix, (rows, _) in zip(members, used, strict=True)]
    places = np.column_stack([new for _, new in used])
    alone = np.zeros(len(places), dtype=np.int64)
    if table_size(histogram.shape, members) <= max(_TABLE, histogram.size):
        return chosen_counts(histogram, members, alone, places)
    counts = np.zeros((len(places), histogram.shape[-1]), dtype=np.int64)
    for first, codes in enumerate(members[0][0]):
        asked = places[:, 0] == first
        rest = np.tensordot(codes, histogram[0].astype(np.float64), axes=1)[np.newaxis]
        counts[asked] = chosen_counts(
            rest.astype(np.int64), members[1:], alone[asked], places[asked, 1:]
        )
    return counts


def table_size(shape: Sequence[int], members: Sequence[Members]) -> int:
    """Return the size of the largest table on the way from codes to literals."""
    size = largest = math.prod(shape)
    for matrix in members:
        size = size // matrix.shape[2] * matrix.shape[1]
        largest = max(largest, size)
    return largest
