"""RIPPER as a learner: what its rules are made of, their limits, order and probabilities."""

from __future__ import annotations

import duckdb
import pytest

import dbrules
from dbrules.errors import DbrulesWarning, InvalidSetting
from dbrules.language.condition import EQ, GE, IS_NULL, LE
from dbrules.language.rule_set import RESOLUTIONS
from dbrules.language.simplify import simplify
from dbrules.search.ripper.grow import prune

#: Three classes told by two numbers with gaps, a text and a flag; a sixth of the rows is luck.
ROWS = """
    SELECT i, CASE WHEN i % 17 > 0 THEN (i * 37) % 50 END AS a, (i * 11) % 23 / 4.0 AS b,
      CASE WHEN i % 13 > 0 THEN ['x', 'y', 'z'][1 + i % 3] END AS c, i % 2 = 0 AS d,
      CASE WHEN i % 6 = 5 THEN ['p', 'q', 'r'][1 + (i * 7) % 11 % 3]
           WHEN (i * 37) % 50 < 12 AND i % 3 > 0 THEN 'p'
           WHEN (i * 11) % 23 > 15 OR i % 17 = 0 THEN 'r' ELSE 'q' END AS y
    FROM range(500) AS t(i)
"""
FEATURES = ["a", "b", "c", "d"]


def fit(rows=ROWS, **settings):
    return dbrules.Ripper(**settings).fit(rows, target="y", features=FEATURES)


def random_rows(seed, rows=300):
    """Return a query of rows whose class depends on a number within bounds, or on a text."""
    return f"""
        SELECT h % 40 AS a, (h // 40) % 30 / 8 AS b, 's' || (h // 1200) % 4 AS c,
          (h // 4800) % 2 = 0 AS d,
          (a BETWEEN 7 AND 22 AND b > 1) OR (c = 's1' AND (h // 9600) % 5 > 0) AS y
        FROM (SELECT hash(i * 1000 + {seed}) % 96000 AS h FROM range({rows}) AS t(i))
    """


def check(model, data):
    """Assert what holds of every model: no idle word, counts of all rows, Laplace, best label."""
    rules, target = model.rules, model.rules.target
    simplified = simplify(rules)
    assert simplified.findings == ()
    assert simplified.rules.rules == rules.rules
    assert all(rule.conditions for rule in rules.rules)
    assert all(sum(rule.outcome.counts) > 0 for rule in rules.rules)
    evaluated = model.evaluate(data)
    assert [rule.captured for rule in evaluated.per_rule] == [sum(o.counts) for o in rules.outcomes]
    for outcome in rules.outcomes:
        total = sum(outcome.counts) + len(target.classes)
        assert outcome.probability == pytest.approx([(n + 1) / total for n in outcome.counts])
        assert outcome.probability[target.index(outcome.label)] == max(outcome.probability)
    assert model.verify(data).ok


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("missing", ["drop", "level"])
def test_a_missing_value_never_matches_unless_it_is_a_level(missing, ordered):
    model = fit(missing=missing, ordered=ordered)
    check(model, ROWS)
    tests = {(c.feature, c.op) for rule in model.rules.rules for c in rule.conditions}
    # every 17th row has no number, and is of class r
    assert (("a", IS_NULL) in tests) == (missing == "level")
    assert missing == "level" or {op for _, op in tests} <= {EQ, LE, GE}
    assert model.training.missing.get("a") == 30


TYPES = {
    "DECIMAL(9, 2)": "(i * 37 % 100)::DECIMAL(9, 2) / 8",
    "REAL": "(i * 37 % 100)::REAL / 7",
    "DOUBLE": "(i * 37 % 100)::DOUBLE / 7 * 1e300",
    "BIGINT": "9007199254740993 + i * 37 % 100",
    "DATE": "DATE '2024-02-01' + (i * 37 % 100)::INTEGER",
    "TIMESTAMP": "TIMESTAMP '2024-02-01 00:00:00.000001' + to_microseconds(i * 37 % 100)",
    "TIMESTAMPTZ": "TIMESTAMPTZ '2024-02-01 00:00:00+00' + to_hours(i * 37 % 100)",
}


