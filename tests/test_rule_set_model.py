"""A model of a rule set: saved, printed, scored on every path, counted, evaluated, verified."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import numpy as np
import pytest

import dbrules
import dbrules.compile.select
from dbrules.errors import InvalidModel, InvalidSetting, UnknownClass
from dbrules.language.column import Column, ColumnType
from dbrules.language.condition import Condition
from dbrules.language.rule import Outcome, Rule, Target
from dbrules.language.rule_average import RuleAverage
from dbrules.language.rule_set import RESOLUTIONS, VOTES, RuleSet
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
CLASSES = ("maybe", "no", "yes")


def model_of(seed, resolution, *, positive="yes", rules=7):
    rng = random.Random(seed)
    target = Target("y", ColumnType("VARCHAR"), CLASSES, positive)

    def outcome():
        raw = [rng.random() for _ in CLASSES]
        counts = tuple(rng.randrange(50) for _ in CLASSES)
        return Outcome(rng.choice(CLASSES), tuple(r / sum(raw) for r in raw), counts)

    made = tuple(
        Rule(tuple(rng.sample(POOL, rng.choice([1, 1, 2]))), outcome()) for _ in range(rules)
    )
    found = RuleSet(target, FEATURES, made, outcome(), resolution)
    return dbrules.Model(found, "covering", {"passes": 3}, Training(rows=80))


@pytest.fixture
def rows(con):
    con.execute(
        "CREATE TABLE t AS SELECT CASE WHEN i % 11 = 0 THEN 'nan'::DOUBLE "
        "WHEN i % 7 > 0 THEN (i % 9) / 8.0::DOUBLE END AS x, "
        "nullif(i % 5, 4)::INTEGER AS n, ['k', 'm', 'o', NULL][1 + i % 4] AS s, "
        "['no', 'yes', 'yes', 'maybe', NULL][1 + (i * 7 + i // 13) % 5] AS y, "
        "[0.5, 0, 2.25][1 + i % 3] AS w, i AS id FROM range(400) r(i)"
    )
    return con


def cells(con, columns="x, n, s"):
    return con.execute(f"SELECT {columns} FROM t ORDER BY id").fetchall()


def as_row(x, n, s):
    return {"x": x, "n": n, "s": s}


@pytest.mark.parametrize("resolution", RESOLUTIONS)
def test_files_and_text_read_back(tmp_path, resolution):
    model = model_of(1, resolution)
    document = model.to_json()
    assert (document["kind"], document["resolution"]) == ("rule_set", resolution)
    assert dbrules.Model.from_json(json.loads(json.dumps(document))) == model
    model.save(tmp_path / "m.json")
    assert dbrules.load(tmp_path / "m.json") == model
    text = str(model)
    assert text.startswith("-- covering: 80 rows\n")
    assert f"\n-- rule set, overlaps resolved by: {resolution}\nIF " in text
    back = dbrules.parse_rule_set(text, target=model.rules.target, features=FEATURES)
    assert back.resolution == resolution
    assert [r.conditions for r in back.rules] == [r.conditions for r in model.rules.rules]
    frame = model.to_frame()
    assert frame["label"].tolist() == [outcome.label for outcome in model.rules.outcomes]
    assert frame["antecedent"].tolist()[-1] == "ELSE"


@pytest.mark.parametrize("key", ["falling", "average", "posterior"])
def test_what_belongs_to_a_list_does_not_go_with_a_set(key):
    document = model_of(1, "best").to_json() | {key: {}}
    with pytest.raises(InvalidModel, match=f"{key!r} goes with a rule list"):
        dbrules.Model.from_json(document)


def test_a_set_takes_no_average_and_no_falling():
    model = model_of(1, "first")
    ordered, _ = model.rules.first_match()
    for extra in ({"average": RuleAverage((ordered,), (1.0,))}, {"falling": dbrules.Falling(1)}):
        with pytest.raises(InvalidModel, match="is no rule list"):
            replace(model, **extra)
    assert replace(model, rules=ordered).rule_list == ordered


@pytest.mark.parametrize("resolution", RESOLUTIONS)
def test_every_way_to_score_gives_the_same_answers(rows, resolution):
    model = model_of(2, resolution)
    wanted = []
    for row in cells(rows):
        answer = model.rules.resolve(model.rules.captures(as_row(*row)))
        share = answer.probability[answer.place]
        wanted.append((CLASSES[answer.place], share, answer.number))
    assert len({number for *_, number in wanted}) > 3
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
    for columns in (None, ["x", "n", "s", "y", "w", "id"]):
        dbt = model.to_sql("t", form="dbt", columns=columns).partition("\n\n")[2]
        ways.append(rows.sql(dbt.replace("{{ ref('t') }}", "t")))
    for way in ways:
        assert way.columns[:7] == ["x", "n", "s", "y", "w", "id", "predicted_y"]
        names = "predicted_y, predicted_y_probability, rule"
        assert way.order("id").project(names).fetchall() == wanted
    assert len(ways[2].columns) == 6 + 3 + 3 + 1
    alone = rows.sql(f"SELECT {model.to_sql()} FROM t ORDER BY id").fetchall()
    assert [row[0] for row in alone] == [row[0] for row in wanted]
    texts = rows.sql("SELECT DISTINCT rule, rule_text FROM v").fetchall()
    assert all((text == "ELSE") == (rule == 8) for rule, text in texts)


@pytest.mark.parametrize("resolution", RESOLUTIONS)
def test_verification_proves_a_set_and_catches_a_wrong_one(rows, resolution, monkeypatch):
    model = model_of(3, resolution)
    found = model.verify("t", connection=rows)
    assert (found.rows, found.wrong_rows) == (400, 0)
    name = "vote_values" if resolution in VOTES else "case_integers"
    right = getattr(dbrules.compile.select, name)

    def mixed_up(rules, *args, **named):
        return right(replace(rules, rules=rules.rules[::-1]), *args, **named)

    monkeypatch.setattr(dbrules.compile.select, name, mixed_up)
    wrong = model.verify("t", connection=rows)
    assert 0 < wrong.wrong_rows <= 400
    assert wrong.mismatches[0].sql != wrong.mismatches[0].rules


@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("positive", ["yes", None])
@pytest.mark.parametrize("resolution", RESOLUTIONS)
def test_evaluation_is_what_rows_say_one_by_one(rows, resolution, positive, weight):
    model = model_of(5, resolution, positive=positive)
    rules, k = model.rules, len(model.rules.rules)
    kept = [
        (as_row(x, n, s), CLASSES.index(y), float(w) if weight else 1.0)
        for x, n, s, y, w in cells(rows, "x, n, s, y, w")
        if y is not None
    ]
    y = np.array([label for _, label, _ in kept])
    w = np.array([each for *_, each in kept])
    said = [rules.resolve(rules.captures(row)) for row, *_ in kept]
    share = np.array([answer.probability for answer in said])
    predicted = np.array([answer.place for answer in said])
    found = model.evaluate("t", connection=rows, weight=weight)
    assert found.rows == (w > 0).sum()
    assert found.weight == pytest.approx(w.sum())
    assert found.accuracy == pytest.approx((w * (y == predicted)).sum() / w.sum())
    true = np.maximum(share[np.arange(len(y)), y], 1e-15)
    assert found.log_loss == pytest.approx(-(w * np.log(true)).sum() / w.sum())
    if positive is None:
        squares = ((share - np.eye(3)[y]) ** 2).sum(axis=1)
    else:
        squares = (share[:, 2] - (y == 2)) ** 2
    assert found.brier == pytest.approx((w * squares).sum() / w.sum())
    # per rule: all that it covers, whoever answers
    covers = np.array([[rule.covers(row) is True for rule in rules.rules] for row, *_ in kept])
    assert found.overlap == tuple(
        tuple(w[covers[:, i] & covers[:, j]].sum() for j in range(k)) for i in range(k)
    )
    inside = [*covers.T, ~covers.any(axis=1)]
    seen = np.zeros(len(y), dtype=bool)
    for metrics, outcome, hit in zip(found.per_rule, rules.outcomes, inside, strict=True):
        seen |= hit
        right = w[hit & (y == CLASSES.index(outcome.label))].sum()
        assert metrics.captured == pytest.approx(w[hit].sum())
        assert metrics.right == pytest.approx(right)
        assert metrics.support == pytest.approx(w[hit].sum() / w.sum())
        assert metrics.coverage == pytest.approx(w[seen].sum() / w.sum())
        if w[hit].sum():
            of_all = w[y == CLASSES.index(outcome.label)].sum() / w.sum()
            assert metrics.confidence == pytest.approx(right / w[hit].sum())
            assert metrics.lift == pytest.approx(metrics.confidence / of_all)
    assert found.per_rule[-1].coverage == 1
    document = json.loads(json.dumps(found.to_json()))
    assert document["overlap"] == [list(row) for row in found.overlap]


def test_an_evaluation_prints_the_overlap(rows):
    text = str(model_of(5, "majority").evaluate("t", connection=rows))
    head = text.index("covered by two rules")
    assert text[head:].splitlines()[1].split() == ["rule", *map(str, range(1, 8))]
    many = model_of(6, "weighted", rules=130).evaluate("t", connection=rows)
    pairs = [(many.overlap[i][j], i, j) for j in range(130) for i in range(j)]
    most = max(weight for weight, *_ in pairs)
    told = f"{sum(p[0] > 0 for p in pairs)} of {len(pairs)} pairs of rules cover rows together, "
    _, i, j = next(pair for pair in sorted(pairs, key=lambda p: p[1:]) if pair[0] == most)
    most_shared = f"most of all rules {i + 1} and {j + 1} ({most})"
    where = "the table is in evaluation.overlap, or printed by --json"
    assert f"{told}{most_shared}; {where}" in str(many).splitlines()
    alone = dbrules.Model(dbrules.parse_rule_list("IF n = 1 THEN yes ELSE no"))
    found = alone.evaluate("t", connection=rows)
    assert found.overlap is None
    assert found.to_json()["overlap"] is None
    assert "two rules" not in str(found)


@pytest.mark.parametrize("weight", [None, "w"])
def test_counts_taken_anew_are_of_all_rows_that_a_rule_covers(rows, weight):
    model = model_of(7, "weighted")
    counted = model.recount("t", connection=rows, weight=weight)
    labelled = [
        (as_row(x, n, s), y, float(w) if weight else 1)
        for x, n, s, y, w in cells(rows, "x, n, s, y, w")
        if y is not None and (w > 0 or not weight)
    ]
    for rule, outcome in zip([*model.rules.rules, None], counted.rules.outcomes, strict=True):
        inside = [
            (y, w) for row, y, w in labelled
            if (rule.covers(row) is True if rule else not model.rules.captures(row))
        ]  # fmt: skip
        counts = tuple(sum(w for y, w in inside if y == label) for label in CLASSES)
        assert outcome.counts == counts
        total = sum(counts)
        assert outcome.probability == pytest.approx([count / total for count in counts])
    assert counted.training.rows == len(labelled)
    assert sum(counted.training.class_counts.values()) == sum(w for _, _, w in labelled)
    weighed = f" of weight {sum(w for _, _, w in labelled):.6g}" if weight else ""
    assert str(counted).startswith(f"-- covering: {len(labelled)} rows{weighed}, ")
    assert counted.verify("t", connection=rows)


def test_a_set_without_rules_is_its_default(rows):
    for resolution in RESOLUTIONS:
        model = model_of(8, resolution, rules=0)
        assert model.verify("t", connection=rows)
        found = model.evaluate("t", connection=rows)
        assert (found.overlap, found.per_rule[0].coverage) == ((), 1)
        assert str(found)
        assert model.recount("t", connection=rows).rules.default.total == 320


def test_simplified_sets_answer_as_before(rows):
    never = Rule((Condition("n", "<", 1), Condition("n", ">", 2)), Outcome("no"))
    twice = Rule((Condition("n", ">=", 0), Condition("n", ">=", 3)), Outcome("no"))
    for resolution in RESOLUTIONS:
        for seed in range(4):
            model = model_of(seed, resolution)
            rules = (never, *model.rules.rules, *model.rules.rules[:2], twice)
            model = replace(model, rules=replace(model.rules, rules=rules))
            simple = model.simplify()
            assert "rule 1 is never true" in str(model)
            gone = len(rules) - len(simple.rules.rules)
            assert gone > 2 if resolution == "first" else gone == 1
            for row in cells(rows):
                assert simple.rules.predict(as_row(*row)) == model.rules.predict(as_row(*row))
                assert simple.rules.probabilities(as_row(*row)) == (
                    model.rules.probabilities(as_row(*row))
                )


def test_a_rule_that_is_never_true_stays_where_its_counts_decide_ties():
    never = Rule((Condition("n", "<", 1), Condition("n", ">", 2)), Outcome("a", (1, 0), (5, 0)))
    text = "IF n = 1 THEN b IF n = 1 THEN a ELSE b"
    rules = dbrules.parse_rule_set(text, resolution="majority")
    model = dbrules.Model(replace(rules, rules=(*rules.rules, never)))
    assert model.simplify().rules.predict({"n": 1}) == model.rules.predict({"n": 1}) == "a"
    assert len(model.simplify().rules.rules) == 3


def test_data_to_score_is_checked(rows):
    rules = dbrules.parse_rule_set(
        "IF s IN ('k', 'm') THEN yes IF x < 0.5 THEN no IF n = 1 THEN no ELSE yes",
        resolution="majority",
    )
    model = dbrules.Model(rules, training=Training(rows=9, missing={"x": 1, "n": 0, "s": 0}))
    data = "SELECT 0.5 AS x, 1 AS n, unnest(['k', 'zz', 'm']) AS s"
    assert model.check(data, connection=rows) == ("s: 1 unseen level in 1 row ('zz')",)
    with pytest.raises(UnknownClass, match="'zz'"):
        model.predict(data, connection=rows, on_unseen="error")
    other = rows.sql("SELECT 1 AS N, 'k' AS S, 0.2::REAL AS X")
    assert model.predict(other).columns[:3] == ["N", "S", "X"]


def test_only_ordered_resolutions_are_a_list():
    with pytest.raises(InvalidSetting, match="use the set itself"):
        model_of(2, "majority").rules.first_match()
