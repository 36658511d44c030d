"""Intervals that are the leaves of a classification tree on one column.

Breiman, Friedman, Olshen and Stone, Classification and Regression Trees, 1984, chapters 2
(growing by the largest decrease of impurity) and 4 (the Gini index). The leaf to split next is
the best one: Shi, Best-first decision tree learning, University of Waikato, 2007.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

#: Impurities closer than this share of the total weight are equal: what remains is rounding.
_TIE = 1e-12

Counts = NDArray[np.float64]


def tree(counts: Counts, k: int, min_weight: float = 1.0) -> list[int]:
    """Return the indices of the values before which to cut, the best cut first.

    ``counts`` are weights, shape (values, classes), in value order. A split lowers the weight
    times the Gini index, ``sum(n) - sum(n**2) / sum(n)`` over the class weights n of a leaf. The
    leaf with the split that lowers it most is split, until there are ``k`` leaves or no split
    lowers it; each leaf weighs at least ``min_weight``. Of equals the leftmost is taken.

    >>> tree(np.array([[9.0, 1.0], [8.0, 2.0], [1.0, 9.0], [0.0, 10.0], [5.0, 5.0]]), k=3)
    [2, 4]
    """
    size = len(counts)
    cumulated = np.zeros((counts.shape[1], size + 1))
    np.cumsum(counts.T, axis=1, out=cumulated[:, 1:])
    slack = _TIE * float(cumulated[:, -1].sum())
    starts, ends = np.zeros(k, dtype=np.intp), np.full(k, size, dtype=np.intp)
    cuts, gains = np.zeros(k, dtype=np.intp), np.full(k, -np.inf)

    def judge(leaf: int, start: int, end: int) -> None:
        starts[leaf], ends[leaf] = start, end
        cuts[leaf], gains[leaf] = _best_split(cumulated[:, start : end + 1], min_weight, slack)
        cuts[leaf] += start

    judge(0, 0, size)
    found: list[int] = []
    while len(found) < k - 1 and (best := float(gains.max())) > slack:
        tied = np.flatnonzero(gains >= best - slack)
        leaf = int(tied[np.argmin(starts[tied])])
        start, cut, end = int(starts[leaf]), int(cuts[leaf]), int(ends[leaf])
        found.append(cut)
        judge(leaf, start, cut)
        judge(len(found), cut, end)
    return found


def _best_split(cumulated: Counts, min_weight: float, slack: float) -> tuple[int, float]:
    """Return where to split a leaf and what it gains; ``-inf`` where no split is allowed."""
    left = cumulated[:, 1:-1] - cumulated[:, :1]
    total = cumulated[:, -1:] - cumulated[:, :1]
    weight, most = left.sum(axis=0), float(total.sum()) - min_weight + slack
    allowed = np.flatnonzero((weight >= min_weight - slack) & (weight <= most))
    if not len(allowed):
        return 0, -np.inf
    left = np.take(left, allowed, axis=1)
    purity = _purity(left) + _purity(total - left)
    best = float(purity.max())
    place = int(allowed[np.flatnonzero(purity >= best - slack)[0]])
    return place + 1, best - float(_purity(total)[0])


def _purity(counts: Counts) -> Counts:
    """Return sum(n**2) / sum(n) over the classes: the weight less weight times Gini index."""
    return np.asarray(np.square(counts).sum(axis=0) / counts.sum(axis=0))
