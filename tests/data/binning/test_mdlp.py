from __future__ import annotations

import math
from pathlib import Path

import duckdb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dbrules.data.binning import mdlp as module
from dbrules.data.binning.mdlp import mdlp

FLIGHTS = Path(__file__).parents[4] / "shared/data/vega_flights_3m_labeled.parquet"

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


# -- many segments at a time, bounds and looked-up logarithms change nothing ---------------------


def one_by_one(counts):
    """Every place of every segment is tried, one segment after the other."""
    cumulated = np.concatenate([np.zeros((1, counts.shape[1])), np.cumsum(counts, axis=0)])
    cuts, pending = [], [(0, len(counts))]
    while pending:
        first, end = pending.pop()
        cut = best_cut(cumulated[first : end + 1] - cumulated[first], counts[first:end])
        if cut is not None:
            cuts.append(first + cut)
            pending += [(first, first + cut), (first + cut, end)]
    return sorted(cuts)


def best_cut(cumulated, counts):
    total, left = cumulated[-1], cumulated[1:-1]
    weight = total.sum()
    pure = np.count_nonzero(counts, axis=1) == 1
    same = pure[1:] & pure[:-1] & (counts.argmax(axis=1)[1:] == counts.argmax(axis=1)[:-1])
    if len(left) == 0 or weight <= 1 or np.count_nonzero(total) < 2 or same.all():
        return None
    cost = np.where(same, np.inf, bits(left) + bits(total - left))
    slack = 1e-12 * weight * math.log2(weight + 2)
    cut = np.flatnonzero(cost <= cost.min() + slack)[0]
    parts = [total, left[cut], total - left[cut]]
    k = np.count_nonzero(total)
    scaled = [np.count_nonzero(part) * bits(part) / (part.sum() or 1) for part in parts]
    choices = k * math.log2(3) + math.log1p(-2 * 3.0**-k) / math.log(2)
    delta = choices - (scaled[0] - scaled[1] - scaled[2])
    gain = bits(parts[0]) - bits(parts[1]) - bits(parts[2])
    return cut + 1 if gain > math.log2(weight - 1) + delta + slack else None


def bits(counts):
    def x_log2_x(x):
        return x * np.log2(np.where(x > 0, x, 1.0))

    return x_log2_x(counts.sum(axis=-1)) - x_log2_x(counts).sum(axis=-1)


@st.composite
def long_tables(draw):
    """Return rows of a few mixes of classes in turn: ties, rows of zeros, fractional weights."""
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    classes, size = draw(st.integers(1, 4)), draw(st.integers(1, 300))
    mixes = random.dirichlet(np.ones(classes), draw(st.integers(1, 7)))
    order = np.sort(random.integers(0, len(mixes), size))
    counts = random.poisson(mixes[order] * draw(st.sampled_from([0.5, 3, 20, 500])))
    if draw(st.booleans()):
        counts = np.concatenate([counts, counts[::-1]])
    if draw(st.booleans()):
        counts = np.repeat(counts, 3, axis=0)
    return counts * draw(st.sampled_from([1.0, 0.1, 1 / 3]))


@pytest.mark.parametrize(
    ("places", "batch", "table"), [(2, 40_000, 1 << 18), (0, 40_000, 1 << 18), (0, 20, 16)]
)
def test_agrees_with_one_segment_at_a_time(places, batch, table, monkeypatch):
    monkeypatch.setattr(module, "_PLACES_PER_CORNER", places)
    monkeypatch.setattr(module, "_BATCH", batch)
    monkeypatch.setattr(module, "_TABLE_SIZE", table)

    @given(long_tables())
    def check(counts):
        assert mdlp(counts) == one_by_one(counts)

    module._table.cache_clear()
    check()
    module._table.cache_clear()


def test_agrees_with_one_segment_at_a_time_on_flights():
    if not FLIGHTS.exists():
        pytest.skip(f"{FLIGHTS} is absent")
    query = (
        "SELECT count(*) FILTER (late = 'late') AS late, count(*) FILTER (late <> 'late') AS rest "
        "FROM read_parquet(?) GROUP BY date ORDER BY date"
    )
    with duckdb.connect() as connection:
        columns = connection.execute(query, [str(FLIGHTS)]).fetchnumpy()
    counts = np.column_stack([columns["late"], columns["rest"]]).astype(float)
    cuts = mdlp(counts)
    assert cuts == one_by_one(counts)
    assert len(cuts) > 500
