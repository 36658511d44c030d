"""A model that answers by an average of rule lists, from JSON to metrics."""

from __future__ import annotations

import json
import math
import random
from dataclasses import replace

import numpy as np
import pytest
from sqlglot import exp

import dbrules
import dbrules.compile.average
from dbrules.errors import InvalidModel, InvalidSetting, UnknownClass
from dbrules.language.column import Column, ColumnType
from dbrules.language.condition import Condition
from dbrules.language.rule import Outcome, Rule, Target
from dbrules.language.rule_average import RuleAverage
from dbrules.language.rule_list import RuleList
from dbrules.training import Training

FEATURES = (
    Column("x", ColumnType("DOUBLE")),
    Column("n", ColumnType("INTEGER")),
    Column("s", ColumnType("VARCHAR")),
    Column("idle", ColumnType("DATE")),
)
POOL = (
    Condition("x", "<", 0.1 + 0.2), Condition("x", ">=,<", (0.25, 0.75)), Condition("x", "is null"),
    Condition("n", ">=", 3), Condition("n", "=", 1), Condition("s", "=", "k"),
    Condition("s", "in", ("k", "m")), Condition("s", "<>", "m"),
)  # fmt: skip


def averaged(seed, *, classes=("no", "yes"), positive="yes", lists=12):
    """Return a model that averages random lists; thresholds are values that are stored."""
    rng = random.Random(seed)
    target = Target("y", ColumnType("VARCHAR"), classes, positive)

    def outcome():
        raw = [rng.random() for _ in classes]
        counts = tuple(rng.randrange(50) for _ in classes)
        return Outcome(rng.choice(classes), tuple(r / sum(raw) for r in raw), counts)

    parts = tuple(
        RuleList(
            target, FEATURES,
            tuple(Rule(tuple(rng.sample(POOL, rng.choice([1, 2]))), outcome()) for _ in range(3)),
            outcome(),
        )
        for _ in range(lists)
    )  # fmt: skip
    weights = sorted((rng.random() for _ in parts), reverse=True)
    average = RuleAverage(parts, tuple(weight / sum(weights) for weight in weights))
    return dbrules.Model(parts[0], "brl", {"chains": 3}, Training(rows=80), average=average)


@pytest.fixture
def rows(con):
    con.execute(
        "CREATE TABLE t AS SELECT CASE WHEN i % 11 = 0 THEN 'nan'::DOUBLE "
        "WHEN i % 7 > 0 THEN (i % 9) / 8.0::DOUBLE END AS x, "
        "nullif(i % 5, 4)::INTEGER AS n, ['k', 'm', 'o', NULL][1 + i % 4] AS s, "
        "['no', 'yes', 'yes', 'maybe', NULL][1 + (i * 7 + i // 13) % 5] AS y, "
        "[0.5, 0, 2.25][1 + i % 3] AS w, i AS id FROM range(600) r(i)"
    )
    con.execute("INSERT INTO t SELECT 0.1::DOUBLE + 0.2::DOUBLE, n, s, y, w, id + 600 FROM t")
    return con


def cells(con):
    return con.execute("SELECT x, n, s, y, w, id FROM t ORDER BY id").fetchall()


def expected(model, x, n, s):
    row = {"x": x, "n": n, "s": s}
    shares = np.zeros(len(model.rules.target.classes))
    for part, weight in zip(model.average.lists, model.average.weights, strict=True):
        probability = part.outcomes[part.capture(row) - 1].probability
        shares += weight * np.array(probability)
    place = int(np.argmax(shares))
    return model.rules.target.classes[place], float(shares[place]), model.rules.capture(row)


def test_json_reads_back_to_the_bit(tmp_path):
    for seed in range(5):
        model = averaged(seed)
        document = model.to_json()
        assert document["kind"] == "rule_average"
        assert dbrules.Model.from_json(json.loads(json.dumps(document))) == model
        model.save(tmp_path / "m.json")
        back = dbrules.load(tmp_path / "m.json")
        assert back == model
        assert [w.hex() for w in back.average.weights] == [w.hex() for w in model.average.weights]
        assert back.to_json() == document
    assert averaged(0).simplify().average == averaged(0).average


def without(document, *path):
    *keys, last = path
    for key in keys:
        document = document[key]
    del document[last]


