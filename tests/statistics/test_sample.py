"""The sample: it fits, classes and large patterns keep their share, order does not matter."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from dbrules.data.coding import interval_coding, level_coding
from dbrules.statistics.memory import MemoryStatistics
from dbrules.statistics.patterns import read_patterns
from dbrules.statistics.sample import sample_patterns


@pytest.fixture
def table(con):
    con.execute("""
        CREATE TABLE t AS
        SELECT i, CASE WHEN i < 4000 THEN 1 ELSE (i * 37) % 101 END AS a,
          CASE WHEN i < 4000 THEN 's' ELSE 's' || (i * 11) % 30 END AS s,
          CASE WHEN i % 3 = 0 THEN 'p' ELSE 'q' END AS y,
          i // 3 % 3 AS w, (i // 3 % 3) / 10 AS tenth
        FROM range(9000) t(i)
    """)
    return con


def codings_of(dataset):
    a, s = dataset.roles.features
    return [interval_coding(a, list(range(1, 101)), "left"),
            level_coding(s, [f"s{k}" for k in range(30)])]  # fmt: skip


def both(opened, most, seed=0, data="t", weight=None):
    with opened(data, features=["a", "s"], weight=weight) as (dataset, classes):
        codings = codings_of(dataset)
        everything = read_patterns(dataset, codings, classes)
        return everything, sample_patterns(
            dataset, codings, classes, max_patterns=most, seed=seed
        )  # fmt: skip


def by_codes(patterns):
    rows = zip(patterns.codes.tolist(), patterns.counts.tolist(), strict=True)
    return {tuple(codes): counts for codes, counts in rows}


@pytest.mark.parametrize("weight", [None, "w", "tenth"])
@pytest.mark.parametrize("most", [3, 10, 200, 1000])
def test_it_fits_and_every_share_is_kept_to_one_step(table, opened, most, weight):
    everything, sample = both(opened, most, weight=weight)
    step, found = sample.step, by_codes(sample.patterns)
    assert sample.patterns.unit == everything.unit == Fraction(1, 10 if weight == "tenth" else 1)
    assert step > 1
    assert 0 < len(found) <= max(4, most)
    assert (np.abs(sample.patterns.totals - everything.totals) < step).all()
    whole = by_codes(everything)
    assert set(found) <= set(whole)
    for codes, counts in whole.items():
        taken = found.get(codes, [0, 0])
        assert all(count % step == 0 for count in taken)
        assert all(abs(a - b) < step for a, b in zip(taken, counts, strict=True))
    assert list(found) == sorted(found)


def test_small_patterns_are_kept_as_often_as_they_weigh(table, opened):
    kept = []
    for seed in range(30):
        everything, sample = both(opened, 500, seed)
        kept.append(sum(count for codes, row in by_codes(sample.patterns).items()
                        for count in row if codes != (1, 30)))  # fmt: skip
    small = int(everything.totals.sum()) - sum(by_codes(everything)[1, 30])
    assert np.mean(kept) == pytest.approx(small, rel=0.01)


def test_it_is_the_same_for_every_order_and_thread_count(table, opened):
    _, first = both(opened, 300, 5, weight="tenth")
    for threads in (1, 2):
        table.execute(f"SET threads = {threads}")
        for order in ("i DESC", "md5(i::VARCHAR)"):
            query = f"SELECT * EXCLUDE i FROM (SELECT * FROM t ORDER BY {order})"
            _, again = both(opened, 300, 5, query, "tenth")
            assert again.patterns.codes.tobytes() == first.patterns.codes.tobytes()
            assert again.patterns.counts.tobytes() == first.patterns.counts.tobytes()
    _, other = both(opened, 300, 6, weight="tenth")
    assert other.patterns.codes.tolist() != first.patterns.codes.tolist()


def test_where_all_fit_it_is_all(table, opened):
    everything, sample = both(opened, 10**6)
    assert sample.step == 1
    assert sample.patterns.codes.tolist() == everything.codes.tolist()
    assert sample.patterns.counts.tolist() == everything.counts.tolist()


def test_weight_two_is_the_row_twice(table, opened):
    _, weighted = both(opened, 300, weight="w")
    _, twice = both(opened, 300, data="SELECT a, s, y FROM t, range(2) r(k) WHERE k < w")
    assert weighted.patterns.counts.tolist() == twice.patterns.counts.tolist()


def test_statistics_answer_from_it_and_nothing_is_left(table, opened, leftovers):
    before = leftovers(table)
    everything, sample = both(opened, 900)
    assert leftovers(table) == before
    statistics = MemoryStatistics(sample.patterns, (102, 31))
    (found,) = statistics.histograms([(1,)])
    (expected,) = MemoryStatistics(everything, (102, 31)).histograms([(1,)])
    assert found[30].tolist() == pytest.approx(expected[30].tolist(), abs=sample.step)


def test_the_seed_moves_the_order(table, opened):
    samples = set()
    for seed in range(12):
        _, sample = both(opened, 3000, seed)
        samples.add(sample.patterns.counts.tobytes())
    assert sample.step == 4  # one order of the rows has no more than four samples
    assert len(samples) > 4


def test_a_class_of_less_than_a_step_is_kept_now_and_then(con, opened):
    con.execute(
        "CREATE TABLE t AS SELECT i % 100 AS a, 's' AS s, "
        "CASE WHEN i < 5 THEN 'p' ELSE 'q' END AS y FROM range(1000) t(i)"
    )
    rare = [both(opened, 102, seed)[1].patterns.totals.tolist()[0] for seed in range(40)]
    assert set(rare) == {0, 10}
    assert 10 <= rare.count(10) <= 30
