"""What a falling list cannot be learned from, or has no rule for, is said in one line."""

from __future__ import annotations

import warnings

import pytest

import dbrules
from dbrules.errors import DbrulesWarning, InvalidData, InvalidSetting, UnknownClass

ROWS = "SELECT i % 7 AS x, 'z' || i % 5 AS z, i % 3 AS y3, i % 2 AS y, {w} AS w FROM range(70) r(i)"


def fit(con, data=None, *, target="y", features=("x", "z"), weight=None, positive=None, **settings):
    return dbrules.FallingRuleList(**settings).fit(
        data or ROWS.format(w=1), target=target, features=features, weight=weight,
        positive=positive, connection=con,
    )  # fmt: skip


# -- the target ----------------------------------------------------------------------------


def test_more_than_two_classes_need_a_positive_one(con):
    with pytest.raises(
        InvalidSetting, match=r"'y3' has 3 classes .* give positive, one of 0, 1, 2$"
    ):
        fit(con, target="y3")
    many = "SELECT i % 2 AS x, 'c' || i % 12 AS y FROM range(60) r(i)"
    with pytest.raises(InvalidSetting, match=r"has 12 classes .*'c0', 'c1', 'c10', .*, …$"):
        fit(con, many, features=["x"])
    with pytest.raises(UnknownClass, match=r"'7' is not among the labels of 'y3'"):
        fit(con, target="y3", positive="7")


def test_no_rows_and_no_target(con):
    for query, error in [
        ("SELECT * FROM ({}) WHERE x > 99", "the data has 0 rows"),
        ("SELECT * REPLACE (NULL AS y) FROM ({})", "target 'y' is missing in all 70 rows"),
    ]:
        with pytest.raises(InvalidData, match=error):
            fit(con, query.format(ROWS.format(w=1)))


def test_one_class_is_its_default_with_one_warning(con):
    query = "SELECT i AS x, 'it''s' AS y FROM range(5) r(i)"
    with pytest.warns(DbrulesWarning, match="target 'y' has one class, \"it's\"") as caught:
        model = fit(con, query, features=["x"])
    assert len(caught) == 1
    assert model.rules.rules == ()
    assert model.rules.default.probability == (1.0,)
    assert model.rules.default.counts == (5,)
    assert model.objective == 0
    with pytest.warns(DbrulesWarning, match="one class"):
        weighted = fit(con, f"SELECT *, 0.5 AS w FROM ({query})", features=["x"], weight="w")
    assert (weighted.rules.default.counts, weighted.rules.default.rows) == ((2.5,), 5)


# -- weights -------------------------------------------------------------------------------


@pytest.mark.parametrize("bad", ["NULL", "-1", "'NaN'::DOUBLE", "'inf'::DOUBLE"])
@pytest.mark.parametrize("where", ["memory", "database"])
def test_a_bad_weight_is_refused(con, leftovers, bad, where):
    data = ROWS.format(w=f"CASE WHEN i = 3 THEN {bad} ELSE 1 END")
    before = leftovers(con)
    with pytest.raises(InvalidData, match=r"'w'.*1 row"):
        fit(con, data, weight="w", statistics=where)
    assert leftovers(con) == before


def test_weights_that_are_all_zero_leave_no_row(con):
    with pytest.raises(InvalidData, match="0 rows of a weight 'w' above 0"):
        fit(con, ROWS.format(w=0), weight="w")


def test_a_weight_of_text_is_refused(con):
    with pytest.raises(dbrules.errors.ColumnTypeError, match="weight 'z'"):
        fit(con, features=["x"], weight="z")


# -- nothing found (policy P7) -------------------------------------------------------------

NOTHING = [
    ({"min_support": 1.0}, r"x: no condition has min_support 1, not used; z: no condition has"),
    ({"min_support_positive": 0.9, "min_support_negative": 0.9},
     "no condition has min_support_positive 0.9 or min_support_negative 0.9, not used"),
    ({"rule_cost": 1}, "none of [0-9]+ antecedents is worth its cost at positive_weight 1 and "
                       "rule_cost 1:"),
    ({"rule_cost": 1, "search": "monte_carlo", "restarts": 5},
     "no list that was seen is worth its cost at positive_weight 1 and rule_cost 1:"),
    ({"rule_cost": 1, "soft_penalty": 1.0}, "is worth its cost"),
    ({"bins": [99], "min_support": 0.9}, "x: one bin only, nothing to tell apart; z: no condition"),
    ({"positive_weight": 1e9}, "is worth its cost at positive_weight 1e\\+09"),
    ({"positive_weight": 1e-9}, "is worth its cost at positive_weight 1e-09"),
]  # fmt: skip


@pytest.mark.parametrize("where", ["memory", "database"])
@pytest.mark.parametrize(("settings", "why"), NOTHING)
def test_a_fit_that_finds_nothing_is_a_default_and_one_warning(con, settings, why, where, answers):
    with pytest.warns(DbrulesWarning, match=f"^no rule found: .*{why}") as caught:
        model = fit(con, **settings, statistics=where)
    assert len(caught) == 1
    assert model.notes[0] == str(caught[0].message)
    # and nothing is said twice
    assert not any(note in model.notes[0] for note in model.notes[1:])
    default = model.rules.default
    assert (model.rules.rules, default.counts, default.probability) == ((), (35, 35), (0.5, 0.5))
    weight = settings.get("positive_weight", 1)
    assert default.label == int(weight > 1)  # 35 of 70: on the threshold of w = 1 it is the other
    assert model.objective == pytest.approx(min(35, 35 * weight) / 70)
    exact = settings.get("search") != "monte_carlo"
    assert model.proved is (True if exact else None)
    assert model.training.lower_bound == (model.objective if exact else None)
    assert answers(model, ROWS.format(w=1), con) == [(default.label, 1)] * 70


def test_a_column_without_a_value_is_named_and_left_out(con):
    data = (
        "SELECT i % 2 AS x, NULL::DOUBLE AS empty, 'NaN'::REAL AS nan, i % 2 AS y "
        "FROM range(9) r(i)"
    )
    with pytest.warns(DbrulesWarning) as caught:
        model = fit(con, data, features=["empty", "x", "nan"])
    assert [str(warning.message) for warning in caught] == [
        "empty: all values missing, not used", "nan: all values missing, not used"
    ]  # fmt: skip
    assert [rule.features for rule in model.rules.rules] == [("x",)]
    assert model.training.missing == {"x": 0}
    for where in ("memory", "database"):
        with pytest.raises(InvalidData, match=r"^empty: all values missing, not used; no feature"):
            fit(con, data, features=["empty", "nan"], statistics=where)


def test_a_table_of_two_rows(con):
    model = fit(con, "SELECT 'a' AS x, 0 AS y UNION ALL SELECT 'b', 1", features=["x"])
    assert (len(model.rules.rules), model.proved) == (1, True)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        alike = fit(con, "SELECT 'a' AS x, 0 AS y UNION ALL SELECT 'a', 1", features=["x"])
    assert ["one level only" in str(warning.message) for warning in caught] == [True]
    assert alike.rules.default.probability == (0.5, 0.5)
