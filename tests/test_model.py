"""What can be asked of a model."""

from __future__ import annotations

import math

import pytest

import dbrules
from dbrules.errors import InvalidData, InvalidSetting, UnknownColumn


@pytest.fixture
def people(con):
    con.execute(
        "CREATE TABLE people AS SELECT i AS id, i % 60 AS age, 'c' || i % 3 AS city, "
        "CASE WHEN i % 60 >= 30 THEN 'yes' ELSE 'no' END AS y FROM range(240) t(i)"
    )
    return con


@pytest.fixture
def model(people):
    return dbrules.OneR().fit("people", target="y", exclude="id", connection=people)


def test_print_has_rows_notes_and_the_list(model):
    lines = str(model).splitlines()
    assert lines[0] == "-- one_r: 240 rows"
    assert lines[1] == "-- city: one level only" or lines[1].startswith(("IF", "--"))
    assert [line.split("  --")[0].strip() for line in lines if not line.startswith("--")] == [
        "IF age < 30 THEN no", "ELSE IF age >= 30 THEN yes", "ELSE no"
    ]  # fmt: skip
    assert model.notes == model.training.notes


def test_every_form_of_sql_gives_the_same_answers(people, model):
    expected = people.sql(model.to_sql(over="people")).order("id").fetchall()
    assert expected == model.predict("people", connection=people).order("id").fetchall()
    people.execute(model.to_sql(over="people", form="view", name="a view"))
    people.execute(model.to_sql(over="SELECT * FROM people; --", form="table", name="main.kept"))
    model.create_view(people, "main.seen", over="people")
    model.create_table(people, "stored", over="SELECT * FROM people")
    for name in ('"a view"', "kept", "seen", "stored"):
        assert people.execute(f"SELECT * FROM {name} ORDER BY id").fetchall() == expected
    case = people.execute(f"SELECT {model.to_sql()} FROM people ORDER BY id").fetchall()
    assert [label for (label,) in case] == [row[4] for row in expected]


@pytest.mark.parametrize("probabilities", [False, True])
@pytest.mark.parametrize("reasons", [False, True])
def test_the_columns_of_an_answer(people, model, probabilities, reasons):
    asked = {"probabilities": probabilities, "reasons": reasons}
    expected = ["id", "age", "city", "y", "predicted_y", "predicted_y_probability"]
    if probabilities:
        expected += ["predicted_y_probability_no", "predicted_y_probability_yes"]
    expected += ["rule"]
    if reasons:
        expected += ["rule_text"]
    relation = model.predict("people", connection=people, **asked)
    assert relation.columns == expected
    assert people.sql(model.to_sql(over="people", **asked)).columns == expected
    frame = people.table("people").to_arrow_table()
    assert model.predict(frame, **asked).columns == expected
    assert model.predict(people.table("people"), **asked).columns == expected
    assert model.predict(frame, **asked).order("id").fetchall() == relation.order("id").fetchall()


def test_predict_is_lazy(people, model):
    relation = model.predict("people", connection=people)
    people.execute("INSERT INTO people VALUES (1000, 59, 'c9', NULL)")
    assert len(relation.fetchall()) == 241
    failing = model.predict("SELECT *, error('late') AS e FROM people", connection=people)
    with pytest.raises(Exception, match="late"):
        failing.fetchall()


def test_hand_written_rules_score_like_fitted_ones(people, by_hand, answers):
    model = by_hand("IF age >= 30 AND city IN ('c0', 'c1') THEN yes ELSE no")
    assert {label for label, _ in answers(model, "people", people)} == {"yes", "no"}
    assert model.evaluate("people", connection=people).accuracy == pytest.approx(5 / 6)
    assert math.isfinite(model.evaluate("people", connection=people).log_loss)


def test_edited_text_keeps_types(people, model, answers):
    text = str(model).replace("30", "45")
    rules = dbrules.parse_rule_list(text, target=model.rules.target, features=model.rules.features)
    edited = dbrules.Model(rules, "by hand", {}, model.training)
    labels = [label for label, _ in answers(edited, "people", people, "id")]
    assert labels.count("yes") == 60


def test_check_says_nothing_of_data_like_the_training_data(people, model):
    assert model.check("people", connection=people) == ()


