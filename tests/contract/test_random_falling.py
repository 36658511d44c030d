"""Falling lists of random tables with hostile names and cells: every view and both doors agree."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hostile_tables import WEIGHTS, fill, random_table
from judges import answers_of, check_objective, check_probabilities, check_views

import dbrules

BINS = [None, None, "mdlp", "width:3:right", "quantile:2", "quantile:4:right", "tree:3"]


def with_signal(rng, rows):
    """Let the first feature follow the class in some of the rows."""
    pool = list(dict.fromkeys(row[1] for row in rows))
    labels = sorted({row[0] for row in rows if row[0] is not None})
    return [
        (row[0], pool[labels.index(row[0]) % len(pool)], *row[2:])
        if row[0] is not None and rng.random() < 0.7 else row
        for row in rows
    ]  # fmt: skip


def random_settings(rng):
    return {
        "bins": rng.choice(BINS), "missing": rng.choice(["level", "drop"]),
        "positive_weight": rng.choice([0.3, 1, 2.5, "balanced", "balanced"]),
        "rule_cost": rng.choice([0, 0.001, 0.02]), "soft_penalty": rng.choice([None, None, 0.1]),
        "search": rng.choice(["exact", "exact", "monte_carlo"]), "restarts": 8, "max_nodes": 15,
        "max_conditions": rng.choice([1, 2, 2, 3]), "min_support": rng.choice([None, 0.05]),
        "seed": rng.randrange(9),
    }  # fmt: skip


@pytest.mark.filterwarnings("ignore::dbrules.errors.DbrulesWarning")
@pytest.mark.parametrize("weight", WEIGHTS)
def test_sql_counts_text_json_and_both_doors_agree(con, weight):
    lengths = Counter()
    for seed in range(12):
        rng = random.Random(f"falling {seed} {weight}")
        columns, rows = random_table(rng, weight)
        fill(con, columns, with_signal(rng, rows))
        target = columns[0][0]
        known = [row[0] for row in rows if row[0] is not None and (weight is None or row[-1])]
        positive = rng.choice(known)
        asked = {"target": target, "weight": weight and "weight", "positive": positive}
        settings = random_settings(rng)
        models = [
            dbrules.FallingRuleList(**settings, statistics=where).fit("t", connection=con, **asked)
            for where in ("memory", "database")
        ]
        model = models[0]
        assert models[1].rules == model.rules
        assert models[1].objective == model.objective
        if weight is None:
            check_views(model, con)
        else:
            assert model.verify("t", connection=con)
        if len(model.rules.target.classes) > 1:
            check_probabilities(model)
        if weight is None and len(model.rules.target.classes) > 1:
            answers = Counter()
            for (_, label, said), n in answers_of(model, con).items():
                answers[label, said] += n
            check_objective(model, answers)
        lengths[len(model.rules.rules)] += 1
    assert lengths[0] <= 6
    assert max(lengths) > 1
