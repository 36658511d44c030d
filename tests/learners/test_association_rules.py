"""Class association rules as a learner: the set that is found, the classifier, the limits."""

from __future__ import annotations

import json
import math
from collections import Counter

import pytest

import dbrules
from dbrules.errors import DbrulesWarning, InvalidModel, InvalidSetting
from dbrules.language.write import format_conditions
from dbrules.statistics.database_uncovered import DatabaseUncovered

FEATURES = ["age", "plan", "calls", "region", "since"]


def fit(con, data="customers", *, target="left_us", weight=None, features=FEATURES, **settings):
    return dbrules.AssociationRules(**settings).fit(
        data, target=target, features=features, weight=weight, connection=con
    )


def rules_of(model):
    document = model.to_json()
    del document["training"], document["learner"]
    return json.dumps(document)


def bodies(model):
    return [(format_conditions(r.conditions), r.label) for r in model.rules.rules]


# -- the set --------------------------------------------------------------------------------


@pytest.mark.parametrize("resolution", ["best", "first", "majority", "weighted"])
def test_a_set_is_answered_alike_on_every_path(customers, answers, resolution):
    model = fit(customers, classifier=None, resolution=resolution, min_support=0.05, max_rules=30)
    assert len(model.rules.rules) == 30
    assert len(answers(model, "customers", customers)) == 1009
    again = model.recount("customers", connection=customers)
    assert [o.counts for o in again.rules.outcomes] == [o.counts for o in model.rules.outcomes]
    assert dbrules.Model.from_json(json.loads(json.dumps(model.to_json()))) == model


def test_the_frame_shows_measures_of_what_the_rows_say(customers):
    model = fit(customers, classifier=None, min_confidence=0.6, min_support=0.02)
    frame = model.to_frame()
    total, *of_class = customers.execute(
        "SELECT count(*), sum((left_us = 'no')::INT), sum((left_us = 'yes')::INT) FROM customers"
    ).fetchall()[0]
    assert model.training.class_counts == dict(zip(("no", "yes"), of_class, strict=True))
    for n, rule in enumerate(model.rules.rules):
        if n % 7:
            continue
        where = dbrules.Model(dbrules.parse_rule_list(
            f"IF {format_conditions(rule.conditions)} THEN hit ELSE miss",
            features=model.rules.features)).to_sql()  # fmt: skip
        covered, hits = customers.execute(
            f"SELECT count(*), sum((left_us = '{rule.label}')::INT) FROM customers "
            f"WHERE {where} = 'hit'"
        ).fetchall()[0]
        row = frame.iloc[n]
        share = of_class[rule.label == "yes"] / total
        assert row["support"] == hits / total
        assert row["antecedent_support"] == covered / total
        assert row["confidence"] == hits / covered
        assert row["lift"] == pytest.approx(hits / covered / share)
        odds = math.inf if hits == covered else (1 - share) / (1 - hits / covered)
        assert row["conviction"] == pytest.approx(odds)
    evaluated = model.evaluate("customers", connection=customers).rules
    assert frame["antecedent_support"].tolist() == evaluated["support"].tolist()
    assert "coverage" not in frame
    order = frame.iloc[:-1]
    assert list(order["confidence"]) == sorted(order["confidence"], reverse=True)
    assert (order["confidence"] >= 0.6).all()
    assert (order["support"] >= 0.02).all()
    assert frame["antecedent"].iloc[-1] == "ELSE"


def test_a_file_without_class_counts_has_no_measures_and_a_broken_one_is_refused(customers):
    model = fit(customers, classifier=None, min_support=0.1)
    document = model.to_json()
    document["training"]["class_counts"] = {"no": -1}
    with pytest.raises(InvalidModel, match=r"training\.class_counts must be weights"):
        dbrules.Model.from_json(document)
    del document["training"]["class_counts"]
    old = dbrules.Model.from_json(document)
    assert old.rules == model.rules
    assert "lift" not in old.to_frame()
    assert "class_counts" not in fit(customers).to_json()["training"]


