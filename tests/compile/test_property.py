"""Random lists over random tables: SQL gives what the Python oracle gives, row by row."""

from __future__ import annotations

import datetime as dt
import math
import struct
from decimal import Decimal
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dbrules.compile.render import render
from dbrules.compile.select import select
from dbrules.errors import InvalidCondition
from dbrules.language.column import Column, ColumnType
from dbrules.language.condition import INTERVALS, NULL_TESTS, OPS, SETS, Condition
from dbrules.language.rule import Outcome, Rule, Target
from dbrules.language.rule_list import RuleList


def as_real(value: float) -> float:
    return float(struct.unpack("f", struct.pack("f", value))[0])


MOMENTS = [
    dt.datetime(2024, 2, 29, 12, 0, 0, 5),
    dt.datetime(1969, 12, 31),
    dt.datetime(2024, 3, 1),
]
POOLS: dict[str, list[Any]] = {
    "DOUBLE": [0.1 + 0.2, -0.0, 5e-324, 1e308, -1.5, 7.0, math.inf, -math.inf, 0.41],
    "REAL": [as_real(v) for v in (0.1, 0.2, -3.25, 1e30, 5.0, math.inf, -math.inf)],
    "DECIMAL(10,2)": [Decimal(t) for t in ("0.10", "-3.33", "99999999.99", "2.00", "5.50")],
    "BIGINT": [-(2**63), 2**60 + 1, 2**60, 0, 1, 2, 3, 2**63 - 1],
    "DATE": [dt.date(2024, 2, 29), dt.date(1969, 12, 31), dt.date(2000, 1, 1)],
    "TIMESTAMP": MOMENTS,
    "TIMESTAMP WITH TIME ZONE": [moment.replace(tzinfo=dt.UTC) for moment in MOMENTS],
    "TIME": [dt.time(0, 0), dt.time(12, 30, 0, 7), dt.time(23, 59, 59)],
    "BOOLEAN": [True, False],
    "VARCHAR": ["O'Brien", "C:\\new", "", "NULL", " a", "a", "a ", "x\ny", "😀", "a;--", "A"],
}
BETWEEN: dict[str, list[Any]] = {
    "BIGINT": [0.5, 1.5, 2.5, -1e300, math.inf],
    "DECIMAL(10,2)": [Decimal("0.105"), 5, math.inf],
    "REAL": [0.1, 0.2, 5.5],
    "DOUBLE": [5],
}
NAMES = ['a "b', "select", "x'); DROP TABLE t; --", "péage", "1st", "Group", "rule", "predicted_y"]
LABELS: dict[str, tuple[Any, ...]] = {
    "VARCHAR": ("no", "yes", "it's"),
    "INTEGER": (1, 2),
    "BIGINT": (1, 2),
    "BOOLEAN": (False, True),
    "DATE": (dt.date(2024, 1, 1), dt.date(2024, 2, 29)),
    "DOUBLE": (0.1, 0.5),
}


@st.composite
def conditions(draw: st.DrawFn, column: Column) -> Condition:
    kind = column.type.name
    pool = st.sampled_from(POOLS[kind] + 2 * BETWEEN.get(kind, []))
    ops = OPS if column.type.is_ordered or kind == "VARCHAR" else ("=", "<>", *SETS, *NULL_TESTS)
    op = draw(st.sampled_from(ops))
    if op in NULL_TESTS:
        return Condition(column.name, op)
    if op in SETS:
        return Condition(column.name, op, tuple(draw(st.lists(pool, min_size=1, max_size=4))))
    if op in INTERVALS:
        low, high = sorted((draw(pool), draw(pool)))
        try:
            return Condition(column.name, op, (low, high))
        except InvalidCondition:
            return Condition(column.name, "<", high)
    return Condition(column.name, op, draw(pool))


@st.composite
def rule_lists(draw: st.DrawFn) -> RuleList:
    types = draw(st.lists(st.sampled_from(sorted(POOLS)), min_size=1, max_size=3))
    names = draw(st.permutations(NAMES))
    columns = tuple(
        Column(name, ColumnType(kind), trim=kind == "VARCHAR" and draw(st.booleans()))
        for name, kind in zip(names, types, strict=False)
    )
    label_type = draw(st.sampled_from(sorted(LABELS)))
    classes = LABELS[label_type]
    share = st.sampled_from([0.0, 0.25, 1 / 3, 0.5])

    def outcome() -> Outcome:
        label = draw(st.sampled_from(classes))
        first = draw(share)
        return Outcome(label, (first, 1 - first, *([0.0] * (len(classes) - 2))))

    rules = []
    for _ in range(draw(st.integers(0, 6))):
        # long runs on one column are what the optimiser rewrites
        used = draw(st.lists(st.sampled_from(columns[:1] * 3 + columns), min_size=1, max_size=2))
        rules.append(Rule(tuple(draw(conditions(column)) for column in used), outcome()))
    return RuleList(Target("y", ColumnType(label_type), classes), columns, tuple(rules), outcome())


