"""Sequential covering as a learner: the book's houses, all searches, limits, regression targets."""

from __future__ import annotations

import json

import duckdb
import pytest

import dbrules
from dbrules.errors import DbrulesWarning, InvalidSetting
from dbrules.language.write import format_condition
from dbrules.search.covering.quality import QUALITIES
from dbrules.search.covering.searches import SEARCHES

HOUSES = """
    SELECT * FROM (VALUES
        ('good', 'small', 'yes', 'high'), ('good', 'big', 'no', 'high'), ('good', 'big', 'no', 'high'),
        ('bad', 'medium', 'no', 'medium'), ('good', 'medium', 'only cats', 'medium'),
        ('good', 'small', 'only cats', 'medium'), ('bad', 'medium', 'yes', 'medium'),
        ('bad', 'small', 'yes', 'low'), ('bad', 'medium', 'yes', 'low'), ('bad', 'small', 'no', 'low')
    ) AS houses(location, size, pets, value)
"""  # noqa: E501
#: Three classes, by two numbers with missing values, a level and a flag; a tenth is luck.
ROWS = """
    SELECT i, CASE WHEN i % 17 > 0 THEN (i * 37) % 50 END AS a, (i * 11) % 23 / 4.0 AS b,
      ['x', 'y', 'z'][1 + i % 3] AS c, i % 2 = 0 AS d, 1 + i % 3 AS w,
      CASE WHEN i % 10 = 7 THEN 'q' WHEN (i * 37) % 50 < 12 AND i % 3 > 0 THEN 'p'
           WHEN (i * 11) % 23 > 15 OR i % 17 = 0 THEN 'r' ELSE 'q' END AS y
    FROM range(300) AS t(i)
"""
FEATURES = ["a", "b", "c", "d"]


def rules_of(model: dbrules.Model) -> list[tuple[str, str]]:
    return [
        (" AND ".join(format_condition(c) for c in rule.conditions), str(rule.label))
        for rule in model.rules.rules
    ]


def text_of(model: dbrules.Model) -> str:
    document = model.to_json()
    del document["training"]
    return json.dumps(document)


def test_the_houses_of_the_book() -> None:
    """Book 4.5.2: the purest path of a tree on location and size, by misclassification."""
    learner = dbrules.SequentialCovering(
        search="tree_path", beam_width=1, impurity="error", classes="any", significance=None
    )
    model = learner.fit(HOUSES, target="value", features=["location", "size"])
    assert rules_of(model)[:2] == [
        ("location = 'good' AND size = 'big'", "high"), ("location = 'good'", "medium"),
    ]  # fmt: skip
    assert [dict(zip(model.rules.target.classes, rule.outcome.counts, strict=True))
            for rule in model.rules.rules[:2]] == [
        {"high": 2, "low": 0, "medium": 0}, {"high": 1, "low": 0, "medium": 2},
    ]  # fmt: skip


def test_the_houses_class_by_class() -> None:
    model = dbrules.SequentialCovering(significance=None).fit(HOUSES, target="value")
    assert rules_of(model)[0][1] == "low"  # as rare as high, and later in class order
    assert model.rules.default.label == "medium"
    assert all(sum(rule.outcome.counts) == max(rule.outcome.counts) for rule in model.rules.rules)
    anyone = dbrules.SequentialCovering(significance=None, classes="any")
    assert rules_of(anyone.fit(HOUSES, target="value"))[0] == ("pets = 'only cats'", "medium")


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("search", sorted(SEARCHES))
def test_every_search_gives_a_model_that_counts_right(search: str, ordered: bool) -> None:
    learner = dbrules.SequentialCovering(
        search=search, ordered=ordered, max_conditions=2, max_nodes=20, min_support=0.02, restarts=4
    )
    model = learner.fit(ROWS, target="y", features=FEATURES, weight="w")
    assert len(model.rules.rules) >= 3
    evaluated = model.evaluate(ROWS, weight="w")
    captured = [rule.captured for rule in evaluated.per_rule]
    assert captured == [sum(outcome.counts) for outcome in model.rules.outcomes]
    assert evaluated.accuracy > 0.6
    texts = [text for text, _ in rules_of(model)]
    assert len(set(texts)) == len(texts)
    assert all(0 < len(rule.conditions) <= 2 for rule in model.rules.rules)
    assert all(sum(rule.outcome.counts) > 11 for rule in model.rules.rules)
    if not ordered:
        return
    shuffled = f"SELECT * FROM ({ROWS}) ORDER BY hash(i)"
    again = learner.fit(shuffled, target="y", features=FEATURES, weight="w")
    assert text_of(again) == text_of(model)


