"""Patterns against plain grouping: order, units, limits, what is refused."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from dbrules.data.binning import Bins
from dbrules.data.coding import interval_coding, level_coding
from dbrules.errors import InvalidData
from dbrules.statistics.counts import value_counts
from dbrules.statistics.patterns import count_patterns, read_patterns


def codings_of(dataset):
    """Code the columns a (cuts) and s (levels, missing)."""
    a, s = dataset.roles.features
    return [interval_coding(a, [2, 5], "left"), level_coding(s, ["l0", "l1"], missing=True)]


@pytest.fixture
def table(con):
    con.execute(
        "CREATE TABLE t AS SELECT i % 7 AS a, CASE WHEN i % 5 > 0 THEN 'l' || i % 3 END AS s, "
        "CASE WHEN i % 11 > 3 THEN 'p' WHEN i % 11 > 1 THEN 'q' END AS y, i % 4 AS w, "
        "i % 4 / 4 AS quarter, (i % 3)::DECIMAL(3, 1) / 10 AS tenth FROM range(500) t(i)"
    )
    return con


def read(opened, data="t", **options):
    roles = {"features": ["a", "s"]} | options
    most = roles.pop("max_patterns", None)
    with opened(data, **roles) as (dataset, classes):
        return read_patterns(dataset, codings_of(dataset), classes, max_patterns=most)


def grouped(con, weight, factor):
    return con.execute(f"""
        SELECT CASE WHEN a < 2 THEN 0 WHEN a < 5 THEN 1 ELSE 2 END AS code_0,
          CASE s WHEN 'l0' THEN 0 WHEN 'l1' THEN 1 WHEN 'l2' THEN 3 ELSE 2 END AS code_1,
          coalesce(sum({weight} * {factor}) FILTER (y = 'p'), 0)::BIGINT,
          coalesce(sum({weight} * {factor}) FILTER (y = 'q'), 0)::BIGINT
        FROM t WHERE y IS NOT NULL AND {weight} > 0 GROUP BY ALL ORDER BY ALL
    """).fetchall()


@pytest.mark.parametrize(
    ("weight", "factor"), [(None, 1), ("w", 1), ("quarter", 100), ("tenth", 10)]
)
def test_patterns_are_those_of_plain_grouping(table, opened, weight, factor):
    patterns = read(opened, weight=weight)
    found = np.column_stack([patterns.codes, patterns.counts]).tolist()
    assert found == [list(row) for row in grouped(table, weight or 1, factor)]
    assert patterns.unit == Fraction(1, factor)
    assert patterns.codes.dtype == np.uint8
    assert patterns.counts.dtype == np.int64
    assert patterns.totals.tolist() == patterns.counts.sum(axis=0).tolist()


def test_they_are_the_same_for_every_order_and_thread_count(table, opened):
    first = read(opened, weight="tenth")
    for threads in (1, 2):
        table.execute(f"SET threads = {threads}")
        for order in ("a DESC, s, w", "md5(w || a || s)"):
            again = read(opened, f"SELECT * FROM t ORDER BY {order}", weight="tenth")
            assert again.codes.tobytes() == first.codes.tobytes()
            assert again.counts.tobytes() == first.counts.tobytes()
            assert again.unit == first.unit


def test_weight_two_is_the_row_twice(table, opened):
    weighted = read(opened, weight="w")
    twice = read(opened, "SELECT a, s, y FROM t, range(3) r(k) WHERE k < w")
    assert weighted.codes.tolist() == twice.codes.tolist()
    assert weighted.counts.tolist() == twice.counts.tolist()


def test_too_many_are_not_fetched(table, opened):
    everything = read(opened)
    cells = len(everything.codes)
    with opened("t", features=["a", "s"]) as (dataset, classes):
        codings = codings_of(dataset)
        assert count_patterns(dataset, codings) == cells
        for most in (1, 2, cells - 1):
            assert read_patterns(dataset, codings, classes, max_patterns=most) is None
            assert dataset.engine.journal[-1].rows <= 2 * most + 1
        for most in (cells, 10 * cells):
            kept = read_patterns(dataset, codings, classes, max_patterns=most)
            assert kept.counts.tolist() == everything.counts.tolist()


def test_patterns_of_one_class_each_may_be_too_many(con, opened):
    con.execute("CREATE TABLE t AS SELECT i % 9 AS a, (i % 9) % 2 AS y FROM range(90) t(i)")
    with opened("t", features=["a"]) as (dataset, classes):
        codings = [level_coding(dataset.roles.features[0], range(9))]
        for most in (4, 5, 8):
            assert read_patterns(dataset, codings, classes, max_patterns=most) is None
        assert len(read_patterns(dataset, codings, classes, max_patterns=9).codes) == 9


def test_codes_of_more_than_one_number_are_in_order(con, opened):
    columns = ", ".join(f"(hash(i % 300) >> {f}) % 2 AS b{f:02}" for f in range(64))
    con.execute(f"CREATE TABLE t AS SELECT {columns}, i % 2 AS y FROM range(900) t(i)")
    with opened("t") as (dataset, classes):
        codings = [level_coding(column, [0, 1]) for column in dataset.roles.features]
        patterns = read_patterns(dataset, codings, classes)
        assert "code_1" in dataset.engine.journal[-1].sql
    expected = con.execute(
        "SELECT * EXCLUDE y, sum(1 - y)::INT, sum(y)::INT FROM t GROUP BY ALL ORDER BY ALL"
    ).fetchall()
    found = np.column_stack([patterns.codes, patterns.counts]).tolist()
    assert found == [list(row) for row in expected]


def test_without_features_there_is_one_pattern(table, opened):
    with opened("t", features=[]) as (dataset, classes):
        patterns = read_patterns(dataset, [], classes)
        assert count_patterns(dataset, []) == 1
    assert patterns.codes.shape == (1, 0)
    assert patterns.counts.tolist() == [classes.rows.tolist()]


def test_many_classes_and_a_numeric_target(con, opened):
    con.execute(
        "CREATE TABLE t AS SELECT i % 3 AS a, 'y' || i % 40 AS y, i AS n FROM range(240) t(i)"
    )
    with opened("t", features=["a"]) as (dataset, classes):
        assert classes.labels is not None
        coding = level_coding(dataset.roles.features[0], [0, 1, 2])
        many = read_patterns(dataset, [coding], classes)
    expected = [[sum(i % 3 == a and f"y{i % 40}" == y for i in range(240)) for y in
                 sorted(f"y{k}" for k in range(40))] for a in range(3)]  # fmt: skip
    assert many.counts.tolist() == expected
    with opened("t", "n", features=["a"], bins=Bins("width", k=2)) as (dataset, classes):
        halves = read_patterns(dataset, [coding], classes)
    assert halves.counts.tolist() == [[40, 40]] * 3


@pytest.mark.parametrize(
    ("target", "weight", "features"),
    [("code_0", "weight", ["label", "units"]), ("label", "code_1", ["units", "rows"]),
     ("units", "label", ["code_1", "rows"])],
)  # fmt: skip
def test_names_that_the_statements_use_themselves(con, opened, target, weight, features):
    con.execute(
        "CREATE TABLE t AS SELECT i % 2 AS label, i % 3 AS weight, i % 4 AS units, i % 5 AS code_0,"
        " 1 + i % 2 AS code_1, i % 3 AS rows FROM range(60) t(i)"
    )
    with opened("t", target, features=features, weight=weight) as (dataset, classes):
        codings = [level_coding(column, [0, 1]) for column in dataset.roles.features]
        patterns = read_patterns(dataset, codings, classes)
    first, second = (f"least({name}, 2)" for name in features)
    expected = con.execute(
        f"SELECT {first} AS a, {second} AS b, sum({weight})::BIGINT FROM t WHERE {weight} > 0 "
        "GROUP BY a, b ORDER BY a, b"
    ).fetchall()
    found = np.column_stack([patterns.codes, patterns.counts.sum(axis=1)]).tolist()
    assert found == [list(row) for row in expected]
    assert patterns.totals.tolist() == classes.weights.tolist()


def test_weights_too_large_or_too_fine_for_their_units(con, opened):
    con.execute(
        "CREATE TABLE t AS SELECT 1 AS a, 's' AS s, i % 3 AS y, 1 / 3 AS w, 1e9 / 7 AS large, "
        "1e15 AS huge FROM range(60) t(i)"
    )
    exact = read(opened, weight="w")  # 20 * 0.333333333333
    assert (exact.counts.tolist(), exact.unit) == ([[666666666666] * 3], Fraction(1, 10**11))
    # 60 * 142857142.857142857 is above 2**52 in units of 1e-6, and below in those of 1e-5
    rounded = read(opened, weight="large")
    assert (rounded.counts.tolist(), rounded.unit) == ([[285714285714286] * 3], Fraction(1, 10**5))
    with pytest.raises(InvalidData, match=r"6e\+16, more than 2.*divide"):
        read(opened, weight="huge")


def test_bad_weights_are_refused(table, opened):
    with opened("t", features=["a", "s"], weight="w") as (dataset, classes):
        table.execute("INSERT INTO t VALUES (1, 'l0', 'p', -1, 1, 1), (1, 'l0', 'p', NULL, 1, 1)")
        with pytest.raises(InvalidData, match=r"weight 'w'.*in 2 rows"):
            read_patterns(dataset, codings_of(dataset), classes)


@pytest.mark.parametrize("weight", [None, "quarter"])
def test_a_table_that_changes_is_noticed(table, opened, weight):
    with opened("t", features=["a", "s"], weight=weight) as (dataset, classes):
        table.execute("INSERT INTO t VALUES (1, 'l0', 'p', 1, 1, 1)")
        with pytest.raises(InvalidData, match=r"changed while its patterns.*SELECT"):
            read_patterns(dataset, codings_of(dataset), classes)


def test_one_statement_reads_the_rows_once(table, opened):
    with opened("t", features=["a", "s"], weight="w") as (dataset, classes):
        before = len(dataset.engine.journal)
        read_patterns(dataset, codings_of(dataset), classes)
        assert len(dataset.engine.journal) == before + 1
        assert dataset.engine.journal[-1].name == "patterns/patterns"
        assert dataset.engine.journal[-1].sql.count('FROM "t"') == 1


def test_the_bank_rows_are_the_patterns_of_select_distinct(con, opened, shared_data):
    path = str(shared_data / "bank_full_frl12.parquet")
    with opened(path) as (dataset, classes):
        codings = []
        for column in dataset.roles.features:
            counts = value_counts(dataset, column, classes)
            codings.append(level_coding(column, counts.values.tolist(), missing=True))
        patterns = read_patterns(dataset, codings, classes)
        counted = count_patterns(dataset, codings)
    without_y = con.read_parquet(path).project("* EXCLUDE y").distinct()
    assert counted == len(patterns.codes) == len(without_y.fetchall())
    assert np.count_nonzero(patterns.counts) == len(con.read_parquet(path).distinct().fetchall())
    assert patterns.totals.tolist() == [39_922, 5_289]
