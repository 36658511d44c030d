"""C15 to C17, C19, C20, C24, C26: what is found, and what is said when nothing is."""

from __future__ import annotations

import json
import math

import pytest

import dbrules
from dbrules.errors import DbrulesWarning, InvalidData, UnknownClass


def test_c15_nothing_found_is_a_default_only_list(con, answers):
    con.execute(
        "CREATE TABLE c15 AS SELECT i, 'k' AS x, CASE WHEN i<6 THEN 'no' ELSE 'yes' END AS y "
        "FROM range(8) t(i)"
    )
    with pytest.warns(DbrulesWarning, match="no rule found: x: one level only") as caught:
        model = dbrules.OneR().fit("c15", target="y", features=["x"], connection=con)
    assert len(caught) == 1
    default = model.rules.default
    assert model.rules.rules == ()
    assert (default.label, default.counts, default.probability) == ("no", (6, 2), (0.75, 0.25))
    assert "CASE ELSE" not in model.to_sql().replace("\n", " ")
    assert answers(model, "c15", con) == [("no", 1)] * 8
    assert answers(model, "SELECT 'anything' AS z", con) == [("no", 1)]
    for form in ("case", "select", "view", "table"):
        sql = model.to_sql(over="c15", form=form, name="scored")
        con.execute(f"SELECT {sql}" if form == "case" else sql)
        con.execute("DROP VIEW IF EXISTS scored" if form == "view" else "SELECT 1")


def test_c16_one_class_is_a_default_with_a_warning(con, answers):
    con.execute("CREATE TABLE c16 AS SELECT i AS x, 'ok' AS y FROM range(5) t(i)")
    with pytest.warns(DbrulesWarning, match="one class, 'ok'") as caught:
        model = dbrules.OneR().fit("c16", target="y", connection=con)
    assert len(caught) == 1
    assert (model.rules.rules, model.rules.default.probability) == ((), (1.0,))
    assert answers(model, "c16", con) == [("ok", 1)] * 5
    evaluation = model.evaluate("c16", connection=con)
    assert (evaluation.accuracy, evaluation.auroc) == (1, None)
    assert math.isfinite(evaluation.log_loss)
    with pytest.raises(UnknownClass, match=r"'bad'.*'ok'"):
        dbrules.OneR().fit("c16", target="y", positive="bad", connection=con)


def test_c17_rows_without_a_target_are_left_out_and_counted(con, answers):
    con.execute(
        "CREATE TABLE c17 AS SELECT * FROM (VALUES (1,'a'),(1,'a'),(2,'b'),(2,'b'),(1,NULL),"
        "(2,NULL)) v(x,y)"
    )
    model = dbrules.OneR(min_bucket=2).fit("c17", target="y", connection=con)
    assert (model.training.rows, model.training.excluded_rows) == (4, 2)
    assert "4 rows, 2 left out" in str(model)
    assert model.rules.default.probability == (0.5, 0.5)
    assert [rule.outcome.counts for rule in model.rules.rules] == [(2, 0), (0, 2)]
    assert len(answers(model, "c17", con)) == 6
    with pytest.raises(InvalidData, match="0 rows"):
        dbrules.OneR().fit("SELECT * FROM c17 WHERE x > 9", target="y", connection=con)
    with pytest.raises(InvalidData, match="target 'y' is missing in all 2 rows"):
        dbrules.OneR().fit("SELECT * FROM c17 WHERE y IS NULL", target="y", connection=con)


C19 = (
    "(VALUES (1,'p','p','y'),(2,'p','p','y'),(3,'q','q','n'),(4,'q','q','n'),(5,'r','r','y'),"
    "(6,'r','r','n')) v(id,a,b,y)"
)


def test_c19_ties_do_not_depend_on_order_threads_or_form(con, answers, tmp_path):
    con.execute(f"CREATE TABLE c19 AS SELECT * FROM {C19}")
    con.execute("CREATE TABLE shuffled AS SELECT * FROM c19 ORDER BY md5(id::VARCHAR)")
    path = str(tmp_path / "c19.parquet")
    con.execute(f"COPY c19 TO '{path}'")
    written = set()
    for data in ("c19", "shuffled", path, "SELECT * FROM c19 ORDER BY id DESC"):
        for threads in (1, 8):
            con.execute(f"SET threads = {threads}")
            model = dbrules.OneR().fit(data, target="y", features=["a", "b"], connection=con)
            document = model.to_json()
            del document["training"]
            written.add(json.dumps(document))
    assert len(written) == 1
    assert [column.name for column in model.rules.used] == ["a"]
    assert [rule.label for rule in model.rules.rules] == ["y", "n", "n"]
    assert "equally good as a: b" in model.notes
    assert "equally good as a: b" in str(model)
    turned = dbrules.OneR().fit("c19", target="y", features=["b", "a"], connection=con)
    assert [column.name for column in turned.rules.used] == ["b"]
    assert len(answers(turned, "c19", con)) == 6


