"""The chain bound is what its definition says, and no set of antecedents gains more."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from dbrules.search.chain_bound import block_sums, chain_bounds, partition

TYPES = [pytest.param(np.float32, id="float32"), pytest.param(np.float64, id="float64")]


def random_cells(seed, dtype):
    """Cells in the order of their blocks: what holds of them, what they gain, and their block."""
    rng = np.random.default_rng(seed)
    cells, antecedents = int(rng.integers(1, 25)), int(rng.integers(1, 7))
    holds = rng.random((cells, antecedents)) < rng.choice([0.15, 0.4, 0.7])
    gains = rng.integers(-9, 10, cells).astype(dtype)
    block = np.unique(rng.integers(0, rng.choice([1, 3, 6]), cells), return_inverse=True)[1]
    return holds, gains, np.sort(block)


def bounds_of(holds, gains, block):
    starts = np.flatnonzero(np.diff(block, prepend=-1)).tolist()
    payments = block_sums(np.maximum(-gains, 0), holds.astype(gains.dtype), starts)
    positive = gains > 0
    return chain_bounds(payments, holds[positive], gains[positive], block[positive])


def subsets(antecedents):
    return (
        list(chosen) for size in range(antecedents + 1)
        for chosen in combinations(range(antecedents), size)
    )  # fmt: skip


def by_definition(holds, gains):
    """max over m of (sum of v over positive cells of cost <= m) - m, or 0, in one block."""
    costs = [-sum(g for g, held in zip(gains, of, strict=True) if held and g < 0) for of in holds.T]
    positive = {}
    for gain, held in zip(gains, holds, strict=True):
        if gain > 0 and held.any():
            cost = min(c for c, h in zip(costs, held, strict=True) if h)
            positive[cost] = positive.get(cost, 0) + gain
    return max(0, *(sum(g for c, g in positive.items() if c <= m) - m for m in positive), 0)


@pytest.mark.parametrize("dtype", TYPES)
def test_no_set_gains_more_in_a_block_and_in_all(dtype):
    tight = 0
    for seed in range(300):
        holds, gains, block = random_cells(seed, dtype)
        bounds = bounds_of(holds, gains, block)
        assert bounds.dtype == dtype
        assert bounds.shape == (block[-1] + 1,)
        unions = [holds[:, chosen].any(axis=1) for chosen in subsets(holds.shape[1])]
        for number, bound in enumerate(bounds):
            inside = block == number
            assert max(gains[union & inside].sum() for union in unions) <= bound
        best = max(gains[union].sum() for union in unions)
        assert best <= bounds.sum() <= gains[gains > 0].sum()
        tight += bool(best == bounds.sum() > 0)
    assert tight > 50


@pytest.mark.parametrize("dtype", TYPES)
def test_it_is_its_definition(dtype):
    for seed in range(200):
        holds, gains, block = random_cells(seed, dtype)
        expected = [
            by_definition(holds[block == number], gains[block == number])
            for number in range(block[-1] + 1)
        ]
        assert bounds_of(holds, gains, block).tolist() == expected


def test_positive_cells_may_come_in_any_order():
    for seed in range(50):
        holds, gains, block = random_cells(seed, np.float64)
        starts = np.flatnonzero(np.diff(block, prepend=-1)).tolist()
        payments = block_sums(np.maximum(-gains, 0), holds.astype(float), starts)
        order = np.random.default_rng(seed).permutation(np.flatnonzero(gains > 0))
        shuffled = chain_bounds(payments, holds[order], gains[order], block[order])
        assert shuffled.tolist() == bounds_of(holds, gains, block).tolist()


def test_nothing_to_gain():
    holds, none = np.array([[True], [False]]), np.zeros(0, dtype=np.intp)
    payments = np.array([[2.0], [0.0], [1.0]])
    assert chain_bounds(payments, holds[:0], np.zeros(0), none).tolist() == [0.0, 0.0, 0.0]
    # the second cell cannot be captured; the first gains no more than it costs
    found = chain_bounds(payments, holds, np.array([2.0, 50.0]), np.array([0, 1]))
    assert found.tolist() == [0.0, 0.0, 0.0]


def test_payments_that_are_rounded_may_be_shares():
    # as with a cost per antecedent, shared out among blocks
    found = chain_bounds(
        np.array([[0.25, 1.5]]), np.array([[True, True], [False, True]]), np.array([1.0, 1.0]),
        np.array([0, 0]),
    )  # fmt: skip
    assert found.tolist() == [0.75]


# parting cells


def sum_of_bounds(holds, gains, blocks):
    return sum(
        by_definition(holds[blocks == number], gains[blocks == number])
        for number in np.unique(blocks)
    )


@pytest.mark.parametrize("depth", [0, 1, 3])
def test_a_partition_never_adds_to_the_bound(depth):
    split = 0
    for seed in range(100):
        holds, gains, _ = random_cells(seed, np.float64)
        rng = np.random.default_rng(seed)
        # codes that say something about what holds, as those of features do
        picked = rng.integers(0, holds.shape[1], (3, 2))
        groups = holds[:, picked[:, 0]].astype(int) + holds[:, picked[:, 1]]
        blocks = partition(holds, gains, groups, depth)
        # numbers without a gap, one for each cell; what has the same codes stays together
        assert sorted(set(blocks.tolist())) == list(range(blocks.max() + 1))
        codes = {tuple(code): number for code, number in zip(groups.tolist(), blocks, strict=True)}
        assert [codes[tuple(code)] for code in groups.tolist()] == blocks.tolist()
        assert blocks.max() < 3**depth
        whole = by_definition(holds, gains)
        assert sum_of_bounds(holds, gains, blocks) <= whole
        split += sum_of_bounds(holds, gains, blocks) < whole
        assert (blocks.max() > 0) == (sum_of_bounds(holds, gains, blocks) < whole)
        # deterministic, whatever the order of cells
        order = rng.permutation(len(gains))
        again = partition(holds[order], gains[order], groups[order], depth)
        assert sum_of_bounds(holds[order], gains[order], again) == sum_of_bounds(
            holds, gains, blocks
        )
    assert split > 8 or depth == 0


def test_the_best_single_split_is_taken():
    for seed in range(60):
        holds, gains, _ = random_cells(seed, np.float64)
        groups = np.random.default_rng(seed).integers(0, 2, (len(gains), 4))
        ways = [sum_of_bounds(holds, gains, way) for way in groups.T if len(set(way)) > 1]
        blocks = partition(holds, gains, groups, 1)
        expected = min([by_definition(holds, gains), *ways])
        assert sum_of_bounds(holds, gains, blocks) == expected


def test_cells_without_a_way_to_part_them_are_one_block():
    holds, gains, _ = random_cells(1, np.float64)
    for groups in (np.zeros((len(gains), 0)), np.zeros((len(gains), 3))):
        assert set(partition(holds, gains, groups, 5).tolist()) == {0}


# sums


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize(("cells", "antecedents", "blocks"), [(30, 4, 6), (900, 12, 3), (7, 3, 7)])
def test_sums_in_blocks(dtype, cells, antecedents, blocks):
    # of many numbers a block is summed by a product of its own
    rng = np.random.default_rng(cells)
    holds = (rng.random((cells, antecedents)) < 0.4).astype(dtype)
    values = rng.integers(0, 1000, cells).astype(dtype)
    starts = [0, *sorted(rng.choice(np.arange(1, cells), blocks - 1, replace=False).tolist())]
    found = block_sums(values, holds, starts)
    assert found.dtype == dtype
    ends = [*starts[1:], cells]
    for row, (start, end) in enumerate(zip(starts, ends, strict=True)):
        for column in range(antecedents):
            inside = holds[start:end, column] > 0
            assert found[row, column] == int(values[start:end][inside].sum(dtype=np.float64))
