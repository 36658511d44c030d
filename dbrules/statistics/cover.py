"""Which grids of codes to count, so that few passes over the rows answer many groups."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

#: Features counted together, and the numbers of the groups that this answers.
Pass = tuple[tuple[int, ...], list[int]]


def cover(groups: Sequence[tuple[int, ...]], sizes: Sequence[int], limit: int) -> list[Pass]:
    """Return passes that together answer every group, each from a grid that contains it.

    A pass starts with the first group that is still open and takes in, one by one, the feature
    that completes most other groups, while the grid has at most ``limit`` cells; a larger group
    has a pass of its own. All pairs of 20 features of 5 codes take 21 passes within 2**14 cells.

    >>> cover([(0, 1), (0, 2), (1, 2), (3,)], [2, 2, 2, 2], limit=8)
    [((0, 1, 2), [0, 1, 2]), ((3,), [3])]
    """
    asked = np.zeros((len(groups), len(sizes)), dtype=bool)
    for number, group in enumerate(groups):
        asked[number, list(group)] = True
    waiting = np.arange(len(groups))
    passes = []
    while len(waiting):
        chosen = asked[waiting[0]].copy()
        while (feature := _next(asked[waiting], chosen, sizes, limit)) is not None:
            chosen[feature] = True
        answered = ~(asked[waiting] & ~chosen).any(axis=1)
        passes.append((tuple(np.flatnonzero(chosen).tolist()), waiting[answered].tolist()))
        waiting = waiting[~answered]
    return passes


def _next(
    asked: NDArray[np.bool_], chosen: NDArray[np.bool_], sizes: Sequence[int], limit: int
) -> int | None:
    """Return the feature that completes most groups, the first on a tie; None if none may."""
    grid = math.prod(sizes[feature] for feature in np.flatnonzero(chosen).tolist())
    missing = asked & ~chosen
    completed = missing[missing.sum(axis=1) == 1].sum(axis=0)
    completed[[grid * size > limit for size in sizes]] = 0
    feature = int(np.argmax(completed)) if len(completed) else 0
    return feature if len(completed) and completed[feature] else None
