"""The state of the falling list's sampler, and its Gibbs draws of γ, K, U and ζ.

Wang and Rudin (2015), Falling rule lists, section 3.2. With odds v_l = K Π_{i≥l} γ_i each row has
an auxiliary U (0 of a negative, 1 + a geometric number of failures of a positive) and ζ, and only
their sums over the rows of each rule enter. With n⁺ positives and n⁻ negatives of weight 1

    S = ΣU = n⁺ + NegativeBinomial(n⁺, 1 / (1 + v)),    Z = Σζ | S ~ Gamma(S + n⁺ + n⁻, 1 + v),

and the likelihood times the density of (S, Z) is v^S e^(-vZ) up to what v does not enter. This
holds of real n⁺ and n⁻ as well, so that weights need not be whole. Hence

    γ_l | · ~ Gamma(α + Σ_{k≤l} S_k, β + Σ_{k≤l} Z_k v_k / γ_l) truncated to [1, ∞),
    K | · ~ Gamma(α_K + Σ S_k, β_K + Σ Z_k v_k / K).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from dbrules.search.bayes.falling_counts import Pair
from dbrules.search.bayes.falling_prior import FallingPrior
from dbrules.special.truncated_gamma import draw_truncated_gamma

#: Larger Poisson means do not fit in int64: the draw is then that of the normal distribution,
#: whose distribution function differs by less than a millionth.
_LARGEST_POISSON: Final = 1e15
#: Log odds beyond which a rule's U and ζ are drawn as at this value; exp must not overflow.
_STEEPEST: Final = 300.0
#: No K is smaller: it must have a logarithm.
SMALLEST: Final = 1e-300


class FallingGibbs:
    """γ and K of one list, and the sums of the auxiliary variables.

    ``gammas``: γ of each rule, (L,). ``last``: K. Every draw costs O(L), whatever the number of
    rows.
    """

    def __init__(self, prior: FallingPrior, rng: np.random.Generator) -> None:
        self._prior = prior
        self._rng = rng
        self.last = 1.0
        self.gammas: list[float] = []
        #: S and Z of each rule and the else, (L+1,).
        self._tries: list[float] = []
        self._times: list[float] = []

    def stand(self, odds: Sequence[float]) -> None:
        """Take γ and K from the odds of each rule and of the else, (L+1,)."""
        self.last = odds[-1]
        self.gammas = [max(1.0, odds[k] / odds[k + 1]) for k in range(len(odds) - 1)]

    def odds(self) -> list[float]:
        """Return v of each rule and of the else, (L+1,)."""
        log_odds = math.log(self.last)
        found = [self.last]
        for gamma in reversed(self.gammas):
            log_odds += math.log(gamma)
            found.append(math.exp(min(log_odds, _STEEPEST)))
        found.reverse()
        return found

    def draw_gamma_prior(self) -> float:
        """Draw a γ from its prior."""
        return draw_truncated_gamma(self._rng, self._prior.alpha, self._prior.beta)

    def draw_auxiliary(self, pairs: Sequence[Pair], odds: Sequence[float]) -> None:
        """Draw U and ζ together, given γ and K, that is the odds, and what each rule captures.

        Negative binomial draws are Poisson ones of a gamma mean.
        """
        gamma, poisson = self._rng.standard_gamma, self._rng.poisson
        # scalar draws: calls with arrays of a few numbers take longer
        self._tries, self._times = [], []
        for (positives, negatives), v in zip(pairs, odds, strict=True):
            mean = gamma(positives) * v
            if mean < _LARGEST_POISSON:
                tries = positives + poisson(mean)
            else:
                deviate = math.sqrt(mean) * self._rng.standard_normal()
                tries = positives + mean + deviate
            self._tries.append(tries)
            self._times.append(gamma(tries + positives + negatives) / (1 + v))

    def draw_odds(self, odds: Sequence[float]) -> None:
        """Draw each γ and then K, given U and ζ; ``odds`` are those of γ and K before."""
        prior, rng, gammas = self._prior, self._rng, self.gammas
        tries, times = self._tries, self._times
        successes = 0.0
        # Σ_{k≤l} Z_k Π_{i=k}^{l-1} γ_i
        weighed = 0.0
        for place in range(len(gammas)):
            successes += tries[place]
            weighed += times[place]
            # γ_l goes into the odds of rule l and those before it, by way of v_{l+1}
            rate = prior.beta + weighed * odds[place + 1]
            gamma = draw_truncated_gamma(rng, prior.alpha + successes, rate)
            gammas[place] = gamma
            weighed *= gamma
        shape = prior.alpha_last + successes + tries[-1]
        rate = prior.beta_last + weighed + times[-1]
        self.last = max(float(rng.standard_gamma(shape)) / rate, SMALLEST)
