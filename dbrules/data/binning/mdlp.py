"""Entropy splits accepted by minimum description length.

Fayyad and Irani, Multi-interval discretization of continuous-valued attributes for
classification learning, IJCAI 1993.

A column of many values has segments by the thousand, and each place in it is a candidate again
at every level of the recursion. So segments are judged many at a time, and in long ones whole
stretches of places are ruled out by a bound.
"""

from __future__ import annotations

import math
from functools import cache
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Costs closer than this share of their scale are equal: what remains is rounding.
_TIE = 1e-12
#: Places to try at a time: enough to spread the price of a call, few enough for the cache.
_BATCH = 40_000
#: A bound pays where a stretch has so many places to each of its 2**classes corners.
_PLACES_PER_CORNER = 2
#: The logarithms of whole counts below this are looked up.
_TABLE_SIZE = 1 << 18

#: Whole weights are integers, other ones floats.
Counts = NDArray[Any]
Bits = NDArray[np.float64]
Places = NDArray[np.intp]


def mdlp(counts: NDArray[np.float64]) -> list[int]:
    """Return the indices of the values before which to cut, increasing.

    ``counts`` are weights, shape (values, classes), in value order. Only boundary points are
    tried, between values that are not both purely of one class (Theorem 1 of the paper); of
    equally good cuts the leftmost is taken.

    >>> mdlp(np.array([[9.0, 0.0], [9.0, 0.0], [0.0, 9.0]]))
    [2]
    """
    by_class = np.ascontiguousarray(counts.T)  # sums over classes then run along memory
    starts = _boundaries(by_class)
    cumulated = _cumulated(np.add.reduceat(by_class, starts, axis=1))
    cuts: list[int] = []
    pending = [(0, len(starts))]
    while pending:
        batch: list[tuple[int, int]] = []
        room = _BATCH
        while pending and room > 0:
            first, end = pending.pop()
            batch.append((first, end))
            room -= min(end - first, _long_from(len(cumulated)))
        segments = np.array(batch, dtype=np.intp)
        for i, cut in _best_cuts(cumulated, segments[:, 0], segments[:, 1]):
            cuts.append(cut)
            pending += [(batch[i][0], cut), (cut, batch[i][1])]
    return [int(start) for start in starts[sorted(cuts)]]


def _boundaries(counts: Bits) -> Places:
    """Return where blocks start: runs of values purely of one class count as one value."""
    pure = np.count_nonzero(counts, axis=0) == 1
    label = counts.argmax(axis=0)
    joined = pure[1:] & pure[:-1] & (label[1:] == label[:-1])
    return np.flatnonzero(np.concatenate([[True], ~joined]))


def _cumulated(counts: Bits) -> Counts:
    """Return the class totals left of each place; integers where the weights are whole."""
    whole = bool((counts == np.floor(counts)).all()) and float(counts.sum()) < 2**53
    cumulated = np.zeros((len(counts), counts.shape[1] + 1), np.int64 if whole else np.float64)
    np.cumsum(counts.astype(cumulated.dtype, copy=False), axis=1, out=cumulated[:, 1:])
    return cumulated


def _best_cuts(cumulated: Counts, first: Places, end: Places) -> list[tuple[int, int]]:
    """Return which segments ``first``..``end`` have a cut that pays, each with its place."""
    total = _take(cumulated, end) - _take(cumulated, first)
    classes = np.count_nonzero(total, axis=0)
    open_ = np.flatnonzero((end - first > 1) & (total.sum(axis=0) > 1) & (classes > 1))
    if not len(open_):
        return []
    first, end, total, classes = first[open_], end[open_], _take(total, open_), classes[open_]
    weight, bits = total.sum(axis=0), _entropy_bits(total)
    slack = _TIE * weight * np.log2(weight + 2)
    choices = classes * math.log2(3) + np.log1p(-2 * 3.0**-classes) / math.log(2)  # log2(3**k - 2)
    # what a cut into pure parts has to gain; any other has to gain more
    least = np.log2(weight - 1) + choices - classes * bits / weight

    low, high, owner = _stretches(cumulated, first, end, bits - least, 2 * slack)
    if not len(low):
        return []
    places, stretch = _expand(low, high)
    owner = owner[stretch]
    left = _take(cumulated, places) - _take(cumulated, first[owner])
    cost = _cost(left, _take(total, owner))
    heads = _heads(owner)
    bar = np.minimum.reduceat(cost, heads) + slack[owner[heads]]
    tied = np.flatnonzero(cost <= np.repeat(bar, np.diff(heads, append=len(cost))))
    cut = tied[_heads(owner[tied])]  # the leftmost of each segment

    owner = owner[cut]
    gain, needed = bits[owner], least[owner]
    for part in (_take(left, cut), _take(total, owner) - _take(left, cut)):
        part_bits, present = _entropy_bits(part), np.count_nonzero(part, axis=0)
        gain = gain - part_bits
        # values without weight may be a part: of entropy 0
        needed = needed + present * part_bits / np.where(present, part.sum(axis=0), 1)
    pays = gain > needed + slack[owner]
    return list(zip(open_[owner[pays]].tolist(), places[cut[pays]].tolist(), strict=True))


