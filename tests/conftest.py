"""What every test may ask for: a connection, a hand-built model, the one claim of all cases."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import duckdb
import pytest

import dbrules
from dbrules.language.rule import Outcome
from dbrules.training import Training


@pytest.fixture
def con():
    """A connection of its own, with little memory."""
    connection = duckdb.connect(config={"memory_limit": "1GB", "threads": 2})
    connection.execute("SET TimeZone = 'UTC'")
    yield connection
    connection.close()


@pytest.fixture
def by_hand():
    """Make a model of the text of a rule list."""

    def make(text, **of_parse):
        rules = dbrules.parse_rule_list(text, **of_parse)
        return dbrules.Model(rules, "by hand", {}, Training(rows=0))

    return make


@pytest.fixture
def answers():
    """Score by SQL: check that SQL and model agree and that no answer is NULL; return rows.

    The rows are (label, rule) in the order of ``order``, or as they come.
    """

    def score(model, data, con, order=None):
        verified = model.verify(data, connection=con)
        assert verified, str(verified)
        name = model.rules.target.name
        relation = model.predict(data, connection=con)
        added = relation.columns[-3:]
        assert added[0].startswith(f"predicted_{name}")
        label, probability, rule = ('"' + column.replace('"', '""') + '"' for column in added)
        nulls = relation.filter(
            f"{label} IS NULL OR {probability} IS NULL OR isnan({probability}) OR {rule} IS NULL"
        )
        assert nulls.aggregate("count(*)").fetchall() == [(0,)]
        assert relation.aggregate("count(*)").fetchall() == [(verified.rows,)]
        ordered = relation if order is None else relation.order(order)
        return ordered.project(f"{label}, {rule}").fetchall()

    return score


@pytest.fixture(scope="session")
def shared_data():
    """The folder of the published data sets; skips where it is not there."""
    folder = Path(__file__).parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("needs the data of ../shared/data")
    return folder


@pytest.fixture
def leftovers():
    """Name every table and view of a connection, temporary ones included."""

    def names(con):
        return sorted(
            con.execute(
                "SELECT table_name FROM duckdb_tables() "
                "UNION ALL SELECT view_name FROM duckdb_views() WHERE NOT internal"
            ).fetchall()
        )

    return names


@pytest.fixture
def falling_model():
    """Make a falling list of the text of a rule list and counts of rule × class."""

    def make(text, weight, counts, rows=None, *, training=None):
        rules = dbrules.parse_rule_list(text)
        if rules.target.positive is None:
            classes = ("no", "yes")
            rules = replace(rules, target=replace(rules.target, classes=classes, positive="yes"),
                            default=Outcome(rules.default.label))  # fmt: skip
        falling = dbrules.Falling(weight)
        *outcomes, default = falling.outcomes(rules.target, counts, rows)
        answered = tuple(
            replace(rule, outcome=outcome)
            for rule, outcome in zip(rules.rules, outcomes, strict=True)
        )
        rules = replace(rules, rules=answered, default=default)
        training = training or Training(rows=sum(map(sum, counts)) if rows is None else sum(rows))
        return dbrules.Model(rules, "frl", {}, training, falling=falling)

    return make
