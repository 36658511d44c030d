from __future__ import annotations

import itertools
import json
import math
import random
import sqlite3
from fractions import Fraction

import duckdb
import pytest

import dbrules
from dbrules.compile.dialects import DIALECTS
from dbrules.errors import (
    ColumnTypeError,
    DbrulesError,
    DbrulesWarning,
    EngineError,
    InvalidData,
    InvalidSetting,
    UnknownColumn,
)

HOUSES = """
SELECT * FROM (VALUES ('small', TRUE, 3, 'low'), ('small', TRUE, 4, 'low'),
  ('big', TRUE, 30, 'high'), ('big', FALSE, 31, 'high'), ('big', NULL, NULL, 'low'),
  ('small', FALSE, 5, 'low'), ('big', FALSE, 40, 'high'), (NULL, TRUE, 6, NULL))
AS houses(size, garden, age, price)
"""


@pytest.fixture
def houses(con):
    con.execute(f"CREATE TABLE houses AS {HOUSES}")
    return con


def random_rows(seed, count=200):
    """Rows of text, boolean, integer, double with NaN, a class and a weight, all with NULLs."""
    rng = random.Random(seed)
    rows = []
    for _ in range(count):
        hidden = rng.random()
        rows.append((
            rng.choice(["a", "b", "A", "", None]) if hidden < 0.7 else "a",
            rng.choice([True, False, None]),
            None if rng.random() < 0.2 else int(hidden * 10) + rng.randrange(3),
            rng.choice([None, math.nan, hidden, hidden * 1e300, -hidden]),
            rng.choice(["yes", "no", None]) if hidden < 0.5 else "yes",
            rng.choice([0, 0.5, 1, 2.25, 3]),
        ))  # fmt: skip
    return rows


def store(con, rows):
    con.execute(
        "CREATE OR REPLACE TABLE t(city VARCHAR, flag BOOLEAN, size INTEGER, x DOUBLE, "
        "y VARCHAR, w DECIMAL(9, 2))"
    )
    con.executemany("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)", rows)


def judged(mined, rows, classes, weight, longest):
    """Count every conjunction of literals by covers(); return those with enough, as text."""
    names = ("city", "flag", "size", "x")
    table = [dict(zip(names, row[:4], strict=True)) for row in rows]
    counted = [(cells, row[4], Fraction(str(row[5])) if weight else Fraction(1))
               for cells, row in zip(table, rows, strict=True)
               if classes is None or row[4] is not None]  # fmt: skip
    total = sum(w for _, _, w in counted)
    features = [[[c] for c in coding.literals] for coding in mined.codings]
    right = {}
    for length in range(1, longest + 1):
        for group in itertools.combinations(features, length):
            for parts in itertools.product(*group):
                conditions = tuple(itertools.chain(*parts))
                sums = dict.fromkeys(classes or [None], Fraction(0))
                for cells, label, w in counted:
                    if all(condition.covers(cells) for condition in conditions):
                        sums[label if classes else None] += w
                if sum(sums.values()) >= total / 10:
                    right[conditions] = tuple(sums.values())
    return right


@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("target", [None, "y"])
@pytest.mark.parametrize("seed", range(4))
def test_every_conjunction_is_counted_as_its_conditions_say(con, seed, target, weight):
    rows = random_rows(seed)
    store(con, rows)
    exclude = [] if target else ["y"]
    exclude += [] if weight else ["w"]
    mined = dbrules.mine(
        "t", target, connection=con, exclude=exclude, weight=weight,
        bins={"size": [3, 7], "x": [0, 0.5]}, max_conditions=3,
    )  # fmt: skip
    right = judged(mined, rows, ["no", "yes"] if target else None, weight, 3)
    counts = [values for name, values in mined.measures.items() if name.startswith("n")]
    found = dict(zip(mined, zip(*(c.tolist() for c in counts), strict=True), strict=True))
    assert found == right
    assert len({len(conditions) for conditions in found}) == 3