def test_a_set_keeps_what_a_more_general_rule_says_where_it_is_told_to(customers):
    limits = {"classifier": None, "min_support": 0.05, "max_conditions": 2}
    kept = fit(customers, redundant="keep", **limits)
    dropped = fit(customers, **limits)
    assert set(bodies(dropped)) < set(bodies(kept))
    [told] = [note for note in kept.notes if "have what was asked for" in note]
    assert told.startswith(f"{len(kept.rules.rules)} rules of ")
    left = len(kept.rules.rules) - len(dropped.rules.rules)
    assert f"{told}, {left} redundant ones are left out" in dropped.notes
    few = fit(customers, max_rules=5, **limits)
    assert f"{told}, {left} redundant ones are left out" in few.notes
    singles = {r.conditions[0] for r in kept.rules.rules if len(r.conditions) == 1}
    assert singles
    first = fit(customers, redundant="keep", max_rules=5, **limits)
    assert bodies(first) == bodies(kept)[:5]


def test_a_rule_for_each_class_that_has_what_is_asked_for(con):
    con.execute(
        "CREATE TABLE t AS SELECT ['a', 'b'][1 + i % 2] AS x, ['p', 'q', 'r'][1 + i % 3] AS y "
        "FROM range(60) AS r(i)"
    )
    model = fit(con, "t", target="y", features=None, classifier=None, min_confidence=0.3)
    assert Counter(bodies(model)) == Counter(
        (f"x = '{x}'", y) for x in "ab" for y in "pqr"
    )  # fmt: skip
    assert all(rule.outcome.counts == (10, 10, 10) for rule in model.rules.rules)


def test_a_rare_class_has_rules_by_a_share_of_its_own(con):
    con.execute(
        "CREATE TABLE t AS SELECT CASE WHEN i < 8 THEN 'u' ELSE 'v' || (i % 3) END AS x, "
        "CASE WHEN i < 8 THEN 'rare' ELSE 'usual' END AS y FROM range(2000) AS r(i)"
    )
    usual = fit(con, "t", target="y", features=None, classifier=None)
    assert {rule.label for rule in usual.rules.rules} == {"usual"}
    both = fit(con, "t", target="y", features=None, classifier=None, min_support=None,
               min_support_class=0.3)  # fmt: skip
    assert ("x = 'u'", "rare") in bodies(both)
    assert both.evaluate("t", connection=con).accuracy == 1


# -- the classifier -------------------------------------------------------------------------


@pytest.mark.parametrize(("missing", "weight"), [("level", None), ("drop", "copies")])
@pytest.mark.parametrize("classifier", ["cba", None])
def test_both_doors_give_one_model(customers, monkeypatch, classifier, missing, weight):
    monkeypatch.setattr(DatabaseUncovered, "batch", 23)  # several, and not all full
    settings = {"classifier": classifier, "missing": missing, "min_support": 0.02,
                "max_conditions": 2}  # fmt: skip
    models = [
        fit(customers, weight=weight, statistics=where, **settings)
        for where in ("memory", "database")
    ]
    assert rules_of(models[0]) == rules_of(models[1])
    assert len(models[0].rules.rules) > 3


def test_the_list_is_that_of_going_through_the_rows(con):
    """Liu, Hsu and Ma (1998), figure 3, on rows in Python, from the set of all rules."""
    con.execute(
        "CREATE TABLE t AS SELECT i % 3 || '' AS a, (i * 7) % 4 || '' AS b, (i * 5) % 11 < 5 AS c, "
        "['p', 'q', 'r'][1 + CASE WHEN i % 3 = 1 THEN 0 WHEN (i * 7) % 4 > 1 THEN 1 ELSE "
        "(i * 13) % 17 % 3 END] AS y FROM range(240) AS r(i)"
    )
    every = fit(con, "t", target="y", features=None, classifier=None, redundant="keep",
                min_support=0, min_confidence=0)  # fmt: skip
    names = ["a", "b", "c"]
    rows = [dict(zip([*names, "y"], row, strict=True)) for row in con.sql("FROM t").fetchall()]
    left, taken, errors, wrong = rows, [], [], 0
    for rule in every.rules.rules:
        inside = [row for row in left if rule.covers(row)]
        if any(row["y"] == rule.label for row in inside):
            left = [row for row in left if row not in inside]
            wrong += sum(row["y"] != rule.label for row in inside)
            most = max(Counter(row["y"] for row in left).values(), default=0)
            taken.append((rule.conditions, Counter(row["y"] for row in inside)))
            errors.append(wrong + len(left) - most)
    expected = taken[: errors.index(min(errors)) + 1]
    model = fit(con, "t", target="y", features=None, min_support=0, min_confidence=0)
    found = [(r.conditions, Counter(dict(zip("pqr", r.outcome.counts, strict=True))))
             for r in model.rules.rules]  # fmt: skip
    assert [(c, dict(+n)) for c, n in found] == [(c, dict(n)) for c, n in expected]
    assert len(found) > 5
    assert model.objective <= min(errors) / 240


