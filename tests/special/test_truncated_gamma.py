from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from dbrules.special.truncated_gamma import draw_truncated_gamma

REGIMES = [
    (1.0, 0.1), (1.0, 300.0), (3.0, 0.1), (3.0, 2.9), (3.0, 3.1), (2.5, 400.0), (1.01, 5.0),
    (0.4, 0.01), (0.4, 0.9), (0.4, 1.1), (0.7, 500.0), (1e-3, 1e-4), (1e-3, 30.0),
    (1e6, 1e5), (1e6, 1e6), (1e6, 1.001e6), (1e6, 1.02e6), (40.0, 200.0), (50.0, 51.0),
]  # fmt: skip


@pytest.mark.parametrize(("shape", "rate"), REGIMES)
def test_draws_follow_the_truncated_distribution(shape, rate):
    rng = np.random.default_rng(20260)
    draws = np.array([draw_truncated_gamma(rng, shape, rate) for _ in range(20_000)])
    assert draws.min() >= 1
    whole = stats.gamma(shape, scale=1 / rate)
    assert stats.kstest(draws, lambda x: 1 - whole.sf(x) / whole.sf(1)).pvalue > 0.01


@pytest.mark.parametrize("rate", [1e-4, 1e-2, 0.5, 1.0, 2.0, 1e3, 1e6])
@pytest.mark.parametrize("shape", [1e-3, 0.5, 0.99, 1.0, 1.01, 3.0, 900.0, 1e6])
def test_few_proposals_are_lost(shape, rate):
    rng = Counting(np.random.PCG64(1))
    for _ in range(300):
        draw_truncated_gamma(rng, shape, rate)
    assert rng.calls / 300 < 10


class Counting(np.random.Generator):
    """A generator that counts its draws."""

    calls = 0

    def random(self):
        self.calls += 1
        return super().random()

    def standard_exponential(self):
        self.calls += 1
        return super().standard_exponential()

    def standard_gamma(self, shape):
        self.calls += 1
        return super().standard_gamma(shape)
