"""The bounds of Chen & Rudin (2018) as the paper writes them, times the number of rows."""

from __future__ import annotations

import math


def theorem_4_6(p, n, least_p, least_n, weight, cost):
    """min{ (1/α_last − 1) ñ⁺ + C, w ñ⁺, ñ⁻ }, times n."""
    along = least_n * p / least_p if least_p else (0.0 if p == 0 else math.inf)
    return min(along + cost, weight * p, n)


def theorem_5_2(p, n, least_p, least_n, weight, cost, penalty):
    """The four lines of the theorem, times n; ⌊·⌋₊ and the indicator as they stand there."""
    least = least_p / (least_p + least_n)
    share = p / (p + n) if p + n else 0.0
    rise = penalty * max(0.0, share - least)
    along = least_n * p / least_p if least_p else (0.0 if p == 0 else math.inf)
    first = along + cost + (rise + weight * p if share >= least else 0.0)
    zeta = max(least, share, 1 / (1 + weight))

    def g(beta):
        return (1 / beta - 1) * p + cost + penalty * (beta - least)

    # g is convex: the interval where it is least is halved again and again
    low, high = zeta, 1.0
    for _ in range(60):
        third = (high - low) / 3
        low, high = (low + third, high) if g(low + third) > g(high - third) else (low, high - third)
    return min(first, g(zeta), g(1.0), g(low), weight * p + rise, n + rise)
