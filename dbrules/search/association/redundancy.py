"""Rules that a more general one makes redundant."""

from __future__ import annotations

from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from dbrules.search.antecedents import Antecedents
from dbrules.search.candidates import Frequent


def best_general(found: Antecedents, ranks: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the largest rank among the more general rules of each rule; (antecedents, classes).

    ``ranks``: of the rule of each antecedent and class, 0 where there is none, of the same shape.
    A rule is more general than another for the same class where its antecedent is a proper part
    of the other's; 0 where there is none. ``found`` holds every part of its antecedents.

    With ranks of confidences, a rule whose own is not above it is redundant: Bayardo, Agrawal and
    Gunopulos (2000), Constraint-based rule mining in large, dense databases, Data Mining and
    Knowledge Discovery 4, section 2.2 (improvement); the R package arules calls it so.
    """
    general = np.zeros_like(ranks)
    if not found.levels:
        return general
    items = np.concatenate([level.reshape(-1, 2) for level in found.levels])
    sizes = np.zeros(int(items[:, 0].max()) + 1, dtype=np.int64)
    np.maximum.at(sizes, items[:, 0], items[:, 1] + 1)
    first = np.cumsum(sizes) - sizes
    known = Frequent(np.repeat(np.arange(len(sizes)), sizes))
    starts = list(accumulate((len(level) for level in found.levels), initial=0))
    best = ranks.copy()
    for length, level in enumerate(found.levels, start=1):
        numbers = first[level[:, :, 0]] + level[:, :, 1]
        known.add(numbers)
        if length == 1:
            continue
        here = slice(starts[length - 1], starts[length])
        for left_out in range(length):
            part = known.find(np.delete(numbers, left_out, axis=1))
            np.maximum(general[here], best[starts[length - 2] + part], out=general[here])
        np.maximum(best[here], general[here], out=best[here])
    return general
