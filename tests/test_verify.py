"""Verification proves a right list and catches a wrong one."""

from __future__ import annotations

import datetime as dt
import json

import pytest
from sqlglot import exp

import dbrules
import dbrules.compile.select
from dbrules.language.column import Column, ColumnType


@pytest.fixture
def people(con):
    con.execute(
        "CREATE TABLE people AS SELECT CASE WHEN i % 7 > 0 THEN i % 50 END AS age, "
        "['a', 'b', NULL][1 + i % 3] AS city FROM range(300) t(i)"
    )
    return con


@pytest.fixture
def model(by_hand):
    return by_hand("IF age >= 30 AND city = 'a' THEN yes IF age < 10 THEN no ELSE yes")


def test_a_right_list_is_proved(people, model):
    found = model.verify("people", connection=people)
    assert found
    assert (found.rows, found.wrong_rows, found.mismatches) == (300, 0, ())
    distinct = people.execute("SELECT count(*) FROM (SELECT DISTINCT age, city FROM people)")
    assert found.distinct == distinct.fetchall()[0][0]
    assert str(found).startswith("verified: 300 rows")
    assert found.to_json()["ok"] is True


def wrong_label(case):
    def compile_wrongly(rules, numbers, dialect):
        tree = case(rules, numbers, dialect)
        for literal in tree.find_all(exp.GTE):
            literal.replace(exp.GT(this=literal.this, expression=literal.expression))
        return tree

    return compile_wrongly


@pytest.mark.parametrize("name", ["case_label", "case_probability", "case_integers"])
def test_a_wrong_answer_of_each_kind_is_caught(people, model, monkeypatch, name):
    wrong = {
        "case_label": exp.Literal.string("no"),
        "case_probability": exp.Literal.number("0.5e0"),
        "case_integers": exp.Literal.number(1),
    }[name]
    monkeypatch.setattr(dbrules.compile.select, name, lambda *_, **__: wrong.copy())
    found = model.verify("people", connection=people)
    assert not found
    assert 0 < found.wrong_rows <= 300
    assert 0 < len(found.mismatches) <= 10
    assert str(found).startswith(f"not verified: {found.wrong_rows} of 300 rows differ")
    assert json.loads(json.dumps(found.to_json()))["ok"] is False
    first = found.mismatches[0]
    assert first.sql != first.rules


def test_one_wrong_comparison_is_caught_with_its_rows(people, model, monkeypatch):
    wrong = wrong_label(dbrules.compile.select.case_integers)
    monkeypatch.setattr(dbrules.compile.select, "case_integers", wrong)
    found = model.verify("people", connection=people)
    at_bound = people.execute("SELECT count(*) FROM people WHERE age = 30 AND city = 'a'")
    assert found.wrong_rows == at_bound.fetchall()[0][0] > 0
    assert {mismatch.row["age"] for mismatch in found.mismatches} == {30}


def test_null_instead_of_an_answer_is_caught(people, model, monkeypatch):
    for name in ("case_label", "case_probability", "case_integers"):
        with monkeypatch.context() as patch:
            patch.setattr(dbrules.compile.select, name, lambda *_, **__: exp.null())
            assert model.verify("people", connection=people).wrong_rows == 300


def test_a_boolean_is_not_its_number(con, by_hand, monkeypatch):
    model = by_hand("IF x = 1 THEN TRUE ELSE FALSE")
    query = "SELECT 1 AS x"
    assert model.verify(query, connection=con)
    wrong = exp.Literal.number(1)
    monkeypatch.setattr(dbrules.compile.select, "case_label", lambda *_, **__: wrong)
    assert not model.verify(query, connection=con)


@pytest.mark.parametrize(
    ("kind", "cells"),
    [
        ("DATE", ["'infinity'", "'-infinity'", "'20000-01-01'", "'5000-01-01 (BC)'", "NULL"]),
        ("TIMESTAMP", ["'infinity'", "'-infinity'", "'20000-01-01'", "NULL"]),
        ("TIMESTAMPTZ", ["'infinity'", "'-infinity'", "NULL"]),
    ],
)
def test_dates_that_python_cannot_hold_are_compared(con, by_hand, kind, cells):
    features = [Column("d", ColumnType(kind))]
    text = f"IF d >= {kind} '2024-01-01' THEN late IF d IS NULL THEN never ELSE early"
    model = by_hand(text, features=features)
    query = " UNION ALL ".join(f"SELECT {cell}::{kind} AS d" for cell in cells)
    found = model.verify(query, connection=con)
    assert found, str(found)
    assert found.rows == len(cells)


@pytest.mark.parametrize(
    ("label", "kind"),
    [("DATE '2024-02-29'", dt.date), ("TIMESTAMP '2024-02-29 01:02:03.000004'", dt.datetime),
     ("1.10", float), ("TRUE", bool), ("'it''s'", str), (str(2**62 + 1), int)],
)  # fmt: skip
def test_labels_of_every_type(con, by_hand, answers, label, kind):
    model = by_hand(f"IF x > 1 THEN {label} ELSE {label}")
    ((found, _),) = answers(model, "SELECT 2 AS x", con)
    assert isinstance(found, kind) or kind is float
    assert model.verify("SELECT NULL::INTEGER AS x", connection=con)


def test_no_rows_are_verified_as_none(con, model):
    found = model.verify("SELECT 1 AS age, 'a' AS city WHERE false", connection=con)
    assert found
    assert found.rows == 0
