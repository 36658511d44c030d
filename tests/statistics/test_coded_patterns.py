"""Patterns with a code a value: those that SQL codes, those of plain Python, in order."""

from __future__ import annotations

import math
from collections import defaultdict
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from dbrules.data.coding import Coding, level_coding
from dbrules.data.scale import scale_of
from dbrules.errors import InvalidData
from dbrules.statistics.coded_patterns import read_coded_patterns
from dbrules.statistics.counts import value_counts
from dbrules.statistics.patterns import read_patterns

FEATURES = ["x", "s", "n", "d"]


@pytest.fixture
def table(con):
    con.execute("""
        CREATE TABLE t AS
        SELECT CASE WHEN i % 9 = 0 THEN 'NaN'::DOUBLE WHEN i % 14 = 0 THEN '-inf'::DOUBLE
            WHEN i % 10 > 0 THEN hash(i) % 70 / 8 END AS x,
          nullif('s' || hash(i + 1) % 4, 's3') AS s, nullif(hash(i + 2) % 200, 5) AS n,
          (hash(i + 3) % 3 / 4)::DECIMAL(4, 2) AS d,
          CASE WHEN i % 31 > 0 THEN 'y' || hash(i + 4) % 3 END AS y, 'z' || hash(i) % 20 AS z,
          (hash(i + 5) % 3)::INTEGER AS w, hash(i + 6) % 9 / 40 AS tenth
        FROM range(800) r(i)
    """)
    return con


def codings_of(dataset, classes, cuts, missing=True):
    codings = []
    for column in dataset.roles.features:
        if column.type.is_ordered:
            found = value_counts(dataset, column, classes)
            units = np.rint(found.weights.sum(axis=1) * 1000).astype(np.int64)
            codings.append(scale_of(column, found.values, units, cuts, missing=missing))
        else:
            codings.append(level_coding(column, ["s0", "s2"], missing=missing))
    return codings


def code_by_hand(coding, cell):
    """Return the code of a cell, by the conditions of the coding."""
    if isinstance(coding, Coding):
        return coding.code(cell)
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return coding.absent
    row = {coding.column.name: cell}
    held = [
        code
        for code in range(coding.steps)
        if all(test.covers(row) for test in coding.conditions(code, coding.steps))
    ]
    return max(held, default=0)


def by_hand(con, codings, target, weight):
    """Return the weight of each class by the codes of a row, by plain Python."""
    columns = ", ".join(coding.column.name for coding in codings)
    rows = con.execute(f"SELECT {columns}, {weight or 1}, {target} FROM t").fetchall()
    labels = sorted({label for *_, label in rows if label is not None})
    known = cache(code_by_hand)
    counts = defaultdict(lambda: [Fraction(0)] * len(labels))
    for *cells, w, label in rows:
        w = Fraction(w).limit_denominator(1000)
        if label is None or not w:
            continue
        codes = [known(coding, cell) for coding, cell in zip(codings, cells, strict=True)]
        row = counts[tuple(codes)]
        row[labels.index(label)] += w
    return sorted(counts.items())


@pytest.mark.parametrize("cuts", [2, 7, 300])
@pytest.mark.parametrize(("target", "weight"), [("y", None), ("z", "w"), ("y", "tenth")])
def test_patterns_are_those_of_plain_python_in_order(table, opened, target, weight, cuts):
    with opened("t", target, features=FEATURES, weight=weight) as (dataset, classes):
        codings = codings_of(dataset, classes, cuts)
        assert [coding.size for coding in codings][1] == 4
        assert codings[2].merges == (cuts < 300)
        found = read_coded_patterns(dataset, codings, classes)
        expected = by_hand(table, codings, target, weight)
    assert found.codes.tolist() == [list(codes) for codes, _ in expected]
    assert [[c * found.unit for c in row] for row in found.counts.tolist()] == [
        row for _, row in expected
    ]
    assert found.unit == (Fraction(1, 1000) if weight == "tenth" else 1)
    assert found.codes.T.flags.c_contiguous
    assert found.codes.dtype == (np.uint8 if max(c.size for c in codings) <= 256 else np.uint16)


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("weight", [None, "w", "tenth"])
@pytest.mark.parametrize("cuts", [5, 300])
def test_sql_codes_the_same_patterns(table, opened, weight, cuts, missing):
    with opened("t", features=FEATURES, weight=weight) as (dataset, classes):
        codings = codings_of(dataset, classes, cuts, missing)
        found = read_coded_patterns(dataset, codings, classes)
        again = read_patterns(dataset, codings, classes)
    assert found.codes.tolist() == again.codes.tolist()
    assert found.counts.tolist() == again.counts.tolist()
    assert found.unit == again.unit
    assert found.codes.dtype == again.codes.dtype


def test_the_order_of_the_rows_does_not_matter(table, opened):
    answers = set()
    for order in ("x", "hash(n)", "d DESC"):
        for threads in (1, 2):
            table.execute(f"SET threads = {threads}")
            query = f"SELECT * FROM t ORDER BY {order}"
            with opened(query, features=FEATURES, weight="tenth") as (dataset, classes):
                found = read_coded_patterns(dataset, codings_of(dataset, classes, 20), classes)
            answers.add((found.codes.tobytes(), found.counts.tobytes(), found.unit))
    assert len(answers) == 1


def test_too_many_patterns_are_not_fetched(table, opened):
    with opened("t", features=["n"]) as (dataset, classes):
        codings = codings_of(dataset, classes, 300)
        size = len(read_coded_patterns(dataset, codings, classes).counts)
        for most, fits in ((size, True), (size - 1, False), (1, False)):
            found = read_coded_patterns(dataset, codings, classes, max_patterns=most)
            assert (found is not None) == fits
        (entry,) = list(dataset.engine.journal)[-1:]
        assert entry.rows == 4  # one more than one pattern of three classes


def test_rows_come_by_more_numbers_than_one(con, opened):
    columns = ", ".join(f"hash(i + {k}) % 997 AS n{k}" for k in range(9))
    con.execute(f"CREATE TABLE t AS SELECT {columns}, i % 2 AS y FROM range(400) r(i)")
    names = [f"n{k}" for k in range(9)]
    with opened("t", features=names) as (dataset, classes):
        codings = codings_of(dataset, classes, 1000)
        found = read_coded_patterns(dataset, codings, classes)
        again = read_patterns(dataset, codings, classes)
    rows = con.execute("SELECT * EXCLUDE y FROM t ORDER BY ALL").fetchall()
    values = [np.unique(column) for column in zip(*rows, strict=True)]
    assert found.codes.tolist() == [
        [int(np.searchsorted(v, cell)) for v, cell in zip(values, row, strict=True)] for row in rows
    ]
    assert again.codes.tolist() == found.codes.tolist()
    assert again.counts.tolist() == found.counts.tolist()


def test_bad_weights_and_a_changed_table_are_noticed(table, opened):
    with opened("t", features=["n"], weight="w") as (dataset, classes):
        codings = codings_of(dataset, classes, 300)
        table.execute("INSERT INTO t SELECT * FROM t WHERE w > 0 AND y = 'y1' LIMIT 1")
        with pytest.raises(InvalidData, match="changed"):
            read_coded_patterns(dataset, codings, classes)
        table.execute("UPDATE t SET w = -1 WHERE n = 1")
        with pytest.raises(InvalidData, match="negative"):
            read_coded_patterns(dataset, codings, classes)
