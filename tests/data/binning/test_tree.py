from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dbrules.data.binning import Bins, find_cuts
from dbrules.data.binning.tree import tree
from dbrules.language.column import ColumnType

#: Small counts tie often.
TABLES = st.tuples(st.integers(1, 4), st.sampled_from([2, 30])).flatmap(
    lambda size: arrays(
        np.int64, st.tuples(st.integers(1, 12), st.just(size[0])), elements=st.integers(0, size[1])
    ).filter(lambda counts: (counts.sum(axis=1) > 0).all())
)


def impurity(rows):
    """Return the weight times the Gini index of CART, 1 - sum of squared shares."""
    n = sum(map(sum, rows))
    return n * (1 - sum(Fraction(sum(column), n) ** 2 for column in zip(*rows, strict=True)))


def slow_tree(counts, k, min_weight):
    """Try every split of every leaf, in exact fractions, until no more is allowed."""
    rows, leaves, found = counts.tolist(), [(0, len(counts))], []
    while len(leaves) < k:
        gains = {}
        for start, end in leaves:
            for cut in range(start + 1, end):
                left, right = rows[start:cut], rows[cut:end]
                if min(sum(map(sum, left)), sum(map(sum, right))) >= min_weight:
                    gain = impurity(rows[start:end]) - impurity(left) - impurity(right)
                    gains[cut] = gain, (start, end)
        best = max((gain for gain, _ in gains.values()), default=0)
        if best == 0:
            break
        cut = min(cut for cut, (gain, _) in gains.items() if gain == best)
        start, end = gains[cut][1]
        leaves.remove((start, end))
        leaves += [(start, cut), (cut, end)]
        found.append(cut)
    return found


@given(TABLES, st.integers(2, 6), st.integers(1, 40))
def test_agrees_with_trying_every_split(counts, k, min_weight):
    assert tree(counts.astype(float), k, min_weight) == slow_tree(counts, k, min_weight)


@given(TABLES, st.integers(2, 6), st.randoms(use_true_random=False))
def test_the_order_of_classes_does_not_matter(counts, k, random):
    order = list(range(counts.shape[1]))
    random.shuffle(order)
    assert tree(counts[:, order].astype(float), k) == tree(counts.astype(float), k)


@given(TABLES, st.integers(2, 6), st.integers(1, 40), st.sampled_from([0.1, 1 / 3, 1e6]))
def test_weights_scale(counts, k, min_weight, scale):
    assert tree(counts * scale, k, min_weight * scale) == tree(counts.astype(float), k, min_weight)


@given(TABLES, st.integers(2, 6))
def test_more_leaves_keep_the_cuts_of_fewer(counts, k):
    assert tree(counts.astype(float), k + 1)[: k - 1] == tree(counts.astype(float), k)


@pytest.mark.parametrize(
    "counts", [[[5.0, 5.0]], [[5.0], [5.0]], [[2.0, 4.0], [1.0, 2.0]], [[3.0, 0.0], [4.0, 0.0]]]
)
def test_nothing_to_split(counts):
    assert tree(np.array(counts), 8) == []


def test_equal_splits_give_the_leftmost():
    assert tree(np.array([[90.0, 10], [10, 90], [90, 10]]), 2) == [1]
    assert tree(np.array([[50.0, 0], [0, 50], [50, 0], [0, 50]]), 4) == [1, 2, 3]
    # the two halves gain the same
    assert tree(np.array([[10.0, 0], [8, 2], [2, 8], [0, 10]]), 4) == [2, 1, 3]


def test_a_leaf_may_weigh_just_the_least():
    assert tree(np.array([[5.0, 0], [0, 7]]), 2, min_weight=5) == [1]
    assert tree(np.array([[5.0, 0], [0, 7]]), 2, min_weight=6) == []
    assert tree(np.array([[7.0, 0], [0, 5]]), 2, min_weight=5) == [1]
    assert tree(np.array([[7.0, 0], [0, 5]]), 2, min_weight=6) == []


def test_a_far_cut_counts_no_less_than_a_near_one():
    """A million values, two steps: 10, 50 and 10 percent of the rows are of the second class."""
    share = np.where((np.arange(10**6) < 200_000) | (np.arange(10**6) >= 990_000), 0.1, 0.5)
    counts = np.column_stack([1 - share, share])
    assert tree(counts, 3) == [200_000, 990_000]
    assert tree(counts, 3, min_weight=20_000) == [200_000, 980_000]


def test_the_setting_says_leaves_and_their_least_weight():
    values, counts = np.arange(6), np.array([[9, 0], [0, 3], [9, 0], [9, 0], [0, 9], [0, 9]])
    column_type = ColumnType("INTEGER")
    assert find_cuts(Bins.parse("tree:2"), values, counts, column_type) == (4,)
    assert find_cuts(Bins.parse("tree"), values, counts, column_type) == (2, 4)
    assert find_cuts(Bins("tree", min_bucket=3), values, counts, column_type) == (1, 2, 4)