def test_s1_the_rule_that_fired(con, answers):
    con.execute(f"CREATE TABLE c19 AS SELECT * FROM {C19}")
    model = dbrules.OneR().fit("c19", target="y", features=["a"], connection=con)
    con.execute("INSERT INTO c19 VALUES (7, 'new', NULL, 'y')")
    relation = model.predict("c19", connection=con, reasons=True)
    rows = relation.order("id").project("rule, rule_text").fetchall()
    assert [rule for rule, _ in rows] == [1, 1, 2, 2, 3, 3, 4]
    for rule, text in rows[:6]:
        assert (
            dbrules.parse_rule_list(f"IF {text} THEN y ELSE n", features=model.rules.features)
            .rules[0]
            .conditions
            == model.rules.rules[rule - 1].conditions
        )
    assert rows[6][1] not in {text for _, text in rows[:6]}
    counted = dict(
        con.sql("FROM c19")
        .query("c", model.to_sql(over="c19"))
        .query("s", "SELECT rule, count(*) FROM s WHERE id < 7 GROUP BY rule")
        .fetchall()
    )
    assert counted == {i + 1: sum(r.outcome.counts) for i, r in enumerate(model.rules.rules)}
    assert len(answers(model, "c19", con)) == 7


def test_s2_whole_numbers_are_not_divided_to_zero(con, by_hand):
    con.execute(
        "CREATE TABLE t AS SELECT 'k' AS x, CASE WHEN i < 2 THEN 'a' ELSE 'b' END AS y "
        "FROM range(3) t(i) UNION ALL SELECT 'm', 'b' FROM range(3)"
    )
    model = dbrules.OneR().fit("t", target="y", connection=con)
    for dialect in ("postgres", "redshift", "trino", "tsql", "duckdb"):
        sql = model.to_sql(over="t", dialect=dialect)
        assert "0.6666666666666666" in sql
    shares = con.sql(model.to_sql(over="t")).project("x, predicted_y_probability").distinct()
    assert dict(shares.fetchall()) == {"k": 2 / 3, "m": 1.0}


def test_s3_prediction_and_probability_agree(con, answers):
    con.execute(
        "CREATE TABLE t AS SELECT (i * 7919) % 3 AS x, "
        "CASE WHEN i % 100 < 29 THEN 'pos' ELSE 'neg' END AS y FROM range(3000) t(i)"
    )
    models = [dbrules.OneR(bins=[1, 2]).fit("t", target="y", positive="pos", connection=con)]
    with pytest.warns(DbrulesWarning, match="no rule found"):
        models.append(dbrules.OneR().fit("t", target="y", positive="pos", connection=con))
    for model in models:
        assert {label for label, _ in answers(model, "t", con)} == {"neg"}
        for outcome in model.rules.outcomes:
            best = max(range(2), key=outcome.probability.__getitem__)
            assert model.rules.target.classes[best] == outcome.label == "neg"
            assert outcome.probability[1] == pytest.approx(0.29, abs=0.01)


def test_c20_the_identity_column_does_not_win(con, answers):
    con.execute(
        "CREATE TABLE c20 AS SELECT * FROM (VALUES ('c00','basic','y'),('c01','gold','n'),"
        "('c02','basic','n'),('c03','gold','y'),('c04','basic','n'),('c05','gold','y'),"
        "('c06','basic','n'),('c07','gold','y'),('c08','basic','n'),('c09','gold','y'),"
        "('c10','basic','n'),('c11','gold','y')) v(cust_id,plan,y)"
    )
    model = dbrules.OneR().fit("c20", target="y", connection=con)
    assert [column.name for column in model.rules.used] == ["plan"]
    assert model.evaluate("c20", connection=con).accuracy == 10 / 12
    assert "cust_id: 12 levels in 12 rows, not used" in model.notes
    assert len(answers(model, "c20", con)) == 12


@pytest.mark.parametrize("missing", ["level", "drop"])
@pytest.mark.parametrize("validation", [None, 0.3])
def test_c20_an_identifier_with_gaps_does_not_win_either(con, missing, validation):
    con.execute(
        "CREATE TABLE t AS SELECT CASE WHEN i % 4 > 0 THEN 'c' || i END AS id, i % 2 AS x, "
        "CASE WHEN i % 10 = 0 THEN 1 - i % 2 ELSE i % 2 END AS y FROM range(40) t(i)"
    )
    learner = dbrules.OneR(missing=missing, validation=validation, bins={"x": [1]})
    model = learner.fit("t", target="y", connection=con)
    assert [column.name for column in model.rules.used] == ["x"]
    assert "id: 30 levels in 30 rows, not used" in model.notes


