"""The prior of Bayesian falling rule lists: how long, of which antecedents, how steep."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class FallingPrior:
    """The hyperparameters of Wang and Rudin (2015), Falling rule lists, section 2.

    ``expected_length``: λ, the mean of the Poisson number of rules. ``alpha`` and ``beta``: shape
    and rate of the Gamma prior of each γ, truncated to [1, ∞). ``alpha_last`` and ``beta_last``:
    those of K, the odds of the else.
    """

    expected_length: float = 8.0
    alpha: float = 1.0
    beta: float = 0.1
    alpha_last: float = 1.0
    beta_last: float = 0.1