def test_no_order_of_rows_or_number_of_threads_makes_another_model(customers):
    models = [fit(customers), fit(customers, classifier=None, min_support=0.03)]
    customers.execute("CREATE TABLE turned AS SELECT * FROM customers ORDER BY md5(id::VARCHAR)")
    customers.execute("SET threads = 1")
    again = [fit(customers, "turned"),
             fit(customers, "turned", classifier=None, min_support=0.03)]  # fmt: skip
    assert list(map(rules_of, models)) == list(map(rules_of, again))


@pytest.mark.parametrize("classifier", ["cba", None])
def test_a_weight_is_the_row_so_often(customers, classifier):
    weighted = fit(customers, weight="copies", classifier=classifier, min_support=0.02)
    repeated = fit(customers, "SELECT c.* FROM customers AS c, range(4) AS r(k) WHERE k < copies",
                   classifier=classifier, min_support=0.02)  # fmt: skip
    assert bodies(weighted) == bodies(repeated)
    for one, other in zip(weighted.rules.outcomes, repeated.rules.outcomes, strict=True):
        assert (one.counts, one.probability) == (other.counts, other.probability)


def test_more_patterns_than_fit_are_searched_in_a_sample_and_counted_in_all_rows(customers):
    with_few = {"max_patterns": 60, "min_support": 0.05, "max_conditions": 2}
    for classifier in ("cba", None):
        model = fit(customers, classifier=classifier, **with_few)
        assert any("searched on 1 in" in note for note in model.notes)
        again = model.recount("customers", connection=customers)
        assert [o.counts for o in again.rules.outcomes] == [o.counts for o in model.rules.outcomes]


# -- published and known data ---------------------------------------------------------------


def test_tic_tac_toe_is_told_by_its_lines(shared_data, con):
    """Three in a line are sure to have won; x began, and has more lines in the table than o."""
    table = str(shared_data / "tic_tac_toe.parquet")
    squares = [c[0] for c in con.execute(f"DESCRIBE SELECT * FROM '{table}'").fetchall()
               if c[0] != "Class"]  # fmt: skip
    model = fit(con, table, target="Class", features=squares, classifier=None, min_confidence=1,
                min_support=0.05)  # fmt: skip
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    counts = {
        (mark, line): con.execute(
            f"SELECT count(*) FROM '{table}' WHERE "
            + " AND ".join(f""" "{squares[place]}" = '{mark}'""" for place in line)
        ).fetchall()[0][0]
        for mark in "xo" for line in lines
    }  # fmt: skip
    expected = {
        (frozenset((squares[place], mark) for place in line), mark == "x", n)
        for (mark, line), n in counts.items() if n >= 0.05 * 958
    }  # fmt: skip
    found = {
        (frozenset((c.feature, c.value) for c in rule.conditions),
         rule.label == "positive", sum(rule.outcome.counts))
        for rule in model.rules.rules
    }  # fmt: skip
    assert found == expected
    assert len(found) == 10
    listed = fit(con, table, target="Class", features=squares)
    assert listed.evaluate(table, connection=con).accuracy == 1
    assert len(listed.rules.rules) == 8