@pytest.mark.parametrize("quality", sorted(QUALITIES))
@pytest.mark.parametrize("classes", ["each", "any"])
def test_every_quality_beats_the_default(quality: str, classes: str) -> None:
    learner = dbrules.SequentialCovering(quality=quality, classes=classes, max_conditions=2)
    model = learner.fit(ROWS, target="y", features=FEATURES)
    assert model.evaluate(ROWS).accuracy > 0.6
    assert all(
        rule.outcome.counts[model.rules.target.index(rule.label)] == max(rule.outcome.counts)
        for rule in model.rules.rules
    )


@pytest.mark.parametrize(
    "settings",
    [
        {"ordered": False, "beam_width": 2}, {"search": "bottom_up", "restarts": 1},
        {"search": "tree_path", "classes": "any"},
        {"search": "exhaustive", "max_nodes": 9}, {"quality": "wracc", "ordered": False},
    ],
)  # fmt: skip
def test_memory_and_database_give_the_same_model(settings: dict[str, object]) -> None:
    models = [
        dbrules.SequentialCovering(
            statistics=where, max_rules=2, max_conditions=2, min_support=0.03, **settings
        ).fit(ROWS, target="y", features=FEATURES, weight="w")
        for where in ("memory", "database")
    ]
    assert models[0].rules == models[1].rules
    assert len(models[0].rules.rules) == 2


def test_a_weight_of_two_is_a_row_twice() -> None:
    learner = dbrules.SequentialCovering(max_conditions=2)
    weighted = learner.fit(ROWS, target="y", features=FEATURES, weight="w")
    twice = f"SELECT * EXCLUDE (w) FROM ({ROWS}) JOIN range(3) AS n(k) ON k < w"
    repeated = learner.fit(twice, target="y", features=FEATURES)
    assert rules_of(repeated) == rules_of(weighted)


def test_what_stops_it() -> None:
    def fit(**settings: object) -> dbrules.Model:
        return dbrules.SequentialCovering(**settings).fit(ROWS, target="y", features=FEATURES)

    free = fit(significance=None)
    assert len(fit(significance=1e-6).rules.rules) < len(free.rules.rules)
    assert len(fit(significance=None, uncovered=0.5).rules.rules) < len(free.rules.rules)
    assert all(sum(r.outcome.counts) >= 30 for r in fit(min_support=0.1).rules.rules)
    assert all(max(r.outcome.probability) >= 0.9 for r in fit(min_quality=0.9).rules.rules)
    short = fit(max_rules=2)
    assert len(short.rules.rules) == 2
    assert "the rules ended at max_rules=2" in short.training.notes


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"min_quality": 1}, "min_quality=1"),
        ({"quality": "wracc", "min_support": 0.9}, "min_support=0.9"),
        ({"uncovered": 1}, "uncovered=1 leaves no rows"),
    ],
)
def test_no_rule_says_why(settings: dict[str, float], why: str) -> None:
    with pytest.warns(DbrulesWarning, match=why):
        model = dbrules.SequentialCovering(**settings).fit(ROWS, target="y", features=FEATURES)
    assert model.rules.rules == ()


def test_no_rule_says_another_class() -> None:
    rows = "SELECT i % 4 AS g, i % 4 = 0 AND i % 3 = 0 AS y FROM range(240) AS t(i)"
    with pytest.warns(DbrulesWarning, match="more rows of its class than of any other"):
        model = dbrules.SequentialCovering(quality="wracc").fit(rows, target="y")
    assert model.rules.rules == ()


@pytest.mark.parametrize(
    ("table", "quality", "ordered"),
    [
        ("car_evaluation", "wracc", True), ("car_evaluation", "wracc", False),
        ("car_evaluation", "foil_gain", True), ("tic_tac_toe", "wracc", True),
    ],
)  # fmt: skip
def test_a_rule_for_each_rare_class(shared_data, table: str, quality: str, ordered: bool) -> None:
    """Of car, the best rule by wracc for vgood, without the need of a majority, says acc."""
    path = str(shared_data / f"{table}.parquet")
    learner = dbrules.SequentialCovering(quality=quality, ordered=ordered, max_conditions=4)
    model = learner.fit(path, target="class")
    rare = set(model.rules.target.classes) - {model.rules.default.label}
    assert {rule.label for rule in model.rules.rules} >= rare
    assert model.evaluate(path).accuracy > 0.75


