"""Value x class counts against plain counting."""

from __future__ import annotations

import random
from collections import Counter
from contextlib import contextmanager

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dbrules.data.ordinal import to_ordinal
from dbrules.data.roles import assign_roles
from dbrules.data.source import source
from dbrules.engine.connect import connect
from dbrules.engine.result import plain
from dbrules.errors import InvalidData
from dbrules.statistics.classes import class_counts
from dbrules.statistics.counts import check_unchanged, distinct, value_counts
from dbrules.statistics.dataset import open_dataset


@contextmanager
def dataset_of(con, data, **roles):
    origin = source(data)
    with connect(origin, con) as engine:
        assigned = assign_roles(engine.columns(origin), "y", **roles)
        with open_dataset(engine, origin, assigned) as dataset:
            yield class_counts(dataset, None, None)


KINDS = {
    "TINYINT": ["1", "-2", "3"],
    "BIGINT": ["1", str(2**60), str(2**60 + 1), str(-(2**63))],
    "HUGEINT": ["1", str(2**100), str(2**100 + 1)],
    "DOUBLE": ["0.1", "0.30000000000000004", "0.3", "inf", "-inf", "5e-324"],
    "REAL": ["0.1", "0.2", "inf"],
    "DECIMAL(9,2)": ["1.50", "-0.01", "9999999.99"],
    "DECIMAL(15,3)": ["999999999999.999", "999999999999.998", "0.001"],
    "DECIMAL(38,10)": ["1.0000000001", "1.0000000002", "9999999999999999999999999999.9999999999"],
    "DATE": ["0001-01-01", "2024-02-29", "9999-12-31", "1969-12-31"],
    "TIME": ["00:00:00", "23:59:59.999999", "00:00:00.000001"],
    "TIMESTAMP": ["2024-02-29 01:02:03.000001", "2024-02-29 01:02:03.000002", "1900-01-01"],
    "TIMESTAMPTZ": ["2024-02-29 01:02:03.000001+02", "1900-01-01 00:00:00+00"],
    "VARCHAR": ["", " ", "NULL", "é", "😀", "a\nb", "O'x"],
    "BOOLEAN": ["true", "false"],
}


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_against_plain_counting(con, kind, weighted):
    rng = random.Random(kind)
    cells = [*KINDS[kind], None]
    if kind in ("DOUBLE", "REAL"):
        cells.append("nan")
    rows = [
        (rng.choice(cells), rng.choice(["p", "q", None]), rng.choice([0, 1, 2])) for _ in range(300)
    ]
    con.execute(f"CREATE TABLE t (x {kind}, y VARCHAR, w INTEGER)")
    con.executemany(f"INSERT INTO t VALUES (CAST(? AS {kind}), ?, ?)", rows)
    weight = "w" if weighted else None
    with dataset_of(con, "t", features=["x"], weight=weight) as (dataset, classes):
        column = dataset.roles.features[0]
        counts = value_counts(dataset, column, classes)
        check_unchanged(counts, classes.rows)
    rows = [row for row in rows if row[1] and (row[2] or not weighted)]
    n = Counter((x, y) for x, y, _ in rows)
    w = Counter()
    for x, y, share in rows:
        w[x, y] += share if weighted else 1
    missing = (None, "nan")
    for place, label in enumerate("pq"):
        assert counts.missing_rows[place] == sum(n[x, label] for x in missing)
        assert counts.missing_weights[place] == sum(w[x, label] for x in missing)
        assert classes.rows[place] == sum(k for (_, y), k in n.items() if y == label)
    present = [x for x in KINDS[kind] if n[x, "p"] + n[x, "q"]]
    assert len(counts.values) == len(present)
    for x in present:
        if column.type.is_ordered:
            value = to_ordinal(x, column.type)
            value = float(np.float32(value)) if kind == "REAL" else value
        else:
            value = x == "true" if kind == "BOOLEAN" else x
        (place,) = (i for i, v in enumerate(counts.values.tolist()) if v == value)
        assert counts.rows[place].tolist() == [n[x, "p"], n[x, "q"]]
        assert counts.weights[place].tolist() == [w[x, "p"], w[x, "q"]]
    values = counts.values.tolist()
    assert values == sorted(values)
    assert counts.rows.shape == counts.weights.shape == (len(present), 2)


def test_a_table_that_changes_is_noticed(con):
    con.execute("CREATE TABLE t AS SELECT i AS x, i % 2 AS y FROM range(9) t(i)")
    with dataset_of(con, "t", features=["x"]) as (dataset, classes):
        con.execute("INSERT INTO t VALUES (9, 1)")
        counts = value_counts(dataset, dataset.roles.features[0], classes)
        with pytest.raises(InvalidData, match=r"'x'.*SELECT"):
            check_unchanged(counts, classes.rows)


def test_a_query_is_a_snapshot(con):
    con.execute("CREATE TABLE t AS SELECT i AS x, i % 2 AS y FROM range(9) t(i)")
    with dataset_of(con, "SELECT * FROM t", features=["x"]) as (dataset, classes):
        con.execute("INSERT INTO t VALUES (9, 1)")
        counts = value_counts(dataset, dataset.roles.features[0], classes)
        check_unchanged(counts, classes.rows)
    assert counts.rows.sum() == 9


def test_plain_and_distinct():
    cells = np.ma.MaskedArray([1, 2, 3], mask=[False, True, False])
    assert plain(cells) == [1, None, 3]
    assert plain(np.array([1.5])) == [1.5]
    values, index = distinct(np.array(["b", "a", "b"], dtype=object))
    assert (values.tolist(), index.tolist()) == (["a", "b"], [1, 0, 1])
    values, index = distinct(np.array([2**70, 1, 2**70], dtype=object))
    assert (values.tolist(), index.tolist()) == ([1, 2**70], [1, 0, 1])


@given(
    st.one_of(
        arrays(np.int64, st.integers(0, 300), elements=st.integers(-9, 9)),
        arrays(
            np.float64, st.integers(0, 300), elements=st.sampled_from([-np.inf, -1, 0.5, np.inf])
        ),
    ),
    st.booleans(),
)
def test_distinct_numbers_are_those_of_numpy(cells, in_order):
    cells = np.sort(cells) if in_order else cells
    values, index = distinct(cells)
    expected, places = np.unique(cells, return_inverse=True)
    assert values.tolist() == expected.tolist()
    assert values.dtype == cells.dtype
    assert index.tolist() == places.tolist()
