"""The best list that a search has met."""

from __future__ import annotations

import math


class BestList:
    """The list of highest log posterior; of equal ones the smaller tuple, whatever came first.

    >>> best = BestList()
    >>> for antecedents, value in [((3,), -2.0), ((1,), -2.0), ((0,), -3.0)]:
    ...     best.offer(antecedents, value)
    >>> best.antecedents, best.log_posterior
    ((1,), -2.0)
    """

    __slots__ = ("antecedents", "log_posterior")

    def __init__(self) -> None:
        self.antecedents: tuple[int, ...] = ()
        self.log_posterior = -math.inf

    def offer(self, antecedents: tuple[int, ...], log_posterior: float) -> None:
        """Take a list where it is better."""
        if (-log_posterior, antecedents) < (-self.log_posterior, self.antecedents):
            self.antecedents, self.log_posterior = antecedents, log_posterior
