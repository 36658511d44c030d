"""Settings of a falling list: each is checked, and an error names it."""

from __future__ import annotations

import math
from dataclasses import fields

import pytest

import dbrules
from dbrules.errors import InvalidSetting, UnknownSetting

NAN, INF = math.nan, math.inf
WRONG = {
    "positive_weight": [0, -1, NAN, INF, "7", "balance", None, True, [7]],
    "rule_cost": [-1e-9, NAN, INF, "0.1", None, True],
    "soft_penalty": [-1, NAN, "0.5", True],
    "search": ["monte-carlo", None, 1],
    "max_conditions": [0, -1, 1.5, "2", True],
    "min_support": [-0.1, 1.1, NAN, "0.1", True],
    "min_support_positive": [-0.1, 1.1, 10],
    "min_support_negative": [-0.1, 1.1, 10],
    "max_rules": [0, -1, 2.0, True],
    "restarts": [0, 1e3, "many"],
    "curiosity": [-0.1, 1.1, NAN, None],
    "termination_probability": [-0.1, 1.1, NAN, "0"],
    "max_seconds": [0, -1, NAN, INF, "60", True],
    "max_nodes": [0, 1.5, True],
    "missing": ["levels", None],
    "statistics": ["disk", None],
    "max_patterns": [0, 1.5, None, True],
    "progress": [True, "yes"],
    "seed": ["x", 1.5, True],
    "trim": ["yes", 1],
    "bins": ["quantiles:4", 5, []],
}


@pytest.mark.parametrize(("name", "value"), [(n, v) for n, values in WRONG.items() for v in values])
def test_a_setting_out_of_its_range_is_named(name, value):
    with pytest.raises(InvalidSetting) as caught:
        dbrules.FallingRuleList(**{name: value})
    (line,) = str(caught.value).splitlines()
    assert name in line
    assert isinstance(caught.value, ValueError)


def test_every_setting_is_checked():
    assert set(WRONG) == {field.name for field in fields(dbrules.FallingRuleList)}


@pytest.mark.parametrize(
    ("given", "near"),
    [("positive_weigth", "positive_weight"), ("min_suport_positive", "min_support_positive"),
     ("rules_cost", "rule_cost"), ("max_node", "max_nodes")],
)  # fmt: skip
def test_a_setting_that_does_not_exist_gets_its_near_match(given, near):
    with pytest.raises(UnknownSetting, match=rf"no setting '{given}' \(did you mean '{near}'\?\)"):
        dbrules.FallingRuleList(**{given: 1})


def test_limits_are_inside_the_range(con):
    for settings in (
        {"rule_cost": 0, "curiosity": 0, "termination_probability": 1},
        {"curiosity": 1, "termination_probability": 0, "soft_penalty": 0, "max_nodes": 1},
        {"min_support": 0, "min_support_positive": 0, "min_support_negative": 0, "max_nodes": 9},
        {"min_support_positive": 1, "max_rules": 1, "max_conditions": None, "restarts": 1},
    ):
        data = "SELECT i % 4 AS x, i % 4 = 3 AS y FROM range(40) r(i)"
        model = dbrules.FallingRuleList(**settings).fit(data, target="y", connection=con)
        assert [o.counts for o in model.rules.outcomes] == [(0, 10), (30, 0)]
