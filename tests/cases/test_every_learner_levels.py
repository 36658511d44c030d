"""Levels that training saw are not unseen, whether a rule names them or not, for every learner."""

from __future__ import annotations

import pytest

import dbrules
from dbrules.errors import UnknownClass

#: Most learners leave the levels of the default, or of a class, without a rule.
TOWNS = """
    CREATE TABLE towns AS
    SELECT ['Bonn', 'Lima', 'Oslo ', 'Paris', 'Rome', NULL][1 + i % 6] AS city, i % 2 = 0 AS even,
           CASE WHEN i % 6 IN (1, 4) OR i % 60 = 0 THEN 'y' ELSE 'n' END AS y
    FROM range(240) t(i)
"""
LEVELS = ("Bonn", "Lima", "Oslo ", "Paris", "Rome")
NEW = "SELECT city FROM towns UNION ALL SELECT unnest(['Nice', 'Nice', 'Rome'])"


@pytest.fixture
def towns(con):
    con.execute(TOWNS)
    return con


def test_levels_without_a_rule_are_not_unseen(make, towns, tmp_path):
    model = make().fit("towns", target="y", features=["city"], connection=towns)
    assert (model.training.levels, model.training.missing) == ({"city": LEVELS}, {"city": 40})
    model.save(tmp_path / "model.json")
    loaded = dbrules.load(tmp_path / "model.json")
    assert loaded == model
    for known in (model, loaded):
        notes = known.check("towns", connection=towns)
        assert notes == known.evaluate("towns", connection=towns).notes == ("city: 40 missing",)
        assert known.predict("towns", connection=towns, on_unseen="error").fetchall()
        notes = known.check(NEW, connection=towns)
        assert notes == ("city: 1 unseen level in 2 rows ('Nice'), 40 missing",)
        with pytest.raises(UnknownClass, match=r"'city' has 1 unseen level in 2 rows \('Nice'\)"):
            known.predict(NEW, connection=towns, on_unseen="error")


def test_levels_are_trimmed_as_training_trims_them(make, towns):
    model = make(trim=True).fit("towns", target="y", features=["city"], connection=towns)
    assert model.training.levels == {"city": tuple(level.strip() for level in LEVELS)}
    assert model.check("SELECT unnest(['Oslo', ' Oslo', 'Oslo ']) AS city", connection=towns) == ()


def test_where_counts_are_taken_the_levels_are_the_same(make, towns):
    # OneR counts in one place only: its model is that of any other fit
    places = [{"statistics": where} for where in ("memory", "database")]
    trainings = [
        make(**({} if make().name == "one_r" else place))
        .fit("towns", target="y", features=["city"], connection=towns).training.to_json()
        for place in places
    ]  # fmt: skip
    kept = [{key: training.get(key) for key in ("levels", "missing")} for training in trainings]
    assert kept[0] == kept[1]
    assert kept[0]["levels"]["city"] == list(LEVELS)


def test_an_average_knows_the_levels_of_all_its_lists(con):
    # two columns that say the same: the list that is read has one, others the other
    rows = (
        "SELECT i % 2 = 0 AS even, ['a', 'b'][1 + i % 2] AS twin, i % 8 IN (0, 1, 2, 4) AS y "
        "FROM range(80) t(i)"
    )
    model = dbrules.BayesianRuleList(
        point="average", chains=2, iterations=300, max_conditions=1
    ).fit(rows, target="y", connection=con)  # fmt: skip
    assert len(model.rules.used) == 1
    assert {column.name for column in model.answers.used} == {"even", "twin"}
    assert model.training.levels == {"even": (False, True), "twin": ("a", "b")}
    assert dbrules.Model.from_json(model.to_json()) == model
    new = "SELECT false AS even, unnest(['a', 'c']) AS twin"
    assert model.check(new, connection=con) == ("twin: 1 unseen level in 1 row ('c')",)


def test_of_too_many_levels_none_is_called_unseen_unless_each_has_a_rule(con):
    con.execute(
        "CREATE TABLE many AS SELECT CASE WHEN i < 300 THEN 'Oslo' ELSE 'c' || (i % 1001) END "
        "AS city, i < 300 AS y FROM range(2400) t(i)"
    )
    new = "SELECT 'Nice' AS city"
    model = dbrules.SequentialCovering().fit("many", target="y", connection=con)
    assert model.training.levels == {"city": None}
    assert dbrules.Model.from_json(model.to_json()) == model
    assert model.check("many", connection=con) == model.check(new, connection=con) == ()
    model = dbrules.OneR().fit("many", target="y", connection=con)
    assert len(model.training.levels["city"]) == 1002
    assert model.check("many", connection=con) == ()
    assert model.check(new, connection=con) == ("city: 1 unseen level in 1 row ('Nice')",)
