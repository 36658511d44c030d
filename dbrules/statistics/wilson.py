"""The Wilson score interval at any level."""

from __future__ import annotations

from statistics import NormalDist

from dbrules.errors import InvalidSetting
from dbrules.language.wilson import wilson_interval


def wilson(successes: float, total: float, level: float = 0.95) -> tuple[float, float]:
    """Return (lower, upper) bounds of the share ``successes / total``; weights count as trials.

    Source: Wilson (1927), Journal of the American Statistical Association 22, p. 209. A total
    of 0 gives (0, 1). Raises InvalidSetting for a level outside 0..1.

    >>> [round(bound, 3) for bound in wilson(12, 15)]
    [0.548, 0.93]
    """
    if not 0 < level < 1:
        raise InvalidSetting(f"level={level!r}; give a probability between 0 and 1")
    return wilson_interval(successes, total, NormalDist().inv_cdf((1 + level) / 2))
