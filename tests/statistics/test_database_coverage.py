"""What prefixes leave, asked of the engine: how often it is asked, and what is left behind."""

from __future__ import annotations

import itertools
import random

import duckdb
import numpy as np
import pytest

from dbrules.data.coding import Coding, level_coding
from dbrules.errors import EngineError
from dbrules.search.remaining import remaining_after
from dbrules.statistics import database_coverage, kept_cells, kept_holds
from dbrules.statistics.database import database_statistics
from dbrules.statistics.kept_cells import code_is_among
from dbrules.statistics.memory import MemoryStatistics
from dbrules.statistics.patterns import read_patterns

ANTECEDENTS = [((0, 0),), ((0, 1),), ((1, 0),), ((0, 1), (1, 1)), ((0, 1), (1, 0), (2, 0))]


def codings_of(dataset):
    return [level_coding(c, sorted({"a", "b", "c"} - {c.name})) for c in dataset.roles.features]


@pytest.fixture
def table(con):
    con.execute(
        "CREATE TABLE t AS SELECT ['a', 'b', 'c', 'd'][1 + i % 4] AS f, "
        "['a', 'b', NULL][1 + i // 4 % 3] AS g, ['a', 'b'][1 + i // 12 % 2] AS h, "
        "CASE WHEN i * 7 % 11 < 4 THEN 'yes' ELSE 'no' END AS y FROM range(240) t(i)"
    )
    return con


@pytest.fixture
def covered(table, opened):
    """The coverage of ANTECEDENTS by the engine, the same in memory, and the journal."""
    with opened("t", features=["f", "g", "h"]) as (dataset, classes):
        codings = codings_of(dataset)
        members = [coding.members for coding in codings]
        patterns = read_patterns(dataset, codings, classes)
        memory = MemoryStatistics(patterns, [coding.size for coding in codings])
        with database_statistics(dataset, codings, classes) as database:
            yield (
                database.coverage(members, ANTECEDENTS, 1),
                memory.coverage(members, ANTECEDENTS, 1),
                dataset.engine.journal,
            )


def answers(left):
    return [left.totals, left.counts.tolist(), left.inseparable(3, 1)]


def test_every_prefix_leaves_what_it_leaves_in_memory(covered):
    database, memory, _ = covered
    keys = {}
    for k in range(4):
        for prefix in itertools.product(range(len(ANTECEDENTS)), repeat=k):
            mine = remaining_after(database.everything, prefix)
            other = remaining_after(memory.everything, prefix)
            assert answers(mine) == answers(other)
            keys.setdefault(mine.key, set()).add(other.key)
    assert all(len(others) == 1 for others in keys.values())
    assert len(set().union(*keys.values())) == len(keys) > 10


def test_one_statement_answers_all_orders_of_a_prefix(covered):
    database, _, journal = covered
    before = len(journal)
    lefts = [remaining_after(database.everything, p) for p in itertools.permutations((0, 2, 3))]
    lefts.append(lefts[0].without(2))
    assert len(journal) == before, "without asks nothing"
    assert len({left.totals for left in lefts}) == len({left.key for left in lefts}) == 1
    assert all(left.counts is lefts[0].counts for left in lefts)
    asked = [(entry.name, entry.parameters) for entry in list(journal)[before:]]
    assert asked == [("patterns/remaining", {"antecedents": [0, 2, 3]})]
    assert len({left.inseparable(7, 2) for left in lefts}) == 1
    (entry,) = list(journal)[before + 1 :]
    assert entry.name == "patterns/inseparable"
    assert entry.parameters == {"antecedents": [0, 2, 3], "weight": 7, "unit": 2}
    assert entry.rows == 1


def test_only_counts_leave_the_engine(covered):
    database, _, journal = covered
    before = len(journal)
    answers(database.everything)
    assert [entry.rows for entry in list(journal)[before:]] == [len(ANTECEDENTS) + 1, 1]


def test_shared_counts_cannot_be_changed(covered):
    database, _, _ = covered
    with pytest.raises(ValueError, match="read-only"):
        database.everything.counts[0] = 1


