"""Where rows of sequential covering come from: memory, the engine, a sample that fits."""

from __future__ import annotations

from contextlib import contextmanager

import numpy as np
import pytest

import dbrules
from dbrules.data.roles import assign_roles
from dbrules.data.source import source
from dbrules.engine.connect import connect
from dbrules.errors import InvalidData
from dbrules.learners.scales import scaled_rows
from dbrules.statistics.classes import class_counts
from dbrules.statistics.dataset import open_dataset
from dbrules.statistics.engine_rows import EngineRows
from dbrules.statistics.memory_rows import MemoryRows


@pytest.fixture
def table(con):
    con.execute("""
        CREATE TABLE t AS
        SELECT (hash(i) % 30)::INTEGER AS n, hash(i + 1) / 1e19 AS x, 's' || hash(i + 2) % 6 AS s,
          NULL::INTEGER AS nothing, CASE WHEN i % 5 = 0 THEN 'p' ELSE 'q' END AS y
        FROM range(3000) r(i)
    """)
    return con


@contextmanager
def opened(con, features, where="auto", most=10**6, cuts=40, seed=0, data="t"):
    origin = source(data)
    with connect(origin, con) as engine:
        roles = assign_roles(engine.columns(origin), "y", features=features)
        with open_dataset(engine, origin, roles) as dataset:
            labelled, classes = class_counts(dataset, None, None)
            with scaled_rows(
                labelled, classes, lambda _: None, missing_level=True, max_cuts=cuts, where=where,
                max_patterns=most, seed=seed,
            ) as scaled:  # fmt: skip
                yield scaled, list(engine.journal)


@pytest.mark.parametrize(("where", "kind"), [
    ("auto", MemoryRows), ("memory", MemoryRows), ("database", EngineRows),
])  # fmt: skip
def test_rows_come_from_where_they_are_asked_for(table, where, kind):
    with opened(table, ["n", "s"], where) as (scaled, _):
        assert type(scaled.rows) is kind
        assert scaled.step is None
        assert scaled.unit == 1
        assert scaled.rows.totals.tolist() == [600, 2400]
        assert [coding.column.name for coding in scaled.codings] == ["n", "s"]


def test_memory_takes_all_whatever_the_limit(table):
    with opened(table, ["n", "s"], "memory", most=5) as (scaled, _):
        assert scaled.step is None
        assert scaled.rows.totals.sum() == 3000


@pytest.mark.parametrize("features", [["n", "x", "s"], ["n", "s"]])
def test_a_sample_fits_and_keeps_the_shares(table, features):
    most = 100
    with opened(table, features, most=most) as (scaled, _):
        assert type(scaled.rows) is MemoryRows
        assert scaled.step == -(-3000 // (most - 2))
        totals = scaled.rows.totals
        assert (np.abs(totals - [600, 2400]) < scaled.step).all()
        assert (totals % scaled.step == 0).all()
        found = scaled.rows.against(0).histogram
        n = scaled.codings[0]
        assert found.shape == (2, sum(coding.size for coding in scaled.codings))
        assert found[:, : n.size].sum() == totals.sum()


def test_a_sample_has_the_codes_of_the_rows(table):
    # one code a row and class: what is sampled is there, with its own codes
    table.execute(
        "CREATE TABLE u AS SELECT i % 500 AS n, i % 500 // 2 AS m, "
        "CASE WHEN i % 500 < 100 THEN 'p' ELSE 'q' END AS y FROM range(1000) r(i)"
    )
    with opened(table, ["n", "m"], most=300, cuts=600, data="u") as (scaled, _):
        assert scaled.step == 4
        patterns = scaled.rows._codes.by_feature.T.tolist()
        assert len(patterns) <= 300
        assert all(m == n // 2 for n, m in patterns)
        counts = scaled.rows._counts.tolist()
        assert all((row[0] > 0) == (n < 100) for (n, _), row in zip(patterns, counts, strict=True))


def test_a_sample_is_the_same_for_every_order_and_thread_count_and_one_a_seed(table):
    answers = {}
    for seed, order, threads in [(0, "n", 1), (0, "md5(x::VARCHAR)", 2), (1, "n", 2)]:
        table.execute(f"SET threads = {threads}")
        data = f"SELECT * FROM t ORDER BY {order}"
        with opened(table, ["n", "x", "s"], most=200, seed=seed, data=data) as (scaled, _):
            answers[seed, order] = scaled.rows.against(0).histogram.tobytes()
    first, again, other = answers.values()
    assert first == again
    assert first != other


def test_values_beyond_the_limit_fit_as_few_codes(table):
    # 3000 values of x are too many to fetch, ten codes are not
    with opened(table, ["x"], most=50, cuts=10) as (scaled, asked):
        assert scaled.step is None
        assert scaled.rows.totals.tolist() == [600, 2400]
        assert [entry.rows for entry in asked[-2:]] == [101, 20]
    with opened(table, ["x"], "memory", cuts=10) as (whole, _):
        expected = whole.rows.against(0).histogram.tolist()
    with opened(table, ["x"], most=50, cuts=10) as (scaled, _):
        assert scaled.rows.against(0).histogram.tolist() == expected


@pytest.mark.parametrize("where", ["auto", "memory", "database"])
def test_without_a_feature_there_is_an_error(table, where):
    with pytest.raises(InvalidData, match="all values missing"), opened(table, ["nothing"], where):
        pass


def test_nothing_is_left_behind(table, leftovers):
    before = leftovers(table)
    for where, most in (("auto", 100), ("database", 100), ("memory", 100)):
        with opened(table, ["n", "s", "x"], where, most):
            pass
        assert leftovers(table) == before


@pytest.mark.parametrize("trim", [False, True])
def test_many_levels_are_the_same_as_values_and_as_codes(con, trim):
    con.execute("""
        CREATE TABLE t AS
        SELECT nullif(repeat(' ', (i % 3)::INTEGER) || 'l' || hash(i) % 90, 'l7') AS s,
          (hash(i + 1) % 5)::INTEGER AS n, hash(i + 2) % 2 AS y
        FROM range(4000) r(i)
    """)
    learner = {"passes": 0, "max_rules": 3, "ranking_rules": 0, "trim": trim, "missing": "level"}
    models = [
        dbrules.Ripper(**learner, statistics=where).fit("t", target="y", connection=con)
        for where in ("memory", "database")
    ]
    with opened(con, ["s"]) as (scaled, _):
        assert len(scaled.codings[0].cells) > 90
    assert models[0].rules == models[1].rules
    assert models[0].verify("t", connection=con)


def test_only_the_most_frequent_of_very_many_levels_are_conditions(table, monkeypatch):
    monkeypatch.setattr("dbrules.learners.codings._LEVELS", 2)
    with opened(table, ["s", "n"]) as (scaled, _):
        (note,) = scaled.found.notes
        assert note == "s: 6 levels, conditions on the 2 most frequent"
        counted = "SELECT s FROM t GROUP BY s ORDER BY count(*) DESC, s LIMIT 2"
        kept = sorted(level for (level,) in table.execute(counted).fetchall())
        assert [cell.value for cell in scaled.codings[0].cells] == kept
