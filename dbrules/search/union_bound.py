"""What no union of antecedents can gain: the lower bound on falling rule lists.

The loss of a falling list whose rules all answer the positive class, as an optimal list's do
(Chen & Rudin 2018, corollary 4.5), depends only on the union of what its rules capture and on
their number: W n+ minus what the union gains, w for a positive and -1 for a negative row, plus
the cost of each rule. Without the demand that proportions fall, the best union is a set of
antecedents, in no order. It is searched by taking or closing one antecedent at a time: what was
taken is paid for, what is closed no longer tells rows apart. Both make the bounds fall fast,
the equivalent-points bound and the chain bound (see :mod:`dbrules.search.chain_bound`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dbrules.search.budget import Budget
from dbrules.search.cells import Cells, new_cells
from dbrules.search.chain_bound import block_sums, chain_bounds, partition

#: Splits in a row of the partition that the chain bound uses.
_DEPTH: Final = 5
#: Whole numbers up to this are exact in 32 bits.
_EXACT: Final = 1 << 24

#: Told the antecedents of a union and its gain; returns the threshold from there on.
Found = Callable[[tuple[int, ...], float], float]
#: Cells left, what was gained, the antecedents taken, and the place of one yet to be closed.
_Open = tuple[Cells, float, tuple[int, ...], int | None]


class UnionBound:
    """Proves that no union of antecedents gains more than a threshold.

    ``holds``: which antecedents hold of each cell, shape (cells, antecedents); ``gains``: whole
    numbers, (cells,); ``cost`` of each antecedent; ``groups``: ways to part cells, such as their
    codes, (cells, features). A union is one of at most ``max_rules`` antecedents.

    Salted keys tell cells apart: the chance that two cells are mistaken for one is below 1e-18.

    >>> holds = np.array([[True, False], [True, True], [False, True]])
    >>> bound = UnionBound(holds, np.array([3, -1, 1]), 0.0, np.array([[0], [1], [2]]))
    >>> found = []
    >>> bound.prove(1, Budget(), lambda taken, gain: found.append((taken, gain)) or gain)
    True
    >>> found
    [((0,), 2.0), ((0, 1), 3.0)]
    """

    def __init__(
        self,
        holds: NDArray[np.bool_],
        gains: NDArray[np.int64],
        cost: float,
        groups: NDArray[Any],
        *,
        max_rules: int | None = None,
    ) -> None:
        self._cost = cost
        self._most = holds.shape[1] if max_rules is None else max_rules
        self._salts = np.array(
            np.random.default_rng(0).integers(1, 2**62, size=(holds.shape[1],)), dtype=np.int64
        )
        dtype = np.float32 if np.abs(gains).sum() < _EXACT else np.float64
        # whole numbers are exact; a cost that is shared out among blocks is rounded
        self._rounding = 2 * float(np.finfo(dtype).eps) if cost else 0.0
        covered = holds.any(axis=1)
        holds, gains, groups = holds[covered], gains[covered], groups[covered]
        block = partition(holds, gains.astype(dtype), groups, _DEPTH)
        self._root = new_cells(holds, gains, block, self._salts, dtype)

    def prove(self, threshold: float, budget: Budget, found: Found) -> bool:
        """Say whether no union is left that gains more than ``threshold``, costs deducted.

        ``found`` is told the antecedents and the gain of every union that does, though not of the
        antecedents that add no cell to it, and returns the threshold from there on. False where
        the budget ends before, which it says.
        """
        # one antecedent after another is closed; before that, what takes it is searched
        waiting: list[_Open] = [(self._root, 0.0, (), None)]
        while waiting:
            cells, gained, taken, closed = waiting.pop()
            gain = gained - self._cost * len(taken)
            if closed is not None:
                cells = cells.without(np.arange(len(cells.open)) == closed, self._salts)
            elif gain > threshold:
                threshold = max(threshold, found(taken, gain))
            if not budget.spend():
                return False
            if len(taken) >= self._most:
                continue
            # what is still to gain by another antecedent to pass the threshold
            narrowed = self._narrow(cells, threshold + self._cost - gain)
            if narrowed is None:
                continue
            cells, payments = narrowed
            place = int(np.argmax(payments))
            below = cells.captured(place, self._salts)
            waiting.append((cells, gained, taken, place))
            also = (*taken, int(cells.open[place]))
            waiting.append((below, gained + cells.gain(place), also, None))
        return True

    def _narrow(self, cells: Cells, wanted: float) -> tuple[Cells, NDArray[Any]] | None:
        """Close every antecedent that no union above the threshold has; None if there is none.

        Also returns what each open antecedent pays in all blocks together.
        """
        while len(cells.open) and len(cells.key):
            positive = np.maximum(cells.gains, 0)
            reachable = float(positive.sum(dtype=np.float64))
            if reachable <= wanted:
                return None
            starts = np.flatnonzero(np.append(True, cells.block[1:] != cells.block[:-1]))
            sums = block_sums(positive - cells.gains, cells.holds, starts.tolist())
            sums = sums[:, cells.column]
            payments = sums.sum(axis=0, dtype=np.float64)
            closed = reachable - payments <= wanted
            for place in np.flatnonzero(payments == 0).tolist():
                # what has no cells left adds nothing to the union
                closed[place] |= not cells.holds[:, cells.column[place]].any()
            if closed.sum() * 20 < len(closed):
                # each antecedent also pays its cost: in each block as it pays there
                scale = 1 + np.divide(
                    self._cost, payments, out=np.zeros(len(payments)), where=payments > 0
                )
                paid = sums * scale.astype(sums.dtype)
                slack = self._rounding * (reachable + payments + self._cost)
                chained = self._chained(cells, positive, starts, paid, wanted - self._cost - slack)
                if chained is None:
                    return None
                closed |= chained
            if not closed.any():
                return cells, payments
            cells = cells.without(closed, self._salts)
        return None

    def _chained(
        self, cells: Cells, positive: NDArray[Any], starts: NDArray[np.intp], sums: NDArray[Any],
        wanted: NDArray[np.float64],
    ) -> NDArray[np.bool_] | None:  # fmt: skip
        """Return what the chain bound closes, of each what it must pass; None: it closes all."""
        gaining = np.flatnonzero(positive)
        block = np.searchsorted(starts, gaining, side="right") - 1
        holds = cells.holds[gaining]
        if len(cells.column) < cells.holds.shape[1]:
            holds = holds[:, cells.column]
        chain = chain_bounds(sums, holds > 0, positive[gaining], block)
        if float(chain.sum(dtype=np.float64)) <= wanted.max():
            return None
        most = np.bincount(block, positive[gaining], minlength=len(starts))
        # with an antecedent taken, its block gains at most all but what it pays
        taking = np.minimum(chain[:, None], most[:, None] - sums)
        closed: NDArray[np.bool_] = taking.sum(axis=0, dtype=np.float64) <= wanted
        return closed
