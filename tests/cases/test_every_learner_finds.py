"""C15 to C17, C19, C20, C24, C26 and C29 for every learner: what is found, and when nothing is."""

from __future__ import annotations

import warnings

import pytest

from dbrules.errors import DbrulesWarning, InvalidData, UnknownClass
from dbrules.language.simplify import simplify


def test_c15_nothing_found_is_a_default_only_list(make, con, answers):
    con.execute(
        "CREATE TABLE c15 AS SELECT i, 'k' AS x, CASE WHEN i<6 THEN 'no' ELSE 'yes' END AS y "
        "FROM range(8) t(i)"
    )
    with pytest.warns(DbrulesWarning, match="^no rule found: x: one level only") as caught:
        model = make().fit("c15", target="y", features=["x"], connection=con)
    assert len(caught) == 1
    default = model.rules.default
    assert model.rules.rules == ()
    assert (default.label, default.counts) == ("no", (6, 2))
    learner = make()
    if learner.name == "frl_bayes":  # the odds k at which k² exp(-βk) / (1 + k)⁸ is the largest
        b = learner.beta_last
        odds = (((6 + b) ** 2 + 8 * b) ** 0.5 - 6 - b) / (2 * b)
        shares = [1 / (1 + odds), odds / (1 + odds)]
    else:
        # pseudocounts, where a learner has them: covering smooths by Laplace
        alpha = getattr(learner, "alpha", int(learner.name in {"covering", "ripper"}))
        shares = [(n + alpha) / (8 + 2 * alpha) for n in (6, 2)]
    assert default.probability == pytest.approx(shares)
    assert answers(model, "SELECT 'anything' AS z", con) == [("no", 1)]
    for form in ("case", "select", "view", "table"):
        sql = model.to_sql(over="c15", form=form, name=f"scored_{form}")
        con.execute(f"SELECT {sql}" if form == "case" else sql)


def test_c16_one_class_and_a_wrong_positive_label(make, con, answers):
    con.execute("CREATE TABLE c16 AS SELECT i AS x, 'ok' AS y FROM range(5) t(i)")
    with pytest.warns(DbrulesWarning, match="one class, 'ok'") as caught:
        model = make().fit("c16", target="y", connection=con)
    assert len(caught) == 1
    assert (model.rules.rules, model.rules.default.probability) == ((), (1.0,))
    assert answers(model, "c16", con) == [("ok", 1)] * 5
    with pytest.raises(UnknownClass, match=r"'bad'.*'ok'"):
        make().fit("c16", target="y", positive="bad", connection=con)


def test_c17_no_rows_and_no_target(make, con, answers):
    con.execute(
        "CREATE TABLE c17 AS SELECT * FROM (VALUES (1,'a'),(1,'a'),(2,'b'),(2,'b'),(1,NULL),"
        "(2,NULL)) v(x,y)"
    )
    model = make().fit("c17", target="y", connection=con)
    assert (model.training.rows, model.training.excluded_rows) == (4, 2)
    assert "4 rows, 2 left out" in str(model)
    assert sum(sum(outcome.counts) for outcome in model.rules.outcomes) == 4
    assert len(answers(model, "c17", con)) == 6
    with pytest.raises(InvalidData, match="0 rows"):
        make().fit("SELECT * FROM c17 WHERE x > 9", target="y", connection=con)
    with pytest.raises(InvalidData, match="target 'y' is missing in all 2 rows"):
        make().fit("SELECT * FROM c17 WHERE y IS NULL", target="y", connection=con)


def test_c19_ties_do_not_depend_on_order_threads_or_form(make, times, con, rules_json, tmp_path):
    con.execute(
        "CREATE TABLE c19 AS SELECT id, a, b, y FROM (VALUES (1,'p','p','y'),(2,'p','p','y'),"
        "(3,'q','q','n'),(4,'q','q','n'),(5,'r','r','y'),(6,'r','r','n')) v(id,a,b,y), "
        f"range({times})"
    )
    path = str(tmp_path / "c19.parquet")
    con.execute(f"COPY c19 TO '{path}'")
    models = []
    for threads in (1, 8):
        con.execute(f"SET threads = {threads}")
        models += [
            make().fit(data, target="y", features=["a", "b"], connection=con)
            for data in ("c19", path, "FROM c19 ORDER BY md5(id::VARCHAR)")
        ]
    assert len({rules_json(model) for model in models}) == 1
    assert [column.name for column in models[0].rules.used] == ["a"]
    turned = make().fit("c19", target="y", features=["b", "a"], connection=con)
    assert [column.name for column in turned.rules.used] == ["b"]
    # S1: the rule that fired, by its number
    counted = con.execute(
        f"SELECT rule, count(*) FROM ({models[0].to_sql(over='c19')}) GROUP BY rule ORDER BY rule"
    ).fetchall()
    printed = enumerate((sum(o.counts) for o in models[0].rules.outcomes), start=1)
    assert counted == [(rule, n) for rule, n in printed if n]


