"""Cells keep their sums and their keys, whatever is taken and closed."""

from __future__ import annotations

import numpy as np
import pytest

from dbrules.search.cells import new_cells

TYPES = [pytest.param(np.float32, id="float32"), pytest.param(np.float64, id="float64")]


class Model:
    """The same by definition: the rows of the table that are left, and what is open."""

    def __init__(self, seed, dtype, antecedents):
        rng = np.random.default_rng(seed)
        cells = int(rng.integers(1, 40))
        few = rng.random((max(1, cells // 2), antecedents)) < rng.choice([0.1, 0.3, 0.6])
        # some cells are alike from the beginning, and some are held by no antecedent
        self.holds = few[rng.integers(0, len(few), cells)]
        self.gains = rng.integers(-50, 51, cells)
        self.block = rng.integers(0, 4, cells)
        self.salts = rng.integers(1, 2**62, antecedents)
        self.left = np.ones(cells, dtype=bool)
        self.open = list(range(antecedents))
        self.cells = new_cells(self.holds, self.gains, self.block, self.salts, dtype)
        self.dtype = dtype
        self.rng = rng

    def close(self, places):
        closed = np.isin(np.arange(len(self.open)), places)
        self.cells = self.cells.without(closed, self.salts)
        self.open = [a for place, a in enumerate(self.open) if place not in places]

    def take(self, place):
        antecedent = self.open.pop(place)
        gain = int(self.gains[self.left & self.holds[:, antecedent]].sum())
        assert self.cells.gain(place) == gain
        self.cells = self.cells.captured(place, self.salts)
        self.left &= ~self.holds[:, antecedent]

    def check(self):
        """Compare with the groups of rows that the same open antecedents hold of."""
        cells = self.cells
        assert cells.open.tolist() == self.open
        holds = cells.holds[:, cells.column]
        assert cells.gains.dtype == cells.holds.dtype == self.dtype
        assert len(cells.gains) == len(cells.key) == len(cells.block) == len(holds)
        assert (np.diff(cells.block) >= 0).all()
        expected, blocks = {}, {}
        for row in np.flatnonzero(self.left).tolist():
            kind = tuple(self.holds[row, self.open].tolist())
            if any(kind):
                expected[kind] = expected.get(kind, 0) + int(self.gains[row])
                blocks.setdefault(kind, set()).add(int(self.block[row]))
        kinds = [tuple(row) for row in (holds > 0).tolist()]
        # one cell for each kind, and the key is the sum of what holds
        assert dict(zip(kinds, cells.gains.tolist(), strict=True)) == expected
        assert len(kinds) == len(expected)
        for kind, key, block in zip(kinds, cells.key.tolist(), cells.block.tolist(), strict=True):
            held = [int(self.salts[a]) for a, h in zip(self.open, kind, strict=True) if h]
            assert (key - sum(held)) % 2**64 == 0
            # the block of the first of those that became one
            assert block == min(blocks[kind])


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("antecedents", [1, 5, 12, 40])
def test_random_steps(dtype, antecedents):
    kept = merged = 0
    for seed in range(40):
        model = Model(seed, dtype, antecedents)
        model.check()
        while model.open:
            before = model.cells
            place = int(model.rng.integers(len(model.open)))
            if model.rng.random() < 0.4:
                model.take(place)
            else:
                many = model.rng.choice([1, 1, 2, 7])
                model.close(model.rng.permutation(len(model.open))[:many].tolist())
            model.check()
            # what was before is as it was
            assert len(before.gains) == len(before.holds)
            # columns of what is out stay for a while
            kept += model.cells.holds.shape[1] > len(model.open)
            merged += 0 < len(model.cells.gains) < len(before.gains)
        assert not len(model.cells.gains)
    if antecedents > 5:
        assert kept > 20
        assert merged > 50


def test_columns_go_when_a_fifth_is_out():
    holds = np.eye(20, dtype=bool)
    salts = np.arange(1, 21) ** 7
    cells = new_cells(holds, np.ones(20, dtype=np.int64), np.zeros(20), salts, np.float64)
    for out in range(1, 20):
        before = cells.holds.shape[1]
        cells = cells.without(np.arange(len(cells.open)) == 0, salts)
        left = 20 - out
        assert cells.holds.shape[1] == (left if left < 0.8 * before else before)
        assert cells.holds[:, cells.column].tolist() == np.eye(left).tolist()


def test_steps_leave_the_cells_they_began_with():
    model = Model(3, np.float64, 8)
    first = model.cells
    key, gains, holds = first.key.copy(), first.gains.copy(), first.holds.copy()
    model.close([1, 4])
    model.take(0)
    assert (first.key == key).all()
    assert (first.gains == gains).all()
    assert (first.holds == holds).all()


def test_a_cell_may_gain_nothing():
    # 3 and -3 are one cell when nothing tells them apart; it may still be captured
    holds = np.array([[True, True], [True, False]])
    salts = np.array([5, 11])
    cells = new_cells(holds, np.array([3, -3]), np.zeros(2), salts, np.float32)
    merged = cells.without(np.array([False, True]), salts)
    assert merged.gains.tolist() == [0.0]
    assert merged.key.tolist() == [5]
    assert not len(merged.captured(0, salts).gains)