def test_mushrooms_have_the_measures_that_sql_counts(shared_data, con):
    table = str(shared_data / "mushroom.parquet")
    model = fit(con, table, target="class", features=["odor", "gill_size", "ring_type"],
                classifier=None, max_conditions=1)  # fmt: skip
    frame = model.to_frame().set_index("antecedent")
    for odor, kind, hits, covered, of_kind, total in con.execute(
        "SELECT odor, class, count(*), any_value(covered), any_value(of_kind), any_value(total) "
        "FROM (SELECT *, count(*) OVER (PARTITION BY odor) AS covered, count(*) OVER (PARTITION BY "
        f"class) AS of_kind, count(*) OVER () AS total FROM '{table}') GROUP BY odor, class "
        "HAVING count(*) >= 0.01 * any_value(total) AND 2 * count(*) >= any_value(covered)"
    ).fetchall():
        row = frame.loc[f"odor = '{odor}'"]
        assert (row["label"], row["support"], row["confidence"]) == (
            kind, hits / total, hits / covered)  # fmt: skip
        assert row["lift"] == pytest.approx(hits * total / covered / of_kind)
        assert (row["conviction"] == math.inf) == (hits == covered)
        assert row["chi_square_p"] < 1e-9
    assert frame.loc["odor = 'n'", "label"] == "e"


# -- limits ---------------------------------------------------------------------------------


def test_an_explosion_ends_cleanly(con):
    """Case C21."""
    columns = ", ".join(f"i <> {n} AS b{n}" for n in range(1, 31))
    con.execute(f"CREATE TABLE c21 AS SELECT {columns}, i % 2 AS y FROM range(200) AS r(i)")
    with pytest.warns(DbrulesWarning, match="mining was cut: length 4 and up.*raise min_support"):
        model = fit(con, "c21", target="y", features=None, min_support=0.4, max_conditions=None,
                    max_antecedents=10_000)  # fmt: skip
    assert any(note.startswith("mining was cut") for note in model.notes)
    assert max(len(rule.conditions) for rule in model.rules.rules) <= 3


@pytest.mark.parametrize(
    ("settings", "why"),
    [({"min_support": 0.9}, "no condition has min_support of a class 0.9"),
     ({"min_confidence": 1, "max_conditions": 1}, "has min_confidence 1 for a class"),
     ({"min_lift": 50, "significance": 0.01},
      "has min_confidence 0.5 and min_lift 50 and significance 0.01 for a class")],
)  # fmt: skip
@pytest.mark.parametrize("classifier", ["cba", None])
def test_nothing_found_is_a_default_that_says_why(customers, classifier, settings, why):
    with pytest.warns(DbrulesWarning, match=f"^no rule found: .*{why}"):
        model = fit(customers, classifier=classifier, features=["calls", "region"], **settings)
    assert model.rules.rules == ()
    assert model.rules.default.label == "no"
    assert sum(model.rules.default.counts) == 1009


@pytest.mark.parametrize("classifier", ["cba", None])
def test_a_warning_tells_of_three_columns_and_how_many_more(con, classifier):
    columns = ", ".join(f"(i * {n}) % 7 AS c{n}" for n in range(1, 31))
    con.execute(f"CREATE TABLE wide AS SELECT {columns}, i % 2 AS y FROM range(60) AS r(i)")
    with pytest.warns(DbrulesWarning, match="^no rule found") as caught:
        model = fit(con, "wide", target="y", features=None, classifier=classifier, min_support=0.9)
    (told,) = (str(warning.message) for warning in caught)
    assert told.startswith("no rule found: no column has a condition at min_support")
    assert told.endswith("; and 27 more notes")
    assert len(told) < 400
    assert sum(note.startswith("c") for note in model.notes) == 30


@pytest.mark.parametrize(
    ("settings", "message"),
    [({"min_support": 2}, "min_support 2 is not a number"),
     ({"min_confidence": -0.1}, "min_confidence"), ({"significance": 1.5}, "significance"),
     ({"min_lift": "high"}, "min_lift"), ({"redundant": True}, "give drop or keep"),
     ({"classifier": "none"}, r"give 'cba', or None \(null on the command line\) for a rule set"),
     ({"resolution": "vote"}, "resolution"),
     ({"max_rules": 0}, "max_rules"), ({"max_antecedents": None}, "max_antecedents"),
     ({"alpha": 0}, "alpha")],
)  # fmt: skip
def test_a_bad_setting_is_named(settings, message):
    with pytest.raises(InvalidSetting, match=message):
        dbrules.AssociationRules(**settings)
