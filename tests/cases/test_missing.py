"""C01 to C03: missing values are neither large, nor unequal, nor false."""

from __future__ import annotations

import pytest

import dbrules
from dbrules.errors import DbrulesWarning, InvalidData
from dbrules.language.column import Column, ColumnType


def test_c01_nan_is_not_a_large_number(con, answers):
    con.execute(
        "CREATE TABLE c01 AS SELECT * FROM (VALUES (1,1.0::DOUBLE,'lo'),(2,2.0,'lo'),"
        "(3,3.0,'lo'),(4,8.0,'hi'),(5,9.0,'hi')) v(id,x,y)"
    )
    con.execute(
        "CREATE TABLE c01_new AS SELECT * FROM (VALUES (6,'NaN'::DOUBLE),(7,NULL),(8,1e300),"
        "(9,-1e300)) v(id,x)"
    )
    model = dbrules.OneR(min_bucket=2).fit("c01", target="y", features=["x"], connection=con)
    last = len(model.rules.rules) + 1
    assert answers(model, "c01_new", con, "id") == [
        ("lo", last), ("lo", last), ("hi", 2), ("lo", 1)
    ]  # fmt: skip
    assert [label for label, _ in answers(model, "c01", con, "id")] == ["lo"] * 3 + ["hi"] * 2


@pytest.mark.parametrize("kind", ["DOUBLE", "REAL"])
@pytest.mark.parametrize("form", ["table", "parquet"])
def test_c01_holds_for_every_operator_and_file(con, by_hand, answers, tmp_path, kind, form):
    con.execute(
        f"CREATE TABLE t AS SELECT i AS id, x::{kind} AS x FROM (VALUES (1, 4.0), (2, 6.0), "
        "(3, 'NaN'::DOUBLE), (4, NULL), (5, 'inf'::DOUBLE), (6, '-inf'::DOUBLE)) v(i, x)"
    )
    data = "t"
    if form == "parquet":
        data = str(tmp_path / "t.parquet")
        con.execute(f"COPY t TO '{data}'")
    expected = {
        "x > 5": "nynnyn", "x <= 5": "ynnnny", "x <> 4": "nynnyy", "x IN (4, 6)": "yynnnn",
        "x NOT IN (4, 5)": "nynnyy", "5 <= x < 7": "nynnnn", "x IS NULL": "nnyynn",
        "x IS NOT NULL": "yynnyy", "x >= -9": "yynnyn",
    }  # fmt: skip
    features = [Column("x", ColumnType(kind))]
    for text, labels in expected.items():
        model = by_hand(f"IF {text} THEN y ELSE n", features=features)
        found = [label for label, _ in answers(model, data, con, "id")]
        assert "".join(found) == labels, text


def test_c02_a_missing_value_is_a_signal(con, answers):
    con.execute(
        "CREATE TABLE c02 AS SELECT * FROM (VALUES (NULL::DOUBLE,'churn'),(NULL,'churn'),"
        "(NULL,'churn'),(1,'stay'),(2,'stay'),(3,'stay')) v(x,y)"
    )
    model = dbrules.OneR(min_bucket=2).fit("c02", target="y", connection=con)
    assert model.training.objective == 0
    assert "IS NULL" in model.to_sql()
    assert model.evaluate("c02", connection=con).accuracy == 1
    new = "SELECT NULL::DOUBLE AS x UNION ALL SELECT 'NaN'::DOUBLE"
    assert [label for label, _ in answers(model, new, con)] == ["churn", "churn"]


def test_c02_a_missing_value_unseen_in_training_gets_the_default(con, answers):
    con.execute(
        "CREATE TABLE c02_nonull AS SELECT * FROM (VALUES (1.0::DOUBLE,'stay'),(2,'stay'),"
        "(3,'stay'),(9,'churn')) v(x,y)"
    )
    model = dbrules.OneR(min_bucket=2).fit("c02_nonull", target="y", connection=con)
    new = "SELECT NULL::DOUBLE AS x"
    assert answers(model, new, con) == [("stay", len(model.rules.rules) + 1)]
    assert model.check(new, connection=con) == ("x: 1 missing scored, none in training",)
    labelled = "SELECT NULL::DOUBLE AS x, 'stay' AS y"
    assert "x: 1 missing scored, none in training" in model.evaluate(labelled, connection=con).notes


def test_c02_a_column_of_nulls_is_left_out_or_refused(con, answers):
    con.execute(
        "CREATE TABLE c02_allnull AS SELECT * FROM (VALUES (NULL::DOUBLE,'k','stay'),"
        "(NULL,'m','churn')) v(x,z,y)"
    )
    with pytest.warns(DbrulesWarning, match=r"^x: all values missing"):
        model = dbrules.OneR().fit("c02_allnull", target="y", connection=con)
    assert any(note.startswith("x: all values missing") for note in model.notes)
    assert [column.name for column in model.rules.used] == ["z"]
    assert [label for label, _ in answers(model, "c02_allnull", con, "z")] == ["stay", "churn"]
    with pytest.raises(InvalidData, match=r"^x: all values missing"):
        dbrules.OneR().fit("c02_allnull", target="y", features=["x"], connection=con)


def test_c02_nan_alone_is_a_column_of_nulls(con):
    query = "SELECT 'NaN'::DOUBLE AS x, i % 2 AS y FROM range(4) t(i)"
    with pytest.raises(InvalidData, match=r"^x: all values missing"):
        dbrules.OneR().fit(query, target="y", connection=con)


def test_c03_negations_are_not_true_of_null(con, by_hand, answers):
    con.execute(
        "CREATE TABLE c03 AS SELECT * FROM (VALUES (1,'Oslo',TRUE),(2,'Bergen',FALSE),"
        "(3,NULL,NULL)) v(id,city,flag)"
    )
    places = by_hand("IF city <> 'Oslo' THEN abroad ELSE home")
    assert [label for label, _ in answers(places, "c03", con, "id")] == ["home", "abroad", "home"]
    flags = by_hand("IF flag = TRUE THEN T IF flag = FALSE THEN F ELSE '?'")
    assert [label for label, _ in answers(flags, "c03", con, "id")] == ["T", "F", "?"]
    negated = by_hand("IF flag <> FALSE THEN T IF flag <> TRUE THEN F ELSE '?'")
    assert [label for label, _ in answers(negated, "c03", con, "id")] == ["T", "F", "?"]
    outside = by_hand("IF city NOT IN ('Oslo', 'Rome') THEN abroad ELSE home")
    assert [label for label, _ in answers(outside, "c03", con, "id")] == ["home", "abroad", "home"]
