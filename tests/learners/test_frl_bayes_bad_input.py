"""What a Bayesian falling list cannot be learned from, or has no rule for, is said in one line."""

from __future__ import annotations

import pytest

import dbrules
from dbrules.cli.main import run
from dbrules.errors import DbrulesWarning, InvalidData, InvalidSetting, UnknownClass, UnknownSetting

ROWS = "SELECT i % 7 AS x, 'z' || i % 5 AS z, i % 3 AS y3, i % 2 AS y, {w} AS w FROM range(70) r(i)"
FEW = {"chains": 2, "iterations": 50, "draws": 20}


def fit(con, data=None, *, target="y", features=("x", "z"), weight=None, positive=None, **settings):
    return dbrules.BayesianFallingRuleList(**FEW | settings).fit(
        data or ROWS.format(w=1), target=target, features=features, weight=weight,
        positive=positive, connection=con,
    )  # fmt: skip


# -- settings ------------------------------------------------------------------------------

POSITIVE = [0, -1, True, "x", float("nan"), float("inf"), 1e10]
NO_NUMBER = r"is not a number of at least 1e-09 and at most 1e\+09: give one"
WRONG = [
    *(({name: bad}, f"{name} .* {NO_NUMBER}")
      for name in ("expected_length", "expected_conditions", "alpha", "beta", "beta_last",
                   "temperature")
      for bad in POSITIVE),
    *(({"alpha_last": bad}, r"alpha_last .* is not a number of at least 1 and at most 1e\+09: give")
      for bad in (*POSITIVE, 0.99)),
    *(({"temperature": bad}, "temperature .* is not one number or two: give the first and the last")
      for bad in ((), [1], (5, 1, 0.2))),
    *(({"temperature": bad}, f"temperature .* {NO_NUMBER}")
      for bad in ((5, 0), [0, 0], (5, None), ("5", 1), (float("inf"), 1), None)),
    *(({"temperature": bad}, r"temperature .0\.2, 5. rises: give the higher one first")
      for bad in ((0.2, 5), [0.2, 5])),
    *(({"clause_weights": {"x": bad}}, rf"clause_weights\['x'\] .* {NO_NUMBER}")
      for bad in (*POSITIVE, None)),
    *(({"clause_weights": bad}, "clause_weights .* is not a dict: give a number above 0")
      for bad in (2, [1, 2], "x", ())),
    ({"clause_weights": {3: 2}}, "clause_weights names 3, which is not a text: give column names"),
    *(({name: bad}, f"{name} .* is not a whole number of at least 1: give 1 or more")
      for name in ("chains", "iterations", "max_antecedents") for bad in (0, -1, True, 1.5, None)),
    *(({name: bad}, f"{name} .* is not a whole number of at least 1: give 1 or more")
      for name in ("max_rules", "max_conditions") for bad in (0, True, 1.5, "2")),
    *(({"draws": bad}, "draws .* is not a whole number of at least 0: give 0 or more")
      for bad in (-1, True, 1.5, "2", None)),
    *(({name: bad}, f"{name} .* is not a share: give a number from 0 to 1")
      for name in ("min_support", "min_support_positive", "min_support_negative")
      for bad in (2, -0.1, True, "x")),
    ({"point": "mean"}, r"point 'mean' is not known .*map"),
    ({"point": "brl_point"}, "point 'brl_point' is not known"),
    ({"point": "average", "draws": 0}, "point 'average' needs draws: give draws of 1 or more"),
    ({"max_seconds": 0}, "max_seconds 0 is not a number above 0"),
    ({"missing": "keep"}, "missing 'keep' is not known"),
    ({"statistics": "disk"}, "statistics 'disk' is not known"),
    ({"max_patterns": 0}, "max_patterns 0 is not a whole number"),
    ({"progress": 3}, "progress 3 is not a function"),
]  # fmt: skip


@pytest.mark.parametrize(("settings", "error"), WRONG, ids=lambda value: str(value)[:40])
def test_a_wrong_setting_is_named_with_its_remedy(settings, error):
    with pytest.raises(InvalidSetting, match=f"^{error}") as caught:
        dbrules.BayesianFallingRuleList(**settings)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["search", "alfa", "positive_weight"])
def test_settings_of_others_are_refused(name):
    with pytest.raises(UnknownSetting, match=f"has no setting '{name}'"):
        dbrules.BayesianFallingRuleList(**{name: 1})


def test_a_weight_of_a_column_that_is_no_feature_is_named_with_the_nearest(con):
    named = f"SELECT x AS age, z AS city, y FROM ({ROWS.format(w=1)})"
    features = ["age", "city"]
    with pytest.raises(InvalidSetting) as caught:
        fit(con, named, features=features, clause_weights={"age": 2, "citty": 3})
    assert str(caught.value) == (
        "clause_weights names 'citty', which is not a feature (did you mean 'city'?): "
        "give columns that rules can read"
    )
    for other in ("y", "nothing", "AGE"):
        with pytest.raises(InvalidSetting, match=f"^clause_weights names {other!r}, which is not"):
            fit(con, named, features=features, clause_weights={other: 2})
    # it is said before anything is searched, and whether there is an antecedent or not
    with pytest.raises(InvalidSetting, match="citty"):
        fit(con, named, features=features, clause_weights={"citty": 3}, min_support=1.0)