@pytest.mark.parametrize("settings", [{}, {"min_support_positive": 0.2, "max_conditions": None}])
@pytest.mark.parametrize("weight", [None, "w"])
def test_any_order_threads_and_statistics_give_the_same(con, weight, settings):
    rows = random_rows(7, 400)
    store(con, rows)
    answers = []
    for statistics, threads in itertools.product(("memory", "database", "auto"), (1, 2)):
        con.execute(f"SET threads = {threads}")
        random.Random(threads).shuffle(rows)
        store(con, rows)
        mined = dbrules.mine("t", "y", connection=con, weight=weight,
                             statistics=statistics, **settings)  # fmt: skip
        answers.append(json.dumps(mined.to_json()))
    assert len(set(answers)) == 1
    assert len(mined) > 50


def test_patterns_are_fetched_while_they_are_few(con):
    store(con, random_rows(2))
    few = dbrules.mine("t", "y", connection=con)
    many = dbrules.mine("t", "y", connection=con, max_patterns=20)
    assert many.to_json() == few.to_json()
    asked = [{entry.name for entry in mined.journal} for mined in (few, many)]
    assert ["patterns/histogram" in names for names in asked] == [False, True]
    with pytest.raises(InvalidSetting, match="max_patterns 0 is not a whole number"):
        dbrules.mine("t", "y", connection=con, max_patterns=0)


def test_columns_that_cannot_help_are_named(con):
    query = (
        "SELECT i::VARCHAR AS id, 'k' || i % 20 AS rare, [i] AS list, i AS n FROM range(60) r(i)"
    )
    mined = dbrules.mine(query, connection=con, max_conditions=1)
    assert mined.notes == (
        "list: type BIGINT[] not supported, not used",
        "id: 60 levels in 60 rows, not used",
        "rare: no condition has min_support 0.1, not used",
    )
    assert {coding.column.name for coding in mined.codings} == {"n"}


def test_a_weight_of_two_is_the_row_twice(con):
    rows = [(*row[:5], row[5] and 2) for row in random_rows(3)]
    store(con, rows)
    weighed = dbrules.mine("t", "y", connection=con, weight="w")
    store(con, [row for row in rows for _ in range(row[5])])
    repeated = dbrules.mine("t", "y", connection=con, exclude="w")
    assert weighed.to_frame().equals(repeated.to_frame())


def test_the_frame_has_counts_and_shares(houses):
    mined = dbrules.mine("houses", "price", connection=houses, positive="low", min_support=0.25,
                         features=["size", "garden"])  # fmt: skip
    frame = mined.to_frame().set_index("antecedent")
    assert list(frame.columns) == ["n_high", "n_low", "support", "confidence", "lift"]
    assert frame.loc["size = 'big'"].tolist() == [3, 1, 4 / 7, 1 / 4, 1 / 4 / (4 / 7)]
    assert frame.loc["size = 'big' AND garden = FALSE"].tolist()[:2] == [2, 0]
    assert list(frame.index) == [
        "size = 'big'", "size = 'small'", "garden = FALSE", "garden = TRUE",
        "size = 'big' AND garden = FALSE", "size = 'small' AND garden = TRUE",
    ]  # fmt: skip
    assert (mined.rows, mined.excluded_rows, len(mined), mined.cut) == (7, 1, 6, None)


def test_the_text_is_the_frame(houses):
    mined = dbrules.mine("houses", "price", connection=houses, min_support=0.5, missing="drop",
                         features=["size", "garden"])  # fmt: skip
    assert str(mined) == (
        "-- 1 antecedent in 7 rows, 1 left out (no target): min_support 0.5\n"
        "-- garden: no condition has min_support 0.5, not used\n"
        "n_high  n_low  support  confidence    lift  antecedent\n"
        "     3      1   0.5714      0.2500  0.4375  size = 'big'"
    )
    all_of_them = dbrules.mine("houses", connection=houses, min_support=0.1)
    assert str(all_of_them).endswith(
        f"-- and {len(all_of_them) - 20} more: to_frame() has them all"
    )
    assert all_of_them.to_text().count("\n") == len(all_of_them) + 1