@st.composite
def lists_and_rows(draw: st.DrawFn) -> tuple[RuleList, list[dict[str, Any]]]:
    rule_list = draw(rule_lists())
    rows = []
    for _ in range(draw(st.integers(1, 8))):
        row = {}
        for column in rule_list.features:
            pool: list[Any] = [None, *POOLS[column.type.name]]
            pool += [math.nan] if column.type.is_float else []
            row[column.name] = draw(st.sampled_from(pool))
        rows.append(row)
    return rule_list, rows


ARROW = {
    "DOUBLE": pa.float64(), "REAL": pa.float32(), "DECIMAL(10,2)": pa.decimal128(10, 2),
    "BIGINT": pa.int64(), "DATE": pa.date32(), "TIMESTAMP": pa.timestamp("us"),
    "TIMESTAMP WITH TIME ZONE": pa.timestamp("us", tz="UTC"), "TIME": pa.time64("us"),
    "BOOLEAN": pa.bool_(), "VARCHAR": pa.string(),
}  # fmt: skip


@pytest.fixture(scope="module")
def con() -> Any:
    with duckdb.connect(config={"threads": 1}) as connection:
        connection.execute("SET TimeZone = 'America/New_York'")
        yield connection


def check(con: Any, rule_list: RuleList, rows: list[dict[str, Any]], over: str) -> None:
    names = [column.name for column in rule_list.features]
    for share in (False, True):
        query = select(
            rule_list,
            over,
            input_columns=[*names, "row number"],
            probabilities=True,
            reasons=True,
            share=share,
        )
        sql = render(query)
        heads = [head[0] for head in con.execute(f"DESCRIBE {sql}").fetchall()]
        assert len({head.casefold() for head in heads}) == len(heads)
        assert heads[: len(names) + 1] == [*names, "row number"]
        quoted = ", ".join('"' + name.replace('"', '""') + '"' for name in names)
        answers = con.execute(f"SELECT * EXCLUDE ({quoted}) FROM ({sql})").fetchall()
        assert len(answers) == len(rows)
        for cells in answers:
            row = rows[cells[0]]
            number = rule_list.capture(row)
            outcome = rule_list.outcomes[number - 1]
            label, probability, *classes, rule, _text = cells[1:]
            assert (rule, label, type(label)) == (number, outcome.label, type(outcome.label))
            assert probability == outcome.probability[rule_list.target.index(label)]
            assert tuple(classes) == outcome.probability


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(lists_and_rows())
def test_sql_answers_as_the_oracle(
    con: Any, tmp_path_factory: Any, drawn: tuple[RuleList, list[dict[str, Any]]]
) -> None:
    rule_list, rows = drawn
    # columns that take all rows alike, so that row group statistics are tempted to decide
    arrays = [
        pa.array([row[column.name] for row in rows], ARROW[column.type.name], from_pandas=False)
        for column in rule_list.features
    ]
    arrays.append(pa.array(range(len(rows)), pa.int64()))
    table = pa.table(arrays, names=[*(c.name for c in rule_list.features), "row number"])
    folder = tmp_path_factory.mktemp("rows")  # a new path: the engine remembers old statistics
    path = folder / "rows.parquet"
    pq.write_table(table, path)
    con.execute("CREATE OR REPLACE TABLE t AS FROM read_parquet(?)", [str(path)])
    described = dict(row[:2] for row in con.execute("DESCRIBE t").fetchall())
    for column in rule_list.features:
        want = {"REAL": "FLOAT"}.get(column.type.name, column.type.name)
        assert described[column.name] == want
    check(con, rule_list, rows, "t")
    check(con, rule_list, rows, f"SELECT * FROM '{path}' -- as written by Arrow")
    copy = folder / "copy.parquet"
    con.execute(f"COPY t TO '{copy}'")
    check(con, rule_list, rows, f"FROM '{copy}';")


def test_nan_in_a_parquet_file_whose_statistics_leave_it_out(tmp_path: Any) -> None:
    x = Column("x", ColumnType("DOUBLE"))
    target = Target("y", ColumnType("VARCHAR"), ("hi", "lo", "mid"))
    bins = (Condition("x", "<", 5), Condition("x", ">=,<", (5, 10)), Condition("x", ">=", 10))
    labels = ("lo", "mid", "hi")
    for size in (1, 2, 3):
        rules = tuple(
            Rule((c,), Outcome(label)) for c, label in zip(bins[:size], labels, strict=False)
        )
        for low, high in ((1, 2), (1, 30), (11, 12)):
            path = tmp_path / f"{size}_{low}_{high}.parquet"
            values = [float(low), math.nan, float(high), math.nan]
            pq.write_table(pa.table({"x": pa.array(values), "id": [0, 1, 2, 3]}), path)
            for default in labels:
                rule_list = RuleList(target, (x,), rules, Outcome(default))
                query = render(select(rule_list, f"SELECT * FROM '{path}'"))
                with duckdb.connect() as con:
                    got = con.execute(f"SELECT predicted_y FROM ({query}) ORDER BY id").fetchall()
                assert [row[0] for row in got] == [rule_list.predict({"x": v}) for v in values]
