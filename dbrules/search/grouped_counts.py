"""Class counts of antecedents of one length, asked in groups of features."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from dbrules.search.products import Members, chosen_counts, product_counts
from dbrules.search.statistics import Statistics

#: Counts, and groups of features, in one question to the statistics.
_QUESTION: Final = 1 << 21
_GROUPS: Final = 256

Group = tuple[int, ...]
#: Antecedents as rows of literal numbers, shape (n, length), and their counts, shape (n, classes).
Counted = tuple[NDArray[np.int64], NDArray[np.int64]]


class Support(Protocol):
    """A monotone rule of what is frequent: every part of a frequent antecedent is frequent."""

    def met(self, counts: NDArray[np.int64], totals: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Say of each entry whether it is frequent; ``counts`` has shape (..., classes)."""


class GroupedCounts:
    """Counts antecedents of one length; literals are numbered through all features.

    ``feature`` and ``literal``: for each literal number its feature and its place in that
    feature's ``members``. ``counted`` is called with the number of antecedents of every group.
    """

    def __init__(
        self,
        statistics: Statistics,
        members: Sequence[NDArray[np.bool_]],
        support: Support,
    ) -> None:
        sizes = [len(matrix) for matrix in members]
        self.feature = np.repeat(np.arange(len(sizes)), sizes)
        self.literal = np.concatenate([np.arange(size) for size in (0, *sizes)])
        self._statistics = statistics
        self._support = support
        self.counted: Callable[[int], None] = lambda _: None
        self._classes = len(statistics.totals)
        # of each feature the numbers of the literals in use, and which codes they hold of
        self._numbers = [np.flatnonzero(self.feature == place) for place in range(len(sizes))]
        self._members: list[Members] = [matrix.astype(np.float64) for matrix in members]
        self._place = self.literal

    def keep(self, numbers: NDArray[np.int64]) -> None:
        """Use these literals only."""
        self._place = np.full_like(self._place, -1)
        for feature, old in enumerate(self._numbers):
            kept = np.isin(old, numbers)
            self._members[feature] = self._members[feature][kept]
            self._numbers[feature] = old[kept]
            self._place[old[kept]] = np.arange(kept.sum())

    def widest(self, groups: Sequence[Group]) -> int:
        """Return the number of counts in the largest grid."""
        return max((self._grid(group) for group in groups), default=0)

    def groups(self, length: int) -> list[Group]:
        """Return the groups of so many features that have a literal in use."""
        features = [place for place, numbers in enumerate(self._numbers) if len(numbers)]
        return list(combinations(features, length))

    def partition(self, rows: NDArray[np.int64]) -> tuple[list[Group], list[NDArray[np.int64]]]:
        """Return the groups of features of some antecedents, and which are of each."""
        features = self.feature[rows]
        order = np.lexsort(features.T[::-1])
        features = features[order]
        starts = np.flatnonzero(np.append(True, (features[1:] != features[:-1]).any(axis=1)))
        groups = [tuple(group) for group in features[starts].tolist()]
        return groups, np.split(order, starts[1:])

    def frequent_products(self, groups: Sequence[Group]) -> Counted:
        """Return the frequent ones among all antecedents of the literals in use, in order."""
        rows = [np.empty((0, len(groups[0])), dtype=np.int64)]
        counts = [np.empty((0, self._classes), dtype=np.int64)]
        for batch, histograms, members in self._ask(groups):
            table = product_counts(histograms, members)
            met = self._support.met(table, self._statistics.totals)
            which, *places = np.nonzero(met)
            columns = [
                np.stack([self._numbers[groups[place][axis]] for place in batch])[which, at]
                for axis, at in enumerate(places)
            ]
            rows.append(np.column_stack(columns))
            counts.append(table[met])
            self.counted(met.size)
        found, of_each = np.concatenate(rows), np.concatenate(counts)
        order = np.lexsort(found.T[::-1])
        return found[order], of_each[order]

    def frequent_among(
        self,
        rows: NDArray[np.int64],
        groups: Sequence[Group],
        blocks: Sequence[NDArray[np.int64]],
    ) -> Counted:
        """Return the frequent ones among antecedents that :meth:`partition` parted."""
        counts = np.empty((len(rows), self._classes), dtype=np.int64)
        for batch, histograms, members in self._ask(groups):
            asked = [blocks[place] for place in batch]
            which = np.repeat(np.arange(len(batch)), [len(block) for block in asked])
            block = np.concatenate(asked)
            counts[block] = chosen_counts(histograms, members, which, self._place[rows[block]])
            self.counted(len(block))
        met = self._support.met(counts, self._statistics.totals)
        return rows[met], counts[met]

    def _ask(
        self, groups: Sequence[Group]
    ) -> Iterator[tuple[list[int], NDArray[np.int64], list[Members]]]:
        """Yield places of groups of one shape, their histograms and members, some at a time."""
        start = 0
        while start < len(groups):
            stop, size = start + 1, self._grid(groups[start])
            while stop < min(len(groups), start + _GROUPS):
                size += self._grid(groups[stop])
                if size > _QUESTION:
                    break
                stop += 1
            answers = self._statistics.histograms(groups[start:stop])
            alike: dict[tuple[tuple[int, int], ...], list[int]] = {}
            for place in range(start, stop):
                shape = tuple(self._members[feature].shape for feature in groups[place])
                alike.setdefault(shape, []).append(place)
            for batch in alike.values():
                histograms = np.stack([answers[place - start] for place in batch])
                features = zip(*(groups[place] for place in batch), strict=True)
                members = [np.stack([self._members[f] for f in column]) for column in features]
                yield batch, histograms, members
            start = stop

    def _grid(self, group: Group) -> int:
        """Return how many counts the grid of a group has, as a Python integer."""
        return math.prod(self._statistics.sizes[place] for place in group) * self._classes