def test_without_a_target_all_rows_count_alike(houses):
    mined = dbrules.mine("houses", connection=houses, min_support=0.5)
    frame = mined.to_frame()
    assert list(frame.columns) == ["antecedent", "n", "support"]
    assert frame.set_index("antecedent").loc["garden = TRUE"].tolist() == [4, 0.5]
    assert mined.rows == 8
    query = dbrules.mine(HOUSES, connection=houses, min_support=0.5)
    assert query.to_frame().equals(frame)


def test_three_classes_have_no_positive_one_by_themselves(con):
    query = "SELECT 'c' || i % 3 AS y, i % 2 = 0 AS even FROM range(30) AS r(i)"
    mined = dbrules.mine(query, "y", connection=con)
    assert list(mined.measures) == ["n_c0", "n_c1", "n_c2", "support"]
    with pytest.raises(InvalidSetting, match="need a positive class, and 'y' has 3: give positive"):
        dbrules.mine(query, "y", connection=con, min_support_positive=0.1)
    named = dbrules.mine(query, "y", connection=con, positive="c1", min_support_positive=0.5)
    assert list(named.measures)[-2:] == ["confidence", "lift"]


def test_supports_by_class_stand_alone_unless_an_overall_one_is_given(con):
    query = "SELECT i < 10 AS y, i = 0 AS first, i < 40 AS most FROM range(100) AS r(i)"
    only = dbrules.mine(query, "y", connection=con, min_support_positive=0.1, max_conditions=1)
    assert only.to_frame()["antecedent"].tolist() == [
        "first = FALSE",
        "first = TRUE",
        "most = TRUE",
    ]
    both = dbrules.mine(query, "y", connection=con, min_support=0.05, min_support_positive=0.1,
                        max_conditions=1)  # fmt: skip
    assert both.to_frame()["antecedent"].tolist() == ["first = FALSE", "most = TRUE"]


def test_a_minimum_is_inclusive_and_meant_as_it_is_written(con):
    query = "SELECT i < {n} AS b, 1 AS one FROM range(1000) AS r(i)"
    for n, there in ((299, False), (300, True), (301, True)):
        mined = dbrules.mine(query.format(n=n), connection=con, features=["b"], min_support=0.3)
        assert ("b = TRUE" in mined.texts) == there


def test_missing_values_are_a_level_or_nothing(houses):
    level = dbrules.mine("houses", connection=houses, features=["age", "size"])
    drop = dbrules.mine("houses", connection=houses, features=["age", "size"], missing="drop")
    assert "age IS NULL" in level.texts
    assert not any("NULL" in text for text in drop.texts)


def test_bins_are_disjoint(houses):
    mined = dbrules.mine("houses", connection=houses, features=["age"], bins=[5, 31])
    assert mined.texts == ["age < 5", "5 <= age < 31", "age >= 31", "age IS NULL"]


def test_an_explosion_ends_cleanly(con):
    """Case C21."""
    columns = ", ".join(f"TRUE AS b{i}" for i in range(1, 31))
    con.execute(f"CREATE TABLE c21 AS SELECT {columns} FROM range(50)")
    three = dbrules.mine("c21", connection=con, min_support=0.5, max_conditions=3)
    assert (len(three), three.cut) == (4525, None)
    assert (three.measures["n"] == 50).all()
    reached = "31930 antecedents of up to 4 conditions .* max_antecedents 100000"
    with pytest.warns(DbrulesWarning, match=reached):
        cut = dbrules.mine("c21", connection=con, min_support=0.5, max_conditions=None,
                           max_antecedents=100_000)  # fmt: skip
    assert len(cut) == 31_930
    assert cut.cut.startswith("length 5 and up: 142506 candidates")
    assert f"-- cut: {cut.cut}" in str(cut).splitlines()


@pytest.mark.parametrize("statistics", ["memory", "database"])
def test_the_antecedents_of_the_bank_are_the_published_262(shared_data, statistics):
    mined = dbrules.mine(
        str(shared_data / "bank_full_frl12.parquet"), "y", positive="yes",
        min_support_positive=0.1, min_support_negative=0.1, max_conditions=2,
        statistics=statistics,
    )  # fmt: skip
    assert (len(mined), mined.cut, mined.rows) == (262, None, 45_211)
    row = mined.to_frame().set_index("antecedent").loc["poutcome = 'success'"]
    assert row[["n_no", "n_yes"]].tolist() == [533, 978]


