from __future__ import annotations

import datetime as dt
import logging

import pytest
import sqlglot
from sqlglot.dialects.dialect import Dialect as SqlglotDialect

from dbrules.compile.case import case_label
from dbrules.compile.dbt import dbt_model
from dbrules.compile.dialects import ALIASES, DIALECTS, dialect_named
from dbrules.compile.literal import typed_literal
from dbrules.compile.relation import create_table, create_view
from dbrules.compile.render import render
from dbrules.compile.select import select
from dbrules.errors import InvalidSetting
from dbrules.language.column import ColumnType
from dbrules.language.rule_list import RuleList

NAMES = sorted(SqlglotDialect.classes)
LABELS = {
    "VARCHAR": ("it's", "é"),
    "BOOLEAN": (False, True),
    "INTEGER": (1, 2),
    "BIGINT": (1, -2),
    "DATE": (dt.date(2024, 1, 1),),
    "DOUBLE": (0.5, -1.5),
    "REAL": (0.5,),
    "UUID": ("00000000-0000-0000-0000-000000000001",),
}
NOT_PARSED = {"dax", "prql", "solr", "tableau"}  # no SQL of their own to read back


def test_every_dialect_has_its_row() -> None:
    assert sorted(DIALECTS) == NAMES
    assert set(ALIASES.values()) < set(DIALECTS)


@pytest.mark.parametrize("name", NAMES)
def test_every_form_is_written_in_every_dialect(
    name: str, everything: RuleList, caplog: pytest.LogCaptureFixture
) -> None:
    names = [column.name for column in everything.features]
    with caplog.at_level(logging.WARNING):
        plain = select(everything, sqlglot.parse_one("SELECT 1 AS a"), name)
        shared = select(
            everything,
            "SELECT 'x\n  y' -- last",
            name,
            input_columns=names,
            probabilities=True,
            reasons=True,
            share=True,
        )
        text = render(shared, name)
        assert render(shared, name) == text
        assert "'x\n  y' -- last\n" in text
        if name not in NOT_PARSED:
            sqlglot.parse_one(text, dialect=name)
        assert render(create_view("v", plain, name), name)
        assert render(create_table("v", plain, name), name, pretty=False)
        assert dbt_model(everything, "customers", name)
    assert not caplog.records


@pytest.mark.parametrize("name", NAMES)
def test_labels_of_every_type_are_written_in_every_dialect(name: str) -> None:
    for kind, labels in LABELS.items():
        for label in labels:
            assert render(typed_literal(label, ColumnType(kind), name), name)


@pytest.mark.parametrize("name", [n for n in NAMES if n not in NOT_PARSED])
def test_text_literals_read_back_in_every_dialect(name: str, everything: RuleList) -> None:
    tree = sqlglot.parse_one(render(case_label(everything, name), name), dialect=name)
    texts = {c for rule in everything.rules for c in rule.conditions if isinstance(c.value, str)}
    written = {
        str(found.this) for found in tree.find_all(sqlglot.exp.Literal, sqlglot.exp.National)
    }
    assert {c.value for c in texts} <= written


def test_an_unknown_dialect_names_the_near_match() -> None:
    with pytest.raises(InvalidSetting, match=r"'postgress' \(did you mean 'postgres'\?\)"):
        dialect_named("postgress")
    with pytest.raises(InvalidSetting, match="use one of"):
        dialect_named("zzzzzz")


@pytest.mark.parametrize("kind", ["view", "table"])
def test_replace_where_there_is_none_is_refused(kind: str, everything: RuleList) -> None:
    create = create_view if kind == "view" else create_table
    query = select(everything, "t", "sqlite")
    with pytest.raises(InvalidSetting, match=f"drop the {kind} first"):
        create("v", query, "sqlite", replace=True)
    assert "OR REPLACE" in render(create("v", select(everything, "t"), replace=True))
