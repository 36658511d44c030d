from __future__ import annotations

import datetime as dt
import itertools
import math
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dbrules.data.binning import Bins, assign, find_cuts
from dbrules.data.ordinal import to_ordinal, to_value
from dbrules.errors import ColumnTypeError, InvalidSetting
from dbrules.language.column import ColumnType

METHODS = ["mdlp", "tree:4", "one_r:2", "chimerge", "chimerge:3", "width:5", "quantile:4"]
ORDINALS = {
    "INTEGER": st.integers(-1000, 1000),
    "UBIGINT": st.integers(2**63, 2**64 - 1),
    "HUGEINT": st.integers(-(2**127), 2**127 - 1),
    "DECIMAL(10,2)": st.integers(-(10**10) + 1, 10**10 - 1),
    "REAL": st.floats(width=32, allow_nan=False),
    "DOUBLE": st.floats(allow_nan=False),
    "DATE": st.integers(-100_000, 100_000),
    "TIME": st.integers(0, 86_399_999_999),
    "TIMESTAMP": st.integers(-(10**16), 10**17),
    "TIMESTAMPTZ": st.integers(-(10**16), 10**17),
}
DTYPES = {"UBIGINT": np.uint64, "HUGEINT": object, "REAL": np.float64, "DOUBLE": np.float64}
#: In DOUBLE, the last value before infinity cannot be parted from it by a finite cut.
LARGEST = {"DOUBLE": math.nextafter(math.inf, 0), "REAL": float(np.finfo(np.float32).max)}


@st.composite
def columns(draw, name):
    """Return ordinals, strictly increasing, and their counts of three classes."""
    values = sorted(draw(st.lists(ORDINALS[name], min_size=1, max_size=12, unique=True)))
    count = st.lists(st.integers(0, 9), min_size=3, max_size=3).filter(any)
    counts = draw(st.lists(count, min_size=len(values), max_size=len(values)))
    return np.array(values, dtype=DTYPES.get(name, np.int64)), np.array(counts)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", ORDINALS)
def test_cuts_are_typed_and_increase_and_no_bin_is_empty(name, method):
    column_type = ColumnType(name)

    @settings(max_examples=40)  # sixty such columns and methods
    @given(columns(name), st.sampled_from(["left", "right"]))
    def check(column, closed):
        values, counts = column
        if abs(values).max() >= LARGEST.get(name, math.inf) and column_type.is_float:
            values, counts = values[np.isfinite(values)], counts[np.isfinite(values)]
        cuts = find_cuts(Bins.parse(f"{method}:{closed}"), values, counts, column_type)
        ordinals = [to_ordinal(cut, column_type) for cut in cuts]
        assert all(type(cut) is type(to_value(1, column_type)) for cut in cuts)
        assert all(math.isfinite(ordinal) for ordinal in ordinals if column_type.is_float)
        assert all(lower < upper for lower, upper in itertools.pairwise(cuts))
        placed = assign(values, ordinals, closed).tolist()
        for value, place in zip(values.tolist(), placed, strict=True):
            inside = [
                i
                for i, (lower, upper) in enumerate(
                    zip([-math.inf, *ordinals], [*ordinals, math.inf], strict=True)
                )
                if (i == 0 or (lower <= value if closed == "left" else lower < value))
                and (i == len(ordinals) or (value < upper if closed == "left" else value <= upper))
            ]
            assert inside == [place]
        if len(values):
            assert sorted(set(placed)) == list(range(len(cuts) + 1))
        read = [column_type.coerce(column_type.to_json(cut)) for cut in cuts]
        assert tuple(read) == cuts

    check()


@pytest.mark.parametrize("method", METHODS)
@given(columns("DOUBLE"))
def test_values_without_weight_are_no_data(method, column):
    values, counts = column
    bins = Bins.parse(method)
    with_ghosts = np.insert(counts, 0, 0, axis=0)
    ghosts = np.insert(values, 0, -math.inf)
    if values[0] == -math.inf:
        return
    cuts = find_cuts(bins, values, counts, ColumnType("DOUBLE"))
    assert find_cuts(bins, ghosts, with_ghosts, ColumnType("DOUBLE")) == cuts


