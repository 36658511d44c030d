"""Where patterns are too many: fewer cuts first, then a sample, counted on all rows."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import dbrules
from dbrules.errors import DbrulesWarning

TARGET = {"target": "left_us", "features": ["age", "plan", "calls", "region"]}
#: A rule cost that few antecedents are worth.
DEAR = {"rule_cost": 0.02, "max_conditions": 1}


def rules_json(model):
    document = model.to_json()
    return json.dumps([document["rules"], document["else"]])


def counted(model, data, con):
    """Return what each rule captures, by scoring."""
    scored = model.predict(data, connection=con).aggregate(
        "rule, count(*) FILTER (left_us = 'no'), count(*) FILTER (left_us = 'yes')"
    )
    return {rule: (no, yes) for rule, no, yes in scored.fetchall()}


def test_fewer_cuts_are_tried_before_a_sample(customers):
    every = dbrules.FallingRuleList(**DEAR, max_patterns=5000)
    model = every.fit("customers", **TARGET, connection=customers)
    assert not any("quantile" in note for note in model.notes)
    patterns = [e.rows for e in model.journal if e.name.startswith("patterns/")]
    fewer = dbrules.FallingRuleList(**DEAR, max_patterns=max(patterns) // 2)
    model = fewer.fit("customers", **TARGET, connection=customers)
    assert (
        f"no quantile cuts: with them there were more than max_patterns {max(patterns) // 2} "
        "patterns" in model.notes
    )
    assert model.proved  # of all rows: none were left out
    assert not any("searched on" in note for note in model.notes)
    assert "split/held_out" not in [entry.name for entry in model.journal]


@pytest.mark.parametrize("search", ["exact", "monte_carlo"])
def test_a_sample_is_searched_and_all_rows_are_counted(customers, search):
    learner = dbrules.FallingRuleList(**DEAR, search=search, max_patterns=20)
    model = learner.fit("customers", **TARGET, connection=customers)
    (note,) = [note for note in model.notes if "searched on" in note]
    assert note.startswith("searched on 1 in ")
    assert "max_patterns 20; counted on all of them, of which nothing is proved" in note
    assert not any("quantile" in note for note in model.notes)  # the sample is of all cuts
    assert model.proved is (False if search == "exact" else None)
    assert (model.training.lower_bound, model.gap) == (None, None)
    assert "not proved" in str(model) or search == "monte_carlo"
    assert model.rules.rules
    assert model.training.rows == 1009
    printed = {i: o.counts for i, o in enumerate(model.rules.outcomes, start=1) if sum(o.counts)}
    assert printed == counted(model, "customers", customers)
    wrong = sum(min(o.counts) for o in model.rules.outcomes)
    assert model.objective == pytest.approx(wrong / 1009 + 0.02 * len(model.rules.rules))


@pytest.mark.filterwarnings("ignore:no rule found")
def test_a_sample_depends_on_the_seed_alone(customers):
    customers.execute("CREATE TABLE turned AS SELECT * FROM customers ORDER BY md5(id::VARCHAR)")
    found = {}
    for seed in range(6):
        learner = dbrules.FallingRuleList(**DEAR, max_patterns=20, seed=seed)
        models = []
        for threads, data in ((1, "customers"), (2, "turned")):
            customers.execute(f"SET threads = {threads}")
            models.append(learner.fit(data, **TARGET, connection=customers))
        assert rules_json(models[0]) == rules_json(models[1])
        found[seed] = rules_json(models[0])
    assert len(set(found.values())) > 1  # and on the seed it does depend


@pytest.mark.filterwarnings("ignore:no rule found")
def test_bins_that_do_not_depend_on_quantiles_are_not_counted_twice(customers):
    learner = dbrules.FallingRuleList(**DEAR, bins={"*": "quantile:4"}, max_patterns=20)
    own = learner.fit("customers", **TARGET, connection=customers)
    every = replace(learner, bins=None).fit("customers", **TARGET, connection=customers)
    asked = [
        sum(entry.name == "patterns/patterns_rows" for entry in model.journal)
        for model in (own, every)
    ]
    assert asked[0] == asked[1] - 1
    assert all(any("searched on" in note for note in model.notes) for model in (own, every))


@pytest.mark.filterwarnings("ignore:no rule found")
def test_rules_that_fall_only_in_the_sample_are_left_out(con):
    # x = 'a' and x = 'b' have nearly equal shares: small samples mistake their order
    con.execute(
        "CREATE TABLE t AS SELECT ['a', 'b', 'c'][1 + i % 3] AS x, 'k' || (i // 3 % 4) AS noise, "
        "CASE i % 3 WHEN 0 THEN i // 3 % 10 < 6 WHEN 1 THEN i // 3 % 40 < 25 "
        "ELSE i // 3 % 10 < 1 END AS y FROM range(600) r(i)"
    )
    left_out, empty = [], []
    for seed in range(3, 9):
        learner = dbrules.FallingRuleList(
            max_patterns=8, seed=seed, max_conditions=1, min_support=0.01, rule_cost=0
        )
        model = learner.fit("t", target="y", connection=con)
        shares = [n / (n + m) for m, n in (o.counts for o in model.rules.outcomes) if n + m]
        assert shares == sorted(shares, reverse=True)
        wrong = sum(min(o.counts) for o in model.rules.outcomes)
        assert wrong <= sum(y for (y,) in con.execute("SELECT y FROM t").fetchall())
        left_out.append(any("last rules of the sample" in note for note in model.notes))
        none = "no rule found: on all rows the list of the sample is not better than its default"
        assert any(note.startswith(none) for note in model.notes) == (not model.rules.rules)
        empty.append(not model.rules.rules)
    assert any(empty)
    assert any(left_out)
    assert not all(left_out)


def test_a_positive_class_too_rare_for_the_sample(con):
    con.execute(
        "CREATE TABLE t AS SELECT i % 97 AS a, i % 89 AS b, i IN (17, 4000) AS y "
        "FROM range(5000) r(i)"
    )
    with pytest.warns(DbrulesWarning, match="no rule found"):
        model = dbrules.FallingRuleList(max_patterns=10).fit("t", target="y", connection=con)
    assert model.rules.default.counts == (4998, 2)
    assert model.objective == 2 / 5000
