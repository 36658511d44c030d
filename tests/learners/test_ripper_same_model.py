"""RIPPER gives one model for the same rows: in any order, form, weights, place of counting."""

from __future__ import annotations

import json

import pytest

import dbrules

FEATURES = ["a", "b", "c", "d"]


@pytest.fixture
def table(con):
    """The table ``t``: three classes, gaps, weights of 0 to 2, and a small one, ``few``."""
    con.execute("""
        CREATE TABLE t AS
        SELECT i, CASE WHEN h % 17 > 0 THEN h % 50 END AS a, (h // 50) % 23 / 8.0 AS b,
          CASE WHEN h % 13 > 0 THEN ['x', 'y', 'z'][1 + (h // 1150) % 3] END AS c,
          (h // 3450) % 2 = 0 AS d, (h // 6900) % 3 AS w,
          CASE WHEN (h // 20700) % 7 = 0 THEN 'q' WHEN a < 14 AND c <> 'z' THEN 'p'
               WHEN b > 1.9 OR a IS NULL THEN 'r' ELSE 'q' END AS y
        FROM (SELECT i, (hash(i) % 144900)::BIGINT AS h FROM range(600) AS r(i));
        CREATE TABLE few AS
        SELECT i, a // 10 AS a, c, y = 'q' AS y, w FROM t WHERE i < 150
    """)
    return con


def text_of(model):
    """Return all of a model but when and how it was made."""
    document = model.to_json()
    del document["training"], document["learner"]
    return json.dumps(document)


def fit(con, data="t", target="y", weight=None, features=FEATURES, **settings):
    learner = dbrules.Ripper(**settings)
    return learner.fit(data, target=target, features=features, weight=weight, connection=con)


@pytest.mark.parametrize(
    "settings", [{}, {"ordered": False}, {"missing": "level", "max_cuts": 9, "seed": 4}], ids=str
)
@pytest.mark.parametrize("weight", [None, "w"])
def test_order_threads_and_form_do_not_matter(table, tmp_path, settings, weight):
    path = str(tmp_path / "t.parquet")
    table.execute(f"COPY (FROM t ORDER BY hash(i + 1)) TO '{path}'")
    frame = table.execute("FROM t ORDER BY hash(i + 2)").df()
    texts = set()
    for threads in (1, 8):
        table.execute(f"SET threads = {threads}")
        for data in ("t", "FROM t ORDER BY i DESC", "FROM t ORDER BY hash(i)", path):
            model = fit(table, data, weight=weight, **settings)
            texts.add(text_of(model))
    assert len(model.rules.rules) > 3
    assert len(texts) == 1
    # pandas has no integers with gaps: the same rules, of DOUBLE
    of_frame = fit(table, frame, weight=weight, **settings)
    assert [o.counts for o in of_frame.rules.outcomes] == [o.counts for o in model.rules.outcomes]
    again = frame.sample(frac=1, random_state=1)
    assert text_of(fit(table, again, weight=weight, **settings)) == text_of(of_frame)


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("weight", [None, "w"])
def test_the_database_learns_what_memory_does(table, ordered, weight):
    settings = {"ordered": ordered, "passes": 1, "max_rules": 3, "missing": "level"}
    models = [
        fit(table, "few", weight=weight, features=["a", "c"], statistics=where, **settings)
        for where in ("memory", "database", "auto")
    ]
    assert models[0].rules.rules
    assert len({text_of(model) for model in models}) == 1


def test_one_seed_one_model(table):
    texts = [text_of(fit(table, seed=seed)) for seed in (0, 1, 2, 3, 4)]
    assert texts == [text_of(fit(table, seed=seed)) for seed in (0, 1, 2, 3, 4)]
    assert len(set(texts)) > 1


@pytest.mark.parametrize("ordered", [True, False])
def test_a_weight_of_two_is_a_row_twice_and_of_zero_none(table, ordered):
    weighted = fit(table, weight="w", ordered=ordered)
    repeated = fit(table, "FROM t JOIN range(2) AS n(k) ON k < w", ordered=ordered)
    present = fit(table, "FROM t WHERE w > 0", weight="w", ordered=ordered)
    for model in (repeated, present):
        for mine, other in zip(model.rules.outcomes, weighted.rules.outcomes, strict=True):
            assert (mine.label, mine.counts, mine.probability) == (
                other.label, other.counts, other.probability,
            )  # fmt: skip
        assert [r.conditions for r in model.rules.rules] == [
            r.conditions for r in weighted.rules.rules
        ]
    assert {o.rows for o in weighted.rules.outcomes} != {None}


@pytest.mark.parametrize("kind", ["DOUBLE", "DECIMAL(9, 3)", "REAL"])
def test_a_fraction_weighs_the_same_in_any_type(table, kind):
    halves = f"SELECT * REPLACE ((0.25 + w / 2)::{kind} AS w) FROM t"
    model = fit(table, halves, weight="w")
    assert model.rules.rules
    total = sum(sum(outcome.counts) for outcome in model.rules.outcomes)
    expected = table.execute("SELECT sum(0.25 + w / 2) FROM t").fetchall()[0][0]
    assert total == pytest.approx(float(expected))
    doubles = "SELECT * REPLACE (0.25::DOUBLE + w / 2 AS w) FROM t ORDER BY hash(i)"
    assert text_of(model) == text_of(fit(table, doubles, weight="w"))
