"""The chain bound: what a block of cells can gain when whoever gains must also pay.

A union of antecedents gains ``v`` of each cell it captures, positive or negative. To capture a
cell it must contain an antecedent that holds there, and so pays for all the negative cells of
that antecedent. Within a block of cells, sort the positive cells by what the cheapest antecedent
that captures them costs in this block: a union that captures cells up to cost m pays at least m
once. So no union gains more in the block than

    max over m of (sum of v over positive cells of cost <= m) - m, or 0.

Blocks share no cell, so their bounds add up; the smaller a block, the fewer cells one payment
opens, and the less it is: neither the finest nor the coarsest partition is the best.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]

#: Numbers in a block from which on one product a block is faster than one for all.
_FEW: Final = 3000


def chain_bounds(
    payments: Floats, holds: NDArray[np.bool_], gains: Floats, block: NDArray[np.intp]
) -> Floats:
    """Return the chain bound of each block; shape (blocks,).

    ``payments``: what each antecedent costs in each block, shape (blocks, antecedents). ``holds``:
    which antecedents hold of each positive cell, shape (cells, antecedents), ``gains`` what such
    a cell gains, ``block`` in which block it lies, both of shape (cells,). A cell that no
    antecedent holds of gains nothing.

    >>> payments = np.array([[3.0, 1.0]])
    >>> holds = np.array([[True, False], [False, True]])
    >>> chain_bounds(payments, holds, np.array([5.0, 2.0]), np.array([0, 0])).tolist()
    [4.0]
    """
    best: Floats = np.zeros(len(payments), dtype=gains.dtype)
    if not len(gains):
        return best
    cost = np.where(holds, payments[block], np.inf).min(axis=1)
    order = np.lexsort((cost, block))
    block, cost, gains = block[order], cost[order], gains[order]
    starts = np.flatnonzero(np.append(True, block[1:] != block[:-1]))
    total = np.cumsum(gains)
    before = np.repeat(total[starts] - gains[starts], np.diff(np.append(starts, len(block))))
    most = np.maximum.reduceat(total - before - cost, starts)
    best[block[starts]] = np.maximum(most, 0)
    return best


def partition(
    holds: NDArray[np.bool_], gains: Floats, groups: NDArray[Any], depth: int
) -> NDArray[np.intp]:
    """Return a block number for each cell: a partition whose chain bounds add up to little.

    ``holds``: shape (cells, antecedents); ``gains``: (cells,), of either sign. ``groups`` are the
    ways a block may be split: a number for each cell and way, such as the code of each feature,
    shape (cells, ways). Grown like a decision tree, to at most ``depth`` splits in a row.
    """
    blocks = np.zeros(len(gains), dtype=np.intp)
    tree = _Tree(holds, gains, groups)
    everything = np.arange(len(gains))
    _, leaves = tree.grow(everything, tree.bound(everything), depth)
    for number, cells in enumerate(leaves):
        blocks[cells] = number
    return blocks


class _Tree:
    def __init__(self, holds: NDArray[np.bool_], gains: Floats, groups: NDArray[Any]) -> None:
        self._holds = holds
        self._gains = np.maximum(gains, 0)
        self._costs = np.maximum(-gains, 0)
        self._groups = groups

    def grow(
        self, cells: NDArray[np.intp], own: float, depth: int
    ) -> tuple[float, list[NDArray[np.intp]]]:
        """Return the bound of a block, and the leaves it is split into to reach it."""
        splits = [
            (sum(bound for _, bound in parts), parts)
            for parts in (self._split(cells, way) for way in range(self._groups.shape[1]))
            if len(parts) > 1
        ]
        if own == 0 or depth == 0 or not splits:
            return own, [cells]
        _, parts = min(splits, key=lambda split: split[0])
        total, leaves = 0.0, []
        for part, bound in parts:
            least, below = self.grow(part, bound, depth - 1)
            total += least
            leaves += below
        return (total, leaves) if total < own else (own, [cells])

    def bound(self, cells: NDArray[np.intp]) -> float:
        positive = cells[self._gains[cells] > 0]
        holds = self._holds[cells]
        payments = np.einsum("i,ij->j", self._costs[cells], holds)
        block = np.zeros(len(positive), dtype=np.intp)
        return float(
            chain_bounds(payments[None, :], self._holds[positive], self._gains[positive], block)[0]
        )

    def _split(self, cells: NDArray[np.intp], way: int) -> list[tuple[NDArray[np.intp], float]]:
        numbers = self._groups[cells, way]
        parts = [cells[numbers == number] for number in np.unique(numbers)]
        return [(part, self.bound(part)) for part in parts] if len(parts) > 1 else []


def block_sums(values: Floats, holds: Floats, starts: Sequence[int]) -> Floats:
    """Return the sums of ``values`` over the cells of each block that an antecedent holds of.

    ``values``: shape (cells,); ``holds``: 0 or 1, (cells, antecedents); ``starts``: the first cell
    of each block. Shape (blocks, antecedents).
    """
    if holds.size < _FEW * len(starts):
        summed: Floats = np.add.reduceat(holds * values[:, None], starts, axis=0)
        return summed
    sums = np.empty((len(starts), holds.shape[1]), dtype=holds.dtype)
    for row, (start, end) in enumerate(pairwise([*starts, len(values)])):
        # small products: einsum is as fast as a matrix library here and starts no threads
        np.einsum("i,ij->j", values[start:end], holds[start:end], out=sums[row])
    return sums
