"""The prior of Bayesian falling rule lists: how long, of which antecedents, how steep."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from dbrules.errors import InvalidSetting
from dbrules.special.gamma_tail import log_gamma_tail


@dataclass(frozen=True)
class FallingPrior:
    """The hyperparameters of Wang and Rudin (2015), Falling rule lists, section 2.

    ``expected_length``: λ, the mean of the Poisson number of rules. ``alpha`` and ``beta``: shape
    and rate of the Gamma prior of each γ, truncated to [1, ∞). ``alpha_last`` and ``beta_last``:
    those of K, the odds of the else.

    >>> prior = FallingPrior()
    >>> round(prior.log_density([2.0], 1.0), 6)  # of γ = 2 and K = 1
    -4.80517
    """

    expected_length: float = 8.0
    alpha: float = 1.0
    beta: float = 0.1
    alpha_last: float = 1.0
    beta_last: float = 0.1

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if not (value > 0 and math.isfinite(value)):
                raise InvalidSetting(f"{name} is {value!r}; give a finite number above 0")

    @cached_property
    def log_norm(self) -> float:
        """Log of Γ(α, β) / β^α, what the density of γ is divided by."""
        tail = math.lgamma(self.alpha) + log_gamma_tail(self.alpha, self.beta)
        return tail - self.alpha * math.log(self.beta)

    @cached_property
    def log_norm_last(self) -> float:
        """Log of Γ(α) / β^α of K, what its density is divided by."""
        return math.lgamma(self.alpha_last) - self.alpha_last * math.log(self.beta_last)

    def log_density(self, gammas: Sequence[float], last: float) -> float:
        """Return the log density of γ_0 … γ_{L-1}, each at least 1, and of K."""
        found = (self.alpha_last - 1) * math.log(last) - self.beta_last * last
        found -= self.log_norm_last + len(gammas) * self.log_norm
        for gamma in gammas:
            found -= self.beta * gamma
            if self.alpha != 1:
                found += (self.alpha - 1) * math.log(gamma)
        return found
