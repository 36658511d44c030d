"""Sample quantiles of weighted values.

Hyndman and Fan, Sample quantiles in statistical packages, The American Statistician 50, 1996.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray


def quantile_places(weights: NDArray[np.float64], k: int) -> list[tuple[int, int, Fraction]]:
    """Return the ``k - 1`` quantiles as (index below, index above, share of the way up).

    ``weights`` belong to values in increasing order and are positive. Whole weights count as
    repeated rows, and the quantile is the paper's type 7 (the default of R and NumPy): position
    ``(W - 1) q`` from zero. Fractional weights have no rows to count, so it is type 2 then: the
    first value that reaches weight ``W q``, the middle of two where it is reached exactly.

    >>> quantile_places(np.array([1.0, 2.0, 1.0]), 2)
    [(1, 1, Fraction(1, 2))]
    """
    cumulated = np.cumsum(weights)
    last = len(weights) - 1
    places = []
    if np.all(weights == np.floor(weights)):
        rows = int(cumulated[-1])
        for i in range(1, k):
            position, rest = divmod((rows - 1) * i, k)
            below = int(np.searchsorted(cumulated, position, side="right"))
            above = int(np.searchsorted(cumulated, position + 1, side="right"))
            places.append((below, min(above, last), Fraction(rest, k)))
        return places
    slack = 1e-12 * float(cumulated[-1])
    for i in range(1, k):
        goal = float(cumulated[-1]) * i / k
        below = min(int(np.searchsorted(cumulated, goal - slack, side="left")), last)
        reached = abs(float(cumulated[below]) - goal) <= slack
        places.append((below, min(below + 1, last) if reached else below, Fraction(1, 2)))
    return places