def test_names_match_without_regard_to_case_where_the_engine_does(people, model, answers):
    data = "SELECT age AS AGE FROM people"
    assert len(answers(model, data, people)) == 240
    with pytest.raises(UnknownColumn, match="'age'"):
        model.predict("SELECT city FROM people", connection=people)


def test_a_column_named_like_an_answer_is_kept(people, model):
    query = "SELECT *, 1 AS rule, 2 AS predicted_y FROM people"
    relation = model.predict(query, connection=people)
    assert relation.columns[4:] == [
        "rule", "predicted_y", "predicted_y_2", "predicted_y_probability", "rule_2"
    ]  # fmt: skip


def test_what_cannot_be_asked(model):
    with pytest.raises(InvalidSetting, match="over"):
        model.to_sql(form="select")
    with pytest.raises(InvalidSetting, match="dialect"):
        model.to_sql(dialect="basic")


def test_public_names_are_found():
    for name in dbrules.__all__:
        assert getattr(dbrules, name) is not None
        assert name in dir(dbrules)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        dbrules.nothing  # noqa: B018


@pytest.mark.parametrize(
    "over", ["seen", '"SEEN"', "SELECT * FROM seen", "FROM main.seen", "by_way"]
)
def test_a_view_is_not_replaced_by_one_that_reads_it(people, model, over):
    people.execute("CREATE VIEW seen AS FROM people")
    people.execute("CREATE VIEW by_way AS FROM Seen")
    before = people.execute("FROM seen").fetchall()
    with pytest.raises(InvalidSetting, match="would read itself"):
        model.create_view(people, "seen", over=over, replace=True)
    assert people.execute("FROM seen").fetchall() == before


def test_an_edited_list_is_counted_again(people, model):
    rules = dbrules.parse_rule_list(
        str(model), target=model.rules.target, features=model.rules.features
    )
    assert all(set(outcome.probability) <= {0.0, 1.0} for outcome in rules.outcomes)
    again = dbrules.Model(rules).recount("people", connection=people)
    counts = [outcome.counts for outcome in model.rules.outcomes]
    assert [outcome.counts for outcome in again.rules.outcomes] == counts
    assert again.rules.rules == model.rules.rules
    assert again.training.rows == model.training.rows


def test_a_recount_by_weight_and_of_a_foreign_label(con):
    con.execute("CREATE TABLE t AS FROM (VALUES (1, 'a', 2), (1, 'b', 1), (2, 'b', 0)) v(x, y, w)")
    model = dbrules.Model(dbrules.parse_rule_list("IF x = 1 THEN a ELSE b"))
    counted = model.recount("t", connection=con, weight="w")
    first, default = counted.rules.outcomes
    assert (first.counts, first.rows, first.probability) == ((2, 1), 2, (2 / 3, 1 / 3))
    assert (default.counts, default.probability) == ((0, 0), (2 / 3, 1 / 3))
    con.execute("INSERT INTO t VALUES (3, 'c', 1)")
    with pytest.raises(InvalidData, match="'c'"):
        model.recount("t", connection=con)


def test_a_list_by_hand_has_seen_no_levels(con):
    model = dbrules.Model(dbrules.parse_rule_list("IF city = 'Oslo' THEN y ELSE n"))
    con.execute("CREATE TABLE t AS SELECT 'Rome' AS city")
    assert model.check("t", connection=con) == ()
    assert model.predict("t", connection=con, on_unseen="error").fetchall()[0][1] == "n"


def test_a_view_in_another_schema_reads_the_table_that_was_meant(people, model):
    people.execute("CREATE SCHEMA s; CREATE TABLE s.people AS FROM people LIMIT 1")
    model.create_view(people, "s.seen", over="people")
    rows = people.execute("SELECT count(*) FROM people").fetchall()
    assert people.execute("SELECT count(*) FROM s.seen").fetchall() == rows


def test_a_print_names_rules_that_cannot_answer():
    text = "IF x < 10 AND x < 5 THEN A IF x < 3 THEN B IF x <= 7 AND x > 7 THEN C ELSE D"
    model = dbrules.Model(dbrules.parse_rule_list(text))
    printed = str(model)
    assert "rule 2 is unreachable" in printed
    assert "rule 3 is never true" in printed
    assert dbrules.parse_rule_list(printed).rules == model.rules.rules
    assert str(model.simplify()).splitlines()[1:] == ["IF x < 5 THEN A", "ELSE D"]
