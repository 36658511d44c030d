"""Which rules of a set cover a row, as bits: one row of masks for each set of rules that occurs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dbrules.statistics.kept_cells import BITS

#: Bits that are unfolded at a time.
_UNFOLDED: Final = 2**22


@dataclass(frozen=True)
class Cover:
    """Sets of the rules 1..``rules``; bit i of mask j is rule 62 j + i + 1.

    ``masks`` has shape (s, m): s sets, and one mask at least.

    >>> Cover(np.array([[5], [0]]), 3).any.tolist()
    [True, False]
    """

    masks: NDArray[np.int64]
    rules: int

    @property
    def any(self) -> NDArray[np.bool_]:
        """Where some rule covers the row, shape (s,)."""
        return np.asarray((self.masks != 0).any(axis=1))

    def of(self, number: int) -> NDArray[np.bool_]:
        """Return where rule ``number`` (1..k) covers the row, shape (s,)."""
        place = number - 1
        return np.asarray(self.masks[:, place // BITS] >> place % BITS & 1, dtype=bool)

    def numbers(self) -> Iterator[tuple[int, ...]]:
        """Yield the numbers of the rules of each set, ascending.

        >>> list(Cover(np.array([[5], [0]]), 3).numbers())
        [(1, 3), ()]
        """
        for bits in self._unfolded():
            for row in bits:
                yield tuple((np.flatnonzero(row) + 1).tolist())

    def overlap(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the weight that each two rules cover together, shape (k, k).

        ``weights``, shape (s,), are those of the sets. The diagonal is what each rule covers.

        >>> Cover(np.array([[3], [2]]), 2).overlap(np.array([10.0, 1.0])).tolist()
        [[10.0, 10.0], [10.0, 11.0]]
        """
        total = np.zeros((self.rules, self.rules))
        start = 0
        for bits in self._unfolded():
            held = bits.astype(np.float64)
            total += held.T @ (held * weights[start : start + len(held), None])
            start += len(held)
        return total

    def _unfolded(self) -> Iterator[NDArray[np.int64]]:
        """Yield the bits of some sets after another, shape (sets, k)."""
        place = np.arange(self.rules)
        step = max(1, _UNFOLDED // max(1, self.rules))
        for start in range(0, len(self.masks), step):
            masks = self.masks[start : start + step]
            yield masks[:, place // BITS] >> place % BITS & 1
