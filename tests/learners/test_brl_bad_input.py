"""What a Bayesian rule list cannot be learned from, or has no rule for, is said in one line."""

from __future__ import annotations

import pytest

import dbrules
from dbrules.errors import DbrulesWarning, InvalidData, InvalidSetting, UnknownSetting

ROWS = "SELECT i % 7 AS x, 'z' || i % 5 AS z, i % 3 AS y3, i % 2 AS y, {w} AS w FROM range(70) r(i)"
FEW = {"chains": 2, "iterations": 50}


def fit(con, data=None, *, target="y", features=("x", "z"), weight=None, **settings):
    return dbrules.BayesianRuleList(**FEW | settings).fit(
        data or ROWS.format(w=1), target=target, features=features, weight=weight, connection=con
    )


# -- settings ------------------------------------------------------------------------------

POSITIVE = [0, -1, True, "x", float("nan"), float("inf"), 1e10]
WRONG = [
    *(({name: bad}, f"{name} .* is not a number of at least 1e-09 and at most 1e\\+09: give one")
      for name in ("expected_length", "expected_conditions", "alpha", "temperature")
      for bad in POSITIVE),
    *(({"alpha": {0: bad}}, "alpha .* is not a number of at") for bad in (*POSITIVE, None)),
    ({"alpha": [1, 2]}, r"alpha \[1, 2\] is not a number"),
    *(({name: bad}, f"{name} .* is not a whole number of at least 1: give 1 or more")
      for name in ("chains", "iterations", "max_antecedents") for bad in (0, -1, True, 1.5, None)),
    *(({name: bad}, f"{name} .* is not a whole number of at least 1: give 1 or more")
      for name in ("max_rules", "max_nodes", "max_conditions") for bad in (0, True, 1.5, "2")),
    *(({name: bad}, f"{name} .* is not a share: give a number from 0 to 1")
      for name in ("min_support", "min_support_class") for bad in (2, -0.1, True, "x")),
    ({"point": "mean"}, r"point 'mean' is not known \(did you mean 'map'\?\)"),
    ({"search": "mcm"}, r"search 'mcm' is not known \(did you mean 'mcmc'\?\)"),
    ({"search": "exact", "point": "average"}, "point 'average' is not what search='exact' looks"),
    ({"search": "exact", "point": "brl_point"}, "point 'brl_point' .*: give point='map', or"),
    ({"max_seconds": 0}, "max_seconds 0 is not a number above 0"),
    ({"missing": "keep"}, "missing 'keep' is not known"),
    ({"statistics": "disk"}, "statistics 'disk' is not known"),
    ({"max_patterns": 0}, "max_patterns 0 is not a whole number"),
    ({"progress": 3}, "progress 3 is not a function"),
]  # fmt: skip


@pytest.mark.parametrize(("settings", "error"), WRONG, ids=lambda value: str(value)[:40])
def test_a_wrong_setting_is_named_with_its_remedy(settings, error):
    with pytest.raises(InvalidSetting, match=f"^{error}") as caught:
        dbrules.BayesianRuleList(**settings)
    assert "\n" not in str(caught.value)


def test_a_label_of_alpha_that_is_no_class_is_named_with_the_classes(con):
    with pytest.raises(InvalidSetting, match=r"alpha names '2', .* of 'y': give some of 0, 1$"):
        fit(con, alpha={2: 1.0})
    named = f"SELECT x, CASE y WHEN 1 THEN 'yes' ELSE 'no' END AS y FROM ({ROWS.format(w=1)})"
    with pytest.raises(InvalidSetting, match=r"'ye', .* \(did you mean 'yes'\?\)"):
        fit(con, named, features=["x"], alpha={"ye": 2})
    with pytest.raises(UnknownSetting, match=r"did you mean 'alpha'\?"):
        dbrules.BayesianRuleList(alfa=1)