def test_answers_used_last_are_kept(covered, monkeypatch):
    database, memory, journal = covered
    monkeypatch.setattr(database_coverage, "_KEPT", 2 * (1000 + 16 * len(ANTECEDENTS)))
    few = database_coverage.DatabaseCoverage(
        database._engine, database._cells, database._holds, len(ANTECEDENTS), 1
    )
    before = len(journal)
    for antecedent in (0, 1, 0, 2, 0, 1):
        left = few.everything.without(antecedent)
        assert left.totals == memory.everything.without(antecedent).totals
        assert left.counts is left.counts
    assert [entry.parameters["antecedents"] for entry in list(journal)[before:]] == [
        [0], [1], [2], [1]
    ]  # fmt: skip


def test_prices_whose_products_are_too_large_for_64_bits(con, opened):
    con.execute(
        "CREATE TABLE t AS SELECT 'a' AS f, p AS y, w FROM "
        "(VALUES ('yes', 1000000000000::BIGINT), ('no', 3000000000001)) t(p, w)"
    )
    with opened("t", features=["f"], weight="w") as (dataset, classes):
        codings = codings_of(dataset)
        with database_statistics(dataset, codings, classes) as database:
            left = database.coverage([codings[0].members], [((0, 0),)], 1).everything
            assert left.totals == (10**12, 3 * 10**12 + 1)
            for weight in (3 * 10**18, 3 * 10**18 + 1, 3 * 10**18 + 10**7):
                least = min(weight * 10**12, 10**18 * (3 * 10**12 + 1))
                assert left.inseparable(weight, 10**18) == least


@pytest.mark.parametrize("branches", [1, 2, 200])
def test_any_number_of_antecedents(table, opened, leftovers, monkeypatch, branches):
    monkeypatch.setattr(kept_holds, "_BRANCHES", branches)
    rng = random.Random(branches)
    before = leftovers(table)
    with opened("t", features=["f", "g", "h"]) as (dataset, classes):
        codings = codings_of(dataset)
        members = [np.array([[rng.random() < 0.5 for _ in range(c.size)] for _ in range(8)])
                   for c in codings]  # fmt: skip
        patterns = read_patterns(dataset, codings, classes)
        memory = MemoryStatistics(patterns, [coding.size for coding in codings])
        with database_statistics(dataset, codings, classes) as database:
            for number in (0, 1, 61, 62, 63, 124, 300):
                antecedents = [
                    tuple((f, rng.randrange(8)) for f in sorted(rng.sample(range(3), k)))
                    for k in rng.choices(range(4), [1, 9, 9, 9], k=number)
                ]
                mine = database.coverage(members, antecedents, 0).everything
                other = memory.coverage(members, antecedents, 0).everything
                for antecedent in rng.sample(range(number), min(number, 4)):
                    assert answers(mine) == answers(other)
                    mine, other = mine.without(antecedent), other.without(antecedent)
                assert answers(mine) == answers(other)
    assert leftovers(table) == before


def test_without_features_nothing_tells_rows_apart(table, opened):
    with (
        opened("t", features=[]) as (dataset, classes),
        database_statistics(dataset, [], classes) as database,
    ):
        negatives, positives = classes.rows.tolist()
        left = database.coverage([], [], 1).everything
        assert left.totals == (positives, negatives)
        assert left.counts.shape == (0, 2)
        assert left.inseparable(1, 1) == min(positives, negatives)


@pytest.mark.parametrize(
    "label",
    [
        "i % 20", "i % 20 / 7", "(i % 20 / 7)::FLOAT", "(i % 20 / 8)::DECIMAL(9, 3)",
        "(i % 20 / 8)::DECIMAL(30, 3)", "DATE '1999-12-31' + (i % 40)::INTEGER",
        "TIMESTAMP '1999-12-31' + to_seconds(i % 40)", "'it''s ' || i % 40",
    ],
)  # fmt: skip
def test_any_of_many_classes_can_be_positive(con, opened, label):
    con.execute(f"CREATE TABLE t AS SELECT {label} AS y, 'a' AS f FROM range(400 + 77) t(i)")
    with opened("t", features=["f"]) as (dataset, classes):
        assert classes.labels is not None
        codings = codings_of(dataset)
        with database_statistics(dataset, codings, classes) as database:
            for place in (0, 7, 19):
                left = database.coverage([codings[0].members], [((0, 0),)], place).everything
                positives = int(classes.rows[place])
                assert left.totals == (positives, 477 - positives)


