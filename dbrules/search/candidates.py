"""Candidates of the next length, from the frequent antecedents of one length (Apriori)."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

#: Joins that are made at a time.
_BATCH: Final = 1 << 18


class Frequent:
    """The frequent antecedents of each length so far, in a form that finds them again.

    An antecedent is a row of literal numbers, increasing; literals are numbered through all
    features, and ``feature[literal]`` is the feature of each. Rows of one length come in
    lexicographic order, so the place of the row without its last literal, and that literal, are
    a key that grows with the row.

    >>> frequent = Frequent(np.array([0, 1, 2]))
    >>> frequent.add(np.array([[0], [1], [2]]))
    >>> frequent.joins
    3
    >>> frequent.add(np.array([[0, 1], [0, 2], [1, 2]]))
    >>> frequent.candidates().tolist()
    [[0, 1, 2]]
    """

    def __init__(self, feature: NDArray[np.int64]) -> None:
        self._feature = feature
        self._keys: list[NDArray[np.int64]] = []
        self._rows: NDArray[np.int64] = np.empty((1, 0), dtype=np.int64)
        self._next = self._partners = np.zeros(0, dtype=np.int64)

    def add(self, rows: NDArray[np.int64]) -> None:
        """Add all frequent antecedents of the next length, in lexicographic order."""
        stem = self.find(rows[:, :-1])
        self._keys.append(stem * len(self._feature) + rows[:, -1])
        self._rows = rows
        # within one stem the literals of a feature stand together; each joins all of later features
        self._next = _ends(stem * len(self._feature) + self._feature[rows[:, -1]])
        self._partners = _ends(stem) - self._next

    @property
    def joins(self) -> int:
        """How many pairs differ in their last literal only, which is of two features.

        No more candidates than these have the next length.
        """
        return int(self._partners.sum())

    def candidates(self) -> NDArray[np.int64]:
        """Return the antecedents of the next length all of whose parts are frequent, in order."""
        ends = np.cumsum(self._partners)
        made = [np.empty((0, self._rows.shape[1] + 1), dtype=np.int64)]
        start = 0
        while start < len(ends):
            before = int(ends[start - 1]) if start else 0
            stop = max(int(np.searchsorted(ends, before + _BATCH, side="right")), start + 1)
            made.append(self._frequent_parts(self._join(start, stop)))
            start = stop
        return np.concatenate(made)

    def _join(self, start: int, stop: int) -> NDArray[np.int64]:
        partners = self._partners[start:stop]
        left = np.repeat(np.arange(start, stop), partners)
        first = np.repeat(np.cumsum(partners) - partners, partners)
        right = self._next[left] + np.arange(len(left)) - first
        return np.column_stack([self._rows[left], self._rows[right, -1]])

    def _frequent_parts(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        # the two parts that were joined are frequent
        for left_out in range(rows.shape[1] - 2):
            rows = rows[self.find(np.delete(rows, left_out, axis=1)) >= 0]
        return rows

    def find(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the place of each row among the frequent of its length, -1 for none."""
        place = np.zeros(len(rows), dtype=np.int64)
        for column, keys in zip(rows.T, self._keys, strict=False):
            key = place * len(self._feature) + column
            found = np.searchsorted(keys, key)
            found[found == len(keys)] = 0
            place = np.where(keys[found] == key, found, -1) if len(keys) else np.full_like(key, -1)
        return place


def _ends(blocks: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for each entry where the block of equal entries that it stands in ends."""
    last = np.flatnonzero(np.append(blocks[1:] != blocks[:-1], len(blocks) > 0)) + 1
    return np.repeat(last, np.diff(last, prepend=0))