def test_c20_the_identity_column_does_not_win(make, con):
    con.execute(
        "CREATE TABLE c20 AS SELECT 'c' || i AS cust_id, ['basic', 'gold'][1 + i % 2] AS plan, "
        "CASE WHEN i IN (0, 1) THEN i % 2 ELSE 1 - i % 2 END = 1 AS y FROM range(12) t(i)"
    )
    model = make().fit("c20", target="y", connection=con)
    assert [column.name for column in model.rules.used] == ["plan"]
    assert "cust_id: 12 levels in 12 rows, not used" in model.notes
    assert model.evaluate("c20", connection=con).accuracy == 10 / 12


def test_c24_unseen_levels_get_the_default(make, con, answers):
    con.execute(
        "CREATE TABLE c24 AS SELECT * FROM (VALUES ('Oslo','y'),('Oslo','y'),('Oslo','y'),"
        "('Rome','n'),('Rome','n'),('Rome','n'),('Rome','n')) v(city,y)"
    )
    new = ("SELECT unnest(range(5)) AS id, "
           "unnest(['Paris', 'Oslo ', 'OSLO', NULL, 'Oslo']) AS city")  # fmt: skip
    model = make().fit("c24", target="y", connection=con)
    # a list that begins with Rome is right of all rows with 'y' as its default
    default = (model.rules.default.label, len(model.rules.outcomes))
    assert default[0] == "n" or model.rules.rules[0].label == "n"
    found = answers(model, new, con, "id")
    assert (found[:4], found[4][0]) == ([default] * 4, "y")
    (note,) = model.check(new, connection=con)
    assert note.startswith("city: 3 unseen levels in 3 rows ('OSLO', 'Oslo ', 'Paris')")
    assert note.endswith("1 missing scored, none in training")
    trimmed = make(trim=True).fit("c24", target="y", connection=con)
    labels = [label for label, _ in answers(trimmed, new, con, "id")]
    assert labels == [default[0], "y", default[0], default[0], "y"]


def test_c26_weights_decide(make, con, answers):
    con.execute(
        "CREATE TABLE c26 AS SELECT * FROM (VALUES ('p',0,1),('p',0,1),('p',0,1),('p',1,10),"
        "('q',0,1),('q',0,1)) v(x,y,w)"
    )

    def labels(model):
        assert len(answers(model, "c26", con)) == 6
        rows = "SELECT unnest(['p', 'q']) AS x"
        return [label for label, _ in answers(model, rows, con, "x")]

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "no rule found", DbrulesWarning)
        assert labels(make().fit("c26", target="y", features=["x"], connection=con)) == [0, 0]
    model = make().fit("c26", target="y", weight="w", connection=con)
    assert labels(model) == [1, 0]
    answered = [(o.counts, o.rows, o.total) for o in model.rules.outcomes]
    assert ((3, 10), 4, 13) in answered
    assert model.training.rows == 6
    evaluation = model.evaluate("c26", connection=con, weight="w")
    number = answered.index(((3, 10), 4, 13))
    assert evaluation.per_rule[number].support == pytest.approx(13 / 15)
    for bad in ("NULL", "-1"):
        query = f"SELECT x, y, CASE WHEN y = 1 THEN {bad} ELSE w END AS w FROM c26"
        with pytest.raises(InvalidData, match=r"'w'.*1 row"):
            make().fit(query, target="y", weight="w", connection=con)


@pytest.mark.parametrize("bins", [None, "width:6", "quantile:5:right"])
def test_c29_no_rule_is_redundant_unreachable_or_impossible(make, con, bins):
    con.execute(
        "CREATE TABLE t AS SELECT CASE WHEN i % 11 > 0 THEN i % 37 END AS x, "
        "CASE WHEN i % 3 > 0 THEN 'l' || (i % 5) END AS s, "
        "CASE WHEN i % 37 > 20 THEN i % 7 > 0 ELSE i % 5 = 2 AND i % 11 > 4 END AS y "
        "FROM range(500) t(i)"
    )
    model = make(bins=bins).fit("t", target="y", connection=con)
    simplified = simplify(model.rules)
    assert simplified.rules.rules == model.rules.rules
    assert simplified.findings == ()
    assert len({rule.conditions for rule in model.rules.rules}) == len(model.rules.rules)
    for rule in model.rules.rules:
        # an ordered column may be bounded on both sides
        assert len({(c.feature, c.op) for c in rule.conditions}) == len(rule.conditions)
        assert sum(rule.outcome.counts) > 0
