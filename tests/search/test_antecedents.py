from __future__ import annotations

import itertools

import numpy as np
import pytest

from dbrules.search import antecedents, grouped_counts, products
from dbrules.search.antecedents import Progress, mine_antecedents
from dbrules.search.candidates import Frequent
from dbrules.search.support import MinSupport


class Rows:
    """Coded rows with a weight per class, counted one by one."""

    def __init__(self, codes, counts, sizes):
        self.codes, self.counts, self.sizes = codes, counts, tuple(sizes)
        self.totals = counts.sum(axis=0)
        self.asked = []

    def histograms(self, groups):
        self.asked += groups
        return [self._histogram(group) for group in groups]

    def _histogram(self, group):
        answer = np.zeros((*(self.sizes[f] for f in group), len(self.totals)), dtype=np.int64)
        np.add.at(answer, tuple(self.codes[:, f] for f in group), self.counts)
        return answer


def random_members(rng, size):
    """Literals of three kinds: disjoint ones, thresholds that nest, any sets of codes."""
    kind = rng.integers(3)
    if kind == 0:
        members = np.eye(size - 1, size, dtype=bool)
    elif kind == 1:
        below = np.tri(size - 2, size, dtype=bool)
        above = ~below
        above[:, -1] = False
        members = np.concatenate([below, above])
    else:
        members = rng.random((rng.integers(1, 6), size)) < 0.5
        members[:, -1] = False
    return members[members.any(axis=1)]


