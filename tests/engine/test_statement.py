"""Loading and binding of statement files."""

from __future__ import annotations

import pytest
from sqlglot import exp

from dbrules.engine import statement as module
from dbrules.engine.statement import load, statement_folder, statement_names
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
