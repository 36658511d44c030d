"""Rule sets as SQL: label, probabilities, rule and text are those of Python, to the bit."""

from __future__ import annotations

import math
import os
import random
import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from sqlglot import exp

import dbrules.compile.vote
from dbrules.compile.dialects import DIALECTS, dialect_named
from dbrules.compile.hit import hit_mask
from dbrules.compile.render import render
from dbrules.compile.select import label_expression, select
from dbrules.compile.vote import vote_columns, vote_values
from dbrules.language.column import Column, ColumnType
from dbrules.language.condition import Condition
from dbrules.language.parse import parse_rule_set
from dbrules.language.rule import Outcome, Rule, Target
from dbrules.language.rule_set import RESOLUTIONS, VOTES, RuleSet
from dbrules.language.write import format_conditions

GOLDEN = Path(__file__).parent.parent / "golden" / "vote.sql"
STORED: dict[str, list[Any]] = {
    "DOUBLE": [0.1 + 0.2, -0.0, 5e-324, 1e308, -1.5, math.inf, math.nan, None],
    "REAL": [0.10000000149011612, -3.25, 0.5, math.nan, None],
    "BIGINT": [-(2**63), 0, 1, 2, 2**60 + 1, None],
    "VARCHAR": ["O'Brien", "", "a", "a ", "é", None],
}
ARROW = {"DOUBLE": pa.float64(), "REAL": pa.float32(), "BIGINT": pa.int64(), "VARCHAR": pa.string()}
COLUMNS = tuple(Column(f'{kind} "x', ColumnType(kind)) for kind in STORED)
NAMES = [*(column.name for column in COLUMNS), "id"]
LABELS: dict[str, tuple[Any, ...]] = {"VARCHAR": ("it's", "no"), "BIGINT": (1, 2, 3, 4)}
SEEDS = range(10)


def random_set(seed: int, resolution: str, rules: int | None = None) -> RuleSet:
    rng = random.Random(seed)
    label_type = rng.choice(list(LABELS))
    classes = LABELS[label_type]
    exact = rng.random() < 0.5  # quarters, so that votes tie

    def condition() -> Condition:
        column = rng.choice(COLUMNS)
        values = [v for v in STORED[column.type.name] if v is not None and v == v]
        ops = ["=", "<>", "is null", "is not null"]
        op = rng.choice(ops + (["<", "<=", ">", ">="] * 2 if column.type.is_ordered else []))
        return Condition(column.name, op, None if "null" in op else rng.choice(values))

    def outcome() -> Outcome:
        raw = [rng.choice([0, 1, 1, 2]) if exact else rng.random() for _ in classes]
        raw[rng.randrange(len(raw))] += 1
        shares = tuple(rng.choice([0.0, 0.25, 0.5]) if exact else r / sum(raw) for r in raw)
        return Outcome(rng.choice(classes), shares, tuple(rng.randrange(9) for _ in classes))

    made = tuple(
        Rule(tuple(condition() for _ in range(rng.choice([1, 1, 2, 3]))), outcome())
        for _ in range(rng.randint(0, 9) if rules is None else rules)
    )
    target = Target("y", ColumnType(label_type), classes)
    return RuleSet(target, COLUMNS, made, outcome(), resolution)


def stored_rows() -> list[list[Any]]:
    rng = random.Random(1)
    rows = [[rng.choice(STORED[kind]) for kind in STORED] for _ in range(150)]
    return [*rows, [None] * 4, [math.nan, math.nan, None, None]]


@pytest.fixture(scope="module")
def con() -> Any:
    """All values of each column beside some of the others, under ``t``."""
    rows = stored_rows()
    arrays = [
        pa.array(cells, ARROW[kind], from_pandas=False)
        for kind, cells in zip(STORED, zip(*rows, strict=True), strict=True)
    ]
    table = pa.table([*arrays, list(range(len(rows)))], names=NAMES)
    with duckdb.connect(config={"threads": 1}) as connection:
        connection.register("arrow", table)
        connection.execute("CREATE TABLE t AS FROM arrow")
        yield connection


