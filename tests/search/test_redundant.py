from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from dbrules.search.redundant import distinct_coverage, hull_of_families


@pytest.mark.parametrize("seed", range(30))
def test_of_equal_coverage_the_shortest_and_first_stays(seed):
    rng = np.random.default_rng(seed)
    count = int(rng.integers(0, 60))
    bits = rng.random((count, int(rng.integers(1, 20)))) < rng.random()
    lengths = rng.integers(1, 4, count)
    keep = distinct_coverage(np.packbits(bits, axis=1), lengths)
    best = {}
    for i, row in enumerate(map(bytes, bits)):
        if row not in best or lengths[i] < lengths[best[row]]:
            best[row] = i
    assert np.flatnonzero(keep).tolist() == sorted(best.values())


def test_coverage_of_no_rows_is_all_equal():
    assert distinct_coverage(np.zeros((3, 0), dtype=np.uint8), np.array([2, 1, 1])).tolist() == [
        False, True, False
    ]  # fmt: skip
    assert distinct_coverage(np.zeros((0, 0), dtype=np.uint8), np.array([], dtype=int)).size == 0


def hull_by_hand(positives, negatives):
    """Return the first of each point that some w >= 0 prefers to all others, and the largest."""
    points = list(zip(negatives, positives, strict=True))
    first = {point: points.index(point) for point in points}
    kept = {min(range(len(points)), key=lambda i: (-sum(points[i]), i))}
    # between two weights at which two points are equally good the best point does not change
    ties = {Fraction(0)}
    for x, y in first:
        for a, b in first:
            if b > y and a > x:
                ties.add(Fraction(a - x, b - y))
    ordered = sorted(ties)
    ends = [*ordered[1:], ordered[-1] + 2]
    for low, high in zip(ordered, ends, strict=True):
        w = (low + high) / 2
        best = max(w * y - x for x, y in first)
        (winner,) = (i for (x, y), i in first.items() if w * y - x == best)
        kept.add(winner)
    return sorted(kept)


@pytest.mark.parametrize("scale", [1, 10**11])
@pytest.mark.parametrize("seed", range(25))
def test_the_hull_is_what_some_weight_prefers(seed, scale):
    rng = np.random.default_rng(seed)
    family = rng.integers(0, 5, int(rng.integers(1, 60)))
    top = int(rng.integers(2, 20))
    positives, negatives = rng.integers(0, top, (2, len(family))) * scale
    keep = hull_of_families(family, positives, negatives)
    for one in set(family.tolist()):
        of = np.flatnonzero(family == one)
        right = hull_by_hand(positives[of].tolist(), negatives[of].tolist())
        assert np.flatnonzero(keep[of]).tolist() == right


@pytest.mark.parametrize("seed", range(20))
def test_nested_families_keep_their_ends_and_lose_most(seed):
    rng = np.random.default_rng(seed)
    labels = rng.random(500) < np.linspace(0.9, 0.1, 500)
    positives, negatives = np.cumsum(labels), np.cumsum(~labels)
    keep = hull_of_families(np.full(500, 7), positives, negatives)
    assert keep[-1]
    assert keep[np.flatnonzero(negatives == negatives[0])[-1]]
    assert 2 <= keep.sum() < 100


def test_no_antecedents_no_hull():
    nothing = np.array([], dtype=np.int64)
    assert hull_of_families(nothing, nothing, nothing).size == 0
