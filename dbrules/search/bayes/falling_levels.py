"""A Metropolis step on γ and K of one list, with U and ζ summed out.

Not in Wang and Rudin (2015). Given U and ζ the odds v of a rule move by about v / √n⁺, while the
posterior is as wide as v / √n⁻: where a rule or a list has few negatives, Gibbs draws alone need
some n⁺ / n⁻ sweeps for one new draw. Steps that do not know U and ζ have no such limit.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Final

from dbrules.search.bayes.falling_counts import Pair
from dbrules.search.bayes.falling_gibbs import SMALLEST
from dbrules.search.bayes.falling_likelihood import log_likelihood
from dbrules.search.bayes.falling_prior import FallingPrior

#: Steps in log odds are normal with a standard deviation drawn between these, evenly in its log.
_FINEST: Final = math.log(0.03)
_COARSEST: Final = math.log(3.0)


def step_levels(
    rng: random.Random,
    prior: FallingPrior,
    pairs: Sequence[Pair],
    gammas: list[float],
    last: float,
    fit: float,
) -> tuple[list[float], float, float]:
    """Return γ, K and their log likelihood after one step; ``fit`` is that before.

    A rule or the else is drawn, and a step s. Its log odds grow by s, and with probability 1/2
    those of all rules before it too. That is γ_l → γ_l e^s (K for the else), and where the rules
    before stay γ_{l-1} → γ_{l-1} e^(-s). The step back is -s with the same density; the densities
    are of γ and K, so that the acceptance has the volume as a factor: e^s of each that grows and
    e^(-s) of one that shrinks, which is s in the log and makes α of the exponent α - 1. A γ below
    1 is refused.
    """
    rules = len(gammas)
    place = int(rng.random() * (rules + 1))
    step = rng.gauss(0.0, math.exp(_FINEST + (_COARSEST - _FINEST) * rng.random()))
    factor = math.exp(step)
    moved, moved_last = gammas.copy(), last
    # log volume and log ratio of the densities
    if place == rules:
        moved_last = last * factor
        if moved_last < SMALLEST:
            return gammas, last, fit
        log_ratio = prior.alpha_last * step - prior.beta_last * (moved_last - last)
    else:
        moved[place] = gamma = gammas[place] * factor
        if gamma < 1:
            return gammas, last, fit
        log_ratio = prior.alpha * step - prior.beta * (gamma - gammas[place])
    if place and rng.random() < 0.5:
        moved[place - 1] = gamma = gammas[place - 1] / factor
        if gamma < 1:
            return gammas, last, fit
        log_ratio -= prior.alpha * step + prior.beta * (gamma - gammas[place - 1])
    moved_fit = log_likelihood(pairs, moved, moved_last)
    log_ratio += moved_fit - fit
    if log_ratio < 0 and rng.random() >= math.exp(log_ratio):
        return gammas, last, fit
    return moved, moved_last, moved_fit
