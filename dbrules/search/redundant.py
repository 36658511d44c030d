"""Antecedents that a search can do without: of equal coverage, or inside a family's hull."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

#: Products of differences of counts below this fit 64 bits.
_SMALL = 1 << 30


def distinct_coverage(
    coverage: NDArray[np.uint8], lengths: NDArray[np.int64]
) -> NDArray[np.bool_]:  # fmt: skip
    """Say which antecedents to keep so that no two hold of the same rows.

    ``coverage``: packed bits, shape (n, bytes); bit r of a row says that the antecedent holds of
    row or pattern r. ``lengths``: numbers of conditions, shape (n,). Of equal ones the shortest
    stays, then the first. Nothing is lost: a list reads the same with either.

    >>> same = np.array([[6], [6], [1], [6]], dtype=np.uint8)
    >>> distinct_coverage(same, np.array([2, 1, 1, 1])).tolist()
    [False, True, True, False]
    """
    keep = np.zeros(len(coverage), dtype=np.bool_)
    order = np.argsort(lengths, kind="stable")
    width = coverage.shape[1]
    if not width:  # no rows: all hold of the same none
        keep[order[:1]] = True
        return keep
    rows = np.ascontiguousarray(coverage[order]).view(np.dtype((np.void, width)))[:, 0]
    _, first = np.unique(rows, return_index=True)
    keep[order[first]] = True
    return keep


def hull_of_families(
    family: NDArray[np.int64], positives: NDArray[np.int64], negatives: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Say which antecedents lie on the upper hull of their family; shape (n,).

    A family are antecedents that differ only in thresholds of the same direction, such as
    ``x < c`` for every cut c, so that most of them are nested. ``family``: its number for each
    antecedent; ``positives`` and ``negatives``: what the antecedent captures. Of each family the
    vertices of the upper convex hull of the points (negatives, positives) stay (the ROC hull of
    Provost & Fawcett 2001, "Robust classification for imprecise environments", section 3, without
    the corner (0, 0)) and its largest antecedent; of equal points the first.

    Whatever the weight w >= 0 of a positive, a vertex maximises w n+ - n- over the family, so the
    first rule of a list that maximises it loses nothing. For later rules it is a heuristic: what
    earlier rules captured is gone from the counts, and a point inside the hull can come to lie
    on it.

    >>> positives, negatives = np.array([[1, 5, 6, 9, 9], [0, 2, 6, 7, 9]])
    >>> hull_of_families(np.zeros(5, dtype=np.int64), positives, negatives).tolist()
    [True, True, False, True, True]
    """
    keep = np.zeros(len(family), dtype=np.bool_)
    if not len(family):
        return keep
    keep[_largest(family, positives, negatives)] = True
    # by family, to the right, the highest and first of equal negatives in front
    order = np.lexsort((-positives, negatives, family))
    order = order[_rises(family[order], positives[order])]
    # steps between neighbours must become less steep; who lies on or below the line between
    # its neighbours is no vertex, whether they are vertices or not
    largest = max(int(positives.max()), int(negatives.max()))
    kind = np.int64 if largest < _SMALL else object
    while True:
        x, y, of = negatives[order].astype(kind), positives[order].astype(kind), family[order]
        inner = np.zeros(len(order), dtype=np.bool_)
        before = (y[1:-1] - y[:-2]) * (x[2:] - x[1:-1])
        after = (y[2:] - y[1:-1]) * (x[1:-1] - x[:-2])
        inner[1:-1] = (before <= after) & (of[:-2] == of[2:])
        if not inner.any():
            keep[order] = True
            return keep
        order = order[~inner]


def _rises(family: NDArray[np.int64], positives: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Say which points have more positives than all to their left; families stand together."""
    starts = np.append(True, family[1:] != family[:-1])
    rank = np.cumsum(starts) - 1
    # lift each family above the one before, so that one running maximum serves all
    levels, place = np.unique(positives, return_inverse=True)
    lifted = rank * (len(levels) + 1) + place
    return np.append(True, lifted[1:] > np.maximum.accumulate(lifted)[:-1])


def _largest(
    family: NDArray[np.int64], positives: NDArray[np.int64], negatives: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the antecedent of each family that captures most, the first of equals."""
    order = np.lexsort((-(positives + negatives), family))
    of = family[order]
    largest: NDArray[np.int64] = order[np.append(True, of[1:] != of[:-1])]
    return largest
