"""What the rows that a prefix leaves cost at least (Chen & Rudin 2018, theorems 4.6 and 5.2).

All functions take arrays of one shape, one element for each prefix: ``p`` and ``n``, positives and
negatives left; ``least_p`` and ``least_n``, those of the rule of least proportion so far (1 and 0
where there is no rule). ``weight`` is w, ``cost`` the cost of a rule and ``penalty`` that of
proportions that rise by one, both times the number of rows, as losses here are: a false alarm is 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


def stopping(p: Any, n: Any, weight: float) -> Numbers:
    """Return what the rows left cost if the list ends here: the else has the cheaper answer.

    >>> stopping(np.array([2.0]), np.array([5.0]), 3.0).tolist()
    [5.0]
    """
    return np.asarray(np.minimum(weight * p, n), dtype=np.float64)


def falling_further(p: Any, least_p: Any, least_n: Any, cost: float) -> Numbers:
    """Return the least cost of the rows left by any falling list that has another rule.

    Theorem 4.6: a list that captures all positives left captures with them, at proportions not
    above the least, at least ``least_n / least_p`` negatives each; to leave some costs more.
    """
    return _along(p, least_p, least_n) + cost


def soft_rest(
    p: Any, n: Any, least_p: Any, least_n: Any, weight: float, cost: float, penalty: float
) -> Numbers:
    """Return the least cost of the rows left by any soft list (theorem 5.2).

    Later rules may rise to a proportion b above the least, at a penalty: the third line of the
    theorem is least at b = sqrt(p / penalty), or at an end of the interval where b may lie.
    """
    floor = least_p / (least_p + least_n)
    share = shares(p, n)
    rise = penalty * np.maximum(0, share - floor)
    kept = _along(p, least_p, least_n) + cost + np.where(share >= floor, rise + weight * p, 0.0)
    lowest = np.maximum(np.maximum(floor, share), 1 / (1 + weight))

    def at(b: Any) -> Any:
        return (1 / b - 1) * p + cost + penalty * (b - floor)

    best = np.sqrt(p / penalty) if penalty > 0 else np.full(np.shape(p), np.inf)
    inside = (best > lowest) & (best <= 1)
    ends = np.minimum(at(lowest), at(np.ones(np.shape(p))))
    risen = np.where(inside, at(np.where(inside, best, 1.0)), ends)
    least: Numbers = np.minimum(np.minimum(kept, risen), stopping(p, n, weight) + rise)
    return least


def shares(p: Any, n: Any) -> Numbers:
    """Return the proportion of positives, 0 where there are no rows."""
    share: Numbers = np.divide(p, p + n, out=np.zeros(np.shape(p)), where=p + n > 0)
    return share


def _along(p: Any, least_p: Any, least_n: Any) -> Numbers:
    """Return the negatives that come along when all positives are captured at the proportion."""
    # below a rule without positives no rule has any
    none = np.where(p > 0, np.inf, 0.0)
    along: Numbers = np.divide(least_n * p, least_p, out=none, where=least_p > 0)
    return along