@pytest.mark.parametrize("kind", TYPES)
def test_thresholds_are_values_of_the_data_to_the_bit(kind, con):
    con.execute(
        f"CREATE TABLE t AS SELECT CAST({TYPES[kind]} AS {kind}) AS x, "
        "i * 37 % 100 BETWEEN 23 AND 57 AS y FROM range(400) AS r(i)"
    )
    model = dbrules.Ripper().fit("t", target="y", connection=con)
    conditions = [c for rule in model.rules.rules for c in rule.conditions]
    assert {c.op for c in conditions} == {LE, GE}
    for condition in conditions:
        of_value = f"SELECT count(*) FROM t WHERE x = CAST(? AS {kind})"
        assert con.execute(of_value, [condition.value]).fetchall() == [(4,)]
    # neighbours are told apart, in SQL as in the counts
    assert model.evaluate("t", connection=con).accuracy == 1
    assert [sum(o.counts) for o in model.rules.outcomes] == [140, 260]
    assert model.verify("t", connection=con).ok


@pytest.mark.parametrize("passes", range(4))
@pytest.mark.parametrize("most", range(1, 5))
def test_no_rule_has_more_conditions_than_it_may(passes, most):
    longest = []
    for seed in range(3):
        rows = random_rows(seed)
        model = fit(rows, passes=passes, max_conditions=most, seed=seed)
        check(model, rows)
        longest += [len(rule.conditions) for rule in model.rules.rules]
    assert 0 < max(longest) <= most
    assert most > 2 or max(longest) == most


@pytest.mark.parametrize("passes", [0, 1, 2, 3])
def test_limits_and_simplicity_hold_on_real_data(passes, shared_data):
    bank = f"SELECT * FROM '{shared_data / 'bank_full.parquet'}' LIMIT 3000"
    masses = str(shared_data / "mammographic_masses.parquet")
    for data, target in ((masses, "Severity"), (bank, "y")):
        for most in (1, 2, 3, 4):
            model = dbrules.Ripper(passes=passes, max_conditions=most).fit(data, target=target)
            check(model, data)
            assert all(len(rule.conditions) <= most for rule in model.rules.rules)
        assert model.rules.rules


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("passes", [0, 2])
def test_no_more_rules_than_asked_for_and_none_too_small(passes, ordered):
    free = fit(passes=passes, ordered=ordered)
    assert len(free.rules.rules) > 4
    for most in (1, 2, 3):
        model = fit(passes=passes, ordered=ordered, max_rules=most)
        check(model, ROWS)
        assert 0 < len(model.rules.rules) <= most
    large = fit(passes=passes, ordered=ordered, min_support=0.08)
    check(large, ROWS)
    assert large.rules.rules
    assert all(sum(rule.outcome.counts) >= 40 for rule in large.rules.rules)


@pytest.mark.parametrize("resolution", RESOLUTIONS)
@pytest.mark.parametrize("seed", range(2))
def test_a_set_votes(resolution, seed):
    model = fit(ordered=False, resolution=resolution, seed=seed)
    assert model.rules.resolution == resolution
    assert {rule.label for rule in model.rules.rules} == {"p", "q", "r"}
    check(model, ROWS)
    assert model.evaluate(ROWS).accuracy > 0.7


@pytest.mark.parametrize("settings", [{"prune_fraction": 0.5}, {"prune_fraction": 0.1},
                                      {"prune_fraction": 0.001}, {"ranking_rules": 0},
                                      {"ranking_rules": 9}, {"bins": "quantile:4"}])  # fmt: skip
def test_other_settings(settings):
    model = fit(**settings)
    check(model, ROWS)
    assert model.evaluate(ROWS).accuracy > 0.7


def test_few_cuts_are_quantiles_and_stay_exact():
    rows = "SELECT i, (i * 37) % 503 / 7 AS x, (i * 37) % 503 > 300 AS y FROM range(1006) AS t(i)"
    exact = dbrules.Ripper().fit(rows, target="y", features=["x"])
    assert exact.evaluate(rows).accuracy == 1
    few = dbrules.Ripper(max_cuts=5).fit(rows, target="y", features=["x"])
    check(few, rows)
    assert 0.85 < few.evaluate(rows).accuracy < 1
    for rule in few.rules.rules:
        for condition in rule.conditions:
            assert round(float(condition.value) * 7) in range(503)
            # a fifth of the values ends, or begins, at the threshold
            place = round(float(condition.value) * 7) + (condition.op == LE)
            assert min(place % 100.6, 100.6 - place % 100.6) < 1.5


def test_the_rarest_class_comes_first_and_the_default_is_the_most_frequent():
    rows = """
        SELECT i % 8 AS g, (i * 7) % 31 AS noise,
          ['a', 'b', 'b', 'c', 'c', 'd', 'd', 'd'][1 + i % 8] AS y FROM range(320) AS t(i)
    """
    model = dbrules.Ripper(ranking_rules=0).fit(rows, target="y")
    labels = [outcome.label for outcome in model.rules.outcomes]
    # b and c are as frequent: the smaller label is nearer to the default
    assert list(dict.fromkeys(labels)) == ["a", "c", "b", "d"]
    assert model.evaluate(rows).accuracy == 1


