"""A falling list scores, evaluates, verifies and is recounted by its falling probabilities."""

from __future__ import annotations

from dataclasses import replace

import pytest

import dbrules
from dbrules.falling import Falling
from dbrules.language.listing import format_rule_list

TEXT = "IF g = 1 THEN yes ELSE IF g = 2 THEN yes ELSE IF g = 3 THEN yes ELSE no"
#: (no, yes) per g: the share of the second is above that of the first, the third below
GROUPS = {1: (10, 40), 2: (5, 45), 3: (60, 40), 4: (700, 100)}
RISKS = [0.8, 0.8, 0.4, 0.125]


@pytest.fixture
def rows(con):
    parts = [
        f"SELECT {g} AS g, CASE WHEN i < {no} THEN 'no' ELSE 'yes' END AS y, "
        f"CASE WHEN {g} = 2 THEN 2.5 ELSE 1 END AS w FROM range({no + yes}) t(i)"
        for g, (no, yes) in GROUPS.items()
    ]
    con.execute(f"CREATE TABLE t AS {' UNION ALL '.join(parts)}")
    return con


@pytest.fixture
def soft(falling_model):
    return falling_model(TEXT, 3, list(GROUPS.values()))


def test_scores_have_the_falling_probability_of_the_label(rows, soft, answers):
    answers(soft, "t", rows)
    found = rows.execute(f"SELECT DISTINCT * EXCLUDE (y, w) FROM ({soft.to_sql('t')}) ORDER BY g")
    assert found.fetchall() == [
        (1, "yes", 0.8, 1), (2, "yes", 0.8, 2), (3, "yes", 0.4, 3), (4, "no", 0.875, 4)
    ]  # fmt: skip
    query = soft.to_sql("t", probabilities=True)
    found = rows.execute(f"SELECT DISTINCT g, predicted_y_probability_yes FROM ({query})")
    assert sorted(found.fetchall()) == list(zip(GROUPS, RISKS, strict=True))
    relation = soft.predict("t", connection=rows, probabilities=True)
    found = relation.project("g, predicted_y_probability_no").distinct().order("g").fetchall()
    assert found == [(1, 0.2), (2, 0.2), (3, 0.6), (4, 0.875)]


def test_evaluation_judges_the_falling_probability(rows, soft):
    evaluation = soft.evaluate("t", connection=rows)
    counted = list(zip(GROUPS.values(), RISKS, strict=True))
    brier = sum(no * p**2 + yes * (1 - p) ** 2 for (no, yes), p in counted) / 1000
    assert evaluation.brier == pytest.approx(brier)
    # 1 and 2 have one risk: no order between them
    groups = [(15, 85), (60, 40), (700, 100)]
    wins = 0.0
    for i, (_, yes) in enumerate(groups):
        wins += yes * (groups[i][0] / 2 + sum(no for no, _ in groups[i + 1 :]))
    assert evaluation.auroc == pytest.approx(wins / (775 * 225))
    assert [metrics.probability for metrics in evaluation.per_rule] == [0.8, 0.8, 0.4, 0.875]
    assert [metrics.confidence for metrics in evaluation.per_rule] == [0.8, 0.9, 0.4, 0.875]


def test_verification_holds_and_sees_the_share_found_as_wrong(rows, soft, monkeypatch):
    verified = soft.verify("t", connection=rows)
    assert verified
    assert (verified.rows, verified.distinct) == (1000, 4)
    import dbrules.compile.select as select

    monkeypatch.setattr(select, "case_probability", share_found(select.case_probability))
    wrong = soft.verify("t", connection=rows)
    assert wrong.wrong_rows == sum(GROUPS[2])
    assert wrong.mismatches[0].sql == ("yes", 0.9, 2)


def share_found(case):
    """Score a list by the shares of its counts."""

    def wrapped(rules, *rest, **named):
        empirical = tuple(
            replace(rule, outcome=replace(rule.outcome, probability=tuple(
                n / rule.outcome.total for n in rule.outcome.counts)))
            for rule in rules.rules
        )  # fmt: skip
        return case(replace(rules, rules=empirical), *rest, **named)

    return wrapped


def test_a_recount_on_the_same_rows_is_the_same_list(rows, soft):
    assert soft.recount("t", connection=rows).rules == soft.rules
    edited = dbrules.parse_rule_list(
        str(soft), target=soft.rules.target, features=soft.rules.features
    )
    again = dbrules.Model(edited, falling=soft.falling).recount("t", connection=rows)
    assert again.rules == soft.rules
    plain = dbrules.Model(edited).recount("t", connection=rows)
    assert [o.probability[1] for o in plain.rules.outcomes] == [0.8, 0.9, 0.4, 0.125]


def test_a_recount_elsewhere_keeps_labels_and_falls_again(rows, soft):
    rows.execute("UPDATE t SET g = CASE g WHEN 1 THEN 3 WHEN 3 THEN 1 WHEN 2 THEN 5 ELSE 4 END")
    counted = soft.recount("t", connection=rows)
    outcomes = counted.rules.outcomes
    assert [o.label for o in outcomes] == ["yes", "yes", "yes", "no"]
    assert [o.counts for o in outcomes] == [(60, 40), (0, 0), (10, 40), (705, 145)]
    # nothing met rule 2: the share of all rows, .225, lifted to what rule 3 needs
    assert [o.probability[1] for o in outcomes] == [0.4, 0.4, 0.4, 145 / 850]
    assert (counted.falling, counted.training.rows) == (Falling(3), 1000)
    assert (counted.objective, counted.proved) == (None, None)
    assert dbrules.Model.from_json(counted.to_json()) == counted
    second = next(line for line in str(counted).splitlines() if "g = 2" in line)
    assert second.partition("  -- ")[2].split() == ["2", "0.4000", "-", "0", "0", "-"]
    assert counted.verify("t", connection=rows)


def test_a_recount_by_weight(rows, soft):
    counted = soft.recount("t", connection=rows, weight="w")
    outcomes = counted.rules.outcomes
    assert [o.counts for o in outcomes] == [(10, 40), (12.5, 112.5), (60, 40), (700, 100)]
    assert [o.rows for o in outcomes] == [50, 50, 100, 800]
    assert [o.probability[1] for o in outcomes] == RISKS


def test_a_simplified_list_still_falls(falling_model):
    text = "IF g < 3 THEN yes ELSE IF g < 2 THEN yes ELSE IF g < 5 AND g < 4 THEN no ELSE no"
    model = falling_model(text, 1, [(1, 9), (0, 0), (6, 4), (9, 1)])
    simple = model.simplify()
    assert simple.falling == model.falling
    assert [r.conditions[0].value for r in simple.rules.rules] == [3, 4]
    assert [o.probability[1] for o in simple.rules.outcomes] == [0.9, 0.4, 0.1]


def test_the_list_itself_keeps_its_own_text(soft):
    assert str(soft.rules) == format_rule_list(soft.rules)
    # rule 2 does not answer with the share of what it captured: no line shows an interval of it
    lines = str(soft.rules).splitlines()
    assert lines[0] == "IF g = 1 THEN yes       -- 1: 40 of 50, probability 0.8"
    assert "95 %" not in str(soft.rules)
