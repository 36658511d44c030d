from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbrules.data.binning import Bins, find_cuts
from dbrules.data.binning.find import left_of
from dbrules.data.thresholds import Cuts, Thresholds, find_thresholds
from dbrules.errors import InvalidSetting
from dbrules.language.column import ColumnType

INTEGER, DOUBLE = ColumnType("INTEGER"), ColumnType("DOUBLE")


@st.composite
def columns(draw):
    """Return values and weights of two classes whose shares change a few times."""
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    size = draw(st.integers(0, 120))
    values = np.sort(random.choice(10 * size, size, replace=False))
    steps = np.sort(random.integers(0, size + 1, draw(st.integers(0, 6))))
    share = random.random(7)[np.searchsorted(steps, np.arange(size), side="right")]
    rows = random.poisson(draw(st.sampled_from([0.3, 2, 40])), size)
    positives = random.binomial(rows, share)
    return values, np.column_stack([rows - positives, positives]).astype(float)


SETTINGS = st.builds(
    Thresholds, st.integers(0, 12), st.integers(0, 5), st.integers(0, 4), st.integers(0, 6),
    st.sampled_from(["left", "right"]),
)  # fmt: skip


def weight_left(values, weights, cuts, closed):
    total = np.append(0, np.cumsum(weights.sum(axis=1)))
    return total[left_of(cuts, values, closed, INTEGER)]


@given(columns(), SETTINGS)
def test_each_cut_parts_the_data_in_its_own_way(column, settings):
    values, weights = column
    found = find_thresholds(settings, values, weights, INTEGER)
    assert all(lower < upper for lower, upper in itertools.pairwise(found.cuts))
    left = weight_left(values, weights, found.cuts, settings.closed)
    assert len(set(left.tolist())) == len(found.cuts)
    assert all(0 < weight < weights.sum() for weight in left)


@given(columns(), SETTINGS)
def test_candidates_are_kept_unless_they_are_near(column, settings):
    values, weights = column
    found = find_thresholds(settings, values, weights, INTEGER)
    mdlp = find_cuts(Bins(closed=settings.closed), values, weights, INTEGER)
    learned = set(mdlp) & set(found.cuts)
    assert len(learned) >= min(len(mdlp), settings.learned)
    if len(mdlp) > settings.learned:
        return
    left = weight_left(values, weights, found.cuts, settings.closed)
    least = min(0.01, 0.5 / max(settings.quantiles, 1)) * weights.sum()

    def gap(place, others):
        return abs(np.array([0, weights.sum(), *others]) - place).min()

    for i, cut in enumerate(found.cuts):
        if cut not in learned:
            assert gap(left[i], np.delete(left, i)) >= least * (1 - 1e-9)
    candidates = [*find_cuts(Bins("quantile", k=max(settings.quantiles, 2), closed=settings.closed),
                             values, weights, INTEGER)] * (settings.quantiles > 1)  # fmt: skip
    for place in weight_left(values, weights, candidates, settings.closed):
        assert gap(place, left) < least or place in left


@given(columns(), SETTINGS)
def test_intervals_join_the_strongest_cuts_of_mdlp_and_single_out_few_values(column, settings):
    values, weights = column
    found = find_thresholds(settings, values, weights, INTEGER)
    mdlp = find_cuts(Bins(closed=settings.closed), values, weights, INTEGER)
    assert len(found.intervals) <= settings.intervals
    assert found.intervals == tuple(sorted(set(found.intervals)))
    if weights.any(axis=1).sum() <= settings.quantiles:
        singles = {(i, i + 1) for i in range(len(found.cuts) - 1)}
        assert singles <= set(found.intervals) or len(found.intervals) == settings.intervals
        return
    joined = {place for pair in found.intervals for place in pair}
    assert {found.cuts[place] for place in joined} <= set(mdlp)
    kept = min(len(mdlp), settings.learned)
    assert found.intervals == tuple(itertools.combinations(sorted(joined), 2))
    if kept * (kept - 1) // 2 <= settings.intervals:
        assert len(found.intervals) == kept * (kept - 1) // 2
    else:
        assert (len(joined) or 1) * ((len(joined) or 1) + 1) // 2 > settings.intervals


@given(columns(), SETTINGS)
def test_values_without_weight_are_no_data(column, settings):
    values, weights = column
    present = weights.any(axis=1)
    assert find_thresholds(settings, values, weights, INTEGER) == find_thresholds(
        settings, values[present], weights[present], INTEGER
    )


def test_few_values_are_all_told_apart():
    weights = np.full((7, 2), [5.0, 5.0])
    for settings in (Thresholds(quantiles=7), Thresholds(quantiles=100)):
        found = find_thresholds(settings, np.arange(1, 8), weights, INTEGER)
        assert found.cuts == (2, 3, 4, 5, 6, 7)
        assert found.intervals == ((0, 1), (1, 2), (2, 3), (3, 4), (4, 5))
    right = find_thresholds(Thresholds(closed="right"), np.arange(1, 8), weights, INTEGER)
    assert right.cuts == (1, 2, 3, 4, 5, 6)
    # the first two of a thousand rows are too few to tell apart from the third
    rare = np.concatenate([[[1.0, 1.0]], weights * 20])
    assert find_thresholds(Thresholds(), np.arange(8), rare, INTEGER).cuts == (2, 3, 4, 5, 6, 7)
    last = find_thresholds(Thresholds(), np.arange(8), rare[::-1], INTEGER)
    assert last.cuts == (1, 2, 3, 4, 5, 6)
    uneven = np.array([[20.0, 20.0], [2.0, 3.0], [3.0, 2.0], [25.0, 25.0]])
    assert find_thresholds(Thresholds(4, leaves=0), np.arange(4), uneven, INTEGER).cuts == (1, 2, 3)


