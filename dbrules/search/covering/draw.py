"""A draw of a share of the rows: in any order of counting the same, in NumPy as in SQL."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

#: The largest prime below 2**31: a product of two numbers below it is within a BIGINT.
PRIME: Final = 2**31 - 1
#: The share is a fraction with a denominator of at most this.
_DENOMINATOR: Final = 1000


@dataclass(frozen=True, slots=True)
class Draw:
    """Systematic sampling with a random start in each interval.

    The units of a class, in their order, are cut into intervals of ``1 / share`` units, and one
    unit of each is drawn. So the share of every class and of every run of like rows is kept. The
    random number of interval i is ``(x * x + c) % PRIME`` of ``x = (a * (i % PRIME) + b) % PRIME``,
    with ``key = (a, b, c)`` for each of the two classes: engines compute it alike. Source:
    Cochran (1977), Sampling techniques, section 8.1 (stratified by position).

    >>> draw = Draw(Fraction(1, 3), ((1, 2, 3), (4, 5, 6)))
    >>> draw.below(np.array([0, 3, 6, 9]), positive=True)
    array([0, 1, 2, 3])
    """

    share: Fraction
    keys: tuple[tuple[int, int, int], tuple[int, int, int]]

    def below(self, units: NDArray[np.int64], *, positive: bool) -> NDArray[np.int64]:
        """Return how many of the first so many units of a class are drawn."""
        interval = units * self.share.numerator // self.share.denominator
        below: NDArray[np.int64] = interval + (self._point(interval, positive) < units)
        return below

    def points(self, size: int, *, positive: bool) -> NDArray[np.int64]:
        """Return which of ``size`` units of a class are drawn, ascending."""
        intervals = np.arange(-(-size * self.share.numerator // self.share.denominator))
        points = self._point(intervals, positive)
        return points[points < size]

    def _point(self, interval: NDArray[np.int64], positive: bool) -> NDArray[np.int64]:
        """Return the unit that is drawn of each interval."""
        up, down = self.share.numerator, self.share.denominator
        a, b, c = self.keys[0 if positive else 1]
        start = (interval * down + (up - 1)) // up
        length = ((interval + 1) * down + (up - 1)) // up - start
        x = (a * (interval % PRIME) + b) % PRIME
        point: NDArray[np.int64] = start + (x * x + c) % PRIME % length
        return point


def draws(seed: int, share: float) -> Draws:
    """Return the draws of a seed."""
    return Draws(Random(f"draws {seed}"), Fraction(share).limit_denominator(_DENOMINATOR))


@dataclass(frozen=True, slots=True)
class Draws:
    """One draw after the other."""

    generator: Random
    share: Fraction

    def next(self) -> Draw:
        """Return the next draw."""
        return Draw(self.share, (self._key(), self._key()))

    def _key(self) -> tuple[int, int, int]:
        a, b, c = (self.generator.randrange(1, PRIME) for _ in range(3))
        return a, b, c