@pytest.mark.filterwarnings("ignore:no rule found")
def test_a_weight_of_a_feature_without_a_condition_is_fine(con):
    data = f"SELECT *, 'k' AS same FROM ({ROWS.format(w=1)})"
    model = fit(con, data, features=["x", "same"], clause_weights={"same": 5})
    assert "same: one level only, nothing to tell apart" in str(model.notes)


@pytest.mark.parametrize(
    ("setting", "error"),
    [
        ("temperature=0.2,5", "temperature [0.2, 5] rises: give the higher one first"),
        ("temperature=5,1,0.2", "temperature [5, 1, 0.2] is not one number or two"),
        ('clause_weights={"xx": 2}', "clause_weights names 'xx', which is not a feature"),
        ("alpha_last=0.5", "alpha_last 0.5 is not a number of at least 1"),
        ("positive_weight=3", "--set positive_weight: learner frl_bayes has no such setting"),
    ],
)
def test_the_command_line_says_it_in_one_line(capsys, setting, error):
    asked = ["fit", ROWS.format(w=1), "--target", "y", "--features", "x,z"]
    assert run([*asked, "--learner", "frl_bayes", "--set", setting]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert error in printed.err


@pytest.mark.parametrize("iterations", [1, 2, 3])
@pytest.mark.parametrize("chains", [1, 3])
@pytest.mark.parametrize(("point", "draws"), [("map", 0), ("map", 1), ("average", 1)])
@pytest.mark.filterwarnings("ignore:no rule found")
def test_the_fewest_iterations_are_enough(con, answers, chains, iterations, point, draws):
    model = fit(con, chains=chains, iterations=iterations, point=point, draws=draws)
    assert (model.posterior.draws if draws else 0) == chains * draws
    assert (model.posterior is None) == (draws == 0)
    assert len(answers(model, ROWS.format(w=1), con)) == 70


# -- the target and the weights ------------------------------------------------------------


def test_no_rows_and_no_target(con):
    for query, error in [
        ("SELECT * FROM ({}) WHERE x > 99", "the data has 0 rows"),
        ("SELECT * REPLACE (NULL AS y) FROM ({})", "target 'y' is missing in all 70 rows"),
    ]:
        with pytest.raises(InvalidData, match=error):
            fit(con, query.format(ROWS.format(w=1)))


def test_three_classes_need_a_positive_one(con):
    with pytest.raises(
        InvalidSetting, match=r"'y3' has 3 classes .* give positive, one of 0, 1, 2$"
    ):
        fit(con, target="y3")
    with pytest.raises(UnknownClass, match="class 7 is not among the labels of 'y3'"):
        fit(con, target="y3", positive=7)


@pytest.mark.parametrize("point", ["map", "average"])
def test_one_class_is_its_default_with_one_warning(con, point):
    query = "SELECT i AS x, 'it''s' AS y FROM range(5) r(i)"
    with pytest.warns(DbrulesWarning, match="target 'y' has one class, \"it's\"") as caught:
        model = fit(con, query, features=["x"], point=point)
    assert len(caught) == 1
    assert (model.rules.rules, model.rules.default.probability) == ((), (1.0,))
    assert (model.objective, model.posterior, model.diagnostics) == (0, None, None)
    assert (model.falling, model.average) == (None, None)


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
    ({"min_support_positive": 0.9, "bins": "width:3"},
     "x: no condition has min_support_positive 0.9, not used; z: no condition has"),
    ({"min_support": 0.2, "min_support_negative": 0.9, "bins": "width:3"},
     "x: no condition has min_support 0.2 and min_support_negative 0.9"),
    ({"bins": [99], "min_support": 0.9}, "x: one bin only, nothing to tell apart; z: no condition"),
    ({}, "no falling list of [0-9]+ antecedents is more probable at its best risks than "
         "the default alone: give more iterations, another min_support, or another prior"),
]  # fmt: skip


@pytest.mark.parametrize(("point", "draws"), [("map", 0), ("map", 40), ("average", 40)])
@pytest.mark.parametrize(("settings", "why"), NOTHING)
def test_a_fit_that_finds_nothing_is_a_default_and_one_warning(
    con, settings, why, point, draws, answers
):
    with pytest.warns(DbrulesWarning, match=f"^no rule found: .*{why}") as caught:
        model = fit(con, **settings, point=point, draws=draws, beta_last=1e-9, beta=0.01)
    assert len(caught) == 1
    assert model.notes[0] == str(caught[0].message)
    default = model.rules.default
    assert (model.rules.rules, default.counts) == ((), (35, 35))
    assert default.probability == pytest.approx((0.5, 0.5))
    assert default.label == 0
    if draws:
        (low, high) = model.posterior.intervals[0][1]
        assert 0.3 < low < 0.45 < 0.55 < high < 0.7
    assert len(answers(model, ROWS.format(w=1), con)) == 70


def test_fewer_antecedents_than_there_are_is_said(con):
    model = fit(con, "SELECT i % 9 AS x, i % 9 < 3 AS y FROM range(90) r(i)", features=["x"],
                bins="width:9", max_antecedents=2)  # fmt: skip
    assert "2 of 9 antecedents searched, the best of each threshold" in model.notes
    assert 1 <= len(model.rules.rules) <= 2
