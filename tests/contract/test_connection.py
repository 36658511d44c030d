"""The caller's database is as it was: no leftovers, no transaction, nothing closed."""

from __future__ import annotations

import duckdb
import pytest

from dbrules.errors import DbrulesError

FEATURES = ["age", "score", "city", "flag"]
FORMS = ["people", "SELECT * FROM people", "seen"]


@pytest.fixture
def seen(people):
    people.execute("CREATE VIEW seen AS SELECT * FROM people")
    return people


def in_transaction(con):
    """BEGIN fails inside a transaction."""
    try:
        con.execute("BEGIN")
    except duckdb.TransactionException:
        return True
    con.execute("ROLLBACK")
    return False


@pytest.mark.parametrize("data", FORMS)
def test_nothing_is_left_behind(learner, seen, leftovers, data):
    before = leftovers(seen)
    model = learner.fit(data, target="y", features=FEATURES, connection=seen)
    model.predict(data, connection=seen).aggregate("max(rule)").fetchall()
    model.evaluate(data, connection=seen)
    model.verify(data, connection=seen)
    model.check(data, connection=seen)
    assert leftovers(seen) == before
    assert not in_transaction(seen)
    assert seen.execute("SELECT count(*) FROM people").fetchall() == [(240,)]


def test_nothing_is_left_of_relations_and_frames(learner, seen, leftovers):
    before = leftovers(seen)
    for data in (seen.table("people"), seen.sql("SELECT * FROM people"),
                 seen.table("people").to_arrow_table()):  # fmt: skip
        for connection in (None, seen):
            model = learner.fit(data, target="y", features=FEATURES, connection=connection)
            model.evaluate(data, connection=connection)
            assert model.verify(data, connection=connection)
            assert model.predict(data, connection=connection).aggregate("count(*)").fetchall() == [
                (240,)
            ]
    del data
    assert leftovers(seen) == before
    assert not in_transaction(seen)


@pytest.mark.parametrize("data", FORMS)
def test_inside_the_callers_transaction_rollback_still_works(learner, seen, leftovers, data):
    before = leftovers(seen)
    seen.execute("BEGIN")
    seen.execute("CREATE TABLE mine AS SELECT 1 AS one")
    seen.execute("DELETE FROM people WHERE id >= 200")
    model = learner.fit(data, target="y", features=FEATURES, connection=seen)
    assert model.training.rows + model.training.excluded_rows == 200  # its own deletion is seen
    model.evaluate(data, connection=seen)
    assert model.verify(data, connection=seen)
    assert in_transaction(seen)
    seen.execute("ROLLBACK")
    assert leftovers(seen) == before
    assert seen.execute("SELECT count(*) FROM people").fetchall() == [(240,)]


@pytest.mark.parametrize("data", FORMS)
def test_inside_the_callers_transaction_commit_still_works(learner, seen, leftovers, data):
    before = leftovers(seen)
    seen.execute("BEGIN")
    seen.execute("DELETE FROM people WHERE id >= 200")
    learner.fit(data, target="y", features=FEATURES, connection=seen)
    seen.execute("COMMIT")
    assert leftovers(seen) == before
    assert seen.execute("SELECT count(*) FROM people").fetchall() == [(200,)]


def test_a_read_only_database_works(learner, people, tmp_path, leftovers):
    path = str(tmp_path / "people.duckdb")
    people.execute(f"ATTACH '{path}' AS other")
    people.execute("CREATE TABLE other.people AS SELECT * FROM people")
    people.execute("CREATE VIEW other.seen AS SELECT * FROM other.people")
    people.execute("DETACH other")
    with duckdb.connect(path, read_only=True) as con:
        before = leftovers(con)
        for data in ("people", "SELECT * FROM people"):
            model = learner.fit(data, target="y", features=FEATURES, connection=con)
            model.evaluate(data, connection=con)
            assert model.verify(data, connection=con)
            assert model.predict(data, connection=con).aggregate("count(*)").fetchall() == [(240,)]
        assert leftovers(con) == before
    # by path the file is opened read-only and closed again
    model = learner.fit("SELECT * FROM people", target="y", features=FEATURES, connection=path)
    assert model.verify("people", connection=path)
    with duckdb.connect(path) as con:
        con.execute("CREATE TABLE writable AS SELECT 1 AS one")


FAILURES = {
    "a cast that fails late": "SELECT *, error('late') AS late FROM people",
    "no rows": "SELECT * FROM people WHERE id < 0",
    "no target": "SELECT * REPLACE (NULL AS y) FROM people",
    "a bad weight": "SELECT * REPLACE (-1 AS w) FROM people",
    "no such table": "SELECT * FROM nowhere",
}


@pytest.mark.parametrize("why", FAILURES)
def test_a_failing_fit_leaves_nothing_behind(learner, people, leftovers, why):
    before = leftovers(people)
    features = ["late"] if "late" in why else FEATURES
    with pytest.raises(DbrulesError):
        learner.fit(FAILURES[why], target="y", features=features, weight="w", connection=people)
    assert leftovers(people) == before
    assert not in_transaction(people)
    # and the connection still works
    assert learner.fit("people", target="y", features=FEATURES, connection=people)


def test_a_failing_fit_in_a_transaction_leaves_the_choice_to_the_caller(learner, people, leftovers):
    before = leftovers(people)
    people.execute("BEGIN")
    people.execute("CREATE TABLE mine AS SELECT 1 AS one")
    with pytest.raises(DbrulesError):
        learner.fit(
            FAILURES["a bad weight"], target="y", features=FEATURES, weight="w", connection=people
        )
    people.execute("ROLLBACK")
    assert leftovers(people) == before


def test_the_default_connection_is_not_closed(learner):
    duckdb.execute(
        "CREATE OR REPLACE TEMP TABLE dbrules_test AS "
        "SELECT 1 + i % 2 AS x, 2 + i % 2 AS y FROM range(40) AS t(i)"
    )
    try:
        model = learner.fit(
            "SELECT x::VARCHAR AS flag, y FROM dbrules_test", target="y", features=["flag"]
        )
        assert model.training.rows == 40
        assert model.predict("SELECT x::VARCHAR AS flag FROM dbrules_test").aggregate(
            "count(*)"
        ).fetchall() == [(40,)]
    finally:
        duckdb.execute("DROP TABLE dbrules_test")
