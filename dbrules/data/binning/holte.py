"""Intervals grown around majorities (1R).

Holte, Very simple classification rules perform well on most commonly used datasets, Machine
Learning 11, 1993.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

#: Sums of fractional weights count as equal within this share of the total.
_ROUNDING = 1e-12


def one_r(counts: NDArray[np.float64], min_bucket: float) -> list[int]:
    """Return the indices of the values before which to cut, increasing.

    ``counts`` are weights, shape (values, classes), in value order. An interval grows until
    some class weighs ``min_bucket`` and goes on while the next value has the same majority;
    then neighbours of one majority are joined. The last interval may stay lighter. Of equal
    classes the majority is the one with the larger total, then the first.

    >>> one_r(np.array([[2, 0], [1, 0], [0, 2], [0, 1]]), min_bucket=2)
    [2]
    """
    total = counts.sum(axis=0)
    slack = 0.0 if np.all(counts == np.floor(counts)) else _ROUNDING * float(total.sum())
    preferred = np.argsort(-np.round(total / total.sum(), 12), kind="stable")
    counts = counts[:, preferred]  # the first of equals is then the majority
    size = len(counts)
    zero = np.zeros((1, counts.shape[1]))
    cumulated = np.concatenate([zero, np.cumsum(counts, axis=0)])
    following: list[int] = _interval_ends(counts, cumulated, min_bucket, slack).tolist()
    starts = [0]
    while (end := following[starts[-1]]) < size:
        starts.append(end)
    edges = np.array([*starts, size])
    majority = _majority(cumulated[edges[1:]] - cumulated[edges[:-1]], slack)
    changes = np.flatnonzero(majority[1:] != majority[:-1]) + 1
    return [starts[interval] for interval in changes]


def _interval_ends(
    counts: NDArray[np.float64], cumulated: NDArray[np.float64], min_bucket: float, slack: float
) -> NDArray[np.intp]:
    """Return, for an interval starting at each value, the index at which it ends."""
    size = len(counts)
    grown = np.full(size, size)
    for column in cumulated.T:
        reached = np.searchsorted(column, column[:-1] + min_bucket - slack, side="left")
        np.minimum(grown, reached, out=grown)
    grown = np.maximum(grown, np.arange(1, size + 1))
    majority = _majority(cumulated[grown] - cumulated[:-1], slack)
    label = _majority(counts, slack)
    changes = np.flatnonzero(label[1:] != label[:-1]) + 1
    run_end = np.append(changes, size)[np.searchsorted(changes, np.arange(size), side="right")]
    open_ended = grown < size
    following = np.where(open_ended, grown, 0)
    extends = open_ended & (label[following] == majority)
    return np.where(extends, run_end[following], grown)


def _majority(counts: NDArray[np.float64], slack: float) -> NDArray[np.intp]:
    return np.asarray((counts >= counts.max(axis=1, keepdims=True) - slack).argmax(axis=1))
