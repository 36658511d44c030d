"""Equal-tailed credible intervals of a probability that has a beta distribution.

Source: NIST Digital Library of Mathematical Functions, 8.17 (incomplete beta).
"""

from __future__ import annotations

import math
from statistics import NormalDist

from dbrules.special.stirling import stirling_error

_EPSILON = 2.0**-52
_TINY = 1e-300
#: A Newton step squares the error: from here one more step reaches the last digits.
_CLOSE = 1e-8
#: Far more steps than it takes where roundings do not matter.
_STEPS = 200


def beta_interval(a: float, b: float, level: float = 0.95) -> tuple[float, float]:
    """Return the bounds that Beta(``a``, ``b``) leaves on either side with equal probability.

    ``a`` and ``b`` are above 0, ``level`` is the probability between the bounds, inside (0, 1).
    Bounds that are closer to 0 or 1 than doubles reach are 0 or 1.

    >>> [round(p, 6) for p in beta_interval(3, 1)]
    [0.292402, 0.991596]
    >>> [round(p, 6) for p in beta_interval(1, 1, level=0.8)]
    [0.1, 0.9]
    """
    p = (1 - level) / 2
    low, high = _low_logit(a, b, p), -_low_logit(b, a, p)
    return math.exp(_log_share(low)), math.exp(_log_share(high))


def _low_logit(a: float, b: float, p: float) -> float:
    """Return the logit of what Beta(``a``, ``b``) stays below with probability ``p`` < 1/2.

    The logarithm of the distribution function is increasing and concave in the logit, so that
    Newton's method converges from anywhere: all iterates after the first lie below the root. For
    huge ``a`` and ``b`` roundings keep it from the last digits, and it ends all the same.
    """
    goal = math.log(p)
    logit = math.log(a / b)
    if a > 1 and b > 1:
        logit += NormalDist().inv_cdf(p) * math.sqrt(1 / a + 1 / b)
    for _ in range(_STEPS):
        log_below, log_slope = _log_distribution(a, b, logit)
        missing = goal - log_below
        logit += missing * math.exp(log_below - log_slope)
        if abs(missing) < _CLOSE:
            break
    return logit


def _log_distribution(a: float, b: float, logit: float) -> tuple[float, float]:
    """Return the logarithms of P(X <= x) and of its derivative by the logit of x."""
    x, y = math.exp(_log_share(logit)), math.exp(_log_share(-logit))
    slope = _log_density(a, b, logit, x, y)
    if x < (a + 1) / (a + b + 2):
        return slope - math.log(a) + math.log(_continued_fraction(a, b, x)), slope
    above = math.exp(slope) * _continued_fraction(b, a, y) / b
    return math.log1p(-above), slope


def _log_share(logit: float) -> float:
    """Return log(1 / (1 + exp(-logit)))."""
    return logit - math.log1p(math.exp(logit)) if logit < 0 else -math.log1p(math.exp(-logit))


def _log_density(a: float, b: float, logit: float, x: float, y: float) -> float:
    """Return log(x**a y**b / B(a, b)), y = 1 - x, without loss where the terms nearly cancel."""
    n = a + b
    excess = x * n - a if x < y else b - y * n  # of what is expected at x over a
    of_a = math.log1p(excess / a) if 2 * x * n > a else _log_share(logit) + math.log(n / a)
    of_b = math.log1p(-excess / b) if 2 * y * n > b else _log_share(-logit) + math.log(n / b)
    errors = stirling_error(n) - stirling_error(a) - stirling_error(b)
    return a * of_a + b * of_b + math.log(a / (2 * math.pi) * (b / n)) / 2 + errors


def _continued_fraction(a: float, b: float, x: float) -> float:
    """Return the incomplete beta function over x**a (1 - x)**b / a (DLMF 8.17.22, Lentz)."""
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1) or _TINY)
    value = d
    i, change = 0, 0.0
    while abs(change - 1) > _EPSILON:
        i += 1
        j = a + 2 * i
        term = i * (b - i) * x / ((j - 1) * j)
        d = 1 / (1 + term * d or _TINY)
        c = 1 + term / c or _TINY
        value *= c * d
        term = -(a + i) * (a + b + i) * x / (j * (j + 1))
        d = 1 / (1 + term * d or _TINY)
        c = 1 + term / c or _TINY
        change = c * d
        value *= change
    return value
