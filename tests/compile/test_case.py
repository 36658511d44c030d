from __future__ import annotations

import dataclasses
from typing import Any

import duckdb
import pytest

from dbrules.compile.case import case_label, case_rule
from dbrules.compile.dialects import dialect_named
from dbrules.compile.relation import create_view
from dbrules.compile.render import render
from dbrules.compile.select import output_names, select
from dbrules.errors import InvalidQuery
from dbrules.language.column import Column, ColumnType
from dbrules.language.condition import Condition
from dbrules.language.rule import Outcome, Rule, Target
from dbrules.language.rule_list import RuleList

TEXT = ColumnType("VARCHAR")


def listed(
    column: Column, rules: list[tuple[str, Any, Any]], default: Any, kind: str = "VARCHAR"
) -> RuleList:
    labels = {default, *(label for *_, label in rules)}
    classes = tuple(sorted(labels))
    built = tuple(Rule((Condition(column.name, op, v),), Outcome(y)) for op, v, y in rules)
    return RuleList(Target("y", ColumnType(kind), classes), (column,), built, Outcome(default))


def labels_of(rule_list: RuleList, table: str) -> list[Any]:
    with duckdb.connect() as con:
        con.execute(f"CREATE TABLE t AS {table}")
        query = render(select(rule_list, "t"))
        return [r[0] for r in con.execute(f"SELECT predicted_y FROM ({query})").fetchall()]


def test_C01_nan_and_null_go_to_the_default() -> None:
    x = Column("x", ColumnType("DOUBLE"))
    rules = listed(x, [("<", 5.5, "lo"), (">=", 5.5, "hi")], "lo")
    table = "SELECT unnest(['NaN', NULL, '1e300', '-1e300'])::DOUBLE AS x"
    assert labels_of(rules, table) == ["lo", "lo", "hi", "lo"]


def test_C03_a_negated_condition_is_not_true_of_null() -> None:
    city = Column("city", TEXT)
    rules = listed(city, [("<>", "Oslo", "abroad")], "home")
    assert labels_of(rules, "SELECT unnest(['Oslo', 'Bergen', NULL]) AS city") == [
        "home", "abroad", "home",
    ]  # fmt: skip
    flag = Column("flag", ColumnType("BOOLEAN"))
    rules = listed(flag, [("=", True, "T"), ("=", False, "F")], "?")
    assert labels_of(rules, "SELECT unnest([TRUE, FALSE, NULL]) AS flag") == ["T", "F", "?"]


def test_C10_hostile_names_do_no_harm() -> None:
    names = ["select", "a b", 'a"b', "x'); DROP TABLE keep_me; --", "péage", "1st", "Group"]
    columns = tuple(Column(name, TEXT) for name in names)
    rules = tuple(Rule((Condition(n, "=", str(i)),), Outcome("y")) for i, n in enumerate(names))
    target = Target("label", TEXT, ("n", "y"))
    rule_list = RuleList(target, columns, rules, Outcome("n"))
    quoted = ", ".join('NULL AS "' + n.replace('"', '""') + '"' for n in names[:-1])
    with duckdb.connect() as con:
        con.execute("CREATE TABLE keep_me AS SELECT 1 AS one")
        con.execute(f"""CREATE TABLE "odd ""tbl" AS SELECT {quoted}, '6' AS "Group" """)
        view = create_view('"my ""view"', select(rule_list, '"odd ""tbl"'))
        con.execute(render(view))
        got = con.execute('SELECT predicted_label, rule FROM "my ""view"').fetchall()
        assert got == [("y", 7)]
        assert con.execute("FROM keep_me").fetchall() == [(1,)]


def test_C11_every_text_gets_its_own_label() -> None:
    texts = ["O'Brien", "C:\\new", "50%", "", "NULL", " a", "a", "x\ny", "😀", "a;--"]
    rules = listed(Column("s", TEXT), [("=", t, f"<{t}>") for t in texts], "missing")
    with duckdb.connect() as con:
        con.execute("CREATE TABLE t (s VARCHAR)")
        con.executemany("INSERT INTO t VALUES (?)", [[t] for t in [*texts, None]])
        query = render(select(rules, "t"))
        got = con.execute(f"SELECT s, predicted_y FROM ({query})").fetchall()
    assert dict(got) == {**{t: f"<{t}>" for t in texts}, None: "missing"}


def test_C15_a_list_without_rules_is_a_literal() -> None:
    rules = listed(Column("x", TEXT), [], "no")
    assert render(case_label(rules)) == "'no'"
    assert labels_of(rules, "SELECT 1 AS z") == ["no"]


