"""Codes as SQL: one by one and packed."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlglot import exp

from dbrules.data.coding import interval_coding, level_coding
from dbrules.engine.duckdb import DuckDBEngine
from dbrules.language.column import Column, ColumnType
from dbrules.statistics.codes import code_expression, pack


def column(name, kind):
    return Column(name, ColumnType(kind))


CODINGS = [
    interval_coding(column("x", "DOUBLE"), [0.5, 2.0], "left", missing=True),
    interval_coding(column("x", "DOUBLE"), [], "left"),
    level_coding(column('a "b', "VARCHAR"), ["", "it's", "-- x"]),
    level_coding(column('a "b', "VARCHAR"), [], missing=True),
    level_coding(column('a "b', "VARCHAR"), []),
    level_coding(column("n", "BIGINT"), list(range(300))),
]
ROWS = [
    (0.25, "it's", 299),
    (0.5, "", 0),
    (math.nan, "-- x", None),
    (None, "it''s", 300),
    (math.inf, None, 255),
    (-math.inf, " ", 256),
]


@pytest.fixture
def engine(con):
    con.execute('CREATE TABLE t (i INTEGER, x DOUBLE, "a ""b" VARCHAR, n BIGINT)')
    con.executemany("INSERT INTO t VALUES (?, ?, ?, ?)", [(i, *r) for i, r in enumerate(ROWS)])
    return DuckDBEngine(con)


def of_python():
    by_name = {"x": 0, 'a "b': 1, "n": 2}
    return [[coding.code(row[by_name[coding.column.name]]) for coding in CODINGS] for row in ROWS]


def ask(engine, expressions):
    columns = [exp.alias_(e, f"c{place}") for place, e in enumerate(expressions)]
    return engine.run("codes", exp.select(*columns).from_("t").order_by("i"))


def test_sql_gives_the_codes_of_the_coding(engine):
    result = ask(engine, [code_expression(coding, engine) for coding in CODINGS])
    found = np.column_stack(list(result.values())).tolist()
    assert found == of_python()
    assert [column.dtype for column in result.values()] == [np.uint8] * 5 + [np.uint16]


def test_packed_codes_come_back(engine):
    codings = CODINGS * 6  # 4 * 2 * 4 * 2 * 301 codes: more than one number
    packing = pack([coding.size for coding in codings])
    assert len(packing.groups) == 2
    result = ask(engine, packing.expressions(codings, engine))
    codes = packing.unpack(list(result.values()))
    assert codes.tolist() == [row * 6 for row in of_python()]
    assert codes.dtype == np.uint16
    assert codes.T.flags.c_contiguous


def test_without_features_there_is_one_number(engine):
    packing = pack([])
    result = ask(engine, packing.expressions([], engine))
    assert result["c0"].tolist() == [0] * len(ROWS)
    assert packing.unpack([result["c0"][:1]]).shape == (1, 0)


def test_a_sum_of_small_codes_does_not_overflow(con):
    con.execute("CREATE TABLE t AS SELECT NULL::BIGINT AS a, NULL::BIGINT AS b, 0 AS i")
    large = level_coding(column("b", "BIGINT"), list(range(999)))
    # each term fits 32 bits, 2e9 at most, and all of them together do not
    codings = [level_coding(column("a", "BIGINT"), [1, 2]), large, large, large]
    packing = pack([coding.size for coding in codings])
    engine = DuckDBEngine(con)
    result = ask(engine, packing.expressions(codings, engine))
    assert result["c0"].tolist() == [2_999_999_999]
    assert packing.unpack(list(result.values())).tolist() == [[2, 999, 999, 999]]


@given(st.lists(st.integers(1, 65536), max_size=40), st.randoms(use_true_random=False))
def test_numbers_are_in_the_order_of_the_codes(sizes, rng):
    packing = pack(sizes)
    assert [feature for group in packing.groups for feature in group] == list(range(len(sizes)))
    rows = sorted([rng.choice([0, size - 1, rng.randrange(size)]) for size in sizes]
                  for _ in range(20))  # fmt: skip
    numbers = []
    for group in packing.groups:
        number = [0] * len(rows)
        for feature in group:
            number = [
                n * sizes[feature] + row[feature] for n, row in zip(number, rows, strict=True)
            ]
        assert max(number) < 2**62
        numbers.append(np.array(number))
    if numbers:
        assert packing.unpack(numbers).tolist() == rows
        order = np.lexsort(numbers[::-1])
        assert [rows[place] for place in order] == rows
