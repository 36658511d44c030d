"""Evaluation against a plain computation, row by row."""

from __future__ import annotations

import json
import math

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import dbrules
from dbrules.errors import ColumnTypeError
from dbrules.training import Training

TEXT = "IF x >= 6 THEN a IF s = 'k' THEN b IF x < 2 THEN c ELSE a"
SHARES = [(0.5, 0.3, 0.2), (0.1, 0.8, 0.1), (0.0, 0.4, 0.6), (0.5, 0.25, 0.25)]


def with_shares(positive=None):
    """A model of three classes whose probabilities are not 0 or 1; two rules share one for a."""
    rules = dbrules.parse_rule_list(TEXT)
    document = dbrules.Model(rules, "by hand", {}, Training(rows=0)).to_json()
    document["target"]["positive"] = positive
    for part, shares in zip([*document["rules"], document["else"]], SHARES, strict=True):
        part["probability"] = dict(zip("abc", shares, strict=True))
    return dbrules.Model.from_json(document)


def wilson(hits, n, z=1.959963984540054):
    middle = (hits + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * math.sqrt(hits * (n - hits) / n + z * z / 4)
    return middle - half, middle + half


def auroc(rows, c):
    positives = [(p[c], w) for p, label, w in rows if label == "abc"[c]]
    negatives = [(p[c], w) for p, label, w in rows if label != "abc"[c]]
    pairs = sum(w * v for _, w in positives for _, v in negatives)
    if not pairs:
        return None
    wins = sum(
        w * v * (1 if p > q else 0.5 if p == q else 0) for p, w in positives for q, v in negatives
    )
    return wins / pairs


@pytest.fixture(scope="module")
def connection():
    with duckdb.connect(config={"threads": 1, "memory_limit": "1GB"}) as con:
        yield con


ROWS = st.lists(
    st.tuples(
        st.sampled_from([0, 1, 2, 5, 6, 9, None]), st.sampled_from(["k", "m", None]),
        st.sampled_from(["a", "b", "c", "c", None, "zzz"]),
        st.sampled_from([0.0, 1.0, 2.0, 0.25]),
    ),
    min_size=1, max_size=30,
)  # fmt: skip


@settings(max_examples=80, deadline=None, derandomize=True,
          suppress_health_check=[HealthCheck.too_slow])  # fmt: skip
@given(rows=ROWS, weighted=st.booleans(), positive=st.sampled_from([None, "a", "b"]))
def test_against_a_computation_row_by_row(connection, rows, weighted, positive):
    model = with_shares(positive)
    connection.execute("CREATE OR REPLACE TABLE t (x INTEGER, s VARCHAR, y VARCHAR, w DOUBLE)")
    connection.executemany("INSERT INTO t VALUES (?, ?, ?, ?)", rows)
    kept = []
    for x, s, y, w in rows:
        if y is not None and (not weighted or w > 0):
            number = model.rules.capture({"x": x, "s": s})
            kept.append((number, y, w if weighted else 1.0))
    if not kept:
        with pytest.raises(dbrules.errors.InvalidData):
            model.evaluate("t", connection=connection, weight="w" if weighted else None)
        return
    found = model.evaluate("t", connection=connection, weight="w" if weighted else None)

    total = sum(w for _, _, w in kept)
    outcomes = model.rules.outcomes
    label = {number: outcomes[number - 1].label for number, _, _ in kept}
    scored = [(outcomes[n - 1].probability, y, w) for n, y, w in kept]
    assert found.rows == len(kept)
    assert found.weight == pytest.approx(total)
    assert found.accuracy == pytest.approx(sum(w for n, y, w in kept if label[n] == y) / total)
    surprise = [
        -w * math.log(max(p["abc".index(y)], 1e-15) if y in "abc" else 1e-15) for p, y, w in scored
    ]
    assert found.log_loss == pytest.approx(sum(surprise) / total)
    if positive is None:
        squares = [
            w * (sum((q - (c == y)) ** 2 for c, q in zip("abc", p, strict=True)) + (y == "zzz"))
            for p, y, w in scored
        ]
        areas = [area for c in range(3) if (area := auroc(scored, c)) is not None]
        assert found.auroc == (pytest.approx(sum(areas) / len(areas)) if areas else None)
    else:
        place = "abc".index(positive)
        squares = [w * (p[place] - (y == positive)) ** 2 for p, y, w in scored]
        area = auroc(scored, place)
        assert found.auroc == (None if area is None else pytest.approx(area))
    assert found.brier == pytest.approx(sum(squares) / total)

    unknown = ["zzz"] if any(y == "zzz" for _, y, _ in kept) else []
    assert list(found.labels) == [*"abc", *unknown]
    assert any("zzz" in note for note in found.notes) == bool(unknown)
    for i, actual in enumerate(found.labels):
        for j, predicted in enumerate("abc"):
            cell = sum(w for n, y, w in kept if y == actual and label[n] == predicted)
            assert found.confusion[i][j] == pytest.approx(cell)

    for i, metrics in enumerate(found.classes):
        name = "abc"[i]
        actual = sum(w for _, y, w in kept if y == name)
        predicted = sum(w for n, _, w in kept if label[n] == name)
        hit = sum(w for n, y, w in kept if label[n] == y == name)
        assert metrics.label == name
        assert metrics.weight == pytest.approx(actual)
        assert metrics.precision == (pytest.approx(hit / predicted) if predicted else None)
        assert metrics.recall == (pytest.approx(hit / actual) if actual else None)

    covered = 0.0
    assert len(found.per_rule) == len(outcomes)
    for metrics in found.per_rule:
        captured = sum(w for n, _, w in kept if n == metrics.rule)
        covered += captured
        assert metrics.captured == pytest.approx(captured)
        assert metrics.support == pytest.approx(captured / total)
        assert metrics.coverage == pytest.approx(covered / total)
        if not captured:
            assert (metrics.confidence, metrics.lower, metrics.lift) == (None, None, None)
            continue
        hit = sum(w for n, y, w in kept if n == metrics.rule and y == metrics.label)
        base = sum(w for _, y, w in kept if y == metrics.label) / total
        assert metrics.confidence == pytest.approx(hit / captured)
        assert (metrics.lower, metrics.upper) == pytest.approx(wilson(hit, captured))
        assert metrics.lift == (pytest.approx(hit / captured / base) if base else None)

    document = found.to_json()
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert str(found).startswith(f"rows {len(kept)}")
    assert len(found.rules) == len(outcomes)


def test_rows_without_a_target_are_left_out_and_counted(con):
    model = with_shares()
    query = "SELECT 7 AS x, NULL::VARCHAR AS s, unnest(['a', NULL, 'b', NULL, NULL]) AS y"
    found = model.evaluate(query, connection=con)
    assert (found.rows, found.excluded_rows) == (2, 3)
    assert "3 rows without a target" in str(found)
    query = "SELECT i::DOUBLE AS x, CASE WHEN i < 3 THEN 'nan'::DOUBLE ELSE i % 2 END AS y " \
            "FROM range(9) t(i)"  # fmt: skip
    fitted = dbrules.OneR(bins=[4]).fit(query, target="y", connection=con)
    assert fitted.evaluate(query, connection=con).excluded_rows == 3


@pytest.mark.parametrize("closed", ["left", "right"])
def test_a_numeric_target_is_cut_as_in_training(con, closed):
    con.execute(
        "CREATE TABLE t AS SELECT i // 5 AS x, (i * 7 % 40)::DOUBLE AS y FROM range(40) t(i)"
    )
    con.execute("INSERT INTO t VALUES (1, NULL), (1, 'nan'), (0, 'inf'), (0, '-inf')")
    model = dbrules.OneR(bins={"y": f"quantile:4:{closed}", "x": [1, 2, 5]}).fit(
        "t", target="y", connection=con
    )
    found = model.evaluate("t", connection=con)
    assert (found.rows, found.excluded_rows) == (42, 2)
    cuts = model.rules.target.cuts
    right = 0
    for x, y in con.execute("SELECT x, y FROM t").fetchall():
        if y is None or math.isnan(y):
            continue
        place = sum(y >= cut if closed == "left" else y > cut for cut in cuts)
        right += model.rules.predict({"x": x}) == model.rules.target.classes[place]
    assert found.accuracy == pytest.approx(right / 42)
    assert found.labels == model.rules.target.classes
    assert found.accuracy == pytest.approx(1 - model.training.objective)


@pytest.mark.parametrize(
    ("trained", "given"),
    [("INTEGER", "BIGINT"), ("INTEGER", "DOUBLE"), ("DECIMAL(9,2)", "DOUBLE"),
     ("DOUBLE", "INTEGER"), ("BIGINT", "DECIMAL(5,0)"), ("DATE", "DATE"), ("BOOLEAN", "BOOLEAN"),
     ("TIMESTAMP", "TIMESTAMP")],
)  # fmt: skip
def test_labels_of_a_kindred_type_are_the_same_labels(con, trained, given):
    value = {
        "DATE": "DATE '2024-01-01' + (i % 2)::INTEGER",
        "BOOLEAN": "i % 2 = 0",
        "TIMESTAMP": "TIMESTAMP '2024-01-01 00:00:00.000001' + to_days((i % 2)::INTEGER)",
    }
    cell = value.get(trained, "(i % 2 + 1)")
    query = "SELECT i % 2 AS x, CAST({} AS {}) AS y FROM range(9) t(i)"
    model = dbrules.OneR(bins=[1]).fit(query.format(cell, trained), target="y", connection=con)
    found = model.evaluate(query.format(cell, given), connection=con)
    assert found.accuracy == 1
    assert len(found.labels) == 2


def test_labels_of_another_type_are_refused(con):
    query = "SELECT i % 2 AS x, i % 2 AS y FROM range(9) t(i)"
    model = dbrules.OneR(bins=[1]).fit(query, target="y", connection=con)
    with pytest.raises(ColumnTypeError, match="VARCHAR found"):
        model.evaluate(f"SELECT x, y::VARCHAR AS y FROM ({query})", connection=con)
