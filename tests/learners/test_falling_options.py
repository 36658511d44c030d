"""What the settings of a falling list do."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import dbrules
from dbrules.search.budget import Budget

TARGET = {"target": "left_us", "features": ["age", "plan", "calls", "region"]}


def fit(con, **settings):
    return dbrules.FallingRuleList(**settings).fit("customers", **TARGET, connection=con)


def test_a_missing_value_is_a_condition_or_it_is_not(customers, conditions, answers):
    settings = {"bins": {"age": [30], "calls": [6]}, "min_support": 0.04, "positive_weight": 2}
    level = fit(customers, **settings)
    assert any("IS NULL" in text for text in conditions(level))
    drop = fit(customers, **settings, missing="drop")
    assert not any("IS NULL" in text for text in conditions(drop))
    assert drop.objective > level.objective
    for model in (level, drop):
        assert model.training.missing["calls"] == 54
        assert set(model.training.missing) == {column.name for column in model.rules.used}
        assert len(answers(model, "customers", customers)) == 1009


def test_own_bins_are_disjoint_and_other_numbers_get_thresholds(customers, conditions):
    model = fit(customers, bins={"age": [25, 40]}, rule_cost=0.0005, max_nodes=400)
    parts = [part for text in conditions(model) for part in text.split(" AND ")]
    ages = {part for part in parts if "age" in part}
    assert ages
    assert ages <= {"age < 25", "25 <= age < 40", "age >= 40", "age IS NULL"}
    calls = {part for part in parts if "calls" in part and "NULL" not in part}
    assert calls
    assert all("calls < " in part or "calls >= " in part for part in calls)
    right = fit(customers, bins="quantile:3:right", max_conditions=1)
    assert conditions(right) == ["calls > 6.7"]
    assert right.settings["bins"] == "quantile:3:right"


@pytest.mark.filterwarnings("ignore:no rule found")
@pytest.mark.parametrize(
    ("column", "bins"), [("'k' || i % 350", None), ("i % 350", list(range(1, 350)))]
)
def test_levels_and_bins_are_not_thinned_like_thresholds(con, column, bins):
    data = f"SELECT {column} AS x, i % 7 + i % 350 % 5 > 7 AS y FROM range(3500) r(i)"
    learner = dbrules.FallingRuleList(
        min_support=0.0005, max_conditions=1, max_nodes=1, bins=bins and {"x": bins}
    )
    model = learner.fit(data, target="y", connection=con)
    assert not any("antecedents searched" in note for note in model.notes)


@pytest.mark.filterwarnings("ignore:no rule found")
def test_mining_ends_when_half_of_the_seconds_are_over(customers, monkeypatch):
    monkeypatch.setattr(Budget, "half_over", property(lambda budget: True))
    model = fit(customers, max_seconds=60, rule_cost=0.02)
    assert "mining was cut: length 2 and up: half of max_seconds was over" in model.notes
    assert max(len(rule.conditions) for rule in model.rules.rules) == 1


def test_a_soft_list_has_proportions_that_rise_and_risks_that_fall(customers):
    settings = {"bins": "quantile:4", "positive_weight": 3, "rule_cost": 0.005, "max_nodes": 300}
    hard, soft = fit(customers, **settings), fit(customers, **settings, soft_penalty=0.05)
    assert soft.objective < hard.objective
    found = [(yes, no + yes) for no, yes in (o.counts for o in soft.rules.outcomes)]
    shares = [yes / total for yes, total in found]
    assert shares != sorted(shares, reverse=True)
    risks = [outcome.probability[1] for outcome in soft.rules.outcomes]
    assert risks == [min(shares[: place + 1]) for place in range(len(shares))]
    least = [min([1.0, *shares[:place]]) for place in range(len(shares))]
    rise = sum(max(0, share - least) for share, least in zip(shares, least, strict=True))
    errors = sum(min(3 * yes, total - yes) for yes, total in found) / 1009
    loss = errors + 0.005 * len(soft.rules.rules) + 0.05 * rise
    assert soft.objective == pytest.approx(loss)
    # the answers are those of the risks, and what they cost is said
    answered = [o.label for o in soft.rules.outcomes]
    assert answered == ["yes" if risk > 0.25 else "no" for risk in risks]
    (note,) = [note for note in soft.notes if note.startswith("answered by the falling risk")]
    wrong = sum(
        no if label == "yes" else 3 * yes
        for label, (no, yes) in zip(answered, (o.counts for o in soft.rules.outcomes), strict=True)
    )
    assert f"{wrong / 1009:.6g} of the rows; the objective counts {errors:.6g}" in note
    assert "empirical" in str(soft)


def test_a_list_has_at_most_so_many_rules_and_conditions(customers):
    losses = []
    for most in (1, 2, 3):
        model = fit(customers, max_rules=most, positive_weight=2)
        assert len(model.rules.rules) == most
        assert model.proved
        losses.append(model.objective)
    assert losses == sorted(losses, reverse=True)
    for most in (1, 2, 3):
        model = fit(customers, max_conditions=most, max_nodes=60, bins="quantile:2")
        assert max(len(rule.conditions) for rule in model.rules.rules) <= most
    any_length = fit(customers, max_conditions=None, max_nodes=60, bins="quantile:2")
    assert any_length.objective <= fit(
        customers, max_conditions=1, max_nodes=60, bins="quantile:2"
    ).objective  # fmt: skip


def test_support_is_that_of_the_antecedents(customers):
    model = fit(customers, min_support=0.2, positive_weight=2, max_nodes=300)
    for rule in model.rules.rules:
        alone = dbrules.Model(replace(model.rules, rules=(rule,))).recount(
            "customers", connection=customers
        )
        assert sum(alone.rules.rules[0].outcome.counts) >= 0.2 * 1009


# a machine may be so slow that no rule is seen in time
@pytest.mark.filterwarnings("ignore:no rule found")
def test_a_search_ends_at_its_limits_and_says_which(customers):
    model = fit(customers, max_nodes=120, positive_weight=2, rule_cost=1e-4)
    assert "the search ended at max_nodes=120" in model.notes
    assert (model.training.nodes, model.proved) == (120, False)
    assert model.training.lower_bound < model.objective
    assert model.gap == pytest.approx(model.objective - model.training.lower_bound)
    for settings in ({}, {"soft_penalty": 0.1}, {"search": "monte_carlo", "restarts": 10**6}):
        model = fit(customers, max_seconds=0.05, positive_weight=2, rule_cost=1e-4, **settings)
        # in mining, of which the shorter lengths are kept, or in the search
        ended = [note for note in model.notes if "max_seconds" in note]
        assert ended
        if "the search ended at max_seconds=0.05" in ended:
            assert model.proved is (None if "search" in settings else False)
    # and it is quiet where nothing was cut short
    assert not [note for note in fit(customers, rule_cost=0.1).notes if "ended" in note]


def test_progress_is_told_in_lines_and_is_no_setting_of_the_model(customers, monkeypatch, caplog):
    monkeypatch.setattr("dbrules.search.budget._EVERY", 0.0)
    lines = []
    settings = {"rule_cost": 0.01, "max_nodes": 300, "positive_weight": 2, "soft_penalty": 0.5}
    caplog.set_level("INFO", "dbrules")
    model = fit(customers, progress=lines.append, **settings)
    starts = {line.partition(":")[0] for line in lines}
    assert starts >= {"mining", "monte carlo", "branch and bound"}
    assert all(line == " ".join(line.split()) for line in lines)
    assert any("best objective 0." in line for line in lines)
    assert set(lines) <= {record.getMessage() for record in caplog.records}
    quiet = dbrules.FallingRuleList(**settings)
    assert dbrules.FallingRuleList(progress=print, **settings) == quiet
    assert model.settings == quiet.settings()
    assert "progress" not in json.dumps(model.settings)
    assert fit(customers, **settings) == model
    assert dbrules.FallingRuleList(**model.settings) == quiet


def test_a_saved_list_is_the_same_list(customers, tmp_path):
    model = fit(customers, positive_weight="balanced", rule_cost=0.01, bins={"age": [30]})
    model.save(tmp_path / "list.json")
    loaded = dbrules.load(tmp_path / "list.json")
    assert loaded == model
    assert str(loaded) == str(model)
    assert loaded.falling == model.falling
    assert (loaded.proved, loaded.gap) == (model.proved, model.gap)
    assert loaded.settings["positive_weight"] == "balanced"
    assert loaded.falling.positive_weight == 1.85  # 655 / 354 in three digits
    again = dbrules.FallingRuleList(**loaded.settings)
    assert again.fit("customers", **TARGET, connection=customers) == model


def test_the_positive_class_is_told_from_all_others(con, conditions):
    con.execute(
        "CREATE TABLE t AS SELECT CASE WHEN i % 4 = 0 THEN 'hit' WHEN i % 4 = 1 THEN 'far' "
        "ELSE 'near' END AS y, i % 4 AS x, i % 3 AS noise FROM range(60) r(i)"
    )
    for positive, risky in (("hit", "x < 1"), ("near", "x >= 2")):
        model = dbrules.FallingRuleList().fit("t", target="y", positive=positive, connection=con)
        assert model.rules.target.positive == positive
        assert conditions(model) == [risky]
        assert model.objective == 0.002
        assert model.rules.rules[0].label == positive
        # of the others the most frequent one is answered, and the shares of all are kept
        assert model.rules.default.label == ("near" if positive == "hit" else "far")
        assert sum(model.rules.default.counts) == 60 - sum(model.rules.rules[0].outcome.counts)
        counts = model.rules.default.counts
        assert model.rules.default.probability == tuple(n / sum(counts) for n in counts)
    # a tie among the others goes to the more frequent class, then to the first
    tied = dbrules.FallingRuleList().fit("t", target="y", positive="near", connection=con)
    assert tied.rules.default.counts == (15, 15, 0)
    assert tied.rules.target.classes == ("far", "hit", "near")
