"""Draws from the posterior, summed by list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class ListDraws:
    """The draws of one list: how many, and the mean probability of a positive of each rule.

    ``probabilities``: those of the rules and of the else, (L+1,).
    """

    antecedents: tuple[int, ...]
    draws: int
    probabilities: tuple[float, ...]


class FallingDraws:
    """Sums over the draws of each list, and every draw of one of them.

    >>> draws = FallingDraws(keep=(2,))
    >>> draws.add((), [1.0])
    >>> draws.add((2,), [3.0, 1.0])
    >>> draws.add((2,), [3.0, 3.0])
    >>> draws.lists()[0]
    ListDraws(antecedents=(2,), draws=2, probabilities=(0.75, 0.625))
    >>> draws.kept()
    array([[0.75, 0.5 ],
           [0.75, 0.75]])
    """

    def __init__(self, keep: tuple[int, ...]) -> None:
        self._keep = keep
        self._kept: list[list[float]] = []
        self._sums: dict[tuple[int, ...], list[float]] = {}
        self._draws: dict[tuple[int, ...], int] = {}

    def add(self, antecedents: tuple[int, ...], odds: Sequence[float]) -> None:
        """Take one draw: the odds of each rule and of the else, (L+1,)."""
        shares = [v / (1 + v) for v in odds]
        if antecedents == self._keep:
            self._kept.append(shares)
        sums = self._sums.get(antecedents)
        if sums is None:
            self._sums[antecedents] = shares.copy()
            self._draws[antecedents] = 1
            return
        self._draws[antecedents] += 1
        for place, share in enumerate(shares):
            sums[place] += share

    def lists(self) -> tuple[ListDraws, ...]:
        """Return the lists, the most often drawn first, of equal ones the smaller tuple."""
        ordered = sorted(self._draws.items(), key=lambda item: (-item[1], item[0]))
        return tuple(
            ListDraws(antecedents, draws, tuple(s / draws for s in self._sums[antecedents]))
            for antecedents, draws in ordered
        )

    def kept(self) -> NDArray[np.float64]:
        """Return all draws of the list that is kept, (draws, L+1)."""
        return np.array(self._kept).reshape(len(self._kept), len(self._keep) + 1)
