"""Neighbouring intervals merged while their classes do not differ significantly.

Kerber, ChiMerge: discretization of numeric attributes, AAAI 1992.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dbrules.data.binning.chi_square_tail import chi_square_quantile

#: Neighbours that differ at this level stay apart.
_LEVEL = 0.95


def chimerge(counts: NDArray[np.float64], k: int | None = None) -> list[int]:
    """Return the indices of the values before which to cut, increasing.

    ``counts`` are weights, shape (values, classes), in value order. The neighbours of least
    chi-square are merged, the leftmost of equals, until all exceed the 0.95 quantile with one
    degree of freedom less than there are classes, and until at most ``k`` intervals are left.

    >>> chimerge(np.array([[9.0, 0.0], [8.0, 1.0], [0.0, 9.0]]))
    [2]
    """
    counts = counts[:, counts.sum(axis=0) > 0]
    if counts.shape[1] < 2:
        return []
    threshold = chi_square_quantile(_LEVEL, counts.shape[1] - 1)
    starts = _proportion_changes(counts)
    blocks: list[list[float]] = np.add.reduceat(counts, starts, axis=0).tolist()
    following = list(range(1, len(blocks) + 1))
    before = list(range(-1, len(blocks) - 1))
    version = [0] * len(blocks)  # of the pair that starts at a block; -1 once merged away
    heap = [(_statistic(left, right), i, 0) for i, (left, right) in enumerate(pairwise(blocks))]
    heapq.heapify(heap)
    intervals = len(blocks)
    while heap and (heap[0][0] <= threshold or (k is not None and intervals > k)):
        _, i, age = heapq.heappop(heap)
        if age != version[i]:
            continue
        gone = following[i]
        blocks[i] = [a + b for a, b in zip(blocks[i], blocks[gone], strict=True)]
        following[i], version[gone] = following[gone], -1
        if following[i] < len(blocks):
            before[following[i]] = i
        intervals -= 1
        for left in (before[i], i):
            if left >= 0 and following[left] < len(blocks):
                version[left] += 1
                statistic = _statistic(blocks[left], blocks[following[left]])
                heapq.heappush(heap, (statistic, left, version[left]))
    kept = [i for i, age in enumerate(version) if age >= 0]
    return [int(starts[i]) for i in kept[1:]]


def _proportion_changes(counts: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return where the mix of classes changes: equal mixes have chi-square 0 and merge first."""
    weight = counts.sum(axis=1, keepdims=True)
    equal = counts[1:] * weight[:-1] == counts[:-1] * weight[1:]
    return np.flatnonzero(np.concatenate([[True], ~equal.all(axis=1)]))


def _statistic(left: Sequence[float], right: Sequence[float]) -> float:
    """Return Pearson's chi-square of two rows; classes in neither of them add nothing."""
    left_total, right_total = sum(left), sum(right)
    distance = 0.0
    for a, b in zip(left, right, strict=True):
        if a or b:
            distance += (a * right_total - b * left_total) ** 2 / (a + b)
    return distance / (left_total * right_total)
