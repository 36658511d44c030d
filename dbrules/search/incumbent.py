"""The best list found so far."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dbrules.search.prefixes import Prefix

#: Losses closer than this share of one are equal: their difference is one of rounding.
TOLERANCE = 1e-9


def rounding(loss: float) -> float:
    """Return how far from ``loss`` another one may be and still be equal to it."""
    return TOLERANCE * max(1.0, abs(loss))


@dataclass
class Incumbent:
    """The best list so far, by its loss (times the number of rows); the first of equals stays."""

    loss: float = math.inf
    prefix: Prefix | None = None
    rows: int = 1

    def offer(self, prefix: Prefix, loss: float) -> bool:
        """Keep the list where it is better; say whether it is."""
        if loss >= self.loss - rounding(loss):
            return False
        self.loss, self.prefix = loss, prefix
        return True

    @property
    def antecedents(self) -> tuple[int, ...]:
        """The antecedents of the best list."""
        return () if self.prefix is None else self.prefix.antecedents

    def __str__(self) -> str:
        return f"best objective {self.loss / self.rows:.6g} with {len(self.antecedents)} rules"
