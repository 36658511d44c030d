"""The Wilson score interval of a proportion."""

from __future__ import annotations

import math
from typing import Final

#: Two-sided 95 % point of the standard normal distribution.
NORMAL_95: Final = 1.959963984540054


def wilson_interval(successes: float, trials: float, z: float = NORMAL_95) -> tuple[float, float]:
    """Return the Wilson score interval (lower, upper) of ``successes`` out of ``trials``.

    Source: Wilson (1927), Journal of the American Statistical Association 22, p. 209. Weights
    count as trials. No trials say nothing: the interval is then (0, 1).

    >>> [round(bound, 3) for bound in wilson_interval(12, 15)]
    [0.548, 0.93]
    >>> wilson_interval(0, 0)
    (0.0, 1.0)
    """
    if trials <= 0:
        return 0.0, 1.0
    # written without the share squared, so that tiny weights do not underflow
    spread = z * math.sqrt(successes * (1 - successes / trials) + z * z / 4)
    middle = successes + z * z / 2
    scale = trials + z * z
    # the bounds of 0 and all are exact: rounding must not leave [0, 1]
    lower = 0.0 if successes <= 0 else max(0.0, (middle - spread) / scale)
    upper = 1.0 if successes >= trials else min(1.0, (middle + spread) / scale)
    return lower, upper
