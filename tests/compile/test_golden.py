"""Readable pairs of rule text and SQL; DBRULES_UPDATE_GOLDEN=1 writes the files anew."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dbrules.compile.render import render
from dbrules.compile.select import select
from dbrules.language.column import Column, ColumnType
from dbrules.language.parse import parse_rule_list

GOLDEN = Path(__file__).parent.parent / "golden"
DIALECTS = ("duckdb", "postgres", "snowflake", "bigquery", "mysql", "tsql", "sqlite", "clickhouse")
COLUMNS = [
    Column("age", ColumnType("INTEGER")),
    Column("income", ColumnType("DOUBLE")),
    Column("default", ColumnType("VARCHAR")),
    Column("origin", ColumnType("VARCHAR")),
    Column("since", ColumnType("TIMESTAMP")),
    Column("active", ColumnType("BOOLEAN")),
]
LISTS = {
    "bins": """
IF age < 18 THEN no
ELSE IF age >= 18 AND age < 60 THEN yes
ELSE IF age >= 60 THEN no
ELSE yes""",
    "float_bins": """
IF income < 0.3 THEN no
ELSE IF income >= 0.3 AND income < 0.6 THEN yes
ELSE IF income >= 0.6 THEN no
ELSE yes""",
    "levels": """
IF origin = 'EWR' THEN late
ELSE IF origin = 'JFK' THEN ontime
ELSE IF origin = 'O''Hare' THEN late
ELSE ontime""",
    "mixed": """
IF age >= 60 AND "default" = 'no' THEN yes
ELSE IF income > 0.1 AND active = TRUE THEN no
ELSE IF since < TIMESTAMP '2024-02-29 12:00:00.5' AND origin IS NULL THEN yes
ELSE no""",
    "default_only": """
ELSE no""",
}


def written(name: str) -> str:
    rule_list = parse_rule_list(LISTS[name], features=COLUMNS)
    lines = [f"-- {line}" for line in LISTS[name].strip().splitlines()]
    for dialect in DIALECTS:
        lines += ["", f"-- {dialect}", render(select(rule_list, "customers", dialect), dialect)]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", LISTS)
def test_golden(name: str) -> None:
    path = GOLDEN / f"{name}.sql"
    if os.environ.get("DBRULES_UPDATE_GOLDEN"):
        path.write_text(written(name), encoding="utf-8")
    assert written(name) == path.read_text(encoding="utf-8")


def test_no_golden_file_is_left_over() -> None:
    names = [*LISTS, "average", "vote"]  # the last are read by test_average and test_vote
    assert sorted(path.stem for path in GOLDEN.glob("*.sql")) == sorted(names)
