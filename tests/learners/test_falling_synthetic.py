"""The synthetic falling list with numeric thresholds is found again, columns and cut points."""

from __future__ import annotations

import pytest
from synthetic import held_out, training

import dbrules

#: The columns of the true list, rule by rule.
TRUE = [["c0", "n0"], ["c1", "c2"], ["n1", "n2"], ["c3", "n3"], ["c4"]]


def test_the_true_list_is_found_by_thirty_thousand_rows(con, conditions):
    # a weight under which the last rule, of risk 0.25, is worth its cost
    model = dbrules.FallingRuleList(positive_weight=4).fit(
        training(30_000), target="y", connection=con
    )
    found = [[c.feature for c in rule.conditions] for rule in model.rules.rules]
    assert found == TRUE
    cuts = {c.feature: c.value for r in model.rules.rules for c in r.conditions
            if c.feature.startswith("n")}  # fmt: skip
    expected = {"n0": 0.8, "n1": 0.7, "n2": 0.3, "n3": 0.5}
    assert cuts == pytest.approx(expected, abs=0.005)
    risks = [outcome.probability[1] for outcome in model.rules.outcomes]
    assert risks == pytest.approx([0.95, 0.80, 0.65, 0.45, 0.25, 0.05], abs=0.03)
    evaluation = model.evaluate(held_out(30_000), connection=con)
    assert evaluation.auroc >= 0.85  # the true list has .865
    assert evaluation.per_rule[0].confidence == pytest.approx(0.95, abs=0.02)


def test_balanced_weights_find_a_list_as_short(con):
    model = dbrules.FallingRuleList(positive_weight="balanced", max_nodes=60).fit(
        training(30_000), target="y", connection=con
    )
    no, yes = (sum(o.counts[k] for o in model.rules.outcomes) for k in (0, 1))
    assert model.falling.positive_weight == float(f"{no / yes:.3g}")
    assert model.settings["positive_weight"] == "balanced"
    assert len(model.rules.rules) <= 8
    assert [c.feature for c in model.rules.rules[0].conditions] == ["c0", "n0"]
    assert model.evaluate(held_out(30_000), connection=con).auroc >= 0.85
