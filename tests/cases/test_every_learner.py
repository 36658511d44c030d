"""C01, C02, C05, C10, C11, C13, C18 and C25 for every learner: values, names, queries, tables."""

from __future__ import annotations

import pytest

from dbrules.errors import DbrulesWarning, InvalidData, InvalidQuery, UnknownColumn


def test_c01_nan_is_not_a_large_number(make, con, answers):
    con.execute(
        "CREATE TABLE c01 AS SELECT * FROM (VALUES (1,1.0::DOUBLE,'lo'),(2,2.0,'lo'),"
        "(3,3.0,'lo'),(4,8.0,'hi'),(5,9.0,'hi')) v(id,x,y)"
    )
    new = ("SELECT unnest([6, 7, 8, 9]) AS id, "
           "unnest(['NaN'::DOUBLE, NULL, 1e300, -1e300]) AS x")  # fmt: skip
    model = make().fit("c01", target="y", features=["x"], connection=con)
    default = (model.rules.default.label, len(model.rules.outcomes))
    found = answers(model, new, con, "id")
    assert found[:2] == [default, default]
    assert [label for label, _ in found[2:]] == ["hi", "lo"]
    assert [label for label, _ in answers(model, "c01", con, "id")] == ["lo"] * 3 + ["hi"] * 2


def test_c02_a_missing_value_is_a_signal_and_a_column_of_them_is_not(make, times, con, answers):
    con.execute(
        "CREATE TABLE c02 AS SELECT x, y FROM (VALUES (NULL::DOUBLE,'churn'),(NULL,'churn'),"
        f"(NULL,'churn'),(1,'stay'),(2,'stay'),(3,'stay'),(4,'stay')) v(x,y), range({times})"
    )
    model = make().fit("c02", target="y", positive="churn", connection=con)
    assert model.evaluate("c02", connection=con).accuracy == 1
    assert "IS NULL" in model.to_sql()
    new = "SELECT NULL::DOUBLE AS x UNION ALL SELECT 'NaN'::DOUBLE"
    assert [label for label, _ in answers(model, new, con)] == ["churn", "churn"]
    seen = "SELECT * FROM c02 WHERE x IS NOT NULL "
    seen += f"UNION ALL SELECT 9, 'churn' FROM range({times})"
    model = make().fit(seen, target="y", connection=con)
    assert model.check(new, connection=con) == ("x: 2 missing scored, none in training",)
    default = (model.rules.default.label, len(model.rules.outcomes))
    assert answers(model, new, con) == [default, default]
    rows = f"(VALUES ('k','stay'),('m','churn')) v(z,y), range({times})"
    empty = f"SELECT NULL::DOUBLE AS x, z, y FROM {rows}"
    with pytest.warns(DbrulesWarning, match=r"^x: all values missing"):
        model = make().fit(empty, target="y", connection=con)
    assert [column.name for column in model.rules.used] == ["z"]
    with pytest.raises(InvalidData, match=r"^x: all values missing"):
        make().fit(empty, target="y", features=["x"], connection=con)


def test_c05_cuts_learned_on_real_hold_on_real_and_double(make, con, answers):
    con.execute(
        "CREATE TABLE c05 AS SELECT * FROM (VALUES (1,0.1::REAL,'a'),(2,0.2::REAL,'a'),"
        "(3,0.3::REAL,'b'),(4,0.4::REAL,'b')) v(id,x,y)"
    )
    for closed in ("left", "right"):
        bins = {"x": {"cuts": [0.30000001192092896 if closed == "left" else 0.20000000298023224],
                      "closed": closed}}  # fmt: skip
        model = make(bins=bins).fit("c05", target="y", features=["x"], connection=con)
        for data in ("c05", "SELECT id, x::DOUBLE AS x FROM c05"):
            assert [label for label, _ in answers(model, data, con, "id")] == list("aabb")


NAMES = ["select", "a b", 'a"b', "x'); DROP TABLE keep_me; --", "péage", "1st", "Group"]


@pytest.mark.parametrize("features", [*([name] for name in NAMES), NAMES])
def test_c10_hostile_names(make, con, answers, by_hand, features):
    con.execute("CREATE TABLE keep_me AS SELECT 1 AS one")
    con.execute(
        'CREATE TABLE "odd ""tbl" AS SELECT * FROM (VALUES '
        "('u',1.0,2.0,'k','é',1,'g1','y'),('v',3.0,1.0,'m','f',2,'g2','n'),"
        "('u',1.5,2.5,'k','é',1,'g1','y'),('v',3.5,1.5,'m','f',2,'g2','n')) "
        'v("select","a b","a""b","x\'); DROP TABLE keep_me; --","péage","1st","Group",label)'
    )
    table = '"odd ""tbl"'
    model = make().fit(table, target="label", features=features, connection=con)
    assert [column.name for column in model.rules.used] == features[:1]
    again = by_hand(str(model), target=model.rules.target, features=model.rules.features)
    assert [r.conditions for r in again.rules.rules] == [r.conditions for r in model.rules.rules]
    assert len(answers(model, table, con)) == 4
    model.create_view(con, 'my "view"', over=table)
    assert con.execute('SELECT DISTINCT label = predicted_label FROM "my ""view"""').fetchall() == [
        (True,)
    ]
    assert con.execute("SELECT one FROM keep_me").fetchall() == [(1,)]


#: What statements call their own columns and relations.
OWN_NAMES = ["label", "value", "weight", "rows", "dataset", "code_0", "units", "place", "rule",
             "cell", "row_key", "settings", "predicted_y"]  # fmt: skip