def answers(rule_set: RuleSet, cells: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the outputs by a plain reading of what each resolution means."""
    row = {column.name: cell for column, cell in zip(COLUMNS, cells, strict=False)}
    target, outcomes = rule_set.target, rule_set.outcomes
    covering = [i for i, rule in enumerate(rule_set.rules) if rule.covers(row) is True]
    place = [target.index(outcome.label) for outcome in outcomes]
    quality = [outcome.probability[p] for outcome, p in zip(outcomes, place, strict=True)]
    totals = [sum(o.counts[p] for o in outcomes) for p in range(len(target.classes))]
    chosen, shares = len(rule_set.rules), outcomes[-1].probability
    if covering and rule_set.resolution in ("first", "best"):
        chosen = covering[0]
        if rule_set.resolution == "best":
            chosen = max(covering, key=lambda i: (quality[i], totals[place[i]], -place[i], -i))
        shares = outcomes[chosen].probability
    elif covering:
        votes = [0] * len(target.classes)
        for i in covering:
            weighted = rule_set.resolution == "weighted"
            votes[place[i]] += max(1, round(quality[i] * 1_000_000)) if weighted else 1
        won = max(range(len(votes)), key=lambda p: (votes[p], totals[p], -p))
        voters = [i for i in covering if place[i] == won]
        chosen = max(voters, key=lambda i: (quality[i], -i))
        sums = [0.0] * len(target.classes)
        for i in voters:
            sums = [a + b for a, b in zip(sums, outcomes[i].probability, strict=True)]
        shares = tuple(total / len(voters) for total in sums)
    why = "ELSE" if chosen == len(rule_set.rules) else rule_set.rules[chosen].conditions
    text = why if isinstance(why, str) else format_conditions(why)
    label = outcomes[chosen].label
    return label, shares[place[chosen]], *shares, chosen + 1, text


@pytest.mark.parametrize("resolution", RESOLUTIONS)
@pytest.mark.parametrize("seed", SEEDS)
def test_sql_gives_the_bits_of_python(con: Any, seed: int, resolution: str) -> None:
    rule_set = random_set(seed, resolution)
    stored = con.execute("FROM t ORDER BY id").fetchall()
    expected = [answers(rule_set, cells) for cells in stored]
    for cells, said in zip(stored, expected, strict=True):
        row = dict(zip(NAMES, cells, strict=True))
        assert rule_set.predict(row) == said[0]
        assert rule_set.probabilities(row) == said[2:-2]
        assert rule_set.capture(row) == said[-2]
    for share in (False, True):
        query = select(rule_set, "t", input_columns=NAMES, probabilities=True, reasons=True,
                       share=share)  # fmt: skip
        found = con.execute(f"FROM ({render(query)}) ORDER BY id").fetchall()
        assert [row[len(NAMES) :] for row in found] == expected
        assert [type(row[len(NAMES)]) for row in found] == [type(row[0]) for row in expected]
    label = render(label_expression(rule_set))
    found = con.execute(f"SELECT {label} FROM t ORDER BY id").fetchall()
    assert [row[0] for row in found] == [row[0] for row in expected]


def test_the_random_sets_overlap_and_tie(con: Any) -> None:
    stored = con.execute("FROM t LIMIT 30").fetchall()
    tied = differ = 0
    for seed in SEEDS:
        sets = [random_set(seed, resolution) for resolution in RESOLUTIONS]
        for cells in stored:
            differ += len({answers(rule_set, cells)[0] for rule_set in sets}) > 1
            numbers = sets[1].captures(dict(zip(NAMES, cells, strict=True)))
            votes = [sets[1].place(number) for number in numbers]
            counts = sorted((votes.count(p) for p in set(votes)), reverse=True)
            tied += len(counts) > 1 and counts[0] == counts[1]
    assert tied > 20
    assert differ > 20


@pytest.mark.parametrize("resolution", RESOLUTIONS)
def test_sqlite_gives_the_same_labels_and_rules(resolution: str) -> None:
    lite = sqlite3.connect(":memory:")
    names = ", ".join(f'"{name.replace(chr(34), chr(34) * 2)}"' for name in NAMES)
    lite.execute(f"CREATE TABLE t ({names})")
    # it holds NaN as NULL, and no infinity that text could name
    rows = [
        [None if isinstance(v, float) and not math.isfinite(v) else v for v in row]
        for row in stored_rows()
    ]
    lite.executemany("INSERT INTO t VALUES (?, ?, ?, ?, ?)",
                     [(*row, i) for i, row in enumerate(rows)])  # fmt: skip
    for seed in SEEDS:
        rule_set = random_set(seed, resolution)
        if any(isinstance(v, float) and math.isinf(v) for rule in rule_set.rules
               for c in rule.conditions for v in c.values):  # fmt: skip
            continue
        for share in (False, True):
            query = select(rule_set, "t", "sqlite", input_columns=NAMES, share=share)
            found = lite.execute(render(query, "sqlite")).fetchall()
            assert len(found) == len(rows)
            for cells in found:
                label, _, *_, number, _ = answers(rule_set, cells)
                assert (cells[len(NAMES)], cells[-1]) == (label, number)
    lite.close()


@pytest.mark.parametrize("resolution", VOTES)
def test_columns_of_the_vote_are_called_like_no_other(con: Any, resolution: str) -> None:
    rule_set = random_set(3, resolution, rules=6)
    given = 'SELECT *, 7 AS hit_1, 8 AS "VOTES_1", 9 AS voters FROM t'
    names = [*NAMES, "hit_1", "VOTES_1", "voters"]
    query = select(rule_set, given, input_columns=names, share=True)
    found = con.execute(f"FROM ({render(query)}) ORDER BY id").fetchall()
    assert [row[0] for row in con.description][: len(names)] == names
    for row in found:
        assert row[5:8] == (7, 8, 9)
        label, probability, *_, number, _ = answers(rule_set, row)
        assert row[len(names) :] == (label, probability, number)


@pytest.mark.parametrize("resolution", VOTES)
def test_many_rules_are_one_flat_chain(con: Any, resolution: str) -> None:
    rule_set = random_set(2, resolution, rules=300)
    query = select(rule_set, "t", input_columns=NAMES, probabilities=True, share=True)
    found = con.execute(f"FROM ({render(query)}) ORDER BY id").fetchall()
    for row in found:
        assert row[len(NAMES) :] == answers(rule_set, row)[:-1]
    assert len(found) > 100


def test_votes_beyond_an_integer_are_added_as_big_ones(monkeypatch: Any) -> None:
    monkeypatch.setattr(dbrules.compile.vote, "_INTEGER_MOST", 3_000_000)
    one = Rule((Condition(COLUMNS[2].name, ">", 0),), Outcome("a", (1.0, 0.0)))
    target = Target("y", ColumnType("VARCHAR"), ("a", "b"))
    for rules, wide in ((3, False), (4, True)):
        rule_set = RuleSet(target, COLUMNS, (one,) * rules, Outcome("b"), "weighted")
        query = select(rule_set, "t", input_columns=NAMES, share=True)
        assert bool(list(query.find_all(exp.Cast))) == wide


def test_a_mask_has_a_bit_for_each_rule(con: Any) -> None:
    rule_set = random_set(5, "majority", rules=62)
    found = con.execute(f"SELECT *, {render(hit_mask(rule_set, range(1, 63), 'duckdb'))} FROM t")
    for *cells, mask in found.fetchall():
        numbers = rule_set.captures(dict(zip(NAMES, cells, strict=True)))
        assert mask == sum(1 << number - 1 for number in numbers)


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
def test_every_dialect_writes_it(dialect: str) -> None:
    rule_set = random_set(4, "weighted", rules=4)
    assert render(label_expression(rule_set, dialect), dialect)
    query = select(rule_set, "t", dialect, input_columns=NAMES, reasons=True, share=True)
    text = render(query, dialect, pretty=False)
    assert ("SELECT *," in text) == dialect_named(dialect).bare_star


def test_no_case_is_longer_than_the_dialect_takes(con: Any) -> None:
    rule_set = random_set(6, "weighted", rules=60)
    short = replace(dialect_named("duckdb"), branches=7)
    held, source = vote_columns(rule_set, exp.to_table("t"), NAMES, short)
    for values in (
        vote_values(rule_set, short, held, reasons=True),
        vote_values(rule_set, short, reasons=True),
    ):
        cases = [case for value in values for case in value.find_all(exp.Case)]
        assert max(len(case.args["ifs"]) for case in cases) == 7
        answered = [exp.alias_(value, f"value_{i}") for i, value in enumerate(values)]
        query = exp.select(*(exp.column(name, quoted=True) for name in NAMES), *answered)
        for row in con.execute(render(query.from_(source))).fetchall():
            label, probability, *_, number, text = answers(rule_set, row)
            assert row[len(NAMES) :] == (label, probability, number, text)


def golden() -> str:
    features = [Column("age", ColumnType("INTEGER")), Column("income", ColumnType("DOUBLE"))]
    text = (
        "IF age >= 60 THEN yes IF income > 0.3 THEN no IF age < 40 AND income > 0.5 THEN no "
        "ELSE yes"
    )
    shares = [("yes", (0.25, 0.75)), ("no", (0.625, 0.375)), ("no", (0.9, 0.1))]
    lines = [f"-- {text}", f"-- probability of the labels: {[max(s) for _, s in shares]}"]
    for resolution in ("majority", "weighted", "best"):
        rules = parse_rule_set(text, features=features, resolution=resolution)
        counted = tuple(
            replace(rule, outcome=Outcome(label, probability))
            for rule, (label, probability) in zip(rules.rules, shares, strict=True)
        )
        rules = replace(rules, rules=counted, default=Outcome("yes", (0.5, 0.5)))
        lines += ["", f"-- {resolution}, duckdb, the label as one expression"]
        lines += [render(label_expression(rules))]
        for dialect in ("duckdb", "postgres", "tsql"):
            query = select(rules, "customers", dialect, input_columns=["id", "age", "income"],
                           share=True)  # fmt: skip
            lines += ["", f"-- {resolution}, {dialect}", render(query, dialect)]
    return "\n".join(lines) + "\n"


def test_golden() -> None:
    if os.environ.get("DBRULES_UPDATE_GOLDEN"):
        GOLDEN.write_text(golden(), encoding="utf-8")
    assert golden() == GOLDEN.read_text(encoding="utf-8")
