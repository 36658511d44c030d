"""Cuts and counts that books and papers print."""

from __future__ import annotations

from pathlib import Path

import duckdb
import numpy as np
import pytest

from dbrules.data.binning import Bins, assign, find_cuts
from dbrules.data.ordinal import to_ordinal
from dbrules.language.column import ColumnType

DATA = Path(__file__).parents[4] / "shared" / "data"
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="needs the data of ../shared/data")


def value_counts(file, feature, target):
    """Return the values of a column in order and their counts per class."""
    rows = duckdb.sql(
        f'SELECT "{feature}" AS x, CAST({target} AS VARCHAR) AS y, count(*) AS n '
        f"FROM '{DATA / file}.parquet' WHERE x IS NOT NULL GROUP BY ALL ORDER BY ALL"
    ).fetchall()
    classes = sorted({y for _, y, _ in rows})
    values = sorted({x for x, _, _ in rows})
    counts = np.zeros((len(values), len(classes)), dtype=np.int64)
    for x, y, n in rows:
        counts[values.index(x), classes.index(y)] += n
    return np.array(values), counts


def bin_counts(values, counts, cuts, closed, column_type):
    places = assign(values, [to_ordinal(cut, column_type) for cut in cuts], closed)
    return [counts[places == i].sum(axis=0).tolist() for i in range(len(cuts) + 1)]


@pytest.mark.parametrize(
    ("name", "cuts"), [("DOUBLE", (27.2, 41.4, 55.6, 69.8)), ("BIGINT", (27, 41, 55, 69))]
)
def test_cervical_cancer_ages_in_five_equal_widths(name, cuts):
    values, counts = value_counts("cervical_imlbook", "Age", "Biopsy")
    if name == "DOUBLE":
        values = values.astype(np.float64)
    column_type = ColumnType(name)
    found = find_cuts(Bins("width", k=5, closed="right"), values, counts, column_type)
    assert found == cuts
    assert bin_counts(values, counts, found, "right", column_type) == [
        [26, 477], [25, 290], [4, 31], [0, 1], [0, 4]
    ]  # fmt: skip


def test_bike_rentals_in_quartiles():
    values, counts = value_counts("bike_imlbook_1ed", "cnt", "1")
    column_type = ColumnType("BIGINT")
    cuts = find_cuts(Bins("quantile", k=4, closed="right"), values, counts, column_type)
    assert cuts == (3152, 4548, 5956)
    assert bin_counts(values, counts, cuts, "right", column_type) == [[183], [183], [182], [183]]


def test_bike_temperatures_in_three_equal_widths():
    values, counts = value_counts("bike_imlbook_1ed", "temp", "cnt > 4000")
    column_type = ColumnType("DOUBLE")
    cuts = find_cuts(Bins("width", k=3), values, counts, column_type)
    assert cuts == pytest.approx((7.352202267, 19.925275633), abs=4e-5)
    assert all(len(repr(cut)) <= 8 for cut in cuts)