def test_ranking_rules_are_the_last_ones_and_answer_as_the_default():
    plain, ranked = fit(ranking_rules=0, seed=3), fit(ranking_rules=2, seed=3)
    number = len(plain.rules.rules)
    assert [r.conditions for r in ranked.rules.rules[:number]] == [
        r.conditions for r in plain.rules.rules
    ]
    assert 0 < len(ranked.rules.rules) - number <= 2
    default = ranked.rules.target.index(ranked.rules.default.label)
    for rule in ranked.rules.rules[number:]:
        assert rule.outcome.probability[default] < plain.rules.default.probability[default]


@pytest.mark.parametrize("bins", [None, {"z": dbrules.Bins("cuts", cuts=(20, 70))}])
def test_a_number_is_predicted_by_its_intervals(bins):
    rows = "SELECT i % 100 AS x, i % 7 AS other, i % 100 + i % 3 AS z FROM range(700) AS t(i)"
    model = dbrules.Ripper(bins=bins).fit(rows, target="z")
    assert len(model.rules.target.classes) == (4 if bins is None else 3)
    check(model, rows)
    assert model.evaluate(rows).accuracy > 0.9


def test_no_time_gives_a_model_that_says_so():
    with pytest.warns(DbrulesWarning, match="no rule found: the search ended at max_seconds=1e-09"):
        model = fit(max_seconds=1e-9)
    check(model, ROWS)
    assert model.rules.default.label == "q"
    assert "cut: the search ended at max_seconds=1e-09" in model.training.notes


def test_a_class_without_a_rule_is_named():
    rows = (
        "SELECT i % 10 AS x, CASE WHEN i % 97 = 0 THEN 'rare' ELSE (i % 10 < 4)::VARCHAR END AS y "
    )
    rows += "FROM range(500) AS t(i)"
    model = dbrules.Ripper().fit(rows, target="y")
    assert any(note.startswith("no rule for rare: none is right") for note in model.training.notes)
    luck = duckdb.sql("SELECT i % 5 AS x, i % 2 AS y FROM range(400) AS t(i)")
    with pytest.warns(DbrulesWarning, match="no rule found: none is right more often than wrong"):
        assert dbrules.Ripper().fit(luck, target="y").rules.rules == ()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"passes": None}, "passes None is not a number of at least 0"),
        ({"passes": 1.5}, "passes 1.5 is not a whole number"),
        ({"prune_fraction": 0.9}, "prune_fraction 0.9 is not a number .* at most 0.5"),
        ({"prune_fraction": 0}, "prune_fraction 0 "),
        ({"ranking_rules": -1}, "ranking_rules -1"),
        ({"ordered": 1}, "ordered 1 is not a boolean"),
        ({"resolution": "weigthed"}, "did you mean 'weighted'"),
        ({"max_rules": 0}, "max_rules 0"),
        ({"max_cuts": 0}, "max_cuts 0"),
        ({"max_cuts": None}, "max_cuts None"),
        ({"min_support": 2}, "min_support 2"),
    ],
)
def test_bad_settings(settings, message):
    with pytest.raises(InvalidSetting, match=message):
        dbrules.Ripper(**settings)


def test_too_many_cuts_for_a_code():
    with pytest.raises(InvalidSetting, match=r"max_cuts 70000 .*: give at most"):
        fit(max_cuts=70_000)


def test_a_limit_on_rules_is_what_ended_them(con):
    con.execute("CREATE TABLE t AS SELECT i % 10 AS n, i % 10 // 2 AS y FROM range(500) r(i)")
    model = dbrules.Ripper(max_rules=2).fit("t", target="y", connection=con)
    assert len(model.rules.rules) == 2
    assert model.training.notes == ("the rules ended at max_rules=2",)


@pytest.mark.parametrize("ordered", [True, False])
def test_an_interrupt_gives_the_rules_so_far(con, monkeypatch, ordered):
    con.execute("CREATE TABLE t AS SELECT i % 97 AS n, i % 97 // 20 AS y FROM range(970) r(i)")
    learner = dbrules.Ripper(ordered=ordered)
    whole = learner.fit("t", target="y", connection=con)
    calls = []

    def interrupted(*arguments):
        calls.append(1)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return prune(*arguments)

    monkeypatch.setattr("dbrules.search.ripper.ripper.prune", interrupted)
    model = learner.fit("t", target="y", connection=con)
    assert 0 < len(model.rules.rules) < len(whole.rules.rules)
    assert "interrupted" in " ".join(model.training.notes)
    assert model.verify("t", connection=con)