@pytest.mark.parametrize(
    ("kind", "labels"), [("INTEGER", (1, 2)), ("BOOLEAN", (True, False)), ("VARCHAR", ("a b", "c"))]
)
def test_C18_labels_keep_type_and_names_do_not_clash(kind: str, labels: tuple[Any, Any]) -> None:
    column = Column("prediction", ColumnType("INTEGER"))
    rules = listed(column, [("=", 1, labels[0])], labels[1], kind)
    with duckdb.connect() as con:
        con.execute("CREATE TABLE t AS SELECT unnest([1, 2, 3]) AS prediction, 0 AS RULE")
        query = select(rules, "t", input_columns=["prediction", "RULE"], probabilities=True)
        cursor = con.execute(render(query))
        heads = [head[0] for head in cursor.description]
        rows = cursor.fetchall()
        types = dict(r[:2] for r in con.execute(f"DESCRIBE {render(query)}").fetchall())
    assert types["predicted_y"] == kind
    assert [row[2] for row in rows] == [labels[0], labels[1], labels[1]]
    assert heads[-1] == "rule_2"
    assert all(row[4] + row[5] == 1 for row in rows)


def test_names_of_classes_that_differ_in_case_only_stay_apart() -> None:
    target = Target("y", TEXT, ("A", "a"))
    rules = RuleList(target, (Column("rule", TEXT),), (), Outcome("a"))
    assert output_names(rules, ["Predicted_Y"], probabilities=True, reasons=True) == (
        "predicted_y_2", "predicted_y_probability", "predicted_y_probability_A",
        "predicted_y_probability_a_2", "rule_2", "rule_text",
    )  # fmt: skip


def test_a_long_list_is_cut_into_cases_the_dialect_takes() -> None:
    rules = listed(Column("n", ColumnType("INTEGER")), [("=", i, i % 7) for i in range(50)], 9,
                   "INTEGER")  # fmt: skip
    short = dataclasses.replace(dialect_named("duckdb"), branches=8)
    text = render(case_rule(rules, short), pretty=False)
    assert text.startswith("COALESCE(CASE")
    assert text.count("CASE") == 7
    with duckdb.connect() as con:
        got = con.execute(f"SELECT {text} FROM (SELECT unnest(range(60)) AS n)").fetchall()
    assert [row[0] for row in got] == [*range(1, 51), *([51] * 10)]


def test_a_query_is_passed_through_and_two_are_refused() -> None:
    rules = listed(Column("x", TEXT), [("=", "a", "p")], "q")
    text = "SELECT 'a' AS x, 'two\n   lines' AS note -- last"
    for query in (text, f"{text}\n;", f"{text}\n; -- end"):
        with duckdb.connect() as con:
            got = con.execute(render(select(rules, query))).fetchall()
        assert got == [("a", "two\n   lines", "p", 1.0, 1)]
    with pytest.raises(InvalidQuery, match="two statements"):
        select(rules, "SELECT 1 AS x; DROP TABLE t")


def test_text_equality_is_exact_or_the_header_says_not() -> None:
    rules = listed(Column("s", TEXT), [("=", "a", "p")], "q")
    assert "CAST(`s` AS BINARY) = 'a'" in render(select(rules, "t", "mysql"), "mysql")
    assert render(select(rules, "t", "tsql"), "tsql").startswith("/* text equality may ignore")


def test_a_person_would_not_write_it_shorter() -> None:
    def short(rules: RuleList) -> str:
        return render(case_label(rules), pretty=False)

    n, o = Column("n", ColumnType("INTEGER")), Column("o", TEXT)
    bins: list[tuple[str, Any, Any]] = [("<", 5, "a"), (">=,<", (5, 10), "b"), (">=", 10, "c")]
    assert short(listed(n, bins, "c")) == (
        """CASE WHEN "n" < 5 THEN 'a' WHEN "n" < 10 THEN 'b' ELSE 'c' END"""
    )
    assert short(listed(n, bins, "a")) == (
        """CASE WHEN "n" >= 10 THEN 'c' WHEN "n" >= 5 THEN 'b' ELSE 'a' END"""
    )
    levels: list[tuple[str, Any, Any]] = [("=", t, "p" if t in "ace" else "q") for t in "abcde"]
    assert short(listed(o, levels, "q")) == (
        """CASE WHEN "o" IN ('a', 'c', 'e') THEN 'p' ELSE 'q' END"""
    )
    assert short(listed(n, [("<", 5, "a"), (">=", 5, "a")], "a")) == "'a'"
