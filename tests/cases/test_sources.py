"""C13 and C25: the query as people write it; the table to score is another one."""

from __future__ import annotations

import pytest

import dbrules
from dbrules.errors import ColumnTypeError, InvalidQuery, UnknownColumn


@pytest.fixture
def c13(con):
    con.execute(
        "CREATE TABLE c13 AS SELECT * FROM (VALUES ('a;b','y'),('c','n'),('a;b','y'),('c','n')) "
        "v(s,y)"
    )
    return con


QUERIES = [
    "SELECT s,y FROM c13",
    "SELECT s,y FROM c13;",
    "SELECT s,y FROM c13 -- last",
    "SELECT s,y FROM c13; -- last",
    "SELECT s,y FROM c13 /* x */ ;",
    "WITH q AS (SELECT * FROM c13) SELECT s,y FROM q;",
    "FROM c13 WHERE s <> 'x;y'",
    "  \n-- first\nSELECT s,y FROM c13\n;;\n",
    "(SELECT s,y FROM c13)",
    "TABLE c13",
    "c13",
    "main.c13",
    "memory.main.c13",
]


@pytest.mark.parametrize("query", QUERIES)
def test_c13_the_same_model_however_the_query_is_written(c13, answers, query):
    expected = dbrules.OneR().fit(QUERIES[0], target="y", connection=c13)
    model = dbrules.OneR().fit(query, target="y", connection=c13)
    assert model.rules == expected.rules
    assert [rule.conditions[0].value for rule in model.rules.rules] == ["a;b", "c"]
    assert answers(model, query, c13, "s") == [("y", 1), ("y", 1), ("n", 2), ("n", 2)]
    model.create_view(c13, "scored", over=query)
    assert c13.execute("SELECT count(*) FROM scored WHERE y = predicted_y").fetchall() == [(4,)]
    assert c13.sql(model.to_sql(over=query)).filter("y <> predicted_y").fetchall() == []


@pytest.mark.parametrize(
    "query",
    [
        "SELECT s,y FROM c13; DROP TABLE c13",
        "SELECT s,y FROM c13; SELECT 1",
        "DROP TABLE c13; SELECT s,y FROM c13",
        "CREATE TABLE d AS SELECT 1; SELECT s, y FROM c13",
        "SELECT s,y FROM c13 /* x */ ; -- y\n DELETE FROM c13",
    ],
)
def test_c13_two_statements_are_refused_and_neither_is_run(c13, leftovers, query):
    model = dbrules.OneR().fit("c13", target="y", connection=c13)
    before = leftovers(c13)
    for use in (
        lambda: dbrules.OneR().fit(query, target="y", connection=c13),
        lambda: model.predict(query, connection=c13),
        lambda: model.evaluate(query, connection=c13),
        lambda: model.verify(query, connection=c13),
        lambda: model.create_view(c13, "scored", over=query),
        lambda: model.to_sql(over=query),
    ):
        with pytest.raises(InvalidQuery):
            use()
    assert leftovers(c13) == before
    assert c13.execute("SELECT count(*) FROM c13").fetchall() == [(4,)]


@pytest.fixture
def c25(con):
    con.execute(
        "CREATE TABLE c25 AS SELECT * FROM (VALUES (9.0::DOUBLE,'u','y'),(10.0,'v','n')) v(x,c,y)"
    )
    con.execute("CREATE TABLE c25_text AS SELECT * FROM (VALUES ('9','u'),('10','v')) v(x,c)")
    return con


@pytest.fixture
def on_c(c25):
    return dbrules.OneR().fit("c25", target="y", features=["c"], connection=c25)


@pytest.fixture
def on_x(c25, by_hand):
    features = [dbrules.OneR().fit("c25", target="y", connection=c25).rules.features[0]]
    return by_hand("IF x < 9.5 THEN y ELSE n", features=features)


def test_c25_a_missing_column_is_named(c25, on_c):
    for use in (on_c.predict, on_c.verify, on_c.evaluate, on_c.check):
        with pytest.raises(UnknownColumn, match="'c'"):
            use("SELECT x, y FROM c25", connection=c25)
    with pytest.raises(UnknownColumn, match="'c'"):
        on_c.create_view(c25, "scored", over="SELECT x, y FROM c25")


def test_c25_a_column_of_another_type_is_refused_before_the_query_runs(c25, on_x):
    for use in (on_x.predict, on_x.verify, on_x.check):
        with pytest.raises(ColumnTypeError, match=r"x.*DOUBLE wanted, VARCHAR found"):
            use("c25_text", connection=c25)
    with pytest.raises(ColumnTypeError, match=r"x.*DOUBLE wanted, VARCHAR found"):
        on_x.create_table(c25, "scored", over="SELECT x, error('run') AS e FROM c25_text")


@pytest.mark.parametrize(
    "query",
    [
        "SELECT x::INTEGER AS x FROM c25",
        "SELECT x FROM c25",
        "SELECT 1 AS extra, y, c, x, 'more' AS more FROM c25",
        "SELECT x::DECIMAL(9,2) AS x FROM c25",
        "SELECT x::REAL AS x FROM c25",
        "SELECT x AS X FROM c25",
    ],
)
def test_c25_other_numbers_other_orders_and_no_target_are_fine(c25, on_x, answers, query):
    assert sorted(answers(on_x, query, c25)) == [("n", 2), ("y", 1)]


def test_c25_a_feature_that_is_not_there_gets_its_near_match(c25):
    with pytest.raises(UnknownColumn, match=r"'xx'.*did you mean 'x'"):
        dbrules.OneR().fit("c25", target="y", features=["xx", "c"], connection=c25)


def test_c25_columns_that_no_rule_uses_are_not_needed(c25, answers):
    model = dbrules.OneR().fit("c25", target="y", connection=c25)
    assert [column.name for column in model.rules.features] == ["x", "c"]
    used = model.rules.used[0].name
    assert answers(model, f"SELECT {used} FROM c25", c25) is not None
