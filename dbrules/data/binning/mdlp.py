"""Entropy splits accepted by minimum description length.

Fayyad and Irani, Multi-interval discretization of continuous-valued attributes for
classification learning, IJCAI 1993.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

#: Costs closer than this share of their scale are equal: what remains is rounding.
_TIE = 1e-12


def mdlp(counts: NDArray[np.float64]) -> list[int]:
    """Return the indices of the values before which to cut, increasing.

    ``counts`` are weights, shape (values, classes), in value order. Only boundary points are
    tried, between values that are not both purely of one class (Theorem 1 of the paper); of
    equally good cuts the leftmost is taken.

    >>> mdlp(np.array([[9.0, 0.0], [9.0, 0.0], [0.0, 9.0]]))
    [2]
    """
    starts = _boundaries(counts)
    blocks = np.add.reduceat(counts, starts, axis=0)
    # a row per class: sums over classes then run along memory
    cumulated = np.zeros((blocks.shape[1], len(blocks) + 1))
    np.cumsum(blocks.T, axis=1, out=cumulated[:, 1:])
    accepted: list[int] = []
    pending = [(0, len(starts))]
    while pending:
        first, end = pending.pop()
        cut = _best_cut(cumulated[:, first : end + 1])
        if cut is not None:
            accepted.append(int(starts[first + cut]))
            pending += [(first, first + cut), (first + cut, end)]
    return sorted(accepted)


def _boundaries(counts: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return where blocks start: runs of values purely of one class count as one value."""
    pure = np.count_nonzero(counts, axis=1) == 1
    label = counts.argmax(axis=1)
    joined = pure[1:] & pure[:-1] & (label[1:] == label[:-1])
    return np.flatnonzero(np.concatenate([[True], ~joined]))


def _best_cut(cumulated: NDArray[np.float64]) -> int | None:
    """Return how many blocks lie left of the accepted cut; None where no cut pays.

    ``cumulated`` has shape (classes, blocks + 1).
    """
    if cumulated.shape[1] < 3:
        return None
    total = cumulated[:, -1:] - cumulated[:, :1]
    weight = float(total.sum())
    if weight <= 1:
        return None
    left = cumulated[:, 1:-1] - cumulated[:, :1]
    cost = _entropy_bits(left) + _entropy_bits(total - left)
    slack = _TIE * weight * math.log2(weight + 2)
    cut = int(np.argmax(cost <= cost.min() + slack))
    parts = (total[:, 0], left[:, cut], total[:, 0] - left[:, cut])
    bits = [float(_entropy_bits(part)) for part in parts]
    classes = [int(np.count_nonzero(part)) for part in parts]
    if classes[0] < 2:
        return None
    entropy = [k * b / float(part.sum()) for k, b, part in zip(classes, bits, parts, strict=True)]
    k = classes[0]
    choices = k * math.log2(3) + math.log1p(-2 * 3.0**-k) / math.log(2)  # log2(3**k - 2)
    delta = choices - (entropy[0] - entropy[1] - entropy[2])
    gain = bits[0] - bits[1] - bits[2]
    return cut + 1 if gain > math.log2(weight - 1) + delta + slack else None


def _entropy_bits(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return weight times entropy, in bits, over classes along the first axis."""
    return np.asarray(_x_log2_x(counts.sum(axis=0)) - _x_log2_x(counts).sum(axis=0))


def _x_log2_x(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(x * np.log2(np.where(x > 0, x, 1.0)))
