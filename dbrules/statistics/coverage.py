"""What prefixes of rules leave, counted in memory from patterns (``search/remaining``)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dbrules.search.antecedents import Antecedent
from dbrules.statistics.patterns import Patterns

#: Whole numbers up to this are exact in 32 bits.
_EXACT = 1 << 24
#: Cells times antecedents up to which few cells are one row.
_WIDE = 1 << 24
#: Cells that are added up at once.
_PART = 512
#: Bytes of 0 and 1 that a 16-bit sum holds.
_ONES = 65_000


class Coverage:
    """Which antecedents hold of which patterns, and the counts of both classes.

    ``holds``: shape (cells, antecedents), bool; ``counts``: (cells, 2), positives and negatives in
    units; ``codes``: (cells, features). Patterns that the same antecedents hold of are one cell.

    >>> holds = np.array([[True, False], [True, True], [False, True]])
    >>> coverage = Coverage(holds, np.array([[3, 0], [1, 1], [0, 2]]), np.zeros((3, 0)))
    >>> coverage.everything.without(0).counts.tolist()
    [[0, 0], [0, 2]]
    """

    def __init__(
        self, holds: NDArray[np.bool_], counts: NDArray[np.int64], codes: NDArray[Any]
    ) -> None:
        first, place = alike(holds)
        self.holds = holds[first]
        self.counts = np.zeros((len(first), 2), dtype=np.int64)
        np.add.at(self.counts, place, counts)
        self.codes = codes[first]
        self._dtype = np.float32 if counts.sum() < _EXACT else np.float64
        self._small = self.holds.size <= _WIDE
        # sums of random numbers tell sets of cells apart: a chance of 2**-64 a pair that they fail
        self._salts = np.random.default_rng(0).integers(0, 2**64, len(first), dtype=np.uint64)
        self._cells: dict[int, NDArray[np.intp]] = {}

    @property
    def table(self) -> Coverage:
        """The cells."""
        return self

    @cached_property
    def everything(self) -> MemoryRemaining:
        """All rows, before the first rule."""
        everything = np.arange(len(self.holds))
        left = np.ones(len(self.holds), dtype=bool)
        return MemoryRemaining(self, left, self.sums(everything), self.counts.sum(axis=0), 0)

    def sums(self, cells: NDArray[np.intp]) -> NDArray[np.int64]:
        """Return positives and negatives of each antecedent in ``cells``; (antecedents, 2)."""
        counts = self.counts[cells]
        if self._small:
            return self._products(cells, counts)
        # most cells are one row here: those are added as bytes, which is faster
        rare = counts.max(axis=1, initial=0) > 1
        sums = self._products(cells[rare], counts[rare])
        for place in (0, 1):
            ones = cells[~rare & (counts[:, place] == 1)]
            for start in range(0, len(ones), _ONES):
                part = self.holds[ones[start : start + _ONES]].view(np.uint8)
                sums[:, place] += part.sum(axis=0, dtype=np.uint16)
        return sums

    def _products(self, cells: NDArray[np.intp], counts: NDArray[np.int64]) -> NDArray[np.int64]:
        sums: NDArray[Any] = np.zeros((2, self.holds.shape[1]), dtype=self._dtype)
        weights: NDArray[Any] = counts.T.astype(self._dtype)
        for start in range(0, len(cells), _PART):
            # bits become numbers in parts that stay near; einsum starts no threads for them
            holds: NDArray[Any] = self.holds[cells[start : start + _PART]].astype(self._dtype)
            for place in (0, 1):
                sums[place] += np.einsum("i,ij->j", weights[place, start : start + _PART], holds)
        return np.ascontiguousarray(sums.T.astype(np.int64))

    def cells_of(self, antecedent: int) -> NDArray[np.intp]:
        """Return the cells that an antecedent holds of."""
        if antecedent not in self._cells:
            self._cells[antecedent] = np.flatnonzero(self.holds[:, antecedent])
        return self._cells[antecedent]

    def salt(self, cells: NDArray[np.intp]) -> int:
        """Return a number that tells this set of cells from others."""
        return int(self._salts[cells].sum(dtype=np.uint64))


class MemoryRemaining:
    """The cells that a prefix leaves (see :class:`dbrules.search.remaining.Remaining`)."""

    def __init__(
        self, coverage: Coverage, left: NDArray[np.bool_], counts: NDArray[np.int64],
        totals: NDArray[np.int64], salt: int,
    ) -> None:  # fmt: skip
        self.left = left
        self.counts = counts
        self._coverage = coverage
        self._totals = totals
        self._salt = salt

    @property
    def totals(self) -> tuple[int, int]:
        """Positives and negatives among the rows."""
        positives, negatives = self._totals.tolist()
        return positives, negatives

    @property
    def key(self) -> Hashable:
        """Equal for equal rows only."""
        return (self._salt, *self.totals)

    def inseparable(self, weight: int, unit: int) -> int:
        """Return what the rows cost at least: the cheaper answer in each cell."""
        counts = self._coverage.counts[self.left]
        if max(weight, unit) * sum(self.totals) >= 2**63:
            counts = counts.astype(object)
        positives, negatives = counts.T
        return int(np.minimum(weight * positives, unit * negatives).sum())

    def without(self, antecedent: int) -> MemoryRemaining:
        """Return what is left when a rule with ``antecedent`` comes next."""
        cells = self._coverage.cells_of(antecedent)
        taken = cells[self.left[cells]]
        left = self.left.copy()
        left[taken] = False
        return MemoryRemaining(
            self._coverage, left,
            self.counts - self._coverage.sums(taken),
            self._totals - self.counts[antecedent],  # it holds of all that are taken
            (self._salt + self._coverage.salt(taken)) % 2**64,
        )  # fmt: skip


def coverage_of(
    patterns: Patterns,
    members: Sequence[NDArray[np.bool_]],
    antecedents: Sequence[Antecedent],
    positive: int,
) -> Coverage:
    """Return the coverage of ``antecedents``; ``positive`` is the place of the positive class.

    ``members``: for each feature which codes its literals hold of, shape (literals, codes).
    """
    holds = holds_of(patterns, members, antecedents)
    positives = patterns.counts[:, positive]
    counts = np.stack([positives, patterns.counts.sum(axis=1) - positives], axis=1)
    return Coverage(holds, counts, patterns.codes)


def holds_of(
    patterns: Patterns, members: Sequence[NDArray[np.bool_]], antecedents: Sequence[Antecedent]
) -> NDArray[np.bool_]:
    """Return which antecedents hold of which patterns; shape (cells, antecedents).

    ``members``: for each feature which codes its literals hold of, shape (literals, codes).
    """
    literals: dict[tuple[int, int], NDArray[np.bool_]] = {}
    holds = np.empty((len(patterns.codes), len(antecedents)), dtype=bool, order="F")
    for place, antecedent in enumerate(antecedents):
        for feature, literal in antecedent:
            if (feature, literal) not in literals:
                met = members[feature][literal]
                literals[feature, literal] = met[patterns.codes[:, feature]]
        parts = [literals[item] for item in antecedent]
        holds[:, place] = np.logical_and.reduce(parts)
    return np.ascontiguousarray(holds)


def alike(holds: NDArray[np.bool_]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the first of each kind of row, in order, and the kind of each row."""
    bits = np.packbits(holds, axis=1)
    if not bits.shape[1]:
        return np.zeros(min(1, len(holds)), dtype=np.intp), np.zeros(len(holds), dtype=np.intp)
    rows = np.ascontiguousarray(bits).view(np.dtype((np.void, bits.shape[1]))).ravel()
    _, first, place = np.unique(rows, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return first[order], rank[place]
