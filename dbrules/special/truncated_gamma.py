"""Exact draws from a gamma distribution truncated to [1, inf).

Sources: Dagpunar, Sampling of variates from a truncated gamma distribution, Journal of
Statistical Computation and Simulation 8, 1978; Ahrens and Dieter, Computer methods for sampling
from gamma, beta, Poisson and binomial distributions, Computing 12, 1974 (algorithm GS).
"""

from __future__ import annotations

import math

import numpy as np


def draw_truncated_gamma(rng: np.random.Generator, shape: float, rate: float) -> float:
    """Draw from Gamma(``shape``, ``rate``) truncated to [1, inf); both are above 0.

    Every regime is a rejection sampler that accepts at least about a third of its proposals.

    >>> rng = np.random.default_rng(0)
    >>> draws = [draw_truncated_gamma(rng, 1.0, 0.1) for _ in range(4000)]
    >>> min(draws) >= 1, round(sum(draws) / len(draws))  # an exponential: mean 1 + 1 / rate
    (True, 11)
    """
    if shape == 1:
        return 1 + rng.standard_exponential() / rate
    if shape > 1:
        if rate <= shape:
            return _from_gamma(rng, shape, rate)
        return _beyond_the_mean(rng, shape, rate)
    if rate < 1:
        return _from_power_and_exponential(rng, shape, rate)
    return _from_shifted_exponential(rng, shape, rate)


def _from_gamma(rng: np.random.Generator, shape: float, rate: float) -> float:
    """Draw until a draw reaches 1, which is not beyond the mean."""
    while (draw := rng.standard_gamma(shape)) < rate:
        pass
    return max(1.0, draw / rate)


def _beyond_the_mean(rng: np.random.Generator, shape: float, rate: float) -> float:
    """Draw with shape > 1 and a mean below 1 by the best shifted exponential.

    In x = rate * draw the density is x**(shape - 1) exp(-x) on [rate, inf), the proposal
    exp(-slope * x); their ratio is largest at ``peak``.
    """
    gap = rate - shape
    slope = (gap + math.sqrt(gap * gap + 4 * rate)) / (2 * rate)  # Dagpunar 1978
    peak = max(rate, (shape - 1) / (1 - slope))
    while True:
        excess = rng.standard_exponential() / slope
        beyond = excess + (rate - peak)
        ratio = (shape - 1) * math.log1p(beyond / peak) - (1 - slope) * beyond
        if -rng.standard_exponential() <= ratio:
            return 1 + excess / rate


def _from_shifted_exponential(rng: np.random.Generator, shape: float, rate: float) -> float:
    """Draw with shape < 1 <= rate: the power of the density falls beside the exponential."""
    while True:
        excess = rng.standard_exponential() / rate
        if -rng.standard_exponential() <= (shape - 1) * math.log1p(excess):
            return 1 + excess


def _from_power_and_exponential(rng: np.random.Generator, shape: float, rate: float) -> float:
    """Draw with shape and rate < 1.

    In x = rate * draw the proposal is x**(shape - 1) below 1 and exp(-x) from 1 on.
    """
    lost = -math.expm1(shape * math.log(rate))  # 1 - rate**shape
    below = lost / shape
    share = below / (below + math.exp(-1))
    while True:
        if rng.random() < share:
            x = math.exp(math.log1p(-lost * rng.random()) / shape)
            ratio = -x
        else:
            x = 1 + rng.standard_exponential()
            ratio = (shape - 1) * math.log(x)
        if -rng.standard_exponential() <= ratio:
            return max(1.0, x / rate)
