"""Cells as bits of integers say what sums over arrays of cells say."""

from __future__ import annotations

import numpy as np
import pytest

from dbrules.search.captures import captured_by
from dbrules.statistics.bitsets import CellBits, as_bits


def planes(table):
    """Return how many bit planes each class has."""
    return [len(of_class) for of_class in table._planes]


def random_cells(rng, cells, antecedents, classes, most):
    """Different cells of random antecedents, counts up to ``most``, many of them 0."""
    holds = np.unique(rng.random((cells, antecedents)) < 0.3, axis=0)
    counts = rng.integers(0, most + 1, (len(holds), classes))
    return holds, np.where(rng.random(counts.shape) < 0.4, 0, counts)


def captured_over(holds, counts, rules):
    left = np.ones(len(holds), dtype=bool)
    for rule in rules:
        yield tuple(counts[left & holds[:, rule]].sum(axis=0).tolist())
        left &= ~holds[:, rule]
    yield tuple(counts[left].sum(axis=0).tolist())


@pytest.mark.parametrize("most", [1, 2, 7, 1000, 2**40])
@pytest.mark.parametrize("classes", [1, 2, 3, 7])
def test_what_rules_capture_is_what_arrays_add_up_to(most, classes):
    rng = np.random.default_rng([most, classes])
    for cells in (1, 5, 200):
        holds, counts = random_cells(rng, cells, 9, classes, most)
        table = CellBits(holds, counts)
        assert max(planes(table)) <= most.bit_length()
        for _ in range(30):
            rules = rng.integers(0, 9, rng.integers(0, 6)).tolist()
            captured = list(captured_by(table.everything, rules))
            assert captured == list(captured_over(holds, counts, rules))
            assert all(type(count) is int for of_rule in captured for count in of_rule)


@pytest.mark.parametrize("most", [1, 9])
def test_rows_repeated_any_number_of_times_need_no_more_planes(most):
    rng = np.random.default_rng(most)
    holds, counts = random_cells(rng, 100, 8, 3, most)
    once, often = CellBits(holds, counts), CellBits(holds, counts * 1000)
    assert planes(often) == planes(once) == [most.bit_length()] * 3
    assert often.holds == once.holds
    for rule in range(8):
        (few, left), (many, others) = once.everything.capture(rule), often.everything.capture(rule)
        assert many == tuple(1000 * count for count in few)
        assert others.key == left.key


def test_the_order_of_cells_and_cells_that_are_alike_do_not_matter():
    rng = np.random.default_rng(0)
    holds, counts = random_cells(rng, 100, 8, 3, 50)
    share = rng.integers(0, counts + 1)
    table = CellBits(holds, counts)
    order = rng.permutation(2 * len(holds))
    other = CellBits(np.vstack([holds, holds])[order], np.vstack([share, counts - share])[order])
    for rules in rng.integers(0, 8, (30, 4)).tolist():
        assert list(captured_by(other.everything, rules)) == list(
            captured_by(table.everything, rules)
        )


def test_a_rule_that_captures_nothing_leaves_the_same_rows():
    holds = np.array([[True, False, True], [False, False, True]])
    rows = CellBits(holds, np.array([[1, 0], [0, 5]])).everything
    assert rows.capture(1) == ((0, 0), rows)
    captured, left = rows.capture(0)
    assert captured == (1, 0)
    assert left.capture(0) == ((0, 0), left)
    everything, nothing = left.capture(2)
    assert everything == (0, 5)
    assert nothing.counts == (0, 0)
    assert nothing.key != left.key != rows.key


def test_keys_are_equal_for_equal_rows_only():
    rng = np.random.default_rng(1)
    holds, counts = random_cells(rng, 60, 6, 2, 3)
    rows_of_key, key_of_rows = {}, {}
    for rules in rng.integers(0, 6, (200, 3)).tolist():
        rows, left = CellBits(holds, counts).everything, np.ones(len(holds), dtype=bool)
        for rule in rules:
            (_, rows), left = rows.capture(rule), left & ~holds[:, rule]
        assert rows_of_key.setdefault(rows.key, left.tobytes()) == left.tobytes()
        assert key_of_rows.setdefault(left.tobytes(), rows.key) == rows.key
    assert len(rows_of_key) > 20


def test_large_counts_and_rare_classes_are_in_short_planes():
    holds = (np.arange(1024)[:, None] >> np.arange(10) & 1).astype(bool)
    counts = np.ones((1024, 3), dtype=np.int64)
    counts[:, 2] = 0
    counts[[100, 700], 2] = 1
    counts[1000, 0] = 2**40
    first, _, rare = CellBits(holds, counts)._planes
    assert [plane.bit_length() for plane in first[1:]] == [0] * 39 + [1]
    assert 1 < rare[0].bit_length() <= 3


@pytest.mark.parametrize(("cells", "antecedents"), [(0, 3), (0, 0), (4, 0)])
def test_few_cells_and_antecedents(cells, antecedents):
    holds = np.zeros((cells, antecedents), dtype=bool)
    rows = CellBits(holds, np.full((cells, 2), 3)).everything
    assert rows.counts == (3 * cells, 3 * cells)
    assert list(captured_by(rows, range(antecedents))) == [(0, 0)] * antecedents + [rows.counts]


def test_bits_of_any_number_of_cells():
    for cells in (0, 1, 8, 9, 70):
        chosen = np.arange(cells) % 3 == 0
        assert as_bits(chosen) == sum(1 << place for place in range(0, cells, 3))