# -- SQL ------------------------------------------------------------------------------------


def odd_names(con):
    query = 'SELECT \'it\'\'s\' AS "a ""b", i % 2 = 0 AS "select", i AS y FROM range(4) AS r(i)'
    return dbrules.mine(query, "y", connection=con, min_support=0.5)


def rows_of(mined):
    return [tuple(row) for row in mined.to_frame().itertuples(index=False)]


@pytest.mark.parametrize("weight", [None, "w"])
def test_the_sql_gives_the_frame(con, weight):
    store(con, random_rows(1))
    mined = dbrules.mine("t", "y", connection=con, weight=weight)
    assert con.execute(mined.to_sql()).fetchall() == rows_of(mined)
    con.execute(mined.to_sql(form="table", name="found"))
    assert con.execute("FROM found").fetchall() == rows_of(mined)
    with sqlite3.connect(":memory:") as lite:
        assert lite.execute(mined.to_sql(dialect="sqlite")).fetchall() == rows_of(mined)
        lite.execute(mined.to_sql(dialect="sqlite", form="table", name="found"))
        assert lite.execute("SELECT * FROM found").fetchall() == rows_of(mined)
    lite.close()


def test_names_and_texts_of_all_kinds_reach_sql_whole(con):
    mined = odd_names(con)
    assert "\"a \"\"b\" = 'it''s'" in mined.texts
    assert con.execute(mined.to_sql()).fetchall() == rows_of(mined)


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
def test_every_dialect_writes_it(con, dialect):
    mined = odd_names(con)
    assert mined.to_sql(dialect=dialect).count("select") >= 1
    table = mined.to_sql(dialect=dialect, form="table", name="found")
    assert ("CREATE TABLE" in table) != (dialect in ("fabric", "tsql") and "INTO" in table)


def test_a_table_is_created_and_nothing_else(houses, leftovers):
    mined = dbrules.mine("houses", connection=houses)
    mined.create_table(houses, "found")
    assert houses.execute("FROM found").fetchall() == rows_of(mined)
    with pytest.raises(EngineError, match="'found' already exists: drop it"):
        mined.create_table(houses, "found")
    fewer = dbrules.mine("houses", connection=houses, min_support=0.5)
    fewer.create_table(houses, "found", replace=True)
    assert houses.execute("FROM found").fetchall() == rows_of(fewer)
    assert leftovers(houses) == [("found",), ("houses",)]


def test_a_table_in_a_file(houses, tmp_path):
    path = tmp_path / "found.duckdb"
    duckdb.connect(str(path)).close()
    mined = dbrules.mine("houses", connection=houses)
    mined.create_table(path, 'main."my table"')
    with duckdb.connect(str(path), read_only=True) as found:
        assert found.execute('FROM "my table"').fetchall() == rows_of(mined)
        with pytest.raises(EngineError, match="read-only"):
            mined.create_table(found, "other")


def test_classes_that_differ_in_case_have_columns_of_their_own(con):
    query = "SELECT CASE WHEN i < 4 THEN 'a' ELSE 'A' END AS y, i % 2 = 0 AS b FROM range(8) r(i)"
    mined = dbrules.mine(query, "y", connection=con)
    assert list(mined.measures)[:2] == ["n_A", "n_a_2"]
    mined.create_table(con, "found")
    assert con.execute("FROM found").fetchall() == rows_of(mined)


def test_json_is_plain_and_whole(houses):
    mined = dbrules.mine("houses", "price", connection=houses)
    document = json.loads(json.dumps(mined.to_json(), allow_nan=False))
    assert document == mined.to_json()
    assert (document["target"], document["positive"], document["cut"]) == ("price", "low", None)
    assert len(document["antecedents"]) == len(mined)
    first = document["antecedents"][0]
    assert first["if"] == [{"feature": "size", "op": "=", "value": "big"}]
    assert first["counts"] == {"high": 3, "low": 1}
    assert first["lift"] == mined.measures["lift"][0]


