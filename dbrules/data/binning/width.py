"""Intervals of equal width."""

from __future__ import annotations

from fractions import Fraction


def equal_width(low: Fraction, high: Fraction, k: int) -> list[Fraction]:
    """Return the ``k - 1`` points that divide ``low``..``high`` into equal parts.

    >>> [float(point) for point in equal_width(Fraction(13), Fraction(84), 5)]
    [27.2, 41.4, 55.6, 69.8]
    """
    return [low + (high - low) * i / k for i in range(1, k)]
