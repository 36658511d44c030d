"""Histograms in memory against plain counting."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbrules.statistics.memory import MemoryStatistics
from dbrules.statistics.patterns import Patterns


def random_patterns(rng, sizes, cells, classes, most):
    dtype = np.uint8 if max(sizes, default=0) <= 256 else np.uint16
    codes = np.column_stack([rng.integers(0, size, cells) for size in sizes] or [np.zeros(cells)])
    codes = np.unique(codes[:, : len(sizes)], axis=0).astype(dtype)
    counts = rng.integers(0, most, (len(codes), classes))
    counts[rng.random(counts.shape) < 0.4] = 0
    return Patterns(np.asfortranarray(codes), counts, Fraction(1))


def plain_histogram(patterns, sizes, group):
    counts = np.zeros([*(sizes[feature] for feature in group), patterns.counts.shape[1]], object)
    for codes, row in zip(patterns.codes.tolist(), patterns.counts.tolist(), strict=True):
        place = tuple(codes[feature] for feature in group)
        counts[place] += np.array(row, dtype=object)
    return counts.tolist()


@given(st.data())
def test_against_plain_counting(data):
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    sizes = data.draw(st.lists(st.integers(1, 9), max_size=6))
    classes = data.draw(st.integers(1, 4))
    cells = data.draw(st.integers(1, 60))
    most = data.draw(st.sampled_from([2, 10, 2**52 // (cells * classes)]))
    patterns = random_patterns(rng, sizes, cells, classes, most)
    statistics = MemoryStatistics(patterns, sizes)
    features = st.sampled_from(range(len(sizes))) if sizes else st.nothing()
    groups = data.draw(
        st.lists(st.lists(features, unique=True, max_size=min(4, len(sizes))).map(tuple))
    )
    found = statistics.histograms(groups)
    assert statistics.sizes == tuple(sizes)
    assert statistics.totals.tolist() == plain_histogram(patterns, sizes, ())
    assert len(found) == len(groups)
    for group, histogram in zip(groups, found, strict=True):
        assert histogram.tolist() == plain_histogram(patterns, sizes, group)
        assert histogram.dtype == np.int64
        assert histogram.flags.c_contiguous


@pytest.mark.parametrize("sizes", [(65536,), (300, 65536 // 300), (256, 256), (700, 500, 3)])
@pytest.mark.parametrize("classes", [1, 2, 30])
def test_large_grids(sizes, classes):
    patterns = random_patterns(np.random.default_rng(1), sizes, 200, classes, 2**40)
    patterns.codes[-1] = [size - 1 for size in sizes]
    group = tuple(reversed(range(len(sizes))))
    (histogram,) = MemoryStatistics(patterns, sizes).histograms([group])
    assert histogram.shape == (*(sizes[feature] for feature in group), classes)
    expected = {}
    for codes, row in zip(patterns.codes.tolist(), patterns.counts.tolist(), strict=True):
        place = tuple(codes[feature] for feature in group)
        expected[place] = (np.array(expected.get(place, 0)) + row).tolist()
    expected = {place: row for place, row in expected.items() if any(row)}
    present = np.argwhere(histogram.any(axis=-1)).tolist()
    assert {tuple(place): histogram[tuple(place)].tolist() for place in present} == expected


def test_counts_of_one_unit_are_not_lost_beside_large_ones():
    codes = np.array([[0, 0], [0, 1], [1, 0]], np.uint8)
    counts = np.array([[2**52 - 3], [1], [1]])
    statistics = MemoryStatistics(Patterns(codes, counts, Fraction(1)), (2, 2))
    first, second = statistics.histograms([(0,), (1,)])
    assert first.tolist() == [[2**52 - 2], [1]]
    assert second.tolist() == [[2**52 - 2], [1]]
