"""Cells: groups of rows that the antecedents still open cannot tell apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dbrules.search.chain_bound import Floats

#: Columns of antecedents that are out are kept until this share of all is out.
_OUT = 0.2


@dataclass(frozen=True, eq=False)
class Cells:
    """What is left to capture, in cells that differ in some antecedent that is open.

    ``open``: numbers of the antecedents that may still be taken, shape (a,), and ``column`` which
    column of ``holds`` is theirs. ``holds``: 0 or 1, shape (cells, columns). ``gains``: (cells,),
    whole numbers of either sign. ``key``: (cells,), equal where the same open antecedents hold.
    ``block``: (cells,), rising. Cells that no open antecedent holds of are left out.
    """

    open: NDArray[np.intp]
    column: NDArray[np.intp]
    holds: Floats
    gains: Floats
    key: NDArray[np.int64]
    block: NDArray[np.intp]

    def without(self, closed: NDArray[np.bool_], salts: NDArray[np.int64]) -> Cells:
        """Close some of the open antecedents: cells that only they told apart become one."""
        key = self.key.copy()
        for place in np.flatnonzero(closed).tolist():
            key[self.holds[:, self.column[place]] > 0] -= salts[self.open[place]]
        left = ~closed
        column = self.column[left]
        holds = self.holds
        if len(column) < (1 - _OUT) * holds.shape[1]:
            holds = holds[:, column]
            column = np.arange(len(column))
        return Cells(self.open[left], column, holds, self.gains, key, self.block)._merged()

    def captured(self, place: int, salts: NDArray[np.int64]) -> Cells:
        """Take the open antecedent at ``place``: its cells are gone, and it is closed."""
        rest = np.flatnonzero(self.holds[:, self.column[place]] == 0)
        left = np.arange(len(self.open)) != place
        return Cells(
            self.open[left], self.column[left], self.holds[rest], self.gains[rest],
            self.key[rest], self.block[rest],
        )._merged()  # fmt: skip

    def gain(self, place: int) -> float:
        """Return what the cells of the open antecedent at ``place`` gain together."""
        return float(self.gains[self.holds[:, self.column[place]] > 0].sum())

    def _merged(self) -> Cells:
        if not len(self.key):
            return self
        order = np.argsort(self.key)
        ordered = self.key[order]
        starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
        if len(starts) == len(order) and not (ordered == 0).any():
            return self
        gains = np.add.reduceat(self.gains[order], starts)
        first = np.minimum.reduceat(order, starts)
        keys = ordered[starts]
        held = np.flatnonzero(keys)
        place = held[np.argsort(first[held])]
        first = first[place]
        return Cells(
            self.open, self.column, self.holds[first], gains[place], keys[place], self.block[first]
        )


def new_cells(
    holds: NDArray[np.bool_], gains: NDArray[np.int64], block: NDArray[Any],
    salts: NDArray[np.int64], dtype: type[np.floating[Any]],
) -> Cells:  # fmt: skip
    """Return the cells of a search that has not begun; ``holds``: (cells, antecedents)."""
    order = np.argsort(block, kind="stable")
    holds = holds[order]
    everything = np.arange(holds.shape[1])
    key = np.zeros(len(holds), dtype=np.int64)
    for place in everything.tolist():
        key[holds[:, place]] += salts[place]
    return Cells(
        everything, everything, holds.astype(dtype), gains[order].astype(dtype), key,
        np.asarray(block, dtype=np.intp)[order],
    )._merged()  # fmt: skip
