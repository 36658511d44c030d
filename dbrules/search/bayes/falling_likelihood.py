"""The likelihood of falling rule lists at given γ and K."""

from __future__ import annotations

import math
from collections.abc import Sequence

from dbrules.search.bayes.falling_counts import Pair


def log_likelihood(pairs: Sequence[Pair], gammas: Sequence[float], last: float) -> float:
    """Return log p(y | list, γ, K) from the counts of L rules and the else.

    The odds of the else are K, those of rule l are γ_l times those of the next.

    >>> round(log_likelihood([(3.0, 1.0), (1.0, 2.0)], [6.0], 0.5), 6)
    -4.158883
    >>> round(3 * math.log(3 / 4) + math.log(1 / 4) + math.log(1 / 3) + 2 * math.log(2 / 3), 6)
    -4.158883
    """
    place = len(gammas)
    log_odds = math.log(last)
    found = 0.0
    while True:
        positives, negatives = pairs[place]
        if log_odds > 0:
            softplus = log_odds + math.log1p(math.exp(-log_odds))
        else:
            softplus = math.log1p(math.exp(log_odds))
        found += positives * log_odds - (positives + negatives) * softplus
        if place == 0:
            return found
        place -= 1
        log_odds += math.log(gammas[place])
