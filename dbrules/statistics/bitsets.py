"""What the rules of a list capture, counted in memory: sets of cells as bits of integers."""

from __future__ import annotations

from collections.abc import Sequence
from operator import sub

import numpy as np
from numpy.typing import NDArray

from dbrules.search.antecedents import Antecedent
from dbrules.search.captures import ClassTuple
from dbrules.statistics.coverage import alike, holds_of
from dbrules.statistics.patterns import Patterns


class CellBits:
    """Antecedents as sets of cells, and class counts as bit planes over the same cells.

    Bit i of a Python integer is cell i. Bit k of the counts of one class is one more set of cells,
    so a count is a sum of population counts. Cells with large counts come first: the planes of
    high bits, and of rare classes, are then short, and so is the work on them. What all counts
    have as a common factor is taken out: rows repeated any number of times need no more planes.

    ``holds``: shape (cells, antecedents), bool; ``counts``: (cells, classes).

    >>> holds = np.array([[True, False], [True, True], [False, True]])
    >>> rows = CellBits(holds, np.array([[3, 0], [1, 1], [0, 2]])).everything
    >>> captured, left = rows.capture(0)
    >>> captured, left.counts, left.capture(1)[0]
    ((4, 1), (0, 2), (0, 2))
    """

    __slots__ = ("_planes", "_scale", "_single", "cells", "everything", "holds", "nothing")

    def __init__(self, holds: NDArray[np.bool_], counts: NDArray[np.int64]) -> None:
        first, place = alike(holds)
        merged = np.zeros((len(first), counts.shape[1]), dtype=np.int64)
        np.add.at(merged, place, counts)
        self._scale = int(np.gcd.reduce(merged, axis=None)) or 1
        merged //= self._scale
        order = _short_planes_first(merged)
        cells = merged[order]
        self.cells = cells * self._scale
        self.holds = [as_bits(column) for column in holds[first[order]].T]
        self._planes = [_planes(column) for column in cells.T]
        #: One plane a class, where no count has more than its lowest bit.
        self._single = (
            [planes[0] if planes else 0 for planes in self._planes]
            if cells.max(initial=0) <= 1
            else None
        )
        self.nothing: ClassTuple = (0,) * counts.shape[1]
        self.everything = BitRows(
            self, (1 << len(first)) - 1, tuple(counts.sum(axis=0).tolist())
        )  # fmt: skip

    def count(self, cells: int) -> ClassTuple:
        """Return the count of each class in a set of cells."""
        scale = self._scale
        if self._single is not None:
            return tuple([(cells & plane).bit_count() * scale for plane in self._single])
        counts = []
        for planes in self._planes:
            count = 0
            for shift, plane in enumerate(planes):
                if plane:
                    count += (cells & plane).bit_count() << shift
            counts.append(count * scale)
        return tuple(counts)


class BitRows:
    """The cells that a prefix leaves (see :class:`dbrules.search.captures.Rows`)."""

    __slots__ = ("_table", "counts", "key")

    def __init__(self, table: CellBits, key: int, counts: ClassTuple) -> None:
        self._table = table
        self.key = key
        self.counts = counts

    @property
    def cells(self) -> NDArray[np.int64]:
        """Class counts of the cells left; (cells, classes)."""
        return self._table.cells[as_cells(self.key, len(self._table.cells))]

    def count(self, antecedent: int) -> ClassTuple:
        """Return the class counts that a rule with ``antecedent`` captures."""
        table = self._table
        cells = table.holds[antecedent] & self.key
        return table.count(cells) if cells else table.nothing

    def capture(self, antecedent: int) -> tuple[ClassTuple, BitRows]:
        """Return the class counts that a rule with ``antecedent`` captures, and what it leaves."""
        table = self._table
        cells = table.holds[antecedent] & self.key
        if not cells:
            return table.nothing, self
        counts = table.count(cells)
        left = tuple(map(sub, self.counts, counts))
        return counts, BitRows(table, self.key ^ cells, left)


def rows_of(
    patterns: Patterns, members: Sequence[NDArray[np.bool_]], antecedents: Sequence[Antecedent]
) -> BitRows:
    """Return all rows, before the first rule.

    ``members``: for each feature which codes its literals hold of, shape (literals, codes).
    """
    return CellBits(holds_of(patterns, members, antecedents), patterns.counts).everything


def as_bits(cells: NDArray[np.bool_]) -> int:
    """Return a set of cells as an integer, cell 0 as its lowest bit.

    >>> as_bits(np.array([True, False, True, True]))
    13
    """
    return int.from_bytes(np.packbits(cells, bitorder="little").tobytes(), "little")


def as_cells(bits: int, cells: int) -> NDArray[np.bool_]:
    """Return which of so many cells an integer has.

    >>> as_cells(13, 4).tolist()
    [True, False, True, True]
    """
    packed = np.frombuffer(bits.to_bytes(-(-cells // 8), "little"), dtype=np.uint8)
    return np.unpackbits(packed, count=cells, bitorder="little").view(np.bool_)


def _planes(counts: NDArray[np.int64]) -> list[int]:
    """Return the bit planes of one class, the lowest bits first."""
    highest = int(counts.max(initial=0)).bit_length()
    return [as_bits((counts >> shift & 1).astype(bool)) for shift in range(highest)]


def _short_planes_first(counts: NDArray[np.int64]) -> NDArray[np.intp]:
    """Return an order of the cells in which planes end early: by bits, then by rare classes."""
    bits = np.frexp(counts.max(axis=1, initial=0))[1]
    common = np.argsort(-(counts > 0).sum(axis=0), kind="stable")
    # the last key counts most: large counts, then the rarest class that is there
    return np.lexsort((*(counts[:, place] == 0 for place in common), -bits))
