"""C10, C11, C18: names and texts stay as the user wrote them."""

from __future__ import annotations

import pytest
import sqlglot

import dbrules
from dbrules.errors import DbrulesWarning

HOSTILE = ["select", "a b", 'a"b', "x'); DROP TABLE keep_me; --", "péage", "1st", "Group"]
TEXTS = ["O'Brien", "C:\\new", "50%", "", "NULL", " a", "a", "x\ny", "😀", "a;--"]


@pytest.fixture
def odd(con):
    con.execute("CREATE TABLE keep_me AS SELECT 1 AS one")
    con.execute(
        'CREATE TABLE "odd ""tbl" AS SELECT * FROM (VALUES '
        "('u',1.0,2.0,'k','é',1,'g1','y'),('v',3.0,1.0,'m','f',2,'g2','n'),"
        "('u',1.5,2.5,'k','é',1,'g1','y'),('v',3.5,1.5,'m','f',2,'g2','n')) "
        'v("select","a b","a""b","x\'); DROP TABLE keep_me; --","péage","1st","Group",label)'
    )
    return con


@pytest.mark.parametrize("features", [*([name] for name in HOSTILE), HOSTILE])
def test_c10_hostile_names(odd, answers, by_hand, features):
    table = '"odd ""tbl"'
    model = dbrules.OneR(min_bucket=2).fit(table, target="label", features=features, connection=odd)
    assert model.training.objective == 0
    assert [column.name for column in model.rules.features] == features
    used = model.rules.used[0].name
    assert used == features[0]
    assert used in str(model) or used.replace('"', '""') in str(model)
    assert answers(model, table, odd) is not None
    again = by_hand(str(model), target=model.rules.target, features=model.rules.features)
    assert [r.conditions for r in again.rules.rules] == [r.conditions for r in model.rules.rules]
    model.create_view(odd, 'my "view"', over=table)
    rows = odd.execute('SELECT label, "predicted_label" FROM "my ""view"""').fetchall()
    assert len(rows) == 4
    assert all(label == predicted for label, predicted in rows)
    assert odd.execute("SELECT one FROM keep_me").fetchall() == [(1,)]


def test_c10_a_table_is_found_by_its_bare_name(odd, answers):
    model = dbrules.OneR(min_bucket=2).fit('odd "tbl', target="label", connection=odd)
    assert answers(model, 'odd "tbl', odd) == answers(model, '"odd ""tbl"', odd)


def test_c10_hostile_target_and_weight(con, answers):
    con.execute(
        'CREATE TABLE t AS SELECT i % 2 AS x, (i % 2)::VARCHAR AS "t""; DROP TABLE t; --", '
        '1 AS "w,""w" FROM range(8) t(i)'
    )
    model = dbrules.OneR().fit("t", target='t"; DROP TABLE t; --', weight='w,"w', connection=con)
    assert {label for label, _ in answers(model, "t", con)} == {"0", "1"}
    evaluation = model.evaluate("t", connection=con, weight='w,"w')
    assert evaluation.accuracy == 1


def test_c11_hostile_texts_are_levels_of_their_own(con, answers):
    con.execute(
        "CREATE TABLE c11 AS SELECT s, y FROM (VALUES ('O''Brien','p'),('C:\\new','q'),"
        "('50%','p'),('','q'),('NULL','p'),(' a','q'),('a','p'),('x'||chr(10)||'y','q'),"
        "('😀','p'),('a;--','q')) v(s,y), range(3)"
    )
    model = dbrules.OneR().fit("c11", target="y", connection=con)
    assert model.training.objective == 0
    assert sorted(rule.conditions[0].value for rule in model.rules.rules) == sorted(TEXTS)
    answers(model, "c11", con)
    wrong = model.predict("c11", connection=con).filter("y <> predicted_y").fetchall()
    assert wrong == []
    assert answers(model, "SELECT NULL::VARCHAR AS s", con) == [
        (model.rules.default.label, len(TEXTS) + 1)
    ]
    # as text and as JSON they are the same list
    again = dbrules.parse_rule_list(
        str(model), target=model.rules.target, features=model.rules.features
    )
    assert [r.conditions for r in again.rules] == [r.conditions for r in model.rules.rules]
    assert dbrules.Model.from_json(model.to_json()).rules == model.rules


