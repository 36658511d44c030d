"""Averages of rule lists as SQL: the same bits as in Python, for every row."""

from __future__ import annotations

import math
import os
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from sqlglot import exp

from dbrules.compile.average import average_label, average_sums
from dbrules.compile.dialects import DIALECTS
from dbrules.compile.render import render
from dbrules.compile.select import select
from dbrules.language.column import Column, ColumnType
from dbrules.language.condition import Condition
from dbrules.language.parse import parse_rule_list
from dbrules.language.rule import Outcome, Rule, Target
from dbrules.language.rule_average import RuleAverage
from dbrules.language.rule_list import RuleList

GOLDEN = Path(__file__).parent.parent / "golden" / "average.sql"
STORED: dict[str, list[Any]] = {
    "DOUBLE": [0.1 + 0.2, -0.0, 5e-324, 1e308, -1.5, math.inf, math.nan, None],
    "REAL": [0.10000000149011612, -3.25, 0.5, math.nan, None],
    "BIGINT": [-(2**63), 0, 1, 2, 2**60 + 1, None],
    "VARCHAR": ["O'Brien", "", "a", "a ", "é", None],
}
ARROW = {"DOUBLE": pa.float64(), "REAL": pa.float32(), "BIGINT": pa.int64(), "VARCHAR": pa.string()}
COLUMNS = tuple(Column(f'{kind} "x', ColumnType(kind)) for kind in STORED)
LABELS: dict[str, tuple[Any, ...]] = {"VARCHAR": ("it's", "no"), "BIGINT": (1, 2, 3)}


def random_average(rng: random.Random, lists: int, rules: int) -> RuleAverage:
    label_type = rng.choice(list(LABELS))
    classes = LABELS[label_type]
    target = Target("y", ColumnType(label_type), classes)
    exact = rng.random() < 0.5  # quarters, so that sums tie

    def condition() -> Condition:
        column = rng.choice(COLUMNS)
        values = [v for v in STORED[column.type.name] if v is not None and v == v]
        ops = ["=", "<>", "is null"] + (
            ["<", "<=", ">", ">="] * 2 if column.type.is_ordered else []
        )
        op = rng.choice(ops)
        return Condition(column.name, op, None if op == "is null" else rng.choice(values))

    def outcome() -> Outcome:
        raw = [rng.choice([0, 1, 1, 2]) if exact else rng.random() for _ in classes]
        raw[rng.randrange(len(raw))] += 1
        shares = tuple(rng.choice([0.25, 0.5]) if exact else r / sum(raw) for r in raw)
        return Outcome(rng.choice(classes), shares, tuple(rng.randrange(9) for _ in classes))

    def rule() -> Rule:
        return Rule(tuple(condition() for _ in range(rng.choice([1, 1, 2]))), outcome())

    parts = tuple(
        RuleList(target, COLUMNS, tuple(rule() for _ in range(rng.randint(0, rules))), outcome())
        for _ in range(lists)
    )
    weights = [1.0] * lists if exact else [rng.random() + 1e-3 for _ in parts]
    return RuleAverage(parts, tuple(weight / sum(weights) for weight in weights))


@pytest.fixture(scope="module")
def con() -> Any:
    """All values of each column beside some of the others, under ``t``."""
    rng = random.Random(1)
    rows = [[rng.choice(STORED[kind]) for kind in STORED] for _ in range(150)]
    rows += [[None] * 4, [math.nan, math.nan, None, None]]
    arrays = [
        pa.array(cells, ARROW[kind], from_pandas=False)
        for kind, cells in zip(STORED, zip(*rows, strict=True), strict=True)
    ]
    table = pa.table([*arrays, list(range(len(rows)))], names=[*(c.name for c in COLUMNS), "id"])
    with duckdb.connect(config={"threads": 1}) as connection:
        connection.register("arrow", table)
        connection.execute("CREATE TABLE t AS FROM arrow")
        yield connection


@pytest.mark.parametrize("seed", range(16))
def test_sql_gives_the_bits_of_python(con: Any, seed: int) -> None:
    average = drawn(seed)
    names = [column.name for column in COLUMNS]
    expected = [answers(average, cells) for cells in con.execute("FROM t ORDER BY id").fetchall()]
    for share in (False, True):
        query = select(average, "t", input_columns=[*names, "id"], probabilities=True, share=share)
        found = con.execute(f"FROM ({render(query)}) ORDER BY id").fetchall()
        assert [row[len(names) + 1 :] for row in found] == expected
        assert [type(row[len(names) + 1]) for row in found] == [type(row[0]) for row in expected]


def drawn(seed: int) -> RuleAverage:
    rng = random.Random(seed)
    return random_average(rng, rng.choice([1, 2, 4, 8]), 6)


