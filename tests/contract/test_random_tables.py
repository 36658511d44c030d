"""Random tables with hostile names and values: SQL = rules, printed = recounted, both ways."""

from __future__ import annotations

import datetime as dt
import warnings
from decimal import Decimal

import duckdb
import pytest
from hostile_tables import fill
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from judges import check_views

import dbrules
from dbrules.errors import DbrulesWarning, InvalidData

NAMES = [
    "age", "select", "a b", 'a"b', "x'); DROP TABLE t; --", "péage", "1st", "Group", "rule", "t",
    "if", "null", "predicted_y", "label", "value", "weight", "rows", "dataset", "😀", "a.b",
    "row_key", "held_out", "units", "feature_0", "a\nb", "-- c", "\\",
]  # fmt: skip
TEXTS = ["O'Brien", "C:\\new", "50%", "", "NULL", " a", "a", "a ", "A", "x\ny", "😀", "a;--", "é"]
FLOATS = [0.1, 0.2, 0.1 + 0.2, 0.41000000000000003, -0.0, 0.0, 5e-324, 1e308, -1e308, 3.5,
          float("inf"), float("-inf"), float("nan")]  # fmt: skip
VALUES = {
    "DOUBLE": st.sampled_from(FLOATS) | st.floats(width=64),
    "REAL": st.sampled_from([0.25, 1.5, float("inf"), float("-inf"), float("nan")])
    | st.floats(width=32),
    "DECIMAL(9,2)": st.decimals(-9999, 9999, places=2),
    "DECIMAL(38,3)": st.sampled_from([Decimal(10) ** 30, Decimal("0.001")])
    | st.decimals(-9, 9, places=3),
    "BIGINT": st.sampled_from([0, 1, 2, 3, 2**60, 2**60 + 1, 2**63 - 1, -(2**63)])
    | st.integers(-5, 5),
    "HUGEINT": st.sampled_from([0, 1, 2**100, 2**100 + 1, -(2**100)]),
    "UTINYINT": st.integers(0, 255),
    "DATE": st.dates(dt.date(1, 1, 1), dt.date(9999, 12, 31)),
    "TIME": st.times(),
    "TIMESTAMP": st.datetimes(dt.datetime(1677, 9, 22), dt.datetime(2262, 4, 11)),
    "TIMESTAMPTZ": st.datetimes(dt.datetime(1970, 1, 1), dt.datetime(2100, 1, 1),
                                timezones=st.just(dt.UTC)),
    "BOOLEAN": st.booleans(),
    "VARCHAR": st.sampled_from(TEXTS),
    "UUID": st.sampled_from(["00000000-0000-0000-0000-000000000001",
                             "ffffffff-ffff-ffff-ffff-ffffffffffff"]),
}  # fmt: skip
TARGETS = {
    "VARCHAR": st.sampled_from(TEXTS[:4]),
    "BIGINT": st.integers(0, 40),
    "BOOLEAN": st.booleans(),
    "DOUBLE": st.sampled_from([0.1, 0.1 + 0.2, -0.0, 2.5]),
    "DECIMAL(9,2)": st.sampled_from([Decimal("1.50"), Decimal("-2.25")]),
    "DATE": st.sampled_from([dt.date(2024, 2, 29), dt.date(1, 1, 1)]),
}
BINS = st.sampled_from(
    [None, "mdlp", "mdlp:right", "one_r:1", "one_r:2:right", "width:3", "width:4:right",
     "quantile:3", "quantile:5:right", "chimerge:4"]
)  # fmt: skip


@st.composite
def tables(draw):
    size = draw(st.integers(2, 14))
    names = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=4, unique=True))
    kinds = [draw(st.sampled_from(sorted(TARGETS)))]
    kinds += [draw(st.sampled_from(sorted(VALUES))) for _ in names[1:]]
    cells = []
    for place, kind in enumerate(kinds):
        pool = draw(st.lists((TARGETS if place == 0 else VALUES)[kind], min_size=1, max_size=5))
        rare = st.sampled_from([*pool, *pool, *pool, None])
        cells.append(draw(st.lists(rare, min_size=size, max_size=size)))
    return list(zip(names, kinds, strict=True)), list(zip(*cells, strict=True))


@pytest.fixture(scope="module")
def connection():
    with duckdb.connect(config={"memory_limit": "1GB", "threads": 1}) as con:
        con.execute("SET TimeZone = 'UTC'")
        yield con


@settings(max_examples=120, deadline=None, derandomize=True,
          suppress_health_check=[HealthCheck.too_slow])  # fmt: skip
@given(
    table=tables(), bins=BINS, missing=st.sampled_from(["level", "drop"]),
    validation=st.sampled_from([None, None, 0.4]),
)  # fmt: skip
def test_one_r(connection, table, bins, missing, validation):
    columns, rows = table
    fill(connection, columns, rows)
    target = columns[0][0]
    learner = dbrules.OneR(bins=bins, missing=missing, validation=validation)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DbrulesWarning)
        try:
            model = learner.fit("t", target=target, connection=connection)
        except InvalidData as error:
            # nothing to learn from: no target, or no value in any feature
            assert "missing" in str(error)  # noqa: PT017
            assert all(row[0] is None for row in rows) or "no feature is left" in str(error)  # noqa: PT017
            return
    check_views(model, connection)
    evaluation = model.evaluate("t", connection=connection)
    assert evaluation.accuracy == pytest.approx(1 - model.training.objective)
    assert evaluation.rows == model.training.rows
