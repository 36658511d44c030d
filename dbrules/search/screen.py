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
    [True, False, False, True]
    """
    keep = np.zeros(len(counts), dtype=bool)
    if len(counts) <= most:
        return ~keep
    weights = weight * _STEP ** np.arange(_THRESHOLDS)
    # the first at every threshold, then the second, and so on
    ranked = np.empty((most, _THRESHOLDS), dtype=np.intp)
    open_to = np.ones((most, _THRESHOLDS), dtype=bool)
    for number, step in enumerate(weights):
        gains = step * counts[:, 0] - counts[:, 1]
        ranked[:, number] = np.argsort(-gains, kind="stable")[:most]
        if number:
            open_to[:, number] = gains[ranked[:, number]] > 0
    chosen, first = np.unique(ranked[open_to], return_index=True)
    keep[chosen[np.argsort(first)[:most]]] = True
    return keep
