"""The upper tail of the chi-square distribution, in logarithms."""

from __future__ import annotations

import math

from dbrules.special.gamma_tail import log_gamma_tail


def log_tail(statistic: float, df: int) -> float:
    """Return the natural logarithm of P(X >= ``statistic``) for ``df`` degrees of freedom.

    Stays finite, and so comparable, far below the smallest double.

    >>> round(math.exp(log_tail(3.841458820694124, 1)), 12)
    0.05
    >>> log_tail(4000.0, 2)
    -2000.0
    """
    return log_gamma_tail(df / 2, statistic / 2)


def chi_square_quantile(level: float, df: int) -> float:
    """Return the value that a chi-square variable stays below with probability ``level``.

    >>> round(chi_square_quantile(0.95, 1), 6)
    3.841459
    """
    goal = math.log1p(-level)
    low, high = 0.0, float(df)
    while log_tail(high, df) > goal:
        high *= 2
    while (middle := (low + high) / 2) not in (low, high):
        low, high = (middle, high) if log_tail(middle, df) > goal else (low, middle)
    return high
