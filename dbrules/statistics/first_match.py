"""Which rule of a list captures each pattern: a list and its tails are worked out once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dbrules.search.covering.literal import Antecedent

#: Bytes that the tails of one list may take.
_BYTES: Final = 1 << 27
#: Rules that a number of 8 bits tells apart.
_MOST: Final = 255


class FirstMatch:
    """The rule that captures each pattern, of a list of rules and of its tails.

    ``covers`` gives the patterns that a rule covers, shape (patterns,). RIPPER asks what the later
    rules of a list capture, for each of its rules in turn: these are the tails of one list.
    """

    def __init__(self, covers: Callable[[Antecedent], NDArray[np.bool_]], size: int) -> None:
        self._covers, self._size = covers, size
        self._tails: dict[tuple[Antecedent, ...], NDArray[np.uint8]] = {}

    def of(self, antecedents: tuple[Antecedent, ...]) -> NDArray[np.uint8] | None:
        """Return the place from the end of the rule that captures each pattern, 0 for none.

        The last rule has place 1. None where that would take too much memory.
        """
        if len(antecedents) > _MOST or len(antecedents) * self._size > _BYTES:
            return None
        if antecedents not in self._tails:
            known = next(
                (n for n in range(1, len(antecedents)) if antecedents[n:] in self._tails), None
            )
            if known is None:
                known = len(antecedents)
                self._tails = {(): np.zeros(self._size, dtype=np.uint8)}
            for start in range(known - 1, -1, -1):
                first = self._tails[antecedents[start + 1 :]].copy()
                first[self._covers(antecedents[start])] = len(antecedents) - start
                self._tails[antecedents[start:]] = first
        return self._tails[antecedents]
