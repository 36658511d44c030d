"""The validation split: exact shares, equal rows divided, the same for every order."""

from __future__ import annotations

import pytest

from dbrules.data.roles import assign_roles
from dbrules.data.source import source
from dbrules.engine.connect import connect
from dbrules.statistics.classes import class_counts
from dbrules.statistics.counts import value_counts
from dbrules.statistics.dataset import open_dataset
from dbrules.statistics.holdout import hold_out, split_counts


def parts_of(con, data, fraction, seed=0, weight=None):
    """Return per feature the split counts and all counts."""
    origin = source(data)
    with connect(origin, con) as engine:
        columns = engine.columns(origin)
        exclude = {"id"} & {column.name for column in columns}
        roles = assign_roles(columns, "y", weight=weight, exclude=exclude)
        with open_dataset(engine, origin, roles) as dataset:
            dataset, classes = class_counts(dataset, None, None)
            whole = [value_counts(dataset, column, classes) for column in dataset.roles.features]
            with hold_out(dataset, classes, fraction, seed) as split:
                pairs = zip(split.roles.features, dataset.roles.features, strict=True)
                parts = [split_counts(split, stored, classes, c) for stored, c in pairs]
    return parts, whole, classes


@pytest.fixture
def table(con):
    con.execute(
        "CREATE TABLE t AS SELECT i AS id, i % 7 AS a, CASE WHEN i % 5 > 0 THEN 'l' || i % 3 END "
        "AS \"held_out\", i / 3 AS weight, CASE WHEN i % 11 > 3 THEN 'p' ELSE 'q' END AS y, "
        "i % 4 AS w FROM range(500) t(i)"
    )
    return con


@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("fraction", [0.1, 0.3, 0.5, 0.9])
def test_the_parts_add_up_and_every_class_gives_its_share(table, fraction, weight):
    parts, whole, classes = parts_of(table, "t", fraction, weight=weight)
    for part, counts in zip(parts, whole, strict=True):
        assert (part.training.values == part.held_out.values).all()
        assert (part.training.weights + part.held_out.weights == counts.weights).all()
        assert (part.training.weights >= 0).all()
        assert (part.held_out.weights >= 0).all()
        held = part.held_out.weights.sum(axis=0) + part.held_out.missing_weights
        # every 1/fraction-th unit of a class, to the unit
        assert abs(held - fraction * classes.weights).max() <= 1


def test_the_split_does_not_depend_on_row_order(table):
    first, _, _ = parts_of(table, "t", 0.3, seed=3)
    for query in ("SELECT * FROM t ORDER BY id DESC", "SELECT * FROM t ORDER BY md5(id::VARCHAR)"):
        again, _, _ = parts_of(table, query, 0.3, seed=3)
        for a, b in zip(first, again, strict=True):
            assert (a.held_out.weights == b.held_out.weights).all()
    other, _, _ = parts_of(table, "t", 0.3, seed=4)
    assert any(
        (a.held_out.weights != b.held_out.weights).any() for a, b in zip(first, other, strict=True)
    )


def test_equal_rows_are_divided_as_evenly_as_can_be(con):
    con.execute("CREATE TABLE t AS SELECT 'l' || i % 3 AS s, i % 2 AS y FROM range(6000) t(i)")
    (part,), (counts,), _ = parts_of(con, "t", 0.3)
    assert abs(part.held_out.weights - 0.3 * counts.weights).max() <= 1


def test_weight_two_is_the_row_twice(table):
    weighted, _, _ = parts_of(table, "SELECT a, held_out, y, w FROM t", 0.3, weight="w")
    twice, _, _ = parts_of(table, "SELECT a, held_out, y FROM t, range(3) r(k) WHERE k < w", 0.3)
    for a, b in zip(weighted, twice, strict=True):
        assert (a.held_out.weights == b.held_out.weights).all()
        assert (a.training.weights == b.training.weights).all()


def test_nothing_is_left_behind(table, leftovers):
    before = leftovers(table)
    parts_of(table, "SELECT * FROM t", 0.3)
    assert leftovers(table) == before
