"""R̂ and effective sample size against their formulas, known processes and published code."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dbrules.errors import InvalidData
from dbrules.search.bayes.convergence import effective_sample_size, r_hat


def autoregressive(phi, chains, draws, seed=0):
    """Return stationary AR(1) chains; their τ is (1 + φ) / (1 − φ)."""
    noise = np.random.default_rng(seed).normal(size=(chains, draws))
    found = noise.copy()
    for t in range(1, draws):
        found[:, t] = phi * found[:, t - 1] + math.sqrt(1 - phi * phi) * noise[:, t]
    return found


def by_definition(chains):
    """The effective sample size in plain sums: halves, autocorrelations, pairs."""
    half = len(chains[0]) // 2
    parts = [part for chain in chains for part in (chain[:half], chain[-half:])]
    means = [sum(part) / half for part in parts]
    overall = sum(means) / len(parts)
    between = sum((mean - overall) ** 2 for mean in means) / (len(parts) - 1)
    lags = [
        sum(
            sum((part[i] - mean) * (part[i + t] - mean) for i in range(half - t)) / half
            for part, mean in zip(parts, means, strict=True)
        ) / len(parts)
        for t in range(half)
    ]  # fmt: skip
    within = lags[0] * half / (half - 1)
    rho = [1.0, *(1 - (within - lag) / (lags[0] + between) for lag in lags[1:]), 0.0]
    tau, least = -1.0, math.inf
    for k in range(0, half, 2):
        if rho[k] + rho[k + 1] <= 0:
            break
        least = min(least, rho[k] + rho[k + 1])
        tau += 2 * least
    total = len(parts) * half
    return total / max(tau, 1 / math.log10(total))


@pytest.mark.parametrize(("chains", "draws"), [(1, 20), (1, 21), (2, 40), (3, 33), (5, 16)])
@pytest.mark.parametrize("phi", [-0.6, 0, 0.7, 0.95])
def test_effective_sample_size_is_its_definition(phi, chains, draws):
    for seed in range(5):
        found = autoregressive(phi, chains, draws, seed)
        assert effective_sample_size(found) == pytest.approx(by_definition(found.tolist()), 1e-9)


@pytest.mark.parametrize("phi", [-0.3, 0, 0.5, 0.9])
def test_effective_sample_size_of_known_processes(phi):
    known = 4 * 5000 * (1 - phi) / (1 + phi)
    found = [effective_sample_size(autoregressive(phi, 4, 5000, seed)) for seed in range(20)]
    assert np.mean(found) == pytest.approx(known, rel=0.03)
    assert np.std(found) < 0.15 * known


def test_figures_of_arviz():
    # arviz 0.23.4: rhat(method="identity") and ess(method="mean")
    chains = autoregressive(0.8, 4, 500, seed=7)
    assert r_hat(chains) == pytest.approx(1.0137525098841753, rel=1e-9)
    assert effective_sample_size(chains) == pytest.approx(215.55717981138147, rel=1e-3)


def test_r_hat_is_its_formula():
    chains = np.random.default_rng(3).gamma(2, size=(5, 37))
    within = chains.var(axis=1, ddof=1).mean()
    between = 37 * chains.mean(axis=1).var(ddof=1)
    assert r_hat(chains) == pytest.approx(math.sqrt((36 / 37 * within + between / 37) / within))
    assert r_hat(chains[:1, :36]) == pytest.approx(r_hat(chains[0, :36].reshape(2, 18)))
    assert r_hat(chains[:1]) == r_hat([[*chains[0, :18], 99.0, *chains[0, 19:]]])


def test_chains_that_agree_and_chains_that_do_not():
    draws = np.random.default_rng(0).normal(size=(4, 5000))
    apart = draws + np.array([[0], [0], [0], [3]])
    drift = draws[:1] + np.linspace(0, 4, 5000)
    assert abs(r_hat(draws) - 1) < 0.001
    assert min(r_hat(apart), r_hat(drift)) > 1.5
    assert effective_sample_size(draws) == pytest.approx(20000, rel=0.06)
    assert max(effective_sample_size(apart), effective_sample_size(drift)) < 10


@pytest.mark.parametrize("value", [0.0, 0.1, -12345.678, 1e300, 5e-324])
def test_chains_that_stay_where_they_are(value):
    still = np.full((3, 1001), value)
    assert r_hat(still) == r_hat(still[:1]) == 1
    assert effective_sample_size(still) == 3003
    still[1] = value * 3 + 0.7  # nothing moves, and the chains disagree
    assert r_hat(still) == math.inf
    assert effective_sample_size(still) == pytest.approx(3, abs=0.1)


@pytest.mark.parametrize("moved", [(1, 0), (1, -20000), (1e-200, 0), (1e300, 1e307), (-3, 7)])
def test_neither_unit_nor_origin_matters(moved):
    scale, origin = moved
    draws = autoregressive(0.5, 3, 100)
    assert r_hat(draws * scale + origin) == pytest.approx(r_hat(draws), rel=1e-6)
    assert effective_sample_size(draws * scale + origin) == pytest.approx(
        effective_sample_size(draws), rel=1e-6
    )


@pytest.mark.parametrize("shape", [(1, 1), (1, 2), (1, 3), (1, 4), (2, 1), (5, 1), (2, 2), (3, 5)])
def test_few_draws_give_numbers(shape):
    for seed in range(20):
        draws = np.random.default_rng(seed).integers(0, 3, size=shape)
        assert r_hat(draws) >= 0
        most = draws.size * max(1, math.log10(draws.size))
        assert 0 < effective_sample_size(draws) <= most + 1e-9


@pytest.mark.parametrize("chains", [[], [[]], [1.0, 2.0], [[1.0, math.nan]], [[-math.inf, 0.0]]])
@pytest.mark.parametrize("measure", [r_hat, effective_sample_size])
def test_what_is_no_chain_is_refused(measure, chains):
    with pytest.raises(InvalidData, match=r"give chains|is not finite"):
        measure(chains)
