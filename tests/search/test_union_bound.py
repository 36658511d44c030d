"""What the union bound proves is so for every set of antecedents."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pytest
from searchable import shallow_stack

from dbrules.search.budget import Budget
from dbrules.search.union_bound import UnionBound


@dataclass(frozen=True)
class Unions:
    """Cells, antecedents and costs, with the best gain of each union of at most so many of them."""

    holds: np.ndarray
    gains: np.ndarray
    cost: float
    groups: np.ndarray
    most: int | None

    @property
    def best(self):
        antecedents = self.holds.shape[1]
        longest = antecedents if self.most is None else min(self.most, antecedents)
        found = {}
        for size in range(longest + 1):
            for chosen in combinations(range(antecedents), size):
                union = self.union(chosen)
                # the smallest set comes first, and costs the least
                found.setdefault(union, self.gain(chosen))
        return found

    def union(self, chosen):
        return tuple(np.flatnonzero(self.holds[:, list(chosen)].any(axis=1)).tolist())

    def gain(self, chosen):
        return int(self.gains[list(self.union(chosen))].sum()) - self.cost * len(chosen)

    def bound(self):
        return UnionBound(
            self.holds, self.gains, self.cost, self.groups, max_rules=self.most
        )  # fmt: skip


def random_unions(seed):
    rng = np.random.default_rng(seed)
    antecedents, cells = int(rng.integers(1, 8)), int(rng.integers(1, 30))
    holds = rng.random((cells, antecedents)) < rng.choice([0.1, 0.3, 0.6])
    if antecedents > 1 and rng.random() < 0.3:
        holds[:, 0] = holds[:, 1] & (rng.random(cells) < rng.choice([0.5, 1.0]))
    # around 2**24 in all, and far above: sums in 32 and in 64 bits
    size = int(rng.choice([3, 50, 10_000, 400_000, 10**9]))
    gains = rng.integers(-size, size + 1, cells)
    gains[rng.random(cells) < 0.2] = 0
    cost = float(rng.choice([0, 0, 0.0113, 0.5, 1 / 3, 3, size / 10]))
    most = (None, None, 0, 1, 2, 3)[rng.integers(6)]
    return Unions(holds, gains, cost, rng.integers(0, 3, (cells, 4)), most)


def keeping(told, threshold=None):
    """Keep what is told; answer the threshold, or the gain where there is none."""

    def found(taken, gain):
        told.append((taken, gain))
        return gain if threshold is None else threshold

    return found


@pytest.fixture(scope="module")
def drawn():
    return [(unions, unions.best) for unions in map(random_unions, range(250))]


def thresholds(best):
    gains = sorted(best.values())
    top = gains[-1]
    return [top + 0.01, top, top - 0.001, top - max(1, abs(top)) / 20, gains[len(gains) // 2]]


def test_every_union_above_the_threshold_is_told_and_no_other(drawn):
    silent = spoken = 0
    for unions, best in drawn:
        bound = unions.bound()
        for threshold in thresholds(best):
            told = {}

            def found(taken, gain, told=told, unions=unions, threshold=threshold):
                assert len(set(taken)) == len(taken)
                assert gain == pytest.approx(unions.gain(taken), rel=1e-12, abs=1e-9)
                union = unions.union(taken)
                told[union] = max(gain, told.get(union, gain))
                return threshold

            assert bound.prove(threshold, Budget(), found)
            rounding = 1e-12 * max(1.0, abs(threshold))
            assert told.keys() >= {u for u, gain in best.items() if gain > threshold + rounding}
            assert told.keys() <= {u for u, gain in best.items() if gain > threshold - rounding}
            assert told == pytest.approx({union: best[union] for union in told})
            silent += not told
            spoken += bool(told)
    assert silent > 300
    assert spoken > 300


def test_a_threshold_that_rises_ends_at_the_best(drawn):
    for unions, best in drawn:
        told = []
        least = min(best.values()) - 1
        assert unions.bound().prove(least, Budget(), keeping(told))
        gains = [gain for _, gain in told]
        # each was above the threshold of its time
        assert gains == sorted(set(gains))
        assert gains[-1] == pytest.approx(max(best.values()), rel=1e-9)


def test_an_answer_below_the_threshold_does_not_lower_it(drawn):
    for unions, best in drawn[:60]:
        middle = sorted(best.values())[len(best) // 2]
        told = []
        assert unions.bound().prove(middle, Budget(), keeping(told, -np.inf))
        assert all(gain > middle for _, gain in told)


def test_a_budget_that_ends_proves_nothing_and_a_larger_one_does(drawn):
    for unions, best in drawn[:60]:
        threshold = sorted(best.values())[len(best) // 2]
        whole = Budget()
        assert unions.bound().prove(threshold, whole, keeping([], threshold))
        for nodes in {0, whole.nodes // 2, whole.nodes - 1}:
            budget = Budget(max_nodes=nodes)
            assert not unions.bound().prove(threshold, budget, keeping([], threshold))
            assert budget.limit == f"max_nodes={nodes}"
        enough = Budget(max_nodes=whole.nodes)
        assert unions.bound().prove(threshold, enough, keeping([], threshold))


def test_what_is_rounded_proves_nothing_more():
    # 26 611 and a rule more or less: 32 bits tell such sums apart by 1/512 only
    missed = 0
    for seed in range(300):
        rng = np.random.default_rng(seed)
        holds = rng.random((8, 4)) < 0.4
        gains = rng.integers(-400_000, 400_000, 8)
        unions = Unions(holds, gains, 0.045, rng.integers(0, 2, (8, 3)), None)
        top = max(unions.best.values())
        told = []
        assert unions.bound().prove(top - 0.001, Budget(), keeping(told))
        missed += not told
    assert not missed


def test_a_union_of_everything_needs_no_more():
    # two antecedents hold everywhere: the second finds no cell left, though sets may be told
    holds = np.array([[True, True], [True, True]])
    unions = Unions(holds, np.array([2, 3]), 0.0, np.zeros((2, 1)), None)
    told = []
    assert unions.bound().prove(1, Budget(), keeping(told, 1.0))
    assert {taken for taken, _ in told} == {(0,), (1,)}


def test_nothing_to_take():
    for antecedents in (0, 2):
        holds = np.zeros((3, antecedents), dtype=bool)
        told = {0: [], -1: []}
        for threshold, found in told.items():
            unions = Unions(holds, np.array([1, -1, 2]), 0.0, np.zeros((3, 1)), None)
            assert unions.bound().prove(threshold, Budget(), keeping(found, threshold))
        assert told == {0: [], -1: [((), 0.0)]}


def test_a_union_of_many_needs_no_deep_stack():
    size = 200
    gains = np.full(size, 2)
    unions = Unions(np.eye(size, dtype=bool), gains, 0.0, np.zeros((size, 1)), None)
    told = []
    with shallow_stack():
        assert unions.bound().prove(2 * size - 3, Budget(), keeping(told))
    assert max(gain for _, gain in told) == 2 * size
