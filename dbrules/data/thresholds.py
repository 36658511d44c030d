"""Thresholds of an ordered column: few cuts, at which its literals can be right."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any, Final, get_args

import numpy as np
from numpy.typing import NDArray

from dbrules.data.binning.find import find_cuts, left_of
from dbrules.data.binning.placement import place_between
from dbrules.data.binning.spec import Bins, Closed
from dbrules.data.binning.tree import tree
from dbrules.errors import InvalidSetting
from dbrules.language.column import ColumnType, Value

#: Cuts with less than this share of the weight between them are neighbours: one is left out.
_APART: Final = 0.01
#: The least share of the weight in a leaf of the tree: in less, most splits are noise.
_LEAF: Final = 0.05


@dataclass(frozen=True)
class Thresholds:
    """How to find the thresholds of an ordered column.

    ``quantiles``: into how many parts of equal weight to cut, 0 or 1 for none; a column of at
    most as many values is cut between each two. ``leaves`` of the tree; ``learned``: the most
    cuts of MDLP to keep; ``intervals``: the most intervals between two cuts; ``closed`` is
    ``left`` for ``x < c`` and ``x >= c``, ``right`` for ``x <= c`` and ``x > c``.
    Raises InvalidSetting.
    """

    quantiles: int = 10
    leaves: int = 4
    learned: int = 15
    intervals: int = 10
    closed: Closed = "left"

    def __post_init__(self) -> None:
        for name in ("quantiles", "leaves", "learned", "intervals"):
            number = getattr(self, name)
            if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= 10_000:
                raise InvalidSetting(
                    f"thresholds: {name}={number!r}; give a whole number from 0 to 10000"
                )
        if self.closed not in get_args(Closed):
            raise InvalidSetting(f"thresholds: closed={self.closed!r}; give 'left' or 'right'")


@dataclass(frozen=True)
class Cuts:
    """Thresholds found: typed cuts, increasing, and pairs of their places for intervals."""

    cuts: tuple[Value, ...]
    intervals: tuple[tuple[int, int], ...] = ()

    def runs(self) -> list[tuple[int, int]]:
        """Return the literals as runs of bins, from the first to the end (exclusive).

        Cut by cut what lies below and above, then the intervals, by their lower cut.

        >>> Cuts((1, 2), ((0, 1),)).runs()
        [(0, 1), (1, 3), (0, 2), (2, 3), (1, 2)]
        """
        bins = len(self.cuts) + 1
        runs = [run for cut in range(1, bins) for run in ((0, cut), (cut, bins))]
        return [*runs, *((lower + 1, upper + 1) for lower, upper in self.intervals)]


def find_thresholds(
    settings: Thresholds,
    values: NDArray[Any],
    weights: NDArray[np.float64],
    column_type: ColumnType,
) -> Cuts:
    """Return the thresholds of one column from its value x class weights.

    ``values`` are strictly increasing ordinals, shape (n,), ``weights`` of shape (n, classes);
    see :func:`~dbrules.data.binning.find.find_cuts`. Candidates are the cuts of MDLP (where there
    are more than ``learned``, those that a tree on them splits at first), then those of a tree,
    in the order in which it splits, then quantiles, or a cut between each two values where they
    are few. In this order each candidate is kept but one that parts the data as a kept one does
    and, unless it is MDLP's, one that has less than a hundredth of the weight (or half a part,
    where parts are smaller) between it and a kept one or an end of the data. Intervals join every
    two of the cuts of MDLP, or of the strongest of them where those were more than ``intervals``;
    where values are few, then also neighbouring cuts: such numbers are often names of something.

    >>> counts = np.repeat([[9.0, 0.0], [0.0, 9.0], [9.0, 0.0]], 20, axis=0)
    >>> find_thresholds(Thresholds(quantiles=4), np.arange(60), counts, ColumnType("INTEGER"))
    Cuts(cuts=(15, 20, 30, 40, 45), intervals=((1, 3),))
    """
    present = weights.any(axis=1)
    values, weights = values[present], weights.compress(present, axis=0)
    column = _Ordered(values, weights, column_type, settings.closed)
    mdlp = column.strongest(column.places(Bins("mdlp", closed=settings.closed)), settings.learned)
    kept = dict(mdlp)
    least = min(_APART, 0.5 / max(settings.quantiles, 1)) * column.left[-1]
    for place, cut in (*column.tree_cuts(settings.leaves), *column.even_cuts(settings.quantiles)):
        if column.between(place, kept) >= least:
            kept[place] = cut
    order = sorted(kept)
    strongest = list(mdlp)
    while len(strongest) * (len(strongest) - 1) // 2 > settings.intervals:
        strongest.pop()
    pairs = [*combinations(sorted(order.index(place) for place in strongest), 2)]
    if len(values) <= settings.quantiles:
        pairs += [pair for pair in pairwise(range(len(order))) if pair not in pairs]
    intervals = sorted(pairs[: settings.intervals])
    return Cuts(tuple(kept[place] for place in order), tuple(intervals))


class _Ordered:
    """A column's weights in value order. A place is how many values are left of a cut."""

    def __init__(
        self,
        values: NDArray[Any],
        weights: NDArray[np.float64],
        column_type: ColumnType,
        closed: Closed,
    ) -> None:
        self.values, self.weights = values, weights
        self.type, self.closed = column_type, closed
        self.left = np.concatenate([[0.0], np.cumsum(weights.sum(axis=1))])

    def places(self, bins: Bins) -> dict[int, Value]:
        """Return the cuts of a setting by place, increasing."""
        cuts = find_cuts(bins, self.values, self.weights, self.type)
        return dict(zip(left_of(cuts, self.values, self.closed, self.type), cuts, strict=True))

    def strongest(self, cuts: dict[int, Value], most: int) -> dict[int, Value]:
        """Return at most ``most`` cuts: those a tree on the parts splits at first, in its order."""
        if not cuts:
            return {}
        parts = np.add.reduceat(self.weights, [0, *cuts], axis=0)
        places = list(cuts)
        order = tree(parts, len(parts), 0)
        # no split is left where neighbours have equal shares of the classes
        order += sorted(set(range(1, len(parts))) - set(order))
        return {places[i - 1]: cuts[places[i - 1]] for i in order[:most]}

    def tree_cuts(self, leaves: int) -> Iterator[tuple[int, Value]]:
        """Yield the cuts of the tree, the best first."""
        if leaves > 1:
            for place in tree(self.weights, leaves, _LEAF * float(self.left[-1])):
                yield from self._cut(place)

    def even_cuts(self, parts: int) -> Iterator[tuple[int, Value]]:
        """Yield cuts at quantiles, or between all values where they are no more than parts."""
        if len(self.values) <= parts:
            for place in range(1, len(self.values)):
                yield from self._cut(place)
        elif parts > 1:
            yield from self.places(Bins("quantile", k=parts, closed=self.closed)).items()

    def between(self, place: int, kept: dict[int, Value]) -> float:
        """Return the least weight between a place and a kept one or an end."""
        others = np.array([0, *kept, len(self.values)])
        return float(np.abs(self.left[others] - self.left[place]).min())

    def _cut(self, place: int) -> Iterator[tuple[int, Value]]:
        """Yield the cut at a place, none where the type has no finite value there."""
        low, high = self.values[place - 1 : place + 1].tolist()
        cut = place_between(low, high, self.closed, self.type)
        if cut is not None:
            yield place, cut
