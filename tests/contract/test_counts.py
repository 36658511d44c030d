"""What a fit counts is what scoring gives, however rows are weighted or ordered."""

from __future__ import annotations

import json

import numpy as np
import pytest
from judges import check_objective, check_probabilities

from dbrules import LEARNERS

FEATURES = ["age", "score", "single", "price", "city", "flag", "day", "moment", "zoned"]


def rules_of(model):
    document = model.to_json()
    del document["training"]
    return json.dumps(document)


def test_no_learner_is_left_out(contracted):
    assert set(LEARNERS) == contracted
    assert all(name == learner.name for name, learner in LEARNERS.items())


@pytest.mark.parametrize("target", ["y", "y3"])
def test_counts_of_the_fit_are_those_of_scoring(learner, people, answers, target, three_classes):
    asked = three_classes if target == "y3" else {"target": target}
    model = learner.fit("people", **asked, features=FEATURES, connection=people)
    rules = model.rules
    scored = model.predict("people", connection=people)
    counted = scored.filter(f"{target} IS NOT NULL").aggregate(f"rule, {target}, count(*) AS n")
    found = np.zeros((len(rules.outcomes), len(rules.target.classes)), dtype=int)
    for rule, label, n in counted.fetchall():
        found[rule - 1, rules.target.classes.index(label)] = n
    assert [list(outcome.counts) for outcome in rules.outcomes] == found.tolist()
    assert len(answers(model, "people", people)) == 240
    pairs = scored.filter(f"{target} IS NOT NULL").aggregate(
        f"{target}, predicted_{target}, count(*)"
    )
    check_objective(model, {(label, answer): n for label, answer, n in pairs.fetchall()})
    assert model.training.rows == found.sum()
    assert model.training.rows + model.training.excluded_rows == 240


def test_probabilities_follow_from_counts(learner, people, three_classes):
    check_probabilities(
        learner.fit("people", **three_classes, features=FEATURES, connection=people)
    )
    check_probabilities(learner.fit("people", target="y", features=FEATURES, connection=people))
    check_probabilities(
        learner.fit("people", target="y", features=FEATURES, weight="share", connection=people)
    )


def test_weighted_counts_are_those_of_scoring(learner, people, answers):
    model = learner.fit("people", target="y", features=FEATURES, weight="w", connection=people)
    scored = model.predict("people", connection=people)
    counted = scored.filter("y IS NOT NULL AND w > 0").aggregate(
        "rule, sum(CASE WHEN y = 'no' THEN w ELSE 0 END), "
        "sum(CASE WHEN y = 'yes' THEN w ELSE 0 END), count(*)"
    )
    found = {rule: ((no, yes), n) for rule, no, yes, n in counted.fetchall()}
    for number, outcome in enumerate(model.rules.outcomes, start=1):
        assert (outcome.counts, outcome.rows) == found.get(number, ((0, 0), 0))
    assert len(answers(model, "people", people)) == 240


def same_but_rows(one, other):
    """Compare two models in all but rows and names of settings."""
    assert [r.conditions for r in one.rules.rules] == [r.conditions for r in other.rules.rules]
    for a, b in zip(one.rules.outcomes, other.rules.outcomes, strict=True):
        assert (a.label, a.probability, a.counts) == (b.label, b.probability, b.counts)
    assert one.training.objective == pytest.approx(other.training.objective)


def test_weight_two_is_the_row_twice_and_weight_zero_no_row(learner, people):
    weighted = learner.fit("people", target="y", features=FEATURES, weight="w", connection=people)
    repeated = learner.fit(
        "SELECT people.* FROM people, range(3) r(k) WHERE k < w",
        target="y", features=FEATURES, connection=people,
    )  # fmt: skip
    same_but_rows(weighted, repeated)


def test_rows_of_weight_zero_do_not_even_leave_a_level(learner, people):
    people.execute("CREATE TABLE more AS SELECT * FROM people WHERE w > 0")
    plain = learner.fit("more", target="y", features=FEATURES, weight="w", connection=people)
    people.execute(
        "INSERT INTO more SELECT * REPLACE ('Paris' || id AS city, 1e6 AS score, 'new' AS y, "
        "0 AS w) FROM people"
    )
    more = learner.fit("more", target="y", features=FEATURES, weight="w", connection=people)
    assert rules_of(more) == rules_of(plain)


def test_a_constant_weight_changes_no_rule(learner, people):
    plain = learner.fit("people", target="y", features=FEATURES, connection=people)
    one = learner.fit(
        "SELECT *, 1 AS one FROM people", target="y", features=FEATURES, weight="one",
        connection=people,
    )  # fmt: skip
    same_but_rows(plain, one)


def test_fractional_weights_do_not_depend_on_row_order(learner, people):
    people.execute("CREATE TABLE turned AS SELECT * FROM people ORDER BY md5(id::VARCHAR)")
    fits = [
        learner.fit(name, target="y", features=FEATURES, weight="share", connection=people)
        for name in ("people", "turned")
    ]
    assert rules_of(fits[0]) == rules_of(fits[1])


def test_the_list_ends_in_a_default_and_no_rule_is_twice(learner, people):
    model = learner.fit("people", target="y", features=FEATURES, connection=people)
    conditions = [rule.conditions for rule in model.rules.rules]
    assert len(set(conditions)) == len(conditions)
    for rule in conditions:
        assert len(set(rule)) == len(rule)
    empty = dict.fromkeys(FEATURES)
    assert model.rules.capture(empty) >= 1
    assert model.rules.default.label in model.rules.target.classes
