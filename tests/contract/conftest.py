"""The learners under contract and a table that has a bit of everything."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from dbrules import LEARNERS

# tables that several tests draw are made in a module beside them
HERE = str(Path(__file__).parent)
if HERE not in sys.path:
    sys.path.insert(0, HERE)

#: Settings under which each learner is held to the contract; a new learner must be added here.
SETTINGS = {
    "one_r": [
        {},
        {"bins": "width:4:right", "missing": "drop"},
        {"min_bucket": 3, "ties": "chi2", "max_levels": 9},
        {"validation": 0.3, "seed": 5, "trim": True},
    ],
    # rule costs and lengths that leave few lists worth a look: contracts are about counts
    "frl": [
        {"rule_cost": 0.02},
        {"bins": "width:4:right", "missing": "drop", "positive_weight": 3, "max_conditions": 1},
        {"search": "monte_carlo", "restarts": 30, "seed": 5, "soft_penalty": 0.05,
         "positive_weight": "balanced", "max_rules": 3, "min_support": 0.1, "max_conditions": 1,
         "trim": True},
        {"statistics": "database", "bins": "quantile:3", "max_conditions": 1, "max_nodes": 20},
    ],
    # short chains: contracts are about counts, not about how well a posterior is known
    "brl": [
        {"chains": 2, "iterations": 30, "point": "average", "bins": "width:4:right",
         "missing": "drop", "alpha": 0.5, "seed": 5},
        {"chains": 2, "iterations": 200, "search": "exact", "max_nodes": 20, "trim": True,
         "min_support": 0.05, "min_support_class": 0.2, "max_rules": 3, "expected_length": 2},
        {"chains": 3, "iterations": 200, "point": "brl_point", "expected_conditions": 0.5,
         "temperature": 2},
        {"chains": 1, "iterations": 10, "statistics": "database", "bins": "quantile:2",
         "max_conditions": 1, "min_support": 0.3},
    ],
    "frl_bayes": [
        {"iterations": 100, "draws": 50},
        {"iterations": 100, "draws": 12, "point": "average", "temperature": (5, 0.5), "seed": 5,
         "bins": "width:4:right", "missing": "drop", "expected_conditions": 0.5},
        {"iterations": 100, "draws": 0, "clause_weights": {"flag": 20}, "max_conditions": 1,
         "max_rules": 3, "min_support_positive": 0.1, "trim": True, "alpha": 2, "beta": 3,
         "alpha_last": 1.5, "beta_last": 0.5},
        {"iterations": 20, "draws": 5, "chains": 1, "statistics": "database", "beta_last": 1,
         "bins": "quantile:2", "max_conditions": 1, "min_support": 0.2, "expected_length": 30},
    ],
    "covering": [
        {"significance": None, "max_conditions": 2},
        {"search": "tree_path", "quality": "precision", "bins": "width:4:right", "uncovered": 0.2,
         "missing": "level", "max_rules": 3, "trim": True, "min_support": 0.02,
         "significance": 0.5},
        {"search": "hill_climbing", "quality": "foil_gain", "classes": "any", "seed": 5,
         "significance": 0.2, "max_cuts": 7},
        {"search": "beam", "beam_width": 2, "statistics": "database", "bins": "quantile:2",
         "max_conditions": 1, "max_rules": 3, "significance": None},
    ],
    "ripper": [
        {},
        {"passes": 0, "bins": "width:4:right", "missing": "level", "max_conditions": 2,
         "max_rules": 3, "trim": True, "seed": 5},
        {"passes": 1, "prune_fraction": 0.2, "max_cuts": 7, "ranking_rules": 0,
         "min_support": 0.02},
        {"passes": 1, "statistics": "database", "bins": "quantile:2", "max_conditions": 1,
         "max_rules": 1},
    ],
    "rules": [
        {"max_conditions": 2},
        {"bins": "width:4:right", "missing": "drop", "max_rules": 5, "min_support_class": 0.05,
         "min_support": None, "trim": True, "max_conditions": 1},
        {"min_lift": 1.1, "min_confidence": 0.3, "significance": 0.2, "alpha": 0.5, "seed": 5,
         "max_conditions": 2},
        {"statistics": "database", "bins": "quantile:2", "max_conditions": 2, "min_support": 0.05,
         "redundant": "keep", "min_conviction": 1.01},
    ],
}  # fmt: skip
#: Learners that tell a positive class from all others, and need it named where there are three.
BINARY = {"frl", "frl_bayes"}
CASES = [(name, settings) for name, forms in SETTINGS.items() for settings in forms]


def pytest_generate_tests(metafunc):
    if "learner" in metafunc.fixturenames:
        metafunc.parametrize(
            "learner",
            [LEARNERS[name](**settings) for name, settings in CASES if name in LEARNERS],
            ids=[f"{name}-{i}" for i, (name, _) in enumerate(CASES)],
        )


@pytest.fixture
def contracted():
    """The names of the learners under contract."""
    return set(SETTINGS)


@pytest.fixture
def three_classes(learner):
    """How to ask for a model of ``y3``, which has three classes."""
    return {"target": "y3", **({"positive": "b"} if learner.name in BINARY else {})}


@pytest.fixture
def people(con):
    """The table ``people``: every kind of column, NULL, NaN, infinities, weights, two targets."""
    con.execute("""
        CREATE TABLE people AS
        SELECT
          i AS id,
          CASE WHEN i % 13 > 0 THEN (i * 37) % 71 END AS age,
          CASE WHEN i % 17 = 0 THEN 'NaN'::DOUBLE WHEN i % 19 = 0 THEN NULL
               WHEN i % 23 = 0 THEN 'inf'::DOUBLE ELSE ((i * 31) % 97) / 10 END AS score,
          (((i * 31) % 97) / 7)::REAL AS single,
          CASE WHEN i % 7 > 0 THEN (((i * 11) % 53) / 4)::DECIMAL(9, 2) END AS price,
          CASE WHEN i % 9 > 0 THEN ['Oslo', 'Rome', ' Rome', 'o''x', ''][1 + (i * 5) % 5] END
            AS city,
          CASE WHEN i % 11 > 0 THEN i % 3 = 0 END AS flag,
          DATE '2024-01-01' + ((i * 29) % 83)::INTEGER AS day,
          TIMESTAMP '2024-01-01 00:00:00.5' + to_hours((i * 29) % 83) AS moment,
          TIMESTAMPTZ '2024-01-01 00:00:00+00' + to_hours((i * 41) % 89) AS zoned,
          CASE WHEN i % 29 > 0 THEN
            CASE WHEN (i * 31) % 97 > 40 + (i % 6) THEN 'yes' ELSE 'no' END END AS y,
          CASE WHEN i % 31 > 0 THEN ['a', 'b', 'c'][1 + ((i * 37) % 71) // 25] END AS y3,
          CASE WHEN i % 8 = 0 THEN 0 ELSE i % 4 END AS w,
          i % 4 / 3 AS share
        FROM range(240) t(i)
    """)
    return con
