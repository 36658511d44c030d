"""The prior of lengths: a Poisson variable that has only some of its values."""

from __future__ import annotations

import math
from collections.abc import Iterable
from math import lgamma


def truncated_poisson(mean: float, sizes: Iterable[int]) -> dict[int, float]:
    """Return the log probability of each size, of a Poisson variable that is one of them.

    >>> logs = truncated_poisson(2.0, range(3))
    >>> [round(math.exp(value), 3) for value in logs.values()]
    [0.2, 0.4, 0.4]
    """
    logs = {size: size * math.log(mean) - lgamma(size + 1) for size in sizes}
    most = max(logs.values(), default=0.0)
    norm = most + math.log(math.fsum(math.exp(value - most) for value in logs.values()))
    return {size: value - norm for size, value in logs.items()}
