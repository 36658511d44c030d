from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from dbrules.data.binning.chimerge import chimerge

TABLES = st.integers(2, 3).flatmap(
    lambda classes: arrays(
        np.int64, st.tuples(st.integers(2, 10), st.just(classes)), elements=st.integers(0, 9)
    ).filter(lambda counts: (counts.sum(axis=1) > 0).all())
)


def statistic(left, right):
    table = np.array([left, right])
    table = table[:, table.sum(axis=0) > 0]
    if table.shape[1] < 2:
        return 0.0
    return stats.chi2_contingency(table, correction=False).statistic


def slow_chimerge(counts, k):
    classes = int((counts.sum(axis=0) > 0).sum())
    if classes < 2:
        return []
    threshold = stats.chi2.ppf(0.95, classes - 1)
    blocks = [(i, row) for i, row in enumerate(counts)]
    while len(blocks) > 1:
        tests = [statistic(left, right) for (_, left), (_, right) in itertools.pairwise(blocks)]
        least = min(range(len(tests)), key=lambda i: (round(tests[i], 9), i))
        if tests[least] > threshold and (k is None or len(blocks) <= k):
            break
        start, row = blocks[least]
        blocks[least : least + 2] = [(start, row + blocks[least + 1][1])]
    return [start for start, _ in blocks[1:]]


@given(TABLES, st.sampled_from([None, 2, 3]))
def test_agrees_with_merging_one_by_one(counts, k):
    assert chimerge(counts.astype(float), k) == slow_chimerge(counts, k)


def test_k_bounds_the_intervals():
    counts = np.array([[99.0, 0], [0, 99]] * 8)
    assert len(chimerge(counts)) == 15
    assert len(chimerge(counts, 4)) == 3


def test_one_class_has_nothing_to_part():
    assert chimerge(np.array([[3.0, 0], [4, 0]])) == []