@pytest.mark.parametrize(
    "method", ["mdlp", "tree:4", "one_r:2", "chimerge", "width:5", "quantile:4"]
)
@given(columns("INTEGER"), st.permutations(range(3)))
def test_only_a_tie_depends_on_the_order_of_classes(method, column, order):
    values, counts = column
    if method == "one_r:2" and len(set(counts.sum(axis=0).tolist())) < 3:
        return  # the class order settles what is a tie in the column and overall
    bins = Bins.parse(method)
    cuts = find_cuts(bins, values, counts, ColumnType("INTEGER"))
    assert find_cuts(bins, values, counts[:, list(order)], ColumnType("INTEGER")) == cuts


@given(columns("INTEGER"), st.integers(2, 8))
def test_quantiles_are_numpys_on_repeated_rows(column, k):
    values, counts = column
    weights = counts.sum(axis=1)
    cuts = find_cuts(Bins("quantile", k=k, closed="right"), values, counts, ColumnType("INTEGER"))
    rows = np.repeat(values, weights)
    theirs = [np.quantile(rows, i / k) for i in range(1, k)]
    # NumPy's interpolation is a float: a whole number may come out a hair below itself
    expected = {int(np.floor(q + 1e-9)) for q in theirs}
    parts = {np.searchsorted(values, q, side="right") for q in expected} - {len(values)}
    assert {np.searchsorted(values, cut, side="right") for cut in cuts} == parts
    assert set(cuts) <= expected


@given(columns("DOUBLE"), st.integers(2, 8))
def test_width_is_numpys_linspace(column, k):
    values, counts = column
    finite = (abs(values) < 1e100) & (abs(values) > 1e-100)
    values, counts = values[finite], counts[finite]
    if len(values) == 0:
        return
    cuts = find_cuts(Bins("width", k=k), values, counts, ColumnType("DOUBLE"))
    edges = np.linspace(values[0], values[-1], k + 1)[1:-1]
    reach = (values[-1] - values[0]) * 1.01e-6
    assert all(abs(edges - cut).min() <= reach for cut in cuts)


def test_fractional_weights_scale_in_quantiles():
    values = np.arange(10.0)
    cuts = find_cuts(Bins("quantile"), values, np.full((10, 1), 0.1), ColumnType("DOUBLE"))
    twice = find_cuts(Bins("quantile"), values, np.full((10, 1), 0.05), ColumnType("DOUBLE"))
    assert cuts == twice == (2.0, 4.5, 7.0)


@pytest.mark.parametrize(
    ("setting", "name", "cuts"),
    [
        ("width:5", "DOUBLE", (27.2, 41.4, 55.6, 69.8)),
        ("width:5", "BIGINT", (28, 42, 56, 70)),
        ("width:5:right", "BIGINT", (27, 41, 55, 69)),
        ("width:5", "DECIMAL(4,1)", tuple(map(Decimal, ("27.2", "41.4", "55.6", "69.8")))),
    ],
)
def test_width_cuts_are_of_the_columns_type(setting, name, cuts):
    column_type = ColumnType(name)
    values = np.array([to_ordinal(age, column_type) for age in range(13, 85)])
    counts = np.ones((len(values), 2))
    assert find_cuts(Bins.parse(setting), values, counts, column_type) == cuts


def test_float_noise_does_not_part_equal_numbers():
    # 0.1 + (0.7 - 0.1) / 3 is 0.29999999999999993 in floats
    values = np.array([0.1, 0.3, 0.5, 0.7])
    cuts = find_cuts(Bins("width", k=3, closed="right"), values, np.ones((4, 1)),
                     ColumnType("DOUBLE"))  # fmt: skip
    assert cuts == (0.3, 0.5)


