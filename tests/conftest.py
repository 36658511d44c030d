"""What every test may ask for: a connection, a hand-built model, the one claim of all cases."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

import dbrules
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
