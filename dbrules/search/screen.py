"""Which antecedents to search where there are too many: the best at every threshold."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

#: Each threshold's weight of a positive is this share of the one before.
_STEP: Final = 0.5
#: How many thresholds.
_THRESHOLDS: Final = 12


def screen(counts: NDArray[np.int64], weight: float, most: int) -> NDArray[np.bool_]:
    """Say which of the antecedents to keep, at most ``most``; shape (antecedents,).

    ``counts``: positives and negatives of each, (antecedents, 2). Kept in turn are those that gain
    most, w n+ - n-, at ``weight`` and at ever smaller ones: early rules of a falling list have a
    high proportion of positives, late ones capture many. Only at ``weight`` itself are those kept
    that gain nothing. A heuristic: what a rule gains after others may be more than it gains alone.

    >>> screen(np.array([[9, 1], [20, 30], [1, 9], [12, 6]]), 2.0, 2).tolist()
    [False, False, False, True]
    """
    keep = np.zeros(len(counts), dtype=bool)
    if len(counts) <= most:
        return ~keep
    weights = weight * _STEP ** np.arange(_THRESHOLDS)
    gains = weights[:, None] * counts[:, 0] - counts[:, 1]
    orders = np.argsort(-gains, axis=1, kind="stable")
    for rank in range(len(counts)):
        for number, (order, gain) in enumerate(zip(orders, gains, strict=True)):
            if keep.sum() >= most:
                return keep
            if gain[order[rank]] > 0 or number == 0:
                keep[order[rank]] = True
    return keep
