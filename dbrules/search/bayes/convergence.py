"""Whether Markov chains agree with each other, and how many independent draws they are worth."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dbrules.errors import InvalidData


def r_hat(chains: ArrayLike) -> float:
    """Return the potential scale reduction R̂ of ``chains``, (chains, draws): near 1 is good.

    R̂ = √(((n − 1) / n · W + B / n) / W) for m chains of n draws: W is the mean of the variances
    within the chains (divisor n − 1), B / n the variance of the m means (divisor m − 1). Source:
    Gelman and Rubin (1992), Inference from iterative simulation using multiple sequences,
    Statistical Science 7, section 2.2, without the factors that allow for sampling error of the
    variance estimates; Gelman et al. (2013), Bayesian data analysis, equation 11.4.

    One chain is split in halves (the middle draw of an odd number is left out). All draws equal
    give 1; chains that each stay at one value, not all at the same, give infinity. Never NaN:
    InvalidData where there are no draws or one is not finite.

    >>> round(r_hat([[1, 2, 3, 4], [2, 3, 4, 5]]), 4)
    1.0247
    >>> r_hat([[1, 1], [1, 1]]), r_hat([[1, 1], [2, 2]])
    (1.0, inf)
    """
    draws = _centred(chains)
    if len(draws) == 1:
        draws = _halves(draws)
    if not np.ptp(draws):
        return 1.0
    count = draws.shape[1]
    within = float(_variances(draws).mean())
    between = float(_means(draws).var(ddof=1))
    if not within:
        return math.inf
    return math.sqrt((count - 1) / count + between / within)


def effective_sample_size(chains: ArrayLike) -> float:
    """Return how many independent draws tell the mean as well as ``chains``, (chains, draws).

    Each chain is split in halves, so that a drift counts against it. The autocorrelation at lag t
    of the m halves of n draws is ρ_t = 1 − (W − mean of s² ρ_t within the halves) / var⁺, where
    var⁺ = (n − 1) / n · W + B / n as in :func:`r_hat`: halves that disagree are correlated. The
    result is m n / τ, τ = −1 + 2 Σ_k P_k, over the pairs P_k = ρ_2k + ρ_2k+1 before the first
    that is not positive, none larger than one before it. It is at most m n log₁₀(m n): chains
    that swing back do better than independent draws, but no estimate of that is trusted far.

    Source: Vehtari et al. (2021), Rank-normalization, folding, and localization: an improved R̂,
    Bayesian Analysis 16, section 3.2, without the rank normalisation; Geyer (1992),
    Practical Markov chain Monte Carlo, section 3.3. Chains of fewer than four draws are not
    split. All draws equal give their number. InvalidData as for :func:`r_hat`.

    >>> draws = np.random.default_rng(0).normal(size=(4, 1000))
    >>> 3000 < effective_sample_size(draws) < 5000
    True
    >>> effective_sample_size(np.repeat(draws, 10, axis=1)) < 5000
    True
    """
    draws = _centred(chains)
    total = draws.size
    if not np.ptp(draws):
        return float(total)
    if draws.shape[1] >= 4:
        draws = _halves(draws)
    count = draws.shape[1]
    within = _variances(draws).mean()
    pooled = (count - 1) / count * within
    if len(draws) > 1:
        pooled += _means(draws).var(ddof=1)
    correlations = 1 - (within - _autocovariances(draws).mean(axis=0)) / pooled
    correlations[0] = 1
    pairs = np.append(correlations, 0.0)[: count + count % 2].reshape(-1, 2).sum(axis=1)
    kept = pairs[np.logical_and.accumulate(pairs > 0)]
    tau = -1 + 2 * float(np.minimum.accumulate(kept).sum())
    return draws.size / max(tau, 1 / max(math.log10(draws.size), 1))


def _centred(chains: ArrayLike) -> NDArray[np.float64]:
    """Return the draws less the first one, of size 1 at most; equal draws are exactly equal."""
    draws = np.asarray(chains, dtype=np.float64)
    if draws.ndim != 2 or not draws.size:
        raise InvalidData(f"chains have the shape {draws.shape}: give chains × draws, some of each")
    if not np.isfinite(draws).all():
        raise InvalidData("a draw of a chain is not finite: leave out what is not a number")
    moved: NDArray[np.float64] = draws / 2 - draws[0, 0] / 2  # halves, so that nothing overflows
    largest = float(np.abs(moved).max())
    return moved / largest if largest else moved


def _halves(draws: NDArray[np.float64]) -> NDArray[np.float64]:
    half = draws.shape[1] // 2
    return draws if not half else np.concatenate([draws[:, :half], draws[:, -half:]])


def _means(draws: NDArray[np.float64]) -> NDArray[np.float64]:
    # from the first draw on, so that a chain that stays at one value has exactly that mean
    means: NDArray[np.float64] = draws[:, 0] + (draws - draws[:, :1]).mean(axis=1)
    return means


def _variances(draws: NDArray[np.float64]) -> NDArray[np.float64]:
    if draws.shape[1] == 1:
        return np.zeros(len(draws))
    variances: NDArray[np.float64] = (draws - draws[:, :1]).var(axis=1, ddof=1)
    return variances


def _autocovariances(draws: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return s² ρ_t of each chain, (chains, lags), s² with divisor n: by the Fourier transform."""
    count = draws.shape[1]
    size = 1 << (2 * count - 1).bit_length()  # with zeros after the draws, none wraps around
    transform = np.fft.rfft(draws - _means(draws)[:, None], size)
    power = transform.real**2 + transform.imag**2
    found: NDArray[np.float64] = np.fft.irfft(power, size)[:, :count] / count
    return found
