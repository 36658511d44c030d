"""Shares of counts compared exactly: as fractions, not as the doubles nearest to them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray


def at_least(
    parts: NDArray[np.int64], wholes: NDArray[np.int64], share: Fraction
) -> NDArray[np.bool_]:
    """Say of each entry whether ``parts / wholes >= share``; counts below 2**53, wholes above 0.

    Division rounds to the nearest double, so that it keeps the order of two fractions: only where
    the doubles are equal are the fractions asked.

    >>> at_least(np.array([1, 33, 2]), np.array([3, 100, 3]), Fraction(1, 3)).tolist()
    [True, False, True]
    """
    found = parts / wholes
    limit = share.numerator / share.denominator
    enough = found > limit
    for place in np.flatnonzero(found == limit).tolist():
        enough[place] = int(parts[place]) * share.denominator >= share.numerator * int(
            wholes[place]
        )
    return np.asarray(enough)


def ranks(parts: NDArray[np.int64], wholes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the rank of each fraction ``parts / wholes``, from 1 for the smallest; (n,).

    Equal fractions, and only those, have equal ranks. Counts are below 2**53, wholes above 0.

    >>> ranks(np.array([2, 1, 0, 3]), np.array([4, 3, 5, 6])).tolist()
    [3, 2, 1, 3]
    """
    divisor = np.gcd(parts, wholes)
    pairs = np.stack([parts // divisor, wholes // divisor], axis=1)
    lowest, place = np.unique(pairs, axis=0, return_inverse=True)
    values = lowest[:, 0] / lowest[:, 1]
    order = np.argsort(values, kind="stable")
    # different fractions can be the same double
    ends = np.flatnonzero(np.diff(values[order]) != 0) + 1
    for group in np.split(order, ends):
        if len(group) > 1:
            start = int(np.searchsorted(values[order], values[group[0]]))
            exact = sorted(group.tolist(), key=lambda at: Fraction(*lowest[at].tolist()))
            order[start : start + len(group)] = exact
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(1, len(order) + 1)
    return rank[place.reshape(-1)]