def altered(document, value, *path):
    *keys, last = path
    for key in keys:
        document = document[key]
    document[last] = value


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: without(d, "average"), "average: missing"),
        (lambda d: altered(d, [], "average"), "average: expected an object"),
        (lambda d: without(d, "average", "weights"), "average.weights: missing"),
        (lambda d: without(d, "average", "lists"), "average.lists: missing"),
        (lambda d: altered(d, [], "average", "lists"), "give one list or more"),
        (lambda d: without(d, "average", "weights", 0), "a weight for each"),
        (lambda d: altered(d, 0, "average", "weights", 1), r"average.weights\[1\]: 0 is no number"),
        (lambda d: altered(d, True, "average", "weights", 1), "True is no number"),
        (lambda d: altered(d, math.nan, "average", "weights", 1), "nan is no number"),
        (lambda d: altered(d, "1", "average", "weights", 1), "'1' is no number"),
        (lambda d: altered(d, 0.9, "average", "weights", 1), "that add up to 1"),
        (lambda d: altered(d, 3, "average", "lists", 2), r"average.lists\[2\]: expected an object"),
        (lambda d: without(d, "average", "lists", 2, "else"), r"average.lists\[2\].else: missing"),
        (
            lambda d: altered(d, "z", "average", "lists", 2, "rules", 1, "if", 0, "feature"),
            r"average.lists\[2\].rules\[1\].if\[0\].feature: 'z' is not among",
        ),
        (
            lambda d: altered(d, 7, "average", "lists", 0, "else", "probability", "no"),
            r"average.lists\[0\].else.probability.no: 7",
        ),
    ],
)
def test_a_broken_document_is_refused(change, message):
    document = json.loads(json.dumps(averaged(1).to_json()))
    change(document)
    with pytest.raises(InvalidModel, match=message) as caught:
        dbrules.Model.from_json(document)
    assert "\n" not in str(caught.value)


def test_an_average_of_other_lists_is_refused():
    model = averaged(1)
    other = averaged(1, classes=("a", "b"), positive="b")
    with pytest.raises(InvalidModel, match="give all of them the same"):
        replace(model, average=other.average)
    lists = model.average
    assert replace(model, average=lists.showing(lists.lists[1])) == model


@pytest.mark.parametrize("lists", [1, 3, 21])
def test_every_way_to_score_gives_the_averaged_answers(rows, lists):
    model = averaged(lists, lists=lists)
    wanted = [expected(model, x, n, s) for x, n, s, *_ in cells(rows)]
    names = "predicted_y, predicted_y_probability, rule"
    model.create_view(rows, "v", "t", reasons=True)
    model.create_table(rows, "u", "t", probabilities=True)
    ways = [
        model.predict("t", connection=rows),
        model.predict("SELECT * FROM t -- all", connection=rows, probabilities=True),
        model.predict(rows.table("t"), probabilities=True, reasons=True),
        model.predict(rows.table("t").df()),
        model.predict(rows.table("t").to_arrow_table()),
        rows.table("v"),
        rows.table("u"),
        rows.sql(model.to_sql("t")),
        rows.sql(model.to_sql("t", columns=["x", "n", "s", "y", "w", "id"])),
    ]
    for way in ways:
        assert way.columns[:7] == ["x", "n", "s", "y", "w", "id", "predicted_y"]
        found = way.order("id").project(names).fetchall()
        assert [(row[0], row[2]) for row in found] == [(row[0], row[2]) for row in wanted]
        assert [row[1] for row in found] == [row[1] for row in wanted]
    assert len(ways[2].columns) == 6 + 3 + 2 + 1
    alone = rows.sql(f"SELECT {model.to_sql()} FROM t ORDER BY id").fetchall()
    assert [row[0] for row in alone] == [row[0] for row in wanted]
    texts = rows.sql("SELECT DISTINCT rule, rule_text FROM v ORDER BY rule").fetchall()
    assert all((text == "ELSE") == (rule == 4) for rule, text in texts)


def test_the_list_that_is_read_may_be_another(rows):
    model = averaged(4)
    shown = replace(model.rules, rules=model.rules.rules[::-1])
    other = replace(model, rules=shown)
    for x, n, s, *_ in cells(rows)[:50]:
        assert expected(other, x, n, s)[:2] == expected(model, x, n, s)[:2]
    assert other.verify("t", connection=rows)
    numbers = other.predict("t", connection=rows).order("id").project("rule").fetchall()
    assert [number for (number,) in numbers] == [
        shown.capture({"x": x, "n": n, "s": s}) for x, n, s, *_ in cells(rows)
    ]
    assert "of which this is the most probable (weight " in str(model)
    assert "answers average 12 rule lists, beside which this list is read" in str(other)
    assert "of which this is one (" in str(replace(model, rules=model.average.lists[1]))
    assert dbrules.parse_rule_list(str(model)).rules[0].conditions == shown.rules[-1].conditions


@pytest.mark.parametrize("lists", [1, 3, 40])
def test_verification_proves_it_and_sees_a_wrong_constant(rows, lists, monkeypatch):
    model = averaged(lists, lists=lists)
    verified = model.verify("t", connection=rows)
    assert verified
    assert verified.rows == 1200
    genuine = dbrules.compile.average.case_numbers

    def tampered(rule_list, numbers, dialect):
        if rule_list.rules == model.average.lists[-1].rules:
            # a few units in the last place of a sum
            numbers = [number + 2**-50 for number in numbers]
        return genuine(rule_list, numbers, dialect)

    monkeypatch.setattr(dbrules.compile.average, "case_numbers", tampered)
    found = model.verify("t", connection=rows)
    assert not found
    assert found.wrong_rows == 1200
    mismatch = found.mismatches[0]
    assert mismatch.sql[0] == mismatch.rules[0]
    assert mismatch.sql[1] - mismatch.rules[1] == pytest.approx(2**-50, rel=0.5)
    monkeypatch.undo()
    monkeypatch.setattr(
        dbrules.compile.select, "average_label", lambda *_, **__: exp.Literal.string("maybe")
    )
    assert model.verify("t", connection=rows).wrong_rows == 1200


