"""The upper tail of the chi-square distribution, in logarithms.

Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 6.5 (incomplete gamma).
"""

from __future__ import annotations

import math

_EPSILON = 2.0**-54
_TINY = 1e-300


def log_tail(statistic: float, df: int) -> float:
    """Return the natural logarithm of P(X >= ``statistic``) for ``df`` degrees of freedom.

    Stays finite, and so comparable, far below the smallest double.

    >>> round(math.exp(log_tail(3.841458820694124, 1)), 12)
    0.05
    >>> log_tail(4000.0, 2)
    -2000.0
    """
    a, x = df / 2, statistic / 2
    if x <= 0:
        return 0.0
    if x == math.inf:
        return -math.inf
    if df == 2:
        return -x
    if x < a + 1:
        return math.log1p(-math.exp(_log_density(a, x)) * _series(a, x))
    return _log_density(a, x) + math.log(_continued_fraction(a, x))


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


def _log_density(a: float, x: float) -> float:
    """Return log(x**a exp(-x) / gamma(a)).

    For large ``a`` the terms nearly cancel, so they are written as a deviation from Stirling's
    formula (Loader, Fast and accurate computation of binomial probabilities, 2000).
    """
    if a < 15:
        return a * math.log(x) - x - math.lgamma(a)
    return -a * _deviance(x, a) + math.log(a / (2 * math.pi)) / 2 - _stirling_error(a)


def _deviance(x: float, a: float) -> float:
    """Return u - log(1 + u) for u = x / a - 1, without loss for small u."""
    u = (x - a) / a
    if abs(u) > 0.1:
        return u - (math.log(x) - math.log(a))
    total, power, i = 0.0, u * u, 2
    while abs(power) / i > _EPSILON * abs(total):
        total += power / i
        power, i = -power * u, i + 1
    return total


def _stirling_error(a: float) -> float:
    """Return log gamma(a) minus Stirling's formula, for ``a`` of at least 15."""
    s = 1 / (a * a)
    return (1 / 12 - s * (1 / 360 - s * (1 / 1260 - s * (1 / 1680 - s / 1188)))) / a


def _series(a: float, x: float) -> float:
    """Return the lower incomplete gamma function over its density (A&S 6.5.29)."""
    term = total = 1 / a
    while term > _EPSILON * total:
        a += 1
        term *= x / a
        total += term
    return total


def _continued_fraction(a: float, x: float) -> float:
    """Return the upper incomplete gamma function over its density (A&S 6.5.31, Lentz)."""
    b = x + 1 - a
    c, d = 1 / _TINY, 1 / b
    value = d
    i, change = 0, 0.0
    while abs(change - 1) > _EPSILON * 4:
        i += 1
        term = -i * (i - a)
        b += 2
        d = 1 / ((term * d + b) or _TINY)
        c = (b + term / c) or _TINY
        change = c * d
        value *= change
    return value