def random_table(seed, features=5, classes=2, rows=60):
    """Rows in which features depend on each other, so that long antecedents are frequent."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(2, 6, features)
    hidden = rng.random(rows)
    codes = np.column_stack(
        [np.minimum((hidden * rng.random() + rng.random(rows) / 2) * n, n - 1) for n in sizes]
    ).astype(int)
    weights = rng.integers(1, 10 ** rng.integers(1, 9), rows)
    counts = np.zeros((rows, classes), dtype=np.int64)
    counts[np.arange(rows), rng.integers(0, classes, rows)] = weights
    members = [random_members(rng, size) for size in sizes]
    return Rows(codes, counts, sizes), members


def by_hand(table, members, support, longest):
    """Try every set of literals, at most one a feature."""
    answer = {}
    features = range(len(members))
    for length in range(1, longest + 1):
        for group in itertools.combinations(features, length):
            for literals in itertools.product(*(range(len(members[f])) for f in group)):
                items = tuple(zip(group, literals, strict=True))
                holds = np.all([members[f][i][table.codes[:, f]] for f, i in items], axis=0)
                counts = table.counts[holds].sum(axis=0)
                if support.met(counts[np.newaxis], table.totals)[0]:
                    answer[items] = counts.tolist()
    return dict(sorted(answer.items(), key=lambda entry: (len(entry[0]), entry[0])))


def as_dict(found):
    return dict(zip(found, found.counts.tolist(), strict=True))


SUPPORTS = (
    MinSupport(overall=0.1),
    MinSupport(overall=0.4),
    MinSupport(positive=0.2, negative=0.3),
    MinSupport(positive=0.25),
    MinSupport(overall=0.05, negative=0.2, positive_class=0),
)


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("support", SUPPORTS, ids=str)
def test_every_frequent_antecedent_and_no_other(seed, support):
    table, members = random_table(seed, classes=2 + seed % 2)
    right = by_hand(table, members, support, len(members))
    found = mine_antecedents(table, members, support, max_conditions=None)
    assert found.cut is None
    assert list(found) == list(right)
    assert as_dict(found) == right
    assert found.lengths.tolist() == [len(items) for items in right]
    for longest in (1, 2, 3):
        some = mine_antecedents(table, members, support, max_conditions=longest)
        assert as_dict(some) == {k: v for k, v in right.items() if len(k) <= longest}


def test_the_random_tables_have_long_antecedents():
    found = [
        mine_antecedents(*random_table(seed), MinSupport(overall=0.1), max_conditions=None)
        for seed in range(25)
    ]
    assert sum(len(one.levels) >= 4 for one in found) > 10
    assert sum(len(one.levels) == 5 for one in found) > 2


@pytest.mark.parametrize("seed", range(25))
def test_small_tables_and_questions_count_the_same(seed, monkeypatch):
    table, members = random_table(seed)
    whole = mine_antecedents(table, members, SUPPORTS[0], max_conditions=None)
    monkeypatch.setattr(products, "_TABLE", 1)
    monkeypatch.setattr(grouped_counts, "_QUESTION", 40)
    parts = mine_antecedents(table, members, SUPPORTS[0], max_conditions=None)
    assert as_dict(parts) == as_dict(whole)


@pytest.mark.parametrize("seed", range(10))
def test_only_features_with_candidates_are_asked_for(seed):
    table, members = random_table(seed)
    found = mine_antecedents(table, members, MinSupport(overall=0.5), max_conditions=None)
    frequent = set(found)
    assert len(table.asked) == len(set(table.asked))
    for group in table.asked:
        for part in itertools.combinations(group, len(group) - 1):
            assert not part or any(tuple(f for f, _ in items) == part for items in frequent)


@pytest.mark.parametrize("seed", range(10))
def test_counts_up_to_the_limit_of_the_door_are_exact(seed):
    table, members = random_table(seed)
    scale = (2**53 - 1) // int(table.totals.sum())
    large = Rows(table.codes, table.counts * scale, table.sizes)
    small = mine_antecedents(table, members, SUPPORTS[0], max_conditions=None)
    found = mine_antecedents(large, members, SUPPORTS[0], max_conditions=None)
    assert list(found) == list(small)
    assert (found.counts == small.counts * scale).all()


def all_true(features):
    """Case C21: rows that are all alike."""
    table = Rows(np.zeros((1, features), dtype=int), np.array([[50]]), (2,) * features)
    return table, [np.array([[True, False]])] * features


def test_an_explosion_ends_at_the_length_that_was_asked_for():
    found = mine_antecedents(*all_true(30), MinSupport(overall=0.5), max_conditions=3)
    assert (len(found), found.cut) == (4525, None)
    assert (found.counts == 50).all()


def test_an_explosion_is_cut_before_it_happens():
    table, members = all_true(30)
    found = mine_antecedents(
        table, members, MinSupport(overall=0.5), max_conditions=None, max_antecedents=40_000
    )
    assert len(found) == 31_930  # all of up to four
    assert found.cut == (
        "length 5 and up: 142506 candidates and the 31930 counted before are more than "
        "max_antecedents 40000"
    )
    assert len(table.asked) == 31_930


@pytest.mark.parametrize(("most", "length"), [(3, 0), (4, 1), (9, 1), (10, 2), (13, 2), (14, 3)])
def test_as_many_are_counted_as_is_allowed(most, length):
    found = mine_antecedents(
        *all_true(4), MinSupport(overall=0.5), max_conditions=None, max_antecedents=most
    )
    assert len(found.levels) == length
    assert len(found) <= most
    assert found.cut is not None
    whole = mine_antecedents(
        *all_true(4), MinSupport(overall=0.5), max_conditions=None, max_antecedents=15
    )
    assert (len(whole), whole.cut) == (15, None)


def test_a_grid_that_is_too_wide_is_not_asked_for(monkeypatch):
    table, members = all_true(4)
    monkeypatch.setattr(antecedents, "MAX_GRID", 4)
    found = mine_antecedents(table, members, MinSupport(overall=0.5), max_conditions=None)
    assert len(found) == 10
    assert found.cut == "length 3 and up: the codes of 3 features span 8 counts, more than 4"
    assert max(map(len, table.asked)) == 2


def test_progress_adds_up():
    seen = []
    mine_antecedents(*all_true(30), MinSupport(overall=0.5), max_conditions=3, progress=seen.append)
    last = {progress.length: progress for progress in seen}
    assert list(last.values()) == [
        Progress(1, 30, 30), Progress(2, 435, 435), Progress(3, 4060, 4060)
    ]  # fmt: skip
    assert len(seen) > 10


@pytest.mark.parametrize("members", [[], [np.zeros((0, 2), dtype=bool)] * 2])
def test_without_literals_nothing_is_found(members):
    table = Rows(np.zeros((1, 2), dtype=int), np.array([[1, 2]]), (2, 2))
    found = mine_antecedents(table, members, MinSupport(overall=0.5), max_conditions=None)
    assert (list(found), found.levels, found.counts.shape, found.cut) == ([], (), (0, 2), None)


@pytest.mark.parametrize("seed", range(20))
def test_candidates_are_those_of_which_every_part_is_frequent(seed):
    rng = np.random.default_rng(seed)
    feature = np.sort(rng.integers(0, 5, 9))
    sets = {()}
    frequent = Frequent(feature)
    for length in range(1, 5):
        possible = {
            items
            for items in itertools.combinations(range(9), length)
            if len(set(feature[list(items)])) == length
            and all(part in sets for part in itertools.combinations(items, length - 1))
        }
        if length > 1:
            assert list(map(tuple, frequent.candidates().tolist())) == sorted(possible)
            assert frequent.joins >= len(possible)
        sets = {items for items in possible if rng.random() < 0.9}
        rows = np.array(sorted(sets), dtype=np.int64).reshape(len(sets), length)
        frequent.add(rows)