@pytest.mark.parametrize("name", OWN_NAMES)
def test_c10_names_that_statements_use_themselves(make, con, name):
    rows = (
        "SELECT ['a', 'b', 'c'][1 + i % 3] AS {}, i % 3 = 0 AND i % 10 > 0 AS {}, 1 + i % 2 AS {} "
        "FROM range(60) r(i)"
    )
    for names in ((name, "y", "w"), ("x", name, "w"), ("x", "y", name)):
        con.execute(f"CREATE OR REPLACE TABLE t AS {rows.format(*names)}")
        feature, target, weight = names
        model = make().fit("t", target=target, features=[feature], weight=weight, connection=con)
        hit = model.rules.outcomes[model.rules.capture({feature: "a"}) - 1]
        assert (hit.label, hit.rows) == (True, 20)
        scored = model.predict("t", connection=con)
        counted = scored.aggregate(f'"{scored.columns[-1]}", sum("{weight}")').fetchall()
        assert dict(counted) == {
            rule: sum(o.counts) for rule, o in enumerate(model.rules.outcomes, 1) if sum(o.counts)
        }
        assert model.verify("t", connection=con)


def test_c11_hostile_texts_are_levels_of_their_own(make, con, answers):
    con.execute(
        "CREATE TABLE c11 AS SELECT s, y FROM (VALUES ('O''Brien','p'),('C:\\new','q'),"
        "('50%','p'),('','q'),('NULL','p'),(' a','q'),('a','p'),('x'||chr(10)||'y','q'),"
        "('😀','p'),('a;--','q')) v(s,y), range(3)"
    )
    model = make().fit("c11", target="y", connection=con)
    wrong = model.predict("c11", connection=con).filter("y <> predicted_y").fetchall()
    assert wrong == []
    assert len(answers(model, "c11", con)) == 30
    assert answers(model, "SELECT NULL::VARCHAR AS s", con) == [
        (model.rules.default.label, len(model.rules.outcomes))
    ]


@pytest.mark.parametrize(
    "query",
    ["SELECT s,y FROM c13;", "SELECT s,y FROM c13; -- last", "SELECT s,y FROM c13 /* x */ ;",
     "WITH q AS (SELECT * FROM c13) SELECT s,y FROM q;", "FROM c13 WHERE s <> 'x;y'", "c13"],
)  # fmt: skip
def test_c13_the_query_as_people_write_it(make, con, rules_json, query):
    con.execute(
        "CREATE TABLE c13 AS SELECT * FROM (VALUES ('a;b','y'),('c','n'),('a;b','y'),('c','n')) "
        "v(s,y)"
    )
    models = [make().fit(q, target="y", connection=con) for q in ("SELECT s,y FROM c13", query)]
    assert len({rules_json(model) for model in models}) == 1
    assert models[0].evaluate("c13", connection=con).accuracy == 1
    with pytest.raises(InvalidQuery):
        make().fit("SELECT s,y FROM c13; DROP TABLE c13", target="y", connection=con)
    assert con.execute("SELECT count(*) FROM c13").fetchall() == [(4,)]


@pytest.mark.parametrize(
    ("target", "positive", "labels"),
    [("yi", None, [1, 1, 2, 2, 2, 2]), ("yb", None, [True, True, False, False, False, False]),
     ("y3", "class", ["class", "class"])],
)  # fmt: skip
def test_c18_labels_keep_type_and_name(make, con, answers, target, positive, labels):
    con.execute(
        "CREATE TABLE c18 AS SELECT * FROM (VALUES (1,1,TRUE,'class'),(1,1,TRUE,'class'),"
        "(2,2,FALSE,'prediction'),(2,2,FALSE,'prediction'),(3,2,FALSE,'a b'),(3,2,FALSE,'a b')) "
        "v(prediction,yi,yb,y3)"
    )
    model = make().fit(
        "c18", target=target, features=["prediction"], positive=positive, connection=con
    )
    found = [label for label, _ in answers(model, "c18", con, "prediction")][: len(labels)]
    assert found == labels
    assert [type(label) for label in found] == [type(label) for label in labels]
    model.create_view(con, "scored", over="c18", probabilities=True)
    names = [row[0].casefold() for row in con.execute("DESCRIBE scored").fetchall()]
    assert len(set(names)) == len(names)
    assert "prediction" in names


def test_c25_the_table_to_score_is_not_the_training_table(make, times, con, answers):
    con.execute(
        "CREATE TABLE c25 AS SELECT x, c, y FROM (VALUES (9.0::DOUBLE,'u','y'),(10.0,'v','n')) "
        f"v(x,c,y), range({times})"
    )
    with pytest.raises(UnknownColumn, match=r"'xx'.*did you mean 'x'"):
        make().fit("c25", target="y", features=["xx", "c"], connection=con)
    on_c = make().fit("c25", target="y", features=["c"], connection=con)
    with pytest.raises(UnknownColumn, match="'c'"):
        on_c.predict("SELECT x, y FROM c25", connection=con)
    model = make(bins={"x": [9.5]}).fit("c25", target="y", features=["x", "c"], connection=con)
    used = model.rules.used[0].name  # P9: the other one is not needed
    assert len(answers(model, f"SELECT {used} FROM c25", con)) == 2 * times
    assert (
        len(answers(model, f"SELECT 1 AS extra, {used}, 'more' AS more FROM c25", con)) == 2 * times
    )
