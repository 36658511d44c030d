"""The upper tail of the gamma distribution, in logarithms.

Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 6.5 (incomplete gamma).
"""

from __future__ import annotations

import math

from dbrules.special.stirling import deviance, stirling_error

_EPSILON = 2.0**-54
_TINY = 1e-300


def log_gamma_tail(shape: float, x: float) -> float:
    """Return the natural logarithm of P(X >= ``x``) for X of Gamma(``shape``, rate 1).

    This is log Q(shape, x), the regularised upper incomplete gamma function, for any ``shape``
    above 0. It stays finite, and so comparable, far below the smallest double. The time grows
    with the square root of ``shape`` where ``x`` is close to it.

    >>> log_gamma_tail(1.0, 2000.0)
    -2000.0
    >>> round(math.exp(log_gamma_tail(3.0, 2.0)), 12)
    0.676676416183
    """
    if x <= 0:
        return 0.0
    if x == math.inf:
        return -math.inf
    if shape == 1:
        return -x
    if x < shape + 1:
        return math.log1p(-math.exp(_log_density(shape, x)) * _series(shape, x))
    return _log_density(shape, x) + math.log(_continued_fraction(shape, x))


def _log_density(a: float, x: float) -> float:
    """Return log(x**a exp(-x) / gamma(a)).

    For large ``a`` the terms nearly cancel, so they are written as a deviation from Stirling's
    formula (Loader, Fast and accurate computation of binomial probabilities, 2000).
    """
    if a < 15:
        return a * math.log(x) - x - math.lgamma(a)
    return -a * deviance(x, a) + math.log(a / (2 * math.pi)) / 2 - stirling_error(a)


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