@pytest.mark.parametrize("iterations", [1, 2, 3])
@pytest.mark.parametrize("chains", [1, 3])
@pytest.mark.parametrize("point", ["map", "brl_point", "average"])
@pytest.mark.filterwarnings("ignore:no rule found")
def test_the_fewest_iterations_are_enough(con, answers, chains, iterations, point):
    model = fit(con, chains=chains, iterations=iterations, point=point)
    # the first half is warm-up, and of one iteration there is no half
    assert model.posterior.draws == chains * (iterations - iterations // 2)
    assert len(answers(model, ROWS.format(w=1), con)) == 70


# -- the target and the weights ------------------------------------------------------------


def test_no_rows_and_no_target(con):
    for query, error in [
        ("SELECT * FROM ({}) WHERE x > 99", "the data has 0 rows"),
        ("SELECT * REPLACE (NULL AS y) FROM ({})", "target 'y' is missing in all 70 rows"),
    ]:
        with pytest.raises(InvalidData, match=error):
            fit(con, query.format(ROWS.format(w=1)))


@pytest.mark.parametrize("search", ["mcmc", "exact"])
def test_one_class_is_its_default_with_one_warning(con, search):
    query = "SELECT i AS x, 'it''s' AS y FROM range(5) r(i)"
    with pytest.warns(DbrulesWarning, match="target 'y' has one class, \"it's\"") as caught:
        model = fit(con, query, features=["x"], search=search)
    assert len(caught) == 1
    assert (model.rules.rules, model.rules.default.probability) == ((), (1.0,))
    assert (model.objective, model.posterior, model.diagnostics) == (0, None, None)


@pytest.mark.parametrize("bad", ["NULL", "-1", "'NaN'::DOUBLE", "'inf'::DOUBLE"])
@pytest.mark.parametrize("where", ["memory", "database"])
def test_a_bad_weight_is_refused(con, leftovers, bad, where):
    data = ROWS.format(w=f"CASE WHEN i = 3 THEN {bad} ELSE 1 END")
    before = leftovers(con)
    with pytest.raises(InvalidData, match=r"'w'.*1 row"):
        fit(con, data, weight="w", statistics=where)
    assert leftovers(con) == before


# -- nothing found (policy P7) -------------------------------------------------------------

NOTHING = [
    ({"min_support": 1.0}, "x: no condition has min_support 1, not used; z: no condition has"),
    ({"min_support_class": 0.9, "bins": "width:3"},
     "x: no condition has min_support_class 0.9, not used; z: no condition has"),
    ({"min_support": 0.2, "min_support_class": 0.9, "bins": "width:3"},
     "no condition has min_support 0.2 and min_support_class 0.9"),
    ({"bins": [99], "min_support": 0.9}, "x: one bin only, nothing to tell apart; z: no condition"),
    ({}, "no list of [0-9]+ antecedents is more probable than the default alone: "
         "give a larger expected_length or another min_support"),
]  # fmt: skip


@pytest.mark.parametrize("search", ["mcmc", "exact"])
@pytest.mark.parametrize(("settings", "why"), NOTHING)
def test_a_fit_that_finds_nothing_is_a_default_and_one_warning(con, settings, why, search, answers):
    with pytest.warns(DbrulesWarning, match=f"^no rule found: .*{why}") as caught:
        model = fit(con, **settings, search=search, alpha=2)
    assert len(caught) == 1
    assert model.notes[0] == str(caught[0].message)
    default = model.rules.default
    assert (model.rules.rules, default.counts, default.probability) == ((), (35, 35), (0.5, 0.5))
    assert default.label == 0
    assert model.proved is (True if search == "exact" else None)
    assert model.training.lower_bound == (model.objective if search == "exact" else None)
    assert model.posterior.intervals[0][0] == pytest.approx((0.387, 0.613), abs=0.001)
    assert answers(model, ROWS.format(w=1), con) == [(0, 1)] * 70


def test_fewer_antecedents_than_classes_are_still_some(con):
    model = fit(con, "SELECT i % 9 AS x, i % 3 AS y FROM range(90) r(i)", features=["x"],
                bins="width:9", max_antecedents=2)  # fmt: skip
    assert "2 of 9 antecedents searched, the best of each threshold" in model.notes
    assert 1 <= len(model.rules.rules) <= 2