@pytest.fixture
def c24(con):
    con.execute(
        "CREATE TABLE c24 AS SELECT * FROM (VALUES ('Oslo','y'),('Oslo','y'),('Oslo','y'),"
        "('Rome','n'),('Rome','n'),('Rome','n'),('Rome','n')) v(city,y)"
    )
    con.execute(
        "CREATE TABLE c24_new AS SELECT * FROM (VALUES (1,'Paris'),(2,'Oslo '),(3,'OSLO'),"
        "(4,NULL),(5,'Oslo')) v(id,city)"
    )
    return con


def test_c24_unseen_levels_get_the_default(c24, answers):
    model = dbrules.OneR().fit("c24", target="y", connection=c24)
    default = len(model.rules.rules) + 1
    found = answers(model, "c24_new", c24, "id")
    assert [label for label, _ in found] == ["n", "n", "n", "n", "y"]
    assert [rule == default for _, rule in found] == [True] * 4 + [False]
    (note,) = model.check("c24_new", connection=c24)
    assert note.startswith("city: 3 unseen levels in 3 rows")
    assert "1 missing" in note
    with pytest.raises(UnknownClass, match=r"city.*3 unseen levels.*'OSLO'"):
        model.predict("c24_new", connection=c24, on_unseen="error")
    assert model.predict("c24", connection=c24, on_unseen="error").fetchall()


def test_c24_trim_forgives_blanks_and_is_saved(c24, answers, tmp_path):
    model = dbrules.OneR(trim=True).fit("c24", target="y", connection=c24)
    labels = [label for label, _ in answers(model, "c24_new", c24, "id")]
    assert labels == ["n", "y", "n", "n", "y"]
    model.save(tmp_path / "m.json")
    again = dbrules.load(tmp_path / "m.json")
    assert answers(again, "c24_new", c24, "id") == answers(model, "c24_new", c24, "id")


@pytest.mark.parametrize("dialect", ["mysql", "tsql"])
def test_c24_a_lenient_dialect_is_made_exact_or_says_so(c24, dialect):
    model = dbrules.OneR().fit("c24", target="y", connection=c24)
    sql = model.to_sql(over="c24", dialect=dialect)
    assert "BINARY" in sql or "exact equality" in sql


@pytest.fixture
def c26(con):
    con.execute(
        "CREATE TABLE c26 AS SELECT * FROM (VALUES ('p',0,1),('p',0,1),('p',0,1),('p',1,10),"
        "('q',0,1),('q',0,1)) v(x,y,w)"
    )
    return con


def test_c26_weights_decide(c26, answers):
    plain = dbrules.OneR().fit("c26", target="y", features=["x"], connection=c26)
    assert [rule.label for rule in plain.rules.rules] == [0, 0]
    model = dbrules.OneR().fit("c26", target="y", weight="w", connection=c26)
    assert [rule.label for rule in model.rules.rules] == [1, 0]
    first = model.rules.rules[0].outcome
    assert (first.counts, first.rows, first.total) == ((3, 10), 4, 13)
    assert model.training.rows == 6
    assert "(rows: 4)" in str(model)
    evaluation = model.evaluate("c26", connection=c26, weight="w")
    assert evaluation.per_rule[0].support == pytest.approx(13 / 15)
    assert (evaluation.rows, evaluation.weight) == (6, 15)
    assert len(answers(model, "c26", c26)) == 6


@pytest.mark.parametrize("bad", ["NULL", "-1", "'NaN'::DOUBLE", "'inf'::DOUBLE"])
def test_c26_a_bad_weight_is_refused(c26, leftovers, bad):
    before = leftovers(c26)
    query = f"SELECT x, y, CASE WHEN y = 1 THEN {bad} ELSE w END AS w FROM c26"
    with pytest.raises(InvalidData, match=r"'w'.*1 row"):
        dbrules.OneR().fit(query, target="y", weight="w", connection=c26)
    model = dbrules.OneR().fit("c26", target="y", weight="w", connection=c26)
    with pytest.raises(InvalidData, match="'w'"):
        model.evaluate(query, connection=c26, weight="w")
    assert leftovers(c26) == before


@pytest.mark.parametrize("collation", ["NOCASE", "NOACCENT", "NOCASE.NOACCENT"])
@pytest.mark.parametrize("source", ["cities", "SELECT * FROM cities"])
def test_c24_a_collation_of_the_column_is_overruled(con, answers, collation, source):
    con.execute(f"CREATE TABLE cities (city VARCHAR COLLATE {collation}, y VARCHAR)")
    con.execute("INSERT INTO cities VALUES ('Åre','y'), ('åre','n'), ('Are','n'), ('Åre','y')")
    model = dbrules.OneR().fit(source, "y", connection=con)
    assert model.training.objective == 0
    assert len(model.rules.rules) == 3
    assert [label for label, _ in answers(model, source, con)] == ["y", "n", "n", "y"]
    assert model.verify(source, connection=con).distinct == 3
