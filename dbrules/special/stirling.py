"""What Stirling's formula leaves: the parts of densities that do not cancel.

Source: Loader, Fast and accurate computation of binomial probabilities, 2000.
"""

from __future__ import annotations

import math

_EPSILON = 2.0**-54


def deviance(x: float, a: float) -> float:
    """Return u - log(1 + u) for u = x / a - 1, without loss for small u; at least 0.

    >>> deviance(3.0, 3.0)
    0.0
    >>> round(deviance(6.0, 3.0), 6)
    0.306853
    """
    u = (x - a) / a
    if abs(u) > 0.1:
        return u - (math.log(x) - math.log(a))
    total, power, i = 0.0, u * u, 2
    while abs(power) / i > _EPSILON * abs(total):
        total += power / i
        power, i = -power * u, i + 1
    return total


def stirling_error(a: float) -> float:
    """Return log gamma(a) minus Stirling's formula, (a - 1/2) log a - a + log(2 pi) / 2.

    >>> round(stirling_error(1.0), 6), round(stirling_error(1e6), 12)
    (0.081061, 8.3333e-08)
    """
    if a < 15:
        return math.lgamma(a) - ((a - 0.5) * math.log(a) - a + math.log(2 * math.pi) / 2)
    s = 1 / (a * a)
    return (1 / 12 - s * (1 / 360 - s * (1 / 1260 - s * (1 / 1680 - s / 1188)))) / a
