"""The same rows give the same falling list to the byte, wherever they are and whoever counts."""

from __future__ import annotations

import json

import pytest

import dbrules

FEATURES = ["age", "plan", "calls", "region"]
TARGET = {"target": "left_us", "features": FEATURES}
#: Settings of searches that end in a proof, and of one that ends before.
SEARCHES = [
    {"positive_weight": 2, "rule_cost": 0.02, "max_conditions": 1},
    {"positive_weight": "balanced", "rule_cost": 0.1, "bins": {"age": [30], "calls": [6]}},
    {"positive_weight": 3, "soft_penalty": 0.2, "max_nodes": 30, "restarts": 5,
     "bins": {"age": [30], "calls": [6]}},
    {"positive_weight": 2, "search": "monte_carlo", "restarts": 20, "seed": 3},
]  # fmt: skip


def written(model):
    """Return all of a model but its training and where its rows were counted."""
    document = model.to_json()
    del document["training"]
    document["learner"].pop("statistics")
    return json.dumps(document)


@pytest.mark.parametrize(
    ("settings", "weight"), [*zip(SEARCHES, (None, "copies", None, "copies"), strict=True)]
)
def test_from_memory_and_from_the_database(customers, settings, weight):
    models = [
        dbrules.FallingRuleList(**settings, statistics=where).fit(
            "customers", **TARGET, weight=weight, connection=customers
        )
        for where in ("memory", "database", "auto")
    ]
    assert models[0].rules.rules
    assert len({written(model) for model in models}) == 1
    assert len({model.objective for model in models}) == 1
    assert models[0].proved == models[1].proved
    assert any(e.name == "patterns/histogram" for e in models[1].journal)
    assert not any(e.name == "patterns/histogram" for e in models[0].journal)


@pytest.mark.parametrize("settings", SEARCHES)
def test_from_shuffled_rows_and_any_number_of_threads(customers, settings):
    customers.execute("CREATE TABLE turned AS SELECT * FROM customers ORDER BY md5(id::VARCHAR)")
    learner = dbrules.FallingRuleList(**settings)
    models = []
    for threads in (1, 2, 8):
        customers.execute(f"SET threads = {threads}")
        models += [
            learner.fit(data, **TARGET, connection=customers)
            for data in ("customers", "turned", "SELECT * FROM customers ORDER BY id DESC")
        ]
    assert len({written(model) for model in models}) == 1
    assert len({(m.objective, m.training.lower_bound, m.training.nodes) for m in models}) == 1


@pytest.mark.parametrize("settings", SEARCHES)
def test_a_weight_is_the_row_repeated(customers, settings):
    learner = dbrules.FallingRuleList(**settings)
    weighted = learner.fit("customers", **TARGET, weight="copies", connection=customers)
    repeated = learner.fit(
        "SELECT customers.* FROM customers, range(3) AS r(k) WHERE k < copies",
        **TARGET, connection=customers,
    )  # fmt: skip
    assert [r.conditions for r in weighted.rules.rules] == [
        r.conditions for r in repeated.rules.rules
    ]
    for one, other in zip(weighted.rules.outcomes, repeated.rules.outcomes, strict=True):
        assert (one.label, one.probability, one.counts) == (
            other.label, other.probability, other.counts
        )  # fmt: skip
        assert one.rows <= sum(one.counts)
        assert other.rows is None
    assert weighted.objective == repeated.objective
    assert weighted.falling == repeated.falling


def test_from_a_file_a_frame_and_a_query(customers, tmp_path):
    learner = dbrules.FallingRuleList(**SEARCHES[0])
    expected = learner.fit("customers", **TARGET, connection=customers)
    path = str(tmp_path / "customers.parquet")
    customers.execute(f"COPY customers TO '{path}'")
    for data in (path, "WITH c AS (FROM customers) SELECT * FROM c;", customers.table("customers")):
        model = learner.fit(data, **TARGET, connection=None if data is path else customers)
        assert written(model) == written(expected)
    # pandas has numbers with a point for the ages, some of which are missing
    doubled = learner.fit(
        "SELECT * REPLACE (age::DOUBLE AS age) FROM customers", **TARGET, connection=customers
    )
    frame = customers.table("customers").df().astype({"age": "float64"})
    frame = learner.fit(frame, **TARGET)
    assert written(frame) == written(doubled)
    assert [o.counts for o in frame.rules.outcomes] == [o.counts for o in expected.rules.outcomes]


def test_weights_are_counted_exactly_in_their_finest_unit(con):
    # a quarter and a tenth have no common power of ten but 1/100, and both are in the list
    con.execute(
        "CREATE TABLE t AS SELECT 'p' AS x, 1 AS y, 0.25 AS w FROM range(3) "
        "UNION ALL SELECT 'p', 0, 0.1 UNION ALL SELECT 'q', 0, 0.1 FROM range(7) "
        "UNION ALL SELECT 'q', 1, 0.25"
    )
    for where in ("memory", "database"):
        learner = dbrules.FallingRuleList(positive_weight=0.5, statistics=where)
        model = learner.fit("t", target="y", weight="w", connection=con)
        assert [o.counts for o in model.rules.outcomes] == [(0.1, 0.75), (0.7, 0.25)]
        # a false alarm of 0.1, half of 0.25 missed, and one rule
        assert model.objective == pytest.approx((0.1 + 0.125) / 1.8 + 0.002, rel=0, abs=1e-15)
        assert model.proved
