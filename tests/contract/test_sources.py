"""The same data give the same list to the byte, in whatever form they come."""

from __future__ import annotations

import json

import polars
import pytest

FEATURES = ["age", "score", "single", "price", "city", "flag", "day", "moment", "zoned"]


def rules_of(model):
    document = model.to_json()
    del document["training"]
    return json.dumps(document)


@pytest.fixture
def expected(learner, people):
    return rules_of(learner.fit("people", target="y", features=FEATURES, connection=people))


def test_row_order_and_threads_do_not_matter(learner, people, expected):
    people.execute("CREATE TABLE turned AS SELECT * FROM people ORDER BY md5(id::VARCHAR)")
    for threads in (1, 8):
        people.execute(f"SET threads = {threads}")
        for data in ("people", "turned", "SELECT * FROM people ORDER BY id DESC"):
            model = learner.fit(data, target="y", features=FEATURES, connection=people)
            assert rules_of(model) == expected


@pytest.mark.parametrize(
    "form",
    ["query", "view", "temporary table", "parquet", "relation", "arrow", "arrow reader", "polars",
     "database file"],
)  # fmt: skip
def test_the_form_does_not_matter(learner, people, expected, answers, tmp_path, form):
    connection = people
    if form == "query":
        data = "WITH q AS (SELECT * FROM people) SELECT * FROM q; -- all"
    elif form == "view":
        people.execute("CREATE VIEW seen AS SELECT * FROM people")
        data = "seen"
    elif form == "temporary table":
        people.execute("CREATE TEMP TABLE briefly AS SELECT * FROM people")
        data = "briefly"
    elif form == "parquet":
        data = str(tmp_path / "people.parquet")
        people.execute(f"COPY people TO '{data}'")
    elif form == "relation":
        data, connection = people.table("people"), None
    elif form == "arrow":
        data = people.table("people").to_arrow_table()
    elif form == "arrow reader":
        data, connection = people.table("people").to_arrow_table(), None
    elif form == "polars":
        data = polars.from_arrow(people.table("people").to_arrow_table())
    else:
        path = tmp_path / "people.duckdb"
        people.execute(f"ATTACH '{path}' AS other")
        people.execute("CREATE TABLE other.people AS SELECT * FROM people")
        people.execute("DETACH other")
        data, connection = "people", str(path)
    model = learner.fit(data, target="y", features=FEATURES, connection=connection)
    # decimals and enumerations may be wider or narrower by the form's own types
    assert strip_types(rules_of(model)) == strip_types(expected)
    assert model.verify(data, connection=connection)
    assert model.predict(data, connection=connection).aggregate("count(*)").fetchall() == [(240,)]


def strip_types(document):
    parsed = json.loads(document)
    for column in parsed["features"]:
        column["type"] = column["type"].partition("(")[0]
    return json.dumps(parsed)


def test_a_pandas_frame_gives_the_same_list(learner, people, expected):
    # a frame says NaN for NULL, and so has no whole numbers beside it
    frame = people.table("people").to_arrow_table().to_pandas()
    query = "SELECT * REPLACE (age::DOUBLE AS age) FROM people"
    same = learner.fit(query, target="y", features=FEATURES, connection=people)
    model = learner.fit(frame, target="y", features=FEATURES)
    assert [r.conditions for r in model.rules.rules] == [r.conditions for r in same.rules.rules]
    assert [o.counts for o in model.rules.outcomes] == [o.counts for o in same.rules.outcomes]
    assert model.verify(frame)
    assert model.predict(frame).aggregate("count(*)").fetchall() == [(240,)]


def test_the_training_query_is_read_once(learner, people, answers):
    query = "SELECT * REPLACE (CASE WHEN random() < 0.9 THEN single END AS single) FROM people"
    people.execute(f"CREATE VIEW dice AS {query} WHERE random() < 0.9")
    for data in (f"{query} WHERE random() < 0.9", "dice"):
        model = learner.fit(data, target="y", features=["single", "flag"], connection=people)
        assert model.rules.rules
        assert sum(sum(o.counts) for o in model.rules.outcomes) == model.training.rows