@pytest.mark.parametrize(
    ("dialect", "doubled"),
    [("mysql", True), ("bigquery", True), ("databricks", True), ("duckdb", False),
     ("postgres", False), ("sqlite", False), ("tsql", False), ("trino", False)],
)  # fmt: skip
def test_c11_a_backslash_is_doubled_only_where_it_escapes(by_hand, dialect, doubled):
    model = by_hand("IF s = 'C:\\new' THEN q ELSE p")
    sql = model.to_sql(dialect=dialect)
    assert ("C:\\\\new" in sql) == doubled
    literals = sqlglot.parse_one(sql, read=dialect).find_all(sqlglot.exp.Literal)
    assert "C:\\new" in [literal.this for literal in literals]


@pytest.fixture
def c18(con):
    con.execute(
        "CREATE TABLE c18 AS SELECT * FROM (VALUES (1,1,TRUE,'class'),(1,1,TRUE,'class'),"
        "(2,2,FALSE,'prediction'),(2,2,FALSE,'prediction'),(3,2,FALSE,'a b'),(3,2,FALSE,'a b')) "
        "v(prediction,yi,yb,y3)"
    )
    return con


@pytest.mark.parametrize(
    ("target", "kind", "labels"),
    [
        ("yi", "INTEGER", [1, 1, 2, 2, 2, 2]),
        ("yb", "BOOLEAN", [True, True, False, False, False, False]),
        ("y3", "VARCHAR", ["class", "class", "prediction", "prediction", "a b", "a b"]),
    ],
)
def test_c18_labels_keep_type_and_name(c18, answers, target, kind, labels):
    model = dbrules.OneR(min_bucket=2).fit(
        "c18", target=target, features=["prediction"], connection=c18
    )
    found = [label for label, _ in answers(model, "c18", c18, "prediction")]
    assert found == labels
    assert [type(label) for label in found] == [type(label) for label in labels]
    model.create_view(c18, "scored", over="c18", probabilities=True)
    described = {row[0]: row[1] for row in c18.execute("DESCRIBE scored").fetchall()}
    assert len({name.casefold() for name in described}) == len(described)
    assert described[f"predicted_{target}"] == kind
    assert described["prediction"] == "INTEGER"
    classes = model.rules.target.classes
    for row in c18.sql("FROM scored").fetchall():
        cells = dict(zip(described, row, strict=True))
        shares = {}
        for label in classes:
            text = str(label).lower() if isinstance(label, bool) else str(label)
            shares[label] = cells[f"predicted_{target}_probability_{text}"]
        assert sum(shares.values()) == pytest.approx(1)
        assert max(shares, key=shares.get) == cells[f"predicted_{target}"]
        assert shares[cells[target]] == pytest.approx(1)


def test_c18_an_output_column_never_takes_an_inputs_name(con, answers):
    con.execute(
        "CREATE TABLE t AS SELECT i % 2 AS x, i % 2 AS y, 'mine' AS predicted_y, 'mine' AS RULE, "
        "'mine' AS predicted_y_probability FROM range(8) t(i)"
    )
    model = dbrules.OneR().fit("t", target="y", features=["x"], connection=con)
    model.create_table(con, "scored", over="t", probabilities=True, reasons=True)
    names = [row[0].casefold() for row in con.execute("DESCRIBE scored").fetchall()]
    assert len(set(names)) == len(names)
    kept = con.execute("SELECT DISTINCT predicted_y, rule, predicted_y_probability FROM scored")
    assert kept.fetchall() == [("mine", "mine", "mine")]
    assert answers(model, "t", con) is not None


def test_c16_one_class_among_hostile_names(con, answers):
    con.execute("""CREATE TABLE t AS SELECT 1 AS x, 'it''s' AS y FROM range(3)""")
    with pytest.warns(DbrulesWarning):
        model = dbrules.OneR().fit("t", target="y", connection=con)
    assert answers(model, "t", con) == [("it's", 1)] * 3