def _stretches(
    cumulated: Counts, first: Places, end: Places, limit: Bits, slack: Bits
) -> tuple[Places, Places, Places]:
    """Return stretches ``low``..``high`` of places to try, and the segment of each.

    Of a long segment these are the ones that may hold a place as cheap as the best place known
    and as ``limit``. The cost, weight times entropy left and right, is concave in the class
    counts on the left. So over the box of counts that a stretch spans it is least in a corner.
    """
    is_long = end - first >= _long_from(len(cumulated))
    short, long = np.flatnonzero(~is_long), np.flatnonzero(is_long)
    if not len(long):
        return first + 1, end, short
    # about half a root: few stretches to bound, and few places in one that is kept
    size = np.sqrt(end - first).astype(np.intp) // 2 + 1
    stretches = (end - first - 2)[long] // size[long] + 1
    number, index = _expand(np.zeros_like(stretches), stretches)
    owner = long[index]
    low = first[owner] + 1 + number * size[owner]
    high = np.minimum(low + size[owner], end[owner])
    before = _take(cumulated, first[owner])
    total = _take(cumulated, end[owner]) - before
    ends = [_take(cumulated, place) - before for place in (low, high - 1)]
    corners = [
        _cost(np.stack([ends[side][i] for i, side in enumerate(sides)]), total)
        for sides in product((0, 1), repeat=len(total))
    ]
    # the first and the last corner are places themselves
    known = np.minimum.reduceat(np.minimum(corners[0], corners[-1]), _heads(owner))
    bar = np.minimum(known, limit[long]) + slack[long]
    kept = np.minimum.reduce(corners) <= bar[index]
    return (
        np.concatenate([first[short] + 1, low[kept]]),
        np.concatenate([end[short], high[kept]]),
        np.concatenate([short, owner[kept]]),
    )


def _long_from(classes: int) -> int:
    """Return from how many places on a segment is bounded before its places are tried."""
    return (2 * _PLACES_PER_CORNER << min(classes, 25)) ** 2


def _expand(low: Places, high: Places) -> tuple[Places, Places]:
    """Return every place of the stretches ``low``..``high``, and the stretch it is of."""
    sizes = high - low
    stretch = np.repeat(np.arange(len(low)), sizes)
    return np.arange(len(stretch)) + np.repeat(high - np.cumsum(sizes), sizes), stretch


def _heads(owner: Places) -> Places:
    """Return where runs of equal owners start."""
    return np.flatnonzero(np.concatenate([[True], owner[1:] != owner[:-1]]))


def _take(counts: Counts, places: Places) -> Counts:
    """Return columns; ``counts[:, places]`` would not keep the row per class in memory."""
    return np.asarray(np.take(counts, places, axis=1))


def _cost(left: Counts, total: Counts) -> Bits:
    return _entropy_bits(left) + _entropy_bits(total - left)


def _entropy_bits(counts: Counts) -> Bits:
    """Return weight times entropy, in bits, over classes along the first axis."""
    return np.asarray(_x_log2_x(counts.sum(axis=0)) - _x_log2_x(counts).sum(axis=0))


def _x_log2_x(x: Counts) -> Bits:
    if x.dtype == np.int64 and x.max() < _TABLE_SIZE:
        return np.asarray(np.take(_table(), x))
    return np.asarray(x * np.log2(np.where(x > 0, x, 1)))


@cache
def _table() -> Bits:
    x = np.arange(_TABLE_SIZE, dtype=np.float64)
    return np.asarray(x * np.log2(np.maximum(x, 1)))
