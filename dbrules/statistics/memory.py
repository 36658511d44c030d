"""Statistics answered in memory, from patterns that were fetched once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dbrules.search.antecedents import Antecedent
from dbrules.statistics.bitsets import BitRows, rows_of
from dbrules.statistics.cover import cover
from dbrules.statistics.coverage import Coverage, coverage_of
from dbrules.statistics.memory_uncovered import LiteralBits, MemoryUncovered
from dbrules.statistics.patterns import Patterns

#: Cells of a grid that is counted in one pass over the patterns: 512 KB of float64.
_GRID = 1 << 16
#: Smaller grids where the patterns are few: adding up a grid must not cost more than a pass.
_LEAST_GRID = 1 << 10


class MemoryStatistics:
    """The door to counts (``search/statistics``) over patterns in memory.

    ``sizes``: how many codes each feature has. Several groups of features are counted as one
    larger grid and then added up: 190 pairs of 20 features take about 20 passes over the codes.

    >>> from fractions import Fraction
    >>> codes, counts = np.array([[0, 1], [1, 1]], np.uint8), np.array([[3, 0], [1, 2]])
    >>> statistics = MemoryStatistics(Patterns(codes, counts, Fraction(1)), (2, 2))
    >>> [histogram.tolist() for histogram in statistics.histograms([(1,), ()])]
    [[[0, 0], [4, 2]], [4, 2]]
    """

    def __init__(self, patterns: Patterns, sizes: Sequence[int]) -> None:
        self.patterns = patterns
        self._sizes = tuple(sizes)

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many codes each feature has."""
        return self._sizes

    @cached_property
    def totals(self) -> NDArray[np.int64]:
        """Count of each class; shape (classes,)."""
        return self.patterns.totals

    @property
    def unit(self) -> Fraction:
        """The weight of one unit of counts."""
        return self.patterns.unit

    def histograms(self, groups: Sequence[tuple[int, ...]]) -> list[NDArray[np.int64]]:
        """Return the class counts over the code grid of each group of features."""
        most = min(_GRID, max(_LEAST_GRID, len(self._weights)))
        answers: dict[int, NDArray[np.int64]] = {}
        for chosen, numbers in cover(groups, self._sizes, most // len(self.totals)):
            grid = self._count(chosen)
            for number in numbers:
                answers[number] = _add_up(grid, chosen, groups[number])
        return [answers[number] for number in range(len(groups))]

    def coverage(
        self,
        members: Sequence[NDArray[np.bool_]],
        antecedents: Sequence[Antecedent],
        positive: int,
    ) -> Coverage:
        """Return what prefixes of ``antecedents`` leave.

        ``members``: for each feature which codes its literals hold of, shape (literals, codes).
        ``positive``: the place of the positive class.
        """
        return coverage_of(self.patterns, members, antecedents, positive)

    def captures(
        self, members: Sequence[NDArray[np.bool_]], antecedents: Sequence[Antecedent]
    ) -> BitRows:
        """Return all rows, of which rules with ``antecedents`` capture some."""
        return rows_of(self.patterns, members, antecedents)

    def uncovered(self, members: Sequence[NDArray[np.bool_]]) -> MemoryUncovered:
        """Return all rows, of which rules cover some; ``members`` as in :meth:`coverage`."""
        return LiteralBits(self.patterns, members).everything

    @cached_property
    def _entries(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The cell and class of each count above 0: each is added once, whatever its class."""
        cell, label = np.nonzero(self.patterns.counts)
        return cell, label

    @cached_property
    def _weights(self) -> NDArray[np.float64]:
        return self.patterns.counts[self._entries].astype(np.float64)

    @cached_property
    def _labels(self) -> NDArray[np.uint16]:
        return self._entries[1].astype(np.uint16)  # a target has at most 1000 classes

    @cached_property
    def _codes(self) -> NDArray[np.uint8 | np.uint16]:
        """The codes of each entry; shape (features, entries)."""
        return self.patterns.codes.T.take(self._entries[0], axis=1)

    def _count(self, features: tuple[int, ...]) -> NDArray[np.float64]:
        """Return the class counts over one grid, exact because they total less than 2**53."""
        shape = (*(self._sizes[feature] for feature in features), len(self.totals))
        size = math.prod(shape)
        dtype = np.uint16 if size < 1 << 16 else np.uint32 if size < 1 << 32 else np.int64
        place: NDArray[Any] = np.zeros(len(self._weights), dtype=dtype)
        for feature in features:
            place *= dtype(self._sizes[feature])
            place += self._codes[feature]
        place *= dtype(len(self.totals))
        place += self._labels
        counts: NDArray[np.float64] = np.bincount(place, self._weights, size).astype(
            np.float64, copy=False
        )
        return counts.reshape(shape)


def _add_up(
    grid: NDArray[np.float64], features: tuple[int, ...], group: tuple[int, ...]
) -> NDArray[np.int64]:
    """Return the counts over the features of ``group``, in its order, from a larger grid."""
    others = tuple(axis for axis, feature in enumerate(features) if feature not in group)
    kept = [feature for feature in features if feature in group]
    order = [kept.index(feature) for feature in group]
    counts = grid.sum(axis=others) if others else grid
    return np.ascontiguousarray(counts.transpose(*order, len(group)), dtype=np.int64)