def answers(average: RuleAverage, cells: tuple[Any, ...]) -> tuple[Any, ...]:
    row = {column.name: cell for column, cell in zip(COLUMNS, cells, strict=False)}
    shares = average.probabilities(row)
    label = average.predict(row)
    return label, shares[average.target.index(label)], *shares, average.capture(row)


def test_the_random_averages_tie_where_counts_decide(con: Any) -> None:
    decided = 0
    for seed in range(16):
        average = drawn(seed)
        for cells in con.execute("FROM t LIMIT 30").fetchall():
            label, largest, *shares, _ = answers(average, cells)
            decided += label != average.target.classes[shares.index(largest)]
    assert decided > 20


def test_many_lists_are_added_in_one_chain_from_columns(con: Any) -> None:
    average = random_average(random.Random(1), 200, 10)
    total = average_sums(average)[0]
    assert render(total).count(" + ") == 199
    depth = 0
    while isinstance(total, exp.Add):
        depth, total = depth + 1, total.this
    assert depth == 199
    names = [*(column.name for column in COLUMNS), "id"]
    query = select(average, "t", input_columns=names, probabilities=True, share=True)
    found = con.execute(f"FROM ({render(query)}) ORDER BY id").fetchall()
    for row in found:
        assert row[len(names) :] == answers(average, row)
    assert len(found) > 100


def test_columns_of_terms_are_called_like_no_other(con: Any) -> None:
    average = random_average(random.Random(4), 30, 2)
    given = 'SELECT *, 0.5 AS term_1_1, 7 AS "TERM_1" FROM t'
    names = [*(column.name for column in COLUMNS), "id", "term_1_1", "TERM_1"]
    query = select(average, given, input_columns=names, probabilities=True, share=True)
    found = con.execute(f"FROM ({render(query)}) ORDER BY id").fetchall()
    for row in found:
        assert (float(row[5]), row[6]) == (0.5, 7)
        assert row[len(names) :] == answers(average, row)


def test_what_is_read_gives_number_and_text(con: Any) -> None:
    average = random_average(random.Random(3), 3, 5)
    shown = replace(average.lists[0], rules=average.lists[0].rules[::-1])
    names = [column.name for column in COLUMNS]
    for share in (False, True):
        query = select(average.showing(shown), "t", input_columns=[*names, "id"], reasons=True,
                       share=share)  # fmt: skip
        for cells in con.execute(render(query)).fetchall():
            row = dict(zip(names, cells, strict=False))
            assert cells[-2] == shown.capture(row)
            assert (cells[-1] == "ELSE") == (cells[-2] == len(shown.rules) + 1)


def test_names_already_taken_stay_apart(con: Any) -> None:
    average = random_average(random.Random(0), 2, 3)
    first = f"predicted_y_probability_{average.target.classes[0]}"
    given = f'SELECT t.*, 1 AS "{first}", 2 AS rule FROM t'
    names = [*(column.name for column in COLUMNS), "id", first, "rule"]
    query = select(average, given, input_columns=names, share=True)
    heads = [row[0] for row in con.execute(f"DESCRIBE {render(query)}").fetchall()]
    assert heads == [*names, "predicted_y", "predicted_y_probability", "rule_2"]
    values = con.execute(f'SELECT DISTINCT "{first}", rule FROM ({render(query)})').fetchall()
    assert values == [(1, 2)]


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
def test_every_dialect_writes_it(dialect: str) -> None:
    average = random_average(random.Random(5), 3, 4)
    names = [column.name for column in COLUMNS]
    assert render(average_label(average, dialect), dialect)
    assert render(select(average, "t", dialect, input_columns=names, share=True), dialect)


def golden() -> str:
    features = [Column("age", ColumnType("INTEGER")), Column("income", ColumnType("DOUBLE"))]
    texts = ("IF age >= 60 THEN yes ELSE no", "IF income > 0.3 AND age < 40 THEN yes ELSE no")
    shares = ((0.75, 0.25), (0.25, 0.75))
    parts = []
    for text in texts:
        rules = parse_rule_list(text, features=features)
        rule = replace(rules.rules[0], outcome=Outcome("yes", shares[1]))
        parts.append(replace(rules, rules=(rule,), default=Outcome("no", shares[0])))
    average = RuleAverage(tuple(parts), (0.75, 0.25))
    lines = [f"-- {w} of: {text}" for w, text in zip(average.weights, texts, strict=True)]
    lines += ["", "-- duckdb, one expression", render(average_label(average))]
    names = ["id", "age", "income"]
    for dialect in ("duckdb", "postgres", "tsql"):
        query = select(average, "customers", dialect, input_columns=names, share=True)
        lines += ["", f"-- {dialect}", render(query, dialect)]
    return "\n".join(lines) + "\n"


def test_golden() -> None:
    if os.environ.get("DBRULES_UPDATE_GOLDEN"):
        GOLDEN.write_text(golden(), encoding="utf-8")
    assert golden() == GOLDEN.read_text(encoding="utf-8")
