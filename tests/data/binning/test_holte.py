from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dbrules.data.binning.holte import one_r

TABLES = st.integers(1, 4).flatmap(
    lambda classes: arrays(
        np.int64, st.tuples(st.integers(1, 25), st.just(classes)), elements=st.integers(0, 4)
    ).filter(lambda counts: (counts.sum(axis=1) > 0).all())
)


def slow_one_r(counts, min_bucket):
    """Value by value, as Holte describes it; then join what has one majority."""
    totals = counts.sum(axis=0)

    def majority(weights):
        return max(range(len(weights)), key=lambda c: (weights[c], totals[c], -c))

    buckets, i = [], 0
    while i < len(counts):
        start, held = i, np.zeros(counts.shape[1], dtype=int)
        while i < len(counts) and held.max() < min_bucket:
            held = held + counts[i]
            i += 1
        label = majority(held)
        while held.max() >= min_bucket and i < len(counts) and majority(counts[i]) == label:
            held = held + counts[i]
            i += 1
        buckets.append((start, majority(held)))
    return [start for (_, before), (start, label) in itertools.pairwise(buckets) if before != label]


@given(TABLES, st.integers(1, 8))
def test_agrees_with_the_description(counts, min_bucket):
    assert one_r(counts.astype(float), min_bucket) == slow_one_r(counts, min_bucket)


@given(TABLES, st.integers(1, 8))
def test_fractional_weights_scale(counts, min_bucket):
    assert one_r(counts * 0.1, min_bucket * 0.1) == one_r(counts.astype(float), min_bucket)


@given(TABLES, st.integers(1, 5))
def test_every_bin_but_the_last_has_its_majority(counts, min_bucket):
    cuts = one_r(counts.astype(float), min_bucket)
    bins = np.split(counts, cuts)
    assert all(part.sum(axis=0).max() >= min_bucket for part in bins[:-1])


@pytest.mark.parametrize(
    ("labels", "min_bucket", "cuts"),
    [("aaaab", 6, []), ("aaabbb", 3, [3]), ("aabbaa", 2, [2, 4]), ("ababab", 1, [1, 2, 3, 4, 5])],
)
def test_small_examples(labels, min_bucket, cuts):
    counts = np.array([[label == "a", label == "b"] for label in labels], dtype=float)
    assert one_r(counts, min_bucket) == cuts
