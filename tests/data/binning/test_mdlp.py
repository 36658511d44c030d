from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dbrules.data.binning.mdlp import mdlp

TABLES = st.integers(2, 4).flatmap(
    lambda classes: arrays(
        np.int64, st.tuples(st.integers(2, 12), st.just(classes)), elements=st.integers(0, 30)
    ).filter(lambda counts: (counts.sum(axis=1) > 0).all())
)


def entropy(counts):
    shares = [c / sum(counts) for c in counts if c]
    return -sum(share * math.log2(share) for share in shares)


def slow_mdlp(counts, first=0):
    """The paper's text, line by line: all cuts are tried, and the criterion is for entropies."""
    total = counts.sum(axis=0).tolist()
    n = sum(total)
    best = None
    for cut in range(1, len(counts)):
        left, right = counts[:cut].sum(axis=0).tolist(), counts[cut:].sum(axis=0).tolist()
        information = (sum(left) * entropy(left) + sum(right) * entropy(right)) / n
        if best is None or information < best[0] - 1e-11:
            best = (information, cut, left, right)
    if best is None:
        return []
    information, cut, left, right = best
    k, k1, k2 = (sum(c > 0 for c in counts) for counts in (total, left, right))
    delta = math.log2(3**k - 2) - (k * entropy(total) - k1 * entropy(left) - k2 * entropy(right))
    if not entropy(total) - information > (math.log2(n - 1) + delta) / n + 1e-11:
        return []
    return [
        *slow_mdlp(counts[:cut], first),
        first + cut,
        *slow_mdlp(counts[cut:], first + cut),
    ]


@given(TABLES)
def test_agrees_with_the_text_of_the_paper(counts):
    assert mdlp(counts.astype(float)) == slow_mdlp(counts)


@given(TABLES, st.randoms(use_true_random=False))
def test_the_order_of_classes_does_not_matter(counts, random):
    order = list(range(counts.shape[1]))
    random.shuffle(order)
    assert mdlp(counts[:, order].astype(float)) == mdlp(counts.astype(float))


def test_equal_cuts_give_the_leftmost():
    counts = np.array([[50.0, 0], [0, 50], [50, 0], [0, 50]])
    assert mdlp(counts) == [1, 2, 3]
    assert mdlp(np.array([[90.0, 10], [10, 90], [90, 10]])) == [1, 2]


@pytest.mark.parametrize("counts", [[[5.0, 5.0]], [[5.0], [5.0]], [[0.2, 0.0], [0.0, 0.3]]])
def test_nothing_to_split(counts):
    assert mdlp(np.array(counts)) == []


def test_many_classes_do_not_overflow():
    assert mdlp(np.repeat(np.eye(900) * 1000, 2, axis=0)) == list(range(2, 1800, 2))