@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize(
    ("classes", "positive"),
    [(("no", "yes"), "yes"), (("maybe", "no", "yes"), None), (("maybe", "no", "yes"), "maybe")],
)
def test_metrics_against_a_computation_row_by_row(rows, weight, classes, positive):
    model = averaged(9, classes=classes, positive=positive)
    found = model.evaluate("t", connection=rows, weight=weight)
    kept = [c for c in cells(rows) if c[3] is not None and (weight is None or c[4] > 0)]
    share = np.array(
        [model.average.probabilities({"x": x, "n": n, "s": s}) for x, n, s, *_ in kept]
    )
    w = np.array([1.0 if weight is None else float(row[4]) for row in kept])
    names = [*classes, *sorted({row[3] for row in kept} - set(classes))]
    y = np.array([names.index(row[3]) for row in kept])
    k, total = len(classes), w.sum()
    predicted = share.argmax(axis=1)

    assert len(np.unique(share[:, 0])) > len(model.rules.outcomes)
    assert (found.rows, found.weight) == (len(kept), total)
    assert found.excluded_rows == len([1 for c in cells(rows) if c[3] is None and (
        weight is None or c[4] > 0)])  # fmt: skip
    assert found.accuracy == pytest.approx(w[predicted == y].sum() / total)
    padded = np.hstack([share, np.zeros((len(kept), len(names) - k))])
    chosen = np.maximum(padded[np.arange(len(kept)), y], 1e-15)
    assert found.log_loss == pytest.approx(-(w * np.log(chosen)).sum() / total)

    def area(c):
        hit = y == c
        higher = share[hit, c][:, None] - share[~hit, c][None, :]
        wins = (higher > 0) + 0.5 * (higher == 0)
        pairs = w[hit][:, None] * w[~hit][None, :]
        return (wins * pairs).sum() / pairs.sum()

    areas = [area(c) for c in range(k)]
    assert [c.auroc for c in found.classes] == pytest.approx(areas)
    if positive is None:
        squares = ((padded - np.eye(len(names))[y]) ** 2).sum(axis=1)
        assert found.auroc == pytest.approx(np.mean(areas))
    else:
        c = classes.index(positive)
        squares = (share[:, c] - (y == c)) ** 2
        assert found.auroc == pytest.approx(areas[c])
    assert found.brier == pytest.approx((w * squares).sum() / total)
    for i in range(len(names)):
        for j in range(k):
            cell = w[(y == i) & (predicted == j)].sum()
            assert found.confusion[i][j] == pytest.approx(cell)

    rule = np.array([model.rules.capture({"x": x, "n": n, "s": s}) for x, n, s, *_ in kept])
    for metrics, outcome in zip(found.per_rule, model.rules.outcomes, strict=True):
        inside = rule == metrics.rule
        assert metrics.captured == pytest.approx(w[inside].sum())
        right = w[inside & (y == names.index(outcome.label))].sum()
        assert metrics.right == pytest.approx(right)
    assert found.to_json()["rows"] == len(kept)


def test_notes_on_data_speak_of_every_list(rows):
    model = replace(averaged(2), training=Training(rows=9, missing={"x": 1, "n": 0, "s": 0}))
    data = "SELECT 0.5 AS x, 1 AS n, unnest(['k', 'zz', 'm']) AS s"
    assert model.average.used == FEATURES[:3]
    assert model.check(data, connection=rows) == ("s: 1 unseen level in 1 row ('zz')",)
    with pytest.raises(UnknownClass, match="'zz'"):
        model.predict(data, connection=rows, on_unseen="error")


def test_counts_are_not_taken_anew(rows):
    model = averaged(3)
    with pytest.raises(InvalidSetting, match=r"replace\(model, average=None\)"):
        model.recount("t", connection=rows)
    two = "SELECT * FROM t WHERE y IN ('no', 'yes')"
    alone = replace(model, average=None).recount(two, connection=rows)
    assert alone.rules.outcomes[0].total != model.rules.outcomes[0].total


@pytest.mark.parametrize("place", ["positive_weight", "counts"])
def test_a_number_larger_than_doubles_is_refused(place):
    rules = dbrules.parse_rule_list("IF a = 1 THEN yes ELSE no")
    document = dbrules.Model(rules).to_json()
    if place == "counts":
        document["else"]["counts"]["yes"] = 10**400
    else:
        document["falling"] = {"positive_weight": 10**400}
    with pytest.raises(InvalidModel, match=place):
        dbrules.Model.from_json(document)
