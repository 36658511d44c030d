"""Which antecedents are kept where there are too many: against a plain reading of the rule."""

from __future__ import annotations

import numpy as np
import pytest

from dbrules.search.screen import screen


def one_by_one(counts, weight, most):
    """Keep the best at weight w, w/2, w/4, … in turn, then the second best, and so on."""
    if len(counts) <= most:
        return set(range(len(counts)))
    kept: list[int] = []
    steps = [weight / 2**number for number in range(12)]
    ranked = [
        sorted(range(len(counts)), key=lambda a, s=step: -(s * counts[a][0] - counts[a][1]))
        for step in steps
    ]
    for rank in range(len(counts)):
        for number, (step, order) in enumerate(zip(steps, ranked, strict=True)):
            positives, negatives = counts[order[rank]]
            if len(kept) == most:
                return set(kept)
            gains = step * positives - negatives > 0
            if (gains or number == 0) and order[rank] not in kept:
                kept.append(order[rank])
    return set(kept)


@pytest.mark.parametrize("seed", range(40))
def test_against_the_rule_one_by_one(seed):
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, rng.integers(2, 40), (rng.integers(1, 50), 2))
    for weight in (0.25, 1.0, 7.0):
        for most in (1, 3, 10, 60):
            kept = screen(counts, weight, most)
            assert set(np.flatnonzero(kept).tolist()) == one_by_one(counts.tolist(), weight, most)
            assert kept.sum() == min(most, len(counts))


def test_the_best_first_rule_stays_at_every_threshold():
    rng = np.random.default_rng(7)
    positives = rng.integers(1, 1000, 5000)
    negatives = rng.integers(1, 1000, 5000)
    kept = screen(np.stack([positives, negatives], axis=1), 4.0, 100)
    assert kept.sum() == 100
    for step in range(12):
        weight = 4.0 / 2**step
        gains = weight * positives - negatives
        assert kept[int(np.argmax(gains))] or gains.max() <= 0


def test_equal_antecedents_are_kept_from_the_first_on():
    counts = np.full((9, 2), 5)
    assert np.flatnonzero(screen(counts, 3.0, 4)).tolist() == [0, 1, 2, 3]
    assert np.flatnonzero(screen(counts, 0.5, 4)).tolist() == [0, 1, 2, 3]  # nothing gains
