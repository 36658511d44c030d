"""The simulation of Wang and Rudin (2015): with enough rows, the list that made them is found."""

from __future__ import annotations

import importlib.util
from itertools import pairwise
from pathlib import Path

import pytest

import dbrules

EXAMPLE = Path(__file__).parents[2] / "examples" / "05_simulation.py"


@pytest.fixture(scope="module")
def simulation():
    """The example as a module; its name is no identifier."""
    spec = importlib.util.spec_from_file_location("simulation", EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def learn(con, **settings):
    learner = dbrules.BayesianFallingRuleList(
        chains=1, iterations=5000, draws=0, max_conditions=1, missing="drop", **settings
    )
    return learner.fit("simulated", target="y", positive=True, connection=con)


def clauses(model):
    return [condition.feature for rule in model.rules.rules for condition in rule.conditions]


def test_the_rows_are_those_of_the_paper(con, simulation):
    truth = simulation.simulate(con, 20_000, "0 0")
    names = [f"clause_{number:02d}" for number in range(100)]
    shares = con.execute(f"SELECT {', '.join(f'count({n}) / 20000' for n in names)} FROM simulated")
    # 100 shares of 20 000 rows: their standard error is 0.003
    assert all(abs(share - 0.25) < 0.015 for share in shares.fetchone())
    both = con.execute(
        "SELECT " + ", ".join(f"count({a} AND {b}) / 20000" for a, b in pairwise(names))
        + " FROM simulated"
    )  # fmt: skip
    assert all(abs(share - 0.0625) < 0.01 for share in both.fetchone())
    rule = " ".join(f"WHEN {name} THEN {place}" for place, name in enumerate(truth))
    risks = con.execute(
        f"SELECT avg(y::INTEGER) FROM simulated GROUP BY CASE {rule} ELSE 5 END ORDER BY ALL DESC"
    )
    assert [risk for (risk,) in risks.fetchall()] == pytest.approx(simulation.RISKS, abs=0.03)


def test_a_clause_is_an_antecedent(con, simulation):
    simulation.simulate(con, 1000, "0 0")
    mined = dbrules.mine(
        "simulated", target="y", positive=True, connection=con, max_conditions=1, missing="drop",
        min_support=0.05,
    )  # fmt: skip
    assert len(mined) == 100
    assert all(condition.value is True for (condition,) in mined)


@pytest.mark.parametrize("temperature", [(100.0, 0.1), 1.0])
def test_the_true_list_is_found(con, simulation, temperature):
    truth = simulation.simulate(con, 20_000, "0 0")
    model = learn(con, temperature=temperature)
    assert clauses(model) == truth
    risks = [outcome.probability[1] for outcome in model.rules.outcomes]
    assert risks == pytest.approx(simulation.RISKS, abs=0.03)


def test_few_rows_hide_the_last_rules(con, simulation):
    truth = simulation.simulate(con, 300, "0 0")
    found = clauses(learn(con))
    assert simulation.edit_distance(found, truth) >= 1
    # what has the highest risk is still found first
    assert found[0] == truth[0]


@pytest.mark.parametrize(
    ("found", "truth", "distance"),
    [
        ("abcde", "abcde", 0), ("", "abcde", 5), ("abcd", "abcde", 1), ("acbde", "abcde", 2),
        ("abxde", "abcde", 1), ("kitten", "sitting", 3), ("bcdea", "abcde", 2),
    ],
)  # fmt: skip
def test_the_edit_distance(simulation, found, truth, distance):
    assert simulation.edit_distance(list(found), list(truth)) == distance
    assert simulation.edit_distance(list(truth), list(found)) == distance
