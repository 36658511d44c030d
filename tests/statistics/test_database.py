"""Histograms asked of the engine: batches, what stays there, what is left behind."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest

from dbrules.data.coding import interval_coding, level_coding
from dbrules.errors import InvalidData
from dbrules.statistics.database import database_statistics
from dbrules.statistics.memory import MemoryStatistics
from dbrules.statistics.patterns import read_patterns


def codings_of(dataset):
    return [
        interval_coding(column, [2, 5], "left", missing=True)
        if column.type.is_ordered
        else level_coding(column, ["l0", "l2"])
        for column in dataset.roles.features
    ]


@pytest.fixture
def table(con):
    columns = ", ".join(
        f"CASE WHEN i % {7 + f} > 0 THEN (i * {2 * f + 1}) % 9 END AS a{f}" for f in range(21)
    )
    con.execute(
        f"CREATE TABLE t AS SELECT {columns}, 'l' || i % 3 AS s, 'y' || i % 3 AS y, "
        "'z' || i % 40 AS z, i % 5 / 8 AS w FROM range(400) t(i)"
    )
    return con


@pytest.mark.parametrize("target", ["y", "z"])
@pytest.mark.parametrize("weight", [None, "w"])
def test_it_answers_what_memory_answers(table, opened, target, weight):
    features = ["a0", "s", "a1", "a2"]
    groups = [g for k in range(5) for g in itertools.combinations(range(4), k)] + [
        (2, 0),
        (3, 1, 0),
    ]
    with opened("t", target, features=features, weight=weight) as (dataset, classes):
        codings = codings_of(dataset)
        patterns = read_patterns(dataset, codings, classes)
        memory = MemoryStatistics(patterns, [coding.size for coding in codings])
        with database_statistics(dataset, codings, classes) as database:
            assert database.sizes == memory.sizes == (5, 3, 5, 5)
            assert database.totals.tolist() == memory.totals.tolist()
            assert database.patterns.unit == patterns.unit == Fraction(1, 1000 if weight else 1)
            for mine, other in zip(
                database.histograms(groups), memory.histograms(groups), strict=True
            ):
                assert mine.tolist() == other.tolist()
                assert mine.shape == other.shape
                assert mine.dtype == other.dtype == database.totals.dtype == np.int64
            assert database.histograms([]) == memory.histograms([]) == []


def test_two_hundred_groups_are_one_statement(table, opened):
    with opened("t", features=[f"a{f}" for f in range(21)]) as (dataset, classes):
        codings = codings_of(dataset)
        pairs = list(itertools.combinations(range(21), 2))
        assert len(pairs) == 210
        with database_statistics(dataset, codings, classes) as database:
            before = len(dataset.engine.journal)
            answers = database.histograms(pairs)
            asked = list(dataset.engine.journal)[before:]
        assert [entry.parameters for entry in asked] == [{"groups": 200}, {"groups": 10}]
        assert {entry.name for entry in asked} == {"patterns/histogram"}
        memory = MemoryStatistics(read_patterns(dataset, codings, classes), database.sizes)
        expected = memory.histograms(pairs)
    assert all(a.tolist() == b.tolist() for a, b in zip(answers, expected, strict=True))


def test_it_reads_the_rows_once_and_keeps_small_integers(table, opened):
    with opened("t", features=["a0", "s"], weight="w") as (dataset, classes):
        before = len(dataset.engine.journal)
        with database_statistics(dataset, codings_of(dataset), classes) as database:
            database.histograms([(0,), (0, 1)])
            kept = database.patterns.table.name
            types = table.execute(f'SELECT DISTINCT typeof(COLUMNS(*)) FROM "{kept}"').fetchall()
        asked = list(dataset.engine.journal)[before:]
    assert [entry.sql.count('FROM "t"') for entry in asked] == [1, 0, 0]
    assert types == [("UTINYINT", "UTINYINT", "INTEGER", "BIGINT", "BIGINT", "BIGINT")]


def test_without_features_there_are_totals(table, opened):
    with (
        opened("t", features=[]) as (dataset, classes),
        database_statistics(dataset, [], classes) as database,
    ):
        assert database.sizes == ()
        assert [h.tolist() for h in database.histograms([()])] == [classes.rows.tolist()]


def test_nothing_is_left_behind(table, opened, leftovers):
    before = leftovers(table)
    with opened("t", features=["a0", "s"]) as (dataset, classes):
        with database_statistics(dataset, codings_of(dataset), classes):
            assert leftovers(table) != before
        assert leftovers(table) == before
        with (
            pytest.raises(ZeroDivisionError),
            database_statistics(dataset, codings_of(dataset), classes),
        ):
            raise ZeroDivisionError
    assert leftovers(table) == before


@pytest.mark.parametrize("weight", [None, "w"])
def test_a_table_that_changes_is_noticed_and_nothing_is_left(table, opened, leftovers, weight):
    before = leftovers(table)
    with opened("t", features=["a0", "s"], weight=weight) as (dataset, classes):
        table.execute("INSERT INTO t SELECT * FROM t LIMIT 2")
        with (
            pytest.raises(InvalidData, match="the table changed"),
            database_statistics(dataset, codings_of(dataset), classes),
        ):
            pass
        table.execute("UPDATE t SET w = -1 WHERE w = 0.5")
        if weight:
            with (
                pytest.raises(InvalidData, match=r"weight 'w' .* in 80 rows"),
                database_statistics(dataset, codings_of(dataset), classes),
            ):
                pass
    assert leftovers(table) == before