def test_c08_a_cut_is_no_longer_than_needed():
    values = np.array([0.0100905, 0.0129155, 0.0146325])
    counts = np.array([[2, 0], [0, 2], [2, 0]])
    cuts = find_cuts(Bins("one_r", min_bucket=2), values, counts, ColumnType("DOUBLE"))
    assert cuts == (0.0115, 0.0138)


def test_c23_every_number_has_one_bin():
    values = np.arange(1.0, 11)
    counts = np.array([[x <= 5, x > 5] for x in values]).astype(int)
    new = np.array([-5, 1, 5, 6, 10, 99, math.inf, -math.inf])
    for setting in ("mdlp", Bins("tree", min_bucket=2), "one_r:2", "chimerge"):
        cuts = find_cuts(Bins.parse(setting), values, counts, ColumnType("DOUBLE"))
        assert len(cuts) == 1
        assert 5 < cuts[0] <= 6
        assert assign(new, cuts, "left").tolist() == [0, 0, 0, 1, 1, 1, 1, 0]


@pytest.mark.parametrize(
    ("given_cuts", "name", "cuts"),
    [
        ([18, 30, 60], "INTEGER", (18, 30, 60)),
        ([27.2], "INTEGER", (27.2,)),
        ([0.1], "DECIMAL(4,2)", (Decimal("0.1"),)),
        (["2024-01-01", "2024-03-01"], "DATE", (dt.date(2024, 1, 1), dt.date(2024, 3, 1))),
        ([dt.date(2024, 1, 1)], "TIMESTAMP", (dt.datetime(2024, 1, 1),)),
        (["9", "10"], "INTEGER", (9, 10)),
    ],
)
def test_c23_own_cuts_are_typed_and_never_moved_or_dropped(given_cuts, name, cuts):
    values, counts = np.array([1, 2]), np.ones((2, 2))
    assert find_cuts(Bins.parse(given_cuts), values, counts, ColumnType(name)) == cuts


@pytest.mark.parametrize("given_cuts", [["10", "9"], ["5", 5], ["1", "inf"]])
def test_c23_own_cuts_in_text_are_checked_once_typed(given_cuts):
    with pytest.raises(InvalidSetting):
        find_cuts(Bins.parse(given_cuts), np.array([1]), np.ones((1, 1)), ColumnType("DOUBLE"))


def test_own_cuts_must_fit_the_column():
    with pytest.raises(ColumnTypeError, match="old"):
        find_cuts(Bins.parse(["old"]), np.array([1]), np.ones((1, 1)), ColumnType("INTEGER"))
    with pytest.raises(ColumnTypeError, match="VARCHAR"):
        find_cuts(Bins(), np.array([1]), np.ones((1, 1)), ColumnType("VARCHAR"))


@pytest.mark.parametrize("method", [*METHODS])
@pytest.mark.parametrize("values", [[], [3.0], [-math.inf, math.inf], [-math.inf], [1.0, 1e308]])
def test_few_or_extreme_values(method, values):
    counts = np.tile([[9, 0], [0, 9]], (len(values), 1))[: len(values)]
    cuts = find_cuts(Bins.parse(method), np.array(values), counts.reshape(-1, 2),
                     ColumnType("DOUBLE"))  # fmt: skip
    assert all(math.isfinite(cut) for cut in cuts)
    assert len(cuts) < max(1, len(values))


@given(st.lists(st.integers(-5, 5), max_size=20), st.sampled_from(["left", "right"]))
def test_assign_takes_cuts_between_integers(values, closed):
    # 2**70 lies beyond 64 bits, 0.5 between the integers
    places = assign(np.array(values, dtype=np.int64), [0.5, 2, 2**70], closed)
    for value, place in zip(values, places.tolist(), strict=True):
        cuts = [0.5, 2, 2**70]
        assert place == sum(cut <= value if closed == "left" else cut < value for cut in cuts)
