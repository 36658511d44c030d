"""The classes of a target."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pytest

import dbrules
from dbrules.data.binning import Bins
from dbrules.data.roles import assign_roles
from dbrules.data.source import source
from dbrules.engine.connect import connect
from dbrules.errors import InvalidData, UnknownClass
from dbrules.statistics.classes import class_counts
from dbrules.statistics.dataset import open_dataset


def classes_of(con, query, *, bins=None, positive=None, weight=None):
    origin = source(query)
    with connect(origin, con) as engine:
        roles = assign_roles(engine.columns(origin), "y", weight=weight)
        with open_dataset(engine, origin, roles) as dataset:
            return class_counts(dataset, bins, positive)[1]


@pytest.mark.parametrize(
    ("cells", "classes"),
    [
        ("'b', 'a', 'a', NULL", ("a", "b")),
        ("TRUE, FALSE, FALSE, NULL", (False, True)),
        ("10, 9, 9, NULL", (9, 10)),
        ("1.5::DOUBLE, -0.5, -0.5, 'nan'", (-0.5, 1.5)),
        ("1.50::DECIMAL(9,2), -0.5, -0.5, NULL", (Decimal("-0.50"), Decimal("1.50"))),
        ("DATE '2024-02-29', '2023-01-01', '2023-01-01', NULL",
         (dt.date(2023, 1, 1), dt.date(2024, 2, 29))),
    ],
)  # fmt: skip
def test_classes_have_their_type_and_order(con, cells, classes):
    found = classes_of(con, f"SELECT 1 AS x, unnest([{cells}]) AS y")
    assert found.target.classes == classes
    assert [type(label) for label in found.target.classes] == [type(label) for label in classes]
    assert found.target.positive == classes[1]
    assert found.rows.tolist() == [2, 1]
    assert found.excluded_rows == 1
    assert found.majority == 0


def test_many_classes_and_a_tie(con):
    found = classes_of(con, "SELECT 1 AS x, 'c' || lpad((i % 40)::VARCHAR, 2, '0') AS y "
                            "FROM range(400) t(i)")  # fmt: skip
    assert len(found.target.classes) == 40
    assert found.target.classes == tuple(sorted(found.target.classes))
    assert set(found.rows.tolist()) == {10}
    assert (found.majority, found.target.positive) == (0, None)


def test_a_numeric_target_of_many_values_is_cut_in_quarters(con):
    found = classes_of(con, "SELECT 1 AS x, i AS y FROM range(100) t(i)")
    assert found.rows.tolist() == [25, 25, 25, 25]
    assert found.target.cuts == (25, 50, 75)
    assert found.target.classes == ("< 25", "[25, 50)", "[50, 75)", ">= 75")
    assert classes_of(con, "SELECT 1 AS x, i AS y FROM range(20) t(i)").target.cuts == ()


def test_a_target_is_cut_as_asked(con):
    query = "SELECT 1 AS x, DATE '2024-01-01' + i::INTEGER AS y, i % 2 AS w FROM range(100) t(i)"
    found = classes_of(con, query, bins=Bins.parse(["2024-02-01"]), positive=">= 2024-02-01")
    assert found.rows.tolist() == [31, 69]
    assert found.target.positive == found.target.classes[1]
    weighted = classes_of(con, query, bins=Bins.parse(["2024-02-01"]), weight="w")
    assert weighted.weights.tolist() == weighted.rows.tolist() == [15, 35]


def test_weights(con):
    query = "SELECT 1 AS x, unnest(['a', 'b', 'b', NULL]) AS y, unnest([{}]) AS w"
    found = classes_of(con, query.format("0.5, 1.25, 0, 3"), weight="w")
    assert found.weights.tolist() == [0.5, 1.25]
    assert found.rows.tolist() == [1, 1]
    assert (found.excluded_rows, found.whole) == (1, False)
    assert classes_of(con, query.format("2, 1, 1, 3"), weight="w").whole
    for bad in ("-1, 1, 1, 1", "NULL, 1, 1, 1", "'inf'::DOUBLE, 1, 1, 1", "'nan'::DOUBLE, 1, 1, 1"):
        with pytest.raises(InvalidData, match=r"'w'.*in 1 row:"):
            classes_of(con, query.format(bad), weight="w")
    with pytest.raises(InvalidData, match=r"all 1 rows of a weight 'w' above 0"):
        classes_of(con, query.format("0, 0, 0, 1"), weight="w")


@pytest.mark.parametrize(
    ("cells", "given", "positive"),
    [("1, 2", 1, 1), ("1, 2", "1", 1), ("TRUE, FALSE", "false", False), ("'1', '2'", "1", "1"),
     ("'a', 'A'", "A", "A"), ("DATE '2024-01-01', '2024-01-02'", "2024-01-01", dt.date(2024, 1, 1)),
     ("1.50::DECIMAL(9,2), 2", Decimal("1.5"), Decimal("1.50"))],
)  # fmt: skip
def test_the_positive_class_may_be_given_as_text(con, cells, given, positive):
    found = classes_of(con, f"SELECT 1 AS x, unnest([{cells}]) AS y", positive=given)
    assert found.target.positive == positive
    assert type(found.target.positive) is type(positive)


@pytest.mark.parametrize(
    ("cells", "given"), [("'a', 'b'", "A"), ("1, 2", True), ("TRUE, FALSE", 1), ("1, 2", "x")]
)
def test_an_unknown_positive_class_is_refused_with_the_labels(con, cells, given):
    with pytest.raises(UnknownClass, match=r"positive class.*give one of"):
        classes_of(con, f"SELECT 1 AS x, unnest([{cells}]) AS y", positive=given)


def test_labels_on_both_sides_of_64_bits_stay_apart(con):
    con.execute(
        "CREATE TABLE wide AS SELECT 9223372036854775806::UBIGINT + (i % 4)::UBIGINT AS y, "
        "i % 4 AS x FROM range(40) t(i)"
    )
    model = dbrules.OneR().fit("wide", "y", connection=con)
    assert model.rules.target.classes == tuple(2**63 - 2 + i for i in range(4))
    assert model.training.objective == 0
    assert model.verify("wide", connection=con)


def test_a_negative_weight_too_small_for_the_sum_is_refused(con):
    con.execute("CREATE TABLE tiny AS FROM (VALUES ('a', 'u', 1e0), ('b', 'v', -1e-13)) v(x, y, w)")
    with pytest.raises(InvalidData, match="negative"):
        dbrules.OneR().fit("tiny", "y", weight="w", connection=con)


def test_cuts_of_a_target_that_leave_one_interval_are_refused(con):
    con.execute("CREATE TABLE t AS SELECT i AS y, i % 3 AS n FROM range(5, 60) r(i)")
    with pytest.raises(InvalidData, match="one interval, '< 99': give cuts between 5 and 59"):
        dbrules.OneR(bins={"y": [99]}).fit("t", target="y", connection=con)
