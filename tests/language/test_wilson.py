from __future__ import annotations

import pytest
from scipy.stats import binomtest

from dbrules.language.wilson import wilson_interval


@pytest.mark.parametrize(("successes", "trials"), [(0, 1), (1, 1), (12, 15), (1, 10**6), (7, 9)])
def test_the_interval_is_scipys(successes: int, trials: int) -> None:
    right = binomtest(successes, trials).proportion_ci(0.95, method="wilson")
    assert wilson_interval(successes, trials) == pytest.approx(tuple(right), abs=1e-12)


def test_the_interval_stays_within_0_and_1_and_holds_the_share() -> None:
    for trials in range(1, 40):
        for successes in range(trials + 1):
            lower, upper = wilson_interval(successes, trials)
            assert 0 <= lower <= successes / trials <= upper <= 1