@pytest.mark.parametrize("search", ["best_first", "exhaustive"])
def test_a_search_that_is_ended_says_so(search: str) -> None:
    def notes(**settings: object) -> str:
        learner = dbrules.SequentialCovering(search=search, max_conditions=2, **settings)
        return "; ".join(learner.fit(ROWS, target="y", features=FEATURES).training.notes)

    assert notes(max_nodes=3).count("search ended at max_nodes=3 for ") == 1
    assert "max_nodes" not in notes(max_nodes=0)


def test_progress_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dbrules.search.budget._EVERY", 0)
    for search in ("beam", "best_first", "exhaustive"):
        lines: list[str] = []
        dbrules.SequentialCovering(search=search, max_nodes=9, progress=lines.append).fit(
            ROWS, target="y", features=FEATURES
        )
        assert "covering: 0 rules, 5 nodes" in lines
        assert int(lines[-1].split()[1]) > 0


def test_a_missing_value_is_a_level() -> None:
    learner = dbrules.SequentialCovering(missing="level", search="exhaustive", max_conditions=2)
    model = learner.fit(ROWS, target="y", features=FEATURES)
    assert any("a IS NULL" in text for text, _ in rules_of(model))
    assert model.verify(ROWS).ok


@pytest.mark.parametrize(
    "settings",
    [
        {"search": "deep"}, {"quality": "lapalce"}, {"impurity": "x"}, {"classes": "all"},
        {"classes": "any", "ordered": False}, {"beam_width": 0}, {"restarts": None},
        {"max_nodes": -1}, {"m": -1}, {"uncovered": 2}, {"min_quality": "high"},
        {"significance": 0}, {"min_support": 2},
    ],
)  # fmt: skip
def test_bad_settings(settings: dict[str, object]) -> None:
    with pytest.raises(InvalidSetting):
        dbrules.SequentialCovering(**settings)


@pytest.mark.parametrize("bins", [None, [3152, 4548, 5956]])
def test_bike_rentals_by_quartiles(shared_data, bins) -> None:
    """Book 4.5.2: rentals in their quartiles, right-closed; 731 rows."""
    path = str(shared_data / "bike_imlbook_1ed.parquet")
    cuts = dbrules.Bins("quantile", 4, closed="right") if bins is None else None
    spec = cuts or dbrules.Bins("cuts", cuts=tuple(bins), closed="right")
    learner = dbrules.SequentialCovering(bins={"cnt": spec}, max_conditions=3)
    model = learner.fit(path, target="cnt", exclude=["days_since_2011"])
    assert len(model.rules.target.classes) == 4
    totals = [sum(o.counts[k] for o in model.rules.outcomes) for k in range(4)]
    assert totals == [183, 183, 182, 183]
    evaluated = model.evaluate(path)
    assert [r.captured for r in evaluated.per_rule] == [sum(o.counts) for o in model.rules.outcomes]
    assert evaluated.accuracy > 455 / 731
    assert model.verify(path).ok


def test_tables_without_anything_to_tell() -> None:
    with pytest.warns(DbrulesWarning):
        model = dbrules.SequentialCovering().fit(
            duckdb.sql("SELECT 1 AS a, i % 2 AS y FROM range(9) AS t(i)"), target="y"
        )
    assert model.rules.rules == ()


@pytest.mark.parametrize("ordered", [True, False])
def test_an_interrupt_gives_the_rules_so_far(con, monkeypatch, ordered):
    con.execute("CREATE TABLE t AS SELECT i % 50 AS n, i % 50 // 10 AS y FROM range(500) r(i)")
    learner = dbrules.SequentialCovering(ordered=ordered)
    whole = learner.fit("t", target="y", connection=con)
    search, calls = SEARCHES["beam"], []

    def interrupted(*arguments):
        calls.append(1)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return search(*arguments)

    monkeypatch.setitem(SEARCHES, "beam", interrupted)
    model = learner.fit("t", target="y", connection=con)
    assert 0 < len(model.rules.rules) < len(whole.rules.rules)
    assert "interrupted" in " ".join(model.training.notes)
    assert model.verify("t", connection=con)
