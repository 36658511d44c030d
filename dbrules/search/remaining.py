"""The second door between search and data: what a prefix of rules leaves to the next ones."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Remaining(Protocol):
    """The rows that no rule of a prefix captures, seen through the counts of antecedents.

    Antecedents are numbered from 0. Counts are whole numbers of units of weight, of the positive
    class and of all others together.
    """

    @property
    def totals(self) -> tuple[int, int]:
        """Positives and negatives among the rows."""

    @property
    def counts(self) -> NDArray[np.int64]:
        """Positives and negatives of each antecedent among the rows; (antecedents, 2)."""

    @property
    def key(self) -> Hashable:
        """Equal for equal rows, whatever the prefix that left them, and only for them."""

    def inseparable(self, weight: int, unit: int) -> int:
        """Return what the rows cost at least, whatever rules follow.

        Rows that no antecedent tells apart get one answer: each positive that gets the wrong one
        costs ``weight``, each negative ``unit``.
        """

    def without(self, antecedent: int) -> Remaining:
        """Return what is left when a rule with ``antecedent`` comes next."""


def remaining_after(rows: Remaining, antecedents: tuple[int, ...]) -> Remaining:
    """Return what a prefix of rules leaves of ``rows``."""
    for antecedent in antecedents:
        rows = rows.without(antecedent)
    return rows