def test_all_is_dropped_at_the_end_and_when_something_fails(table, opened, leftovers, monkeypatch):
    before = leftovers(table)
    with opened("t", features=["f", "g", "h"]) as (dataset, classes):
        codings = codings_of(dataset)
        members = [coding.members for coding in codings]
        with database_statistics(dataset, codings, classes) as database:
            first = database.coverage(members, ANTECEDENTS, 1)
            second = database.coverage(members, ANTECEDENTS[:2], 0)
            assert len(leftovers(table)) == len(before) + 5
            assert first.everything.totals == second.everything.totals[::-1]
        assert leftovers(table) == before
        with pytest.raises(EngineError, match="patterns/remaining failed"):
            first.everything.without(1).counts  # noqa: B018
        monkeypatch.setattr(kept_holds, "_BRANCHES", 1)
        monkeypatch.setattr(dataset.engine, "execute", failing(dataset.engine.execute))
        with (
            pytest.raises(ZeroDivisionError),
            database_statistics(dataset, codings, classes) as database,
        ):
            database.coverage(members, ANTECEDENTS * 20, 1)
    assert leftovers(table) == before


def failing(execute):
    def fail(name, statement):
        if name == "patterns/holds":
            raise ZeroDivisionError
        execute(name, statement)

    return fail


def test_a_read_only_database_is_enough(tmp_path, opened, con):
    path = str(tmp_path / "data.duckdb")
    with duckdb.connect(path) as writer:
        writer.execute("CREATE TABLE t AS SELECT 'a' AS f, i % 3 = 0 AS y FROM range(9) t(i)")
    con.execute(f"ATTACH '{path}' AS d (READ_ONLY)")
    con.execute("USE d")
    with opened("t", features=["f"]) as (dataset, classes):
        codings = codings_of(dataset)
        with database_statistics(dataset, codings, classes) as database:
            coverage = database.coverage([codings[0].members], [((0, 0),)], 1)
            assert coverage.everything.totals == (3, 6)


# -- expressions ----------------------------------------------------------------------------


def test_a_literal_is_any_set_of_codes(con):
    for held in itertools.product([False, True], repeat=7):
        test = code_is_among(4, held).sql("duckdb")
        rows = con.execute(f"SELECT code_4 FROM range(7) t(code_4) WHERE {test} ORDER BY 1")
        assert [code for (code,) in rows.fetchall()] == [c for c in range(7) if held[c]]


def test_salts_are_products_of_the_factors_of_bits(con):
    draw = random.Random(0)
    columns = [salt.sql("duckdb") for salt in kept_cells._salts()]
    assert len(columns) == 3
    cells = [1, 2, 3, 1000, 2**20 + 5, 2**31, 2**32 - 1]
    values = ", ".join(f"({cell}::BIGINT)" for cell in cells)
    found = con.execute(f"SELECT {', '.join(columns)} FROM (VALUES {values}) t(cell)").fetchall()
    for salts in zip(*found, strict=True):
        factors = [draw.randrange(2**31 - 1) for _ in range(32)]
        for cell, salt in zip(cells, salts, strict=True):
            product = 1
            for bit, factor in enumerate(factors):
                product = product * (factor if cell >> bit & 1 else 1) % (2**31 - 1)
            assert salt == product


def test_each_salt_tells_all_sets_of_fourteen_cells_apart(con):
    columns = ", ".join(salt.sql("duckdb") for salt in kept_cells._salts())
    found = con.execute(f"SELECT {columns} FROM range(1, 15) t(cell)").fetchall()
    for salts in np.array(found, dtype=np.int64).T:
        sums = np.zeros(1, dtype=np.int64)
        for salt in salts:
            sums = np.concatenate([sums, sums + salt])
        assert len(np.unique(sums)) == 2**14


def test_codings_have_hostile_names_only_in_the_first_statement(con, opened):
    name = '"); DROP TABLE t; --'
    quoted = '"' + name.replace('"', '""') + '"'
    con.execute(f"CREATE TABLE t AS SELECT ['a', 'b'][1 + i % 2] AS {quoted}, "
                "i % 3 = 0 AS y FROM range(60) t(i)")  # fmt: skip
    with opened("t", features=[name]) as (dataset, classes):
        coding: Coding = level_coding(dataset.roles.features[0], ["a"])
        with database_statistics(dataset, [coding], classes) as database:
            before = len(dataset.engine.journal)
            left = database.coverage([coding.members], [((0, 0),)], 1).everything.without(0)
            assert left.totals == (10, 20)
            assert all("DROP" not in e.sql for e in list(dataset.engine.journal)[before:])