def test_intervals_come_in_value_order():
    weights = np.repeat([[90.0, 10.0], [10.0, 90.0], [90.0, 10.0]], 2, axis=0)
    found = find_thresholds(Thresholds(6), np.arange(6), weights, INTEGER)
    assert found == Cuts((1, 2, 3, 4, 5), ((0, 1), (1, 2), (1, 3), (2, 3), (3, 4)))
    # the one between two cuts of MDLP comes first where room is short
    short = find_thresholds(Thresholds(6, intervals=2), np.arange(6), weights, INTEGER)
    assert short.intervals == ((0, 1), (1, 3))


def test_a_learned_cut_takes_the_place_of_a_near_quantile():
    values = np.arange(1000)
    share = np.where(values < 497, 0.2, 0.8)
    weights = np.column_stack([1 - share, share])
    found = find_thresholds(Thresholds(quantiles=4), values, weights, INTEGER)
    assert found.cuts == (250, 497, 750)
    alone = find_thresholds(Thresholds(quantiles=4, learned=0, leaves=0), values, weights, INTEGER)
    assert alone.cuts == (250, 500, 750)
    # parts of ten rows: half a part is near
    fine = find_thresholds(Thresholds(quantiles=100), values, weights, INTEGER).cuts
    assert 490 in fine
    assert 500 not in fine
    assert len(fine) == 99


def test_a_leaf_of_the_tree_is_no_sliver():
    share = np.where(np.arange(1000) < 980, 0.1, 0.9)
    weights = np.column_stack([1 - share, share])
    only_tree = Thresholds(quantiles=0, leaves=2, learned=0)
    assert find_thresholds(only_tree, np.arange(1000), weights, INTEGER).cuts == (950,)


def test_of_many_cuts_of_mdlp_the_strongest_are_kept():
    share = np.repeat([0.1, 0.9, 0.8, 0.9, 0.1, 0.15], 2000)
    weights = np.column_stack([1 - share, share])
    only = {"quantiles": 0, "leaves": 0, "intervals": 1}
    values = np.arange(len(share))
    every = find_thresholds(Thresholds(**only), values, weights, INTEGER)
    assert every.cuts == (2000, 4000, 6000, 8000, 10000)
    assert every.intervals == ((0, 3),)
    strongest = find_thresholds(Thresholds(**only, learned=2), values, weights, INTEGER)
    assert strongest == Cuts((2000, 8000), ((0, 1),))


def falling(rows, seed=0):
    """The synthetic falling list: numbers on [0, 1) with 4 digits, and the class of each row."""
    random = np.random.default_rng(seed)
    text = random.integers(0, 5, (10, rows))  # a..e
    numbers = np.round(random.random((10, rows)), 4)
    chance = np.select(
        [
            (text[0] == 0) & (numbers[0] > 0.8),
            (text[1] == 1) & (text[2] == 2),
            (numbers[1] > 0.7) & (numbers[2] < 0.3),
            (text[3] == 3) & (numbers[3] > 0.5),
            text[4] == 4,
        ],
        [0.95, 0.80, 0.65, 0.45, 0.25],
        0.05,
    )
    return numbers, random.random(rows) < chance


def value_counts(numbers, label):
    values, place = np.unique(numbers, return_inverse=True)
    return values, np.column_stack([np.bincount(place, label == y) for y in (False, True)])


@pytest.mark.parametrize("seed", range(3))
def test_the_cut_points_of_the_synthetic_falling_list_are_found(seed):
    numbers, label = falling(100_000, seed)
    for feature, true in enumerate([0.8, 0.7, 0.3, 0.5]):
        values, weights = value_counts(numbers[feature], label)
        for settings in (Thresholds(), Thresholds(quantiles=0, leaves=0)):
            cuts = find_thresholds(settings, values, weights, DOUBLE).cuts
            assert min(abs(np.array(cuts) - true)) <= 0.005
    for feature in range(4, 10):  # noise: nothing to learn
        values, weights = value_counts(numbers[feature], label)
        assert find_thresholds(Thresholds(0, 0), values, weights, DOUBLE).cuts == ()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"quantiles": -1}, "quantiles=-1"),
        ({"leaves": 2.5}, "leaves=2.5"),
        ({"learned": True}, "learned=True"),
        ({"intervals": 10**9}, "from 0 to 10000"),
        ({"closed": "up"}, "closed='up'"),
    ],
)
def test_what_cannot_be_is_refused(settings, message):
    with pytest.raises(InvalidSetting, match=message):
        Thresholds(**settings)
