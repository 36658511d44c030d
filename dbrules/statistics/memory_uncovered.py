"""What the rules of a list leave, in memory (``search/association/uncovered``)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dbrules.search.antecedents import Antecedent
from dbrules.statistics.bitsets import as_bits
from dbrules.statistics.patterns import Patterns


class LiteralBits:
    """Literals and classes as sets of patterns: bit i of an integer is pattern i.

    ``members``: for each feature which codes its literals hold of, shape (literals, codes).

    >>> from fractions import Fraction
    >>> codes, counts = np.array([[0], [1]], np.uint8), np.array([[3, 0], [1, 2]])
    >>> rows = LiteralBits(Patterns(codes, counts, Fraction(1)), [np.eye(2, dtype=bool)]).everything
    >>> rows.taking([((0, 0),), ((0, 0),), ((0, 1),)], [1, 0, 1])[0]
    [1, 2]
    """

    def __init__(self, patterns: Patterns, members: Sequence[NDArray[np.bool_]]) -> None:
        self._patterns = patterns
        self._members = members
        self._literals: dict[tuple[int, int], int] = {}
        self.classes = [as_bits(column > 0) for column in patterns.counts.T]

    @property
    def everything(self) -> MemoryUncovered:
        """All rows, before the first rule."""
        return MemoryUncovered(self, (1 << len(self._patterns.counts)) - 1)

    def literal(self, item: tuple[int, int]) -> int:
        """Return the patterns that a literal holds of."""
        bits = self._literals.get(item)
        if bits is None:
            feature, literal = item
            held = self._members[feature][literal][self._patterns.codes[:, feature]]
            bits = self._literals[item] = as_bits(held)
        return bits


class MemoryUncovered:
    """The patterns that no rule covers (see ``search/association/uncovered``)."""

    #: As many as make a report of progress worth while.
    batch = 1000

    def __init__(self, table: LiteralBits, left: int) -> None:
        self._table = table
        self._left = left

    def taking(
        self, antecedents: Sequence[Antecedent], labels: Sequence[int]
    ) -> tuple[list[int], MemoryUncovered]:
        """Take every rule, in order, that is right of a row which none taken before covers."""
        left, taken = self._left, []
        for place, antecedent in enumerate(antecedents):
            if not left:
                break
            covered = left
            for item in antecedent:
                covered &= self._table.literal(item)
            if covered & self._table.classes[labels[place]]:
                left ^= covered
                taken.append(place)
        return taken, MemoryUncovered(self._table, left)