def test_nothing_found_is_an_answer(houses):
    mined = dbrules.mine("houses", "price", connection=houses, min_support=1)
    assert (len(mined), list(mined), mined.cut) == (0, [], None)
    assert list(mined.to_frame().columns)[:3] == ["antecedent", "n_high", "n_low"]
    assert mined.to_json()["antecedents"] == []
    assert "size: no condition has min_support 1, not used" in str(mined)
    with pytest.raises(InvalidData, match="lower it"):
        mined.to_sql()
    mined.create_table(houses, "found")
    assert houses.execute("SELECT antecedent, n_low FROM found").fetchall() == []


# -- wrong input ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "error", "said"),
    [
        ({"target": "prise"}, UnknownColumn, "did you mean 'price'"),
        ({"features": ["sise"]}, UnknownColumn, "did you mean 'size'"),
        ({"features": []}, InvalidData, "no column is left to mine"),
        ({"target": "price", "positive": "lo"}, DbrulesError, "did you mean 'low'"),
        ({"positive": "low"}, InvalidSetting, "needs a target"),
        ({"min_support_negative": 0.1}, InvalidSetting, "need a target"),
        ({"min_support": 1.1}, InvalidSetting, "min_support 1.1 is not a share"),
        ({"min_support": "a"}, InvalidSetting, "min_support 'a' is not a share"),
        ({"max_conditions": 0}, InvalidSetting, "max_conditions 0 is not a whole number"),
        ({"max_antecedents": True}, InvalidSetting, "max_antecedents True is not"),
        ({"max_antecedents": None}, InvalidSetting, "max_antecedents None is not"),
        ({"missing": "levle"}, InvalidSetting, "did you mean 'level'"),
        ({"statistics": "memry"}, InvalidSetting, "did you mean 'memory'"),
        ({"bins": {"size": 3}}, ColumnTypeError, "has no order to cut"),
        ({"bins": "widht:3"}, InvalidSetting, "did you mean 'width'"),
        ({"weight": "size"}, ColumnTypeError, "weight 'size'"),
        ({"weight": "age"}, InvalidData, "weight 'age' is missing"),
    ],
)
def test_wrong_input_is_named(houses, settings, error, said):
    with pytest.raises(error, match=said):
        dbrules.mine("houses", **{"connection": houses, **settings})


@pytest.mark.parametrize("target", [None, "y"])
def test_no_rows_is_an_error(con, target):
    with pytest.raises(InvalidData, match="0 rows"):
        dbrules.mine("SELECT 1 AS x, 2 AS y WHERE FALSE", target, connection=con)


def test_sql_needs_a_form_and_a_name(houses):
    mined = dbrules.mine("houses", connection=houses)
    with pytest.raises(InvalidSetting, match="did you mean 'table'"):
        mined.to_sql(form="tabel")
    with pytest.raises(InvalidSetting, match="give name"):
        mined.to_sql(form="table")
    with pytest.raises(InvalidSetting, match="unknown SQL dialect"):
        mined.to_sql(dialect="duckbd")


@pytest.mark.parametrize("statistics", ["memory", "database"])
def test_the_database_stays_as_it_was(houses, leftovers, statistics):
    for data in ("houses", HOUSES):
        dbrules.mine(data, "price", connection=houses, statistics=statistics)
    assert leftovers(houses) == [("houses",)]


def test_a_read_only_database_will_do(tmp_path):
    path = tmp_path / "town.duckdb"
    with duckdb.connect(str(path)) as con:
        con.execute(f"CREATE TABLE houses AS {HOUSES}")
    for statistics in ("memory", "database"):
        assert len(dbrules.mine("houses", "price", connection=path, statistics=statistics)) > 10


def test_progress_is_told(houses):
    seen = []
    dbrules.mine("houses", connection=houses, progress=seen.append)
    assert [progress.length for progress in seen] == sorted(p.length for p in seen)
    assert seen[-1].counted == seen[-1].candidates
