"""Loading and binding of statement files."""

from __future__ import annotations

import pytest
from sqlglot import exp

from dbrules.engine import statement as module
from dbrules.engine.statement import Statement, load, statement_folder, statement_names
from dbrules.errors import EngineError


def test_a_statement_is_bound_to_a_query(con):
    con.execute("CREATE TABLE t AS SELECT i % 2 AS a, i % 3 AS b FROM range(6) t(i)")
    query = exp.select("a AS value", "b AS label").from_("t")
    tree = load("counts/value_class_rows").bind(dataset=query)
    found = con.execute(tree.sql("duckdb")).fetchall()
    assert sorted(found) == [(a, b, 1) for a in (0, 1) for b in (0, 1, 2)]


def test_a_missing_relation_or_column_is_named():
    statement = load("counts/value_class_rows")
    with pytest.raises(EngineError, match="value_class_rows reads"):
        statement.bind()
    with pytest.raises(EngineError, match="value_class_rows reads"):
        statement.bind(dataset=exp.select("1"), settings=exp.select("1"))
    with pytest.raises(EngineError, match=r"needs \['value', 'label'\]"):
        statement.bind(dataset=exp.select("a AS value").from_("t"))


def test_binding_twice_does_not_touch_the_file():
    statement = load("counts/value_class_rows")
    one = statement.bind(dataset=exp.select("a AS value", "b AS label").from_("one"))
    two = statement.bind(dataset=exp.select("a AS value", "b AS label").from_("two"))
    assert "FROM one" in one.sql("duckdb")
    assert "FROM one" not in two.sql("duckdb")
    assert load("counts/value_class_rows") is statement


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("SELECT 1", "first line"),
        ("-- other/name: what\n-- reads: a(b ANY)\n-- returns: c ANY\nSELECT 1", "first line"),
        ("-- bad/file: what\n-- reads: a(b ANY)\nSELECT 1", "returns"),
    ],
)
def test_a_header_that_does_not_parse(tmp_path, monkeypatch, text, match):
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "file.sql").write_text(text)
    monkeypatch.setattr(module, "statement_folder", lambda: tmp_path)
    with pytest.raises(EngineError, match=match):
        load("bad/file")


def test_types_with_commas_are_one_type():
    assert load("counts/value_class").reads == {
        "dataset": {"value": "ANY", "label": "ANY", "weight": "DECIMAL(38,12)"}
    }
    assert set(load("split/held_out").reads) == {"dataset", "settings"}


def test_the_folder_is_found():
    assert (statement_folder() / "counts").is_dir()
    assert "counts/value_class" in statement_names()


def coded(*names):
    return exp.select(*(f"{name} AS {name}" for name in names)).from_("t")


@pytest.mark.parametrize("times", [1, 2, 3, 12])
def test_a_column_is_repeated_as_often_as_there_are(con, times):
    codes = [f"code_{place}" for place in range(times)]
    columns = ", ".join(f"(i // {2**place}) % 2 AS {c}" for place, c in enumerate(codes))
    con.execute(f"CREATE TABLE t AS SELECT {columns}, 'y' AS label FROM range(16384) r(i)")
    dataset = coded(*codes, "label")
    tree = load("patterns/patterns_rows").bind(repeat={"code": times}, dataset=dataset)
    assert tree.named_selects == [*codes, "label", "units"]
    found = con.execute(tree.sql("duckdb")).fetchall()
    assert len(set(found)) == len(found) == 2**times
    assert {row[-1] for row in found} == {16384 // 2**times}
    count = load("patterns/distinct").bind(repeat={"code": times}, dataset=dataset)
    assert con.execute(count.sql("duckdb")).fetchall() == [(2**times,)]
    two = load("patterns/patterns_rows").bind(dataset=coded("code_0", "code_1", "label"))
    assert two.named_selects == ["code_0", "code_1", "label", "units"]


def test_all_lists_of_a_statement_are_repeated():
    dataset = coded("code_0", "code_1", "code_2", "label", "weight")
    scale = exp.select("10 AS scale")
    tree = load("patterns/patterns").bind(repeat={"code": 3}, dataset=dataset, settings=scale)
    for select in (tree, tree.ctes[2].this):
        assert select.named_selects[:4] == ["code_0", "code_1", "code_2", "label"]
    group = tree.ctes[2].this.args["group"]
    assert [column.name for column in group.expressions] == ["code_0", "code_1", "code_2", "label"]


def test_order_and_expressions_of_a_column_are_repeated():
    reads = {"t": {"code_0": "ANY", "code_1": "ANY"}}
    text = (
        "WITH t AS (SELECT 1) SELECT MAX(code_0) AS code_0, MAX(code_1) AS code_1, COUNT(*) AS n "
        "FROM t ORDER BY t.code_0 DESC, t.code_1 DESC, n"
    )
    tree = Statement("x/y", "", reads, {}, text).bind(
        repeat={"code": 3}, t=coded("code_0", "code_1", "code_2")
    )
    assert [item.sql() for item in tree.expressions] == [
        "MAX(code_0) AS code_0", "MAX(code_1) AS code_1", "MAX(code_2) AS code_2", "COUNT(*) AS n",
    ]  # fmt: skip
    assert [item.this.sql() for item in tree.args["order"].expressions] == [
        "t.code_0", "t.code_1", "t.code_2", "n",
    ]  # fmt: skip


@pytest.mark.parametrize(("kind", "times"), [("code", 0), ("label", 2), ("cod", 3)])
def test_what_cannot_be_repeated(kind, times):
    with pytest.raises(EngineError, match=f"patterns_rows cannot repeat '{kind}' {times} times"):
        load("patterns/patterns_rows").bind(
            repeat={kind: times}, dataset=coded("code_0", "code_1", "label")
        )


def test_a_missing_repeated_column_is_named():
    with pytest.raises(EngineError, match=r"needs \['code_0', 'code_1', 'code_2', 'label'\]"):
        load("patterns/patterns_rows").bind(
            repeat={"code": 3}, dataset=coded("code_0", "code_1", "label")
        )
