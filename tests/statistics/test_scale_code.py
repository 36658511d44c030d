"""Codes of ordered columns as SQL are those of the scale, of every type and nasty value."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sqlglot import exp

from dbrules.compile.condition import condition
from dbrules.data.scale import Scale, scale_of
from dbrules.engine.duckdb import DuckDBEngine
from dbrules.language.column import Column, ColumnType
from dbrules.statistics import scale_code
from dbrules.statistics.codes import code_expression, pack
from dbrules.statistics.counts import value_counts

UP = math.nextafter(0.1, 1)
#: Values of each type as SQL; the missing ones, and extremes that no condition can name.
NASTY = {
    "INTEGER": ["-2147483648", "-1", "0", "1", "7", "2147483647"],
    "UBIGINT": ["0", "1", "9223372036854775808", "18446744073709551615"],
    "HUGEINT": ["-170141183460469231731687303715884105727", "0", "9007199254740993",
                "9007199254740992", "170141183460469231731687303715884105727"],
    "DOUBLE": ["'NaN'", "'inf'", "'-inf'", "0.1e0", f"{UP!r}e0", "'-0.0'", "5e-324", "-5e-324",
               "1.7976931348623157e308", "-1.7976931348623157e308", "0.3e0", f"{0.1 + 0.2!r}e0"],
    "REAL": ["'NaN'", "'inf'", "'-inf'", "0.1", "0.10000001", "1e-45", "3.4028235e38", "-0.0"],
    "DECIMAL(4,2)": ["-99.99", "0.00", "0.01", "0.10", "99.99"],
    "DECIMAL(38,10)": ["-9999999999999999999999999999.9999999999", "0.0000000001", "0.1",
                       "9999999999999999999999999999.9999999999"],
    "DATE": ["'0001-01-01'", "'1969-12-31'", "'1970-01-01'", "'2024-02-29'", "'9999-12-31'",
             "'infinity'", "'-infinity'", "'10000-01-01'", "'0044-03-15 (BC)'"],
    "TIME": ["'00:00:00'", "'12:00:00.000001'", "'23:59:59.999999'"],
    "TIMESTAMP": ["'1969-12-31 23:59:59.999999'", "'1970-01-01'", "'2024-02-29 12:00:00.000001'",
                  "'2024-02-29 12:00:00.000002'", "'infinity'", "'-infinity'"],
    "TIMESTAMP WITH TIME ZONE": ["'2024-07-01 12:00:00+02'", "'2024-07-01 10:00:00+00'",
                                 "'2024-07-01 10:00:00.000001+00'", "'1900-01-01 00:00:00+00'",
                                 "'infinity'", "'-infinity'"],
}  # fmt: skip


@pytest.fixture(params=list(NASTY))
def nasty(request, con, opened):
    """A data set of the values of a type, some missing, with the value counts of the column."""
    kind = request.param
    rows = ", ".join(f"({i}, CAST({value} AS {kind}))" for i, value in
                     enumerate([*NASTY[kind], *NASTY[kind][:2], "NULL"]))  # fmt: skip
    con.execute("SET TimeZone = 'America/New_York'")
    con.execute(f"CREATE TABLE t AS SELECT i, v, i % 2 AS y FROM (VALUES {rows}) AS t(i, v)")
    with opened("t", features=["v"]) as (dataset, classes):
        (column,) = dataset.roles.features
        counts = value_counts(dataset, column, classes)
        yield dataset, column, counts.values, counts.weights.sum(axis=1).astype(np.int64)


def ask(dataset, expressions):
    """Return the answers by row, and the ordinals of the column."""
    (column,) = dataset.roles.features
    asked = {f"c{place}": e for place, e in enumerate(expressions)}
    asked["v"] = dataset.engine.encode(column)
    query = exp.select(*(exp.alias_(e, name) for name, e in asked.items())).from_("t").order_by("i")
    result = dataset.engine.run("codes", query)
    missing = np.ma.getmaskarray(result["v"])
    ordinals = dataset.engine.decoder(column)(np.ma.getdata(result["v"])[~missing])
    return [result[f"c{place}"] for place in range(len(expressions))], ordinals, missing


def of_scale(scale, ordinals, missing):
    codes = np.full(len(missing), scale.absent, dtype=np.int64)
    codes[~missing] = scale.codes(ordinals)
    return codes.tolist()


@pytest.mark.parametrize("absent", [False, True])
def test_sql_gives_the_codes_of_the_scale(nasty, absent):
    dataset, column, values, units = nasty
    scales = [scale_of(column, values, units, most, missing=absent) for most in (1, 2, 3, 4, 99)]
    assert [scale.merges for scale in scales][::4] == [True, False]
    assert scales[-1].size > 3
    queries = [scale_code.search(scale, "duckdb") for scale in scales]
    queries.append(scale_code.lookup(scales[-1], "duckdb", 7))
    answers, ordinals, missing = ask(dataset, queries)
    assert missing.sum() > 0
    for scale, codes in zip(scales, answers, strict=False):
        assert codes.tolist() == of_scale(scale, ordinals, missing)
    assert answers[-1].tolist() == [7 * code for code in of_scale(scale, ordinals, missing)]


def test_codes_are_what_conditions_say(nasty):
    dataset, column, values, units = nasty
    for most in (3, 99):
        scale = scale_of(column, values, units, most, missing=True)
        runs = [(a, b) for a in range(scale.steps) for b in range(a + 1, scale.steps + 1)]
        tests = [exp.and_(*(condition(c, column) for c in scale.conditions(*run)))
                 for run in [*runs, (scale.steps, scale.steps + 1)]]  # fmt: skip
        (codes, *held), _, _ = ask(dataset, [code_expression(scale, dataset.engine), *tests])
        for (first, end), holds in zip([*runs, (scale.steps, scale.steps + 1)], held, strict=True):
            found = np.ma.filled(holds, False).astype(bool).tolist()
            assert found == [first <= code < end for code in codes.tolist()]


def test_a_column_of_infinities_has_no_code_but_the_last(con, opened):
    con.execute("CREATE TABLE t AS SELECT i, CASE i % 3 WHEN 0 THEN 'inf'::DOUBLE "
                "WHEN 1 THEN '-inf'::DOUBLE END AS v, i % 2 AS y FROM range(6) r(i)")  # fmt: skip
    with opened("t", features=["v"]) as (dataset, classes):
        (column,) = dataset.roles.features
        counts = value_counts(dataset, column, classes)
        for absent, expected in ((True, [1, 1, 0] * 2), (False, [0] * 6)):
            scale = scale_of(column, counts.values, np.array([2, 2]), 9, missing=absent)
            assert scale.steps == 0
            (codes,), ordinals, missing = ask(dataset, [code_expression(scale, dataset.engine)])
            assert codes.tolist() == expected == of_scale(scale, ordinals, missing)


@pytest.mark.parametrize(("merges", "columns"), [(False, 7), (True, 2)])
def test_many_codes_of_many_columns(con, merges, columns):
    names = [f'x "{k}' for k in range(columns)]
    cells = ", ".join(f'(hash(i * 8 + {k}) % 1020)::INTEGER AS "x ""{k}"' for k in range(columns))
    con.execute(f"CREATE TABLE t AS SELECT i, {cells} FROM range(1500) r(i)")
    engine, lows = DuckDBEngine(con), np.arange(0, 1020)
    highs = lows + (lows == 1019) if merges else lows
    scales = [Scale(Column(name, ColumnType("INTEGER")), lows, highs) for name in names]
    assert [scale.merges for scale in scales] == [merges] * columns
    packing = pack([scale.size for scale in scales])
    numbers, codes = (
        list(engine.run("codes", exp.select(*columns).from_("t").order_by("i")).values())
        for columns in (
            [exp.alias_(e, f"c{k}") for k, e in enumerate(expressions)]
            for expressions in (
                packing.expressions(scales, engine),
                [code_expression(scale, engine) for scale in scales],
            )
        )
    )
    assert len(numbers) == (1 if merges else 2)  # more than one BIGINT holds
    expected = con.execute("SELECT * EXCLUDE i FROM t ORDER BY i").fetchall()
    assert packing.unpack(numbers).tolist() == np.column_stack(codes).tolist()
    assert np.column_stack(codes).tolist() == [list(row) for row in expected]
    assert {column.dtype for column in codes} == {np.dtype(np.uint16)}


def test_what_is_looked_up_is_an_expression_like_others(con, opened):
    # of columns whose names are those of the list
    con.execute("""CREATE TABLE t AS SELECT i % 100 AS "codes", i % 90 AS "codes value",
                   i % 70 AS "codes code", i % 2 AS y FROM range(300) r(i)""")
    with opened("t", features=["codes", "codes value", "codes code"]) as (dataset, _):
        columns = dataset.roles.features
        sizes = [100, 90, 70]
        scales = [Scale(c, np.arange(k), np.arange(k)) for c, k in zip(columns, sizes, strict=True)]
        codes = [exp.alias_(code_expression(s, dataset.engine), f"c{k}")
                 for k, s in enumerate(scales)]  # fmt: skip
        rows = dataset.engine.run(
            "codes", exp.select("*", *codes).from_(dataset.relation), {}
        )  # fmt: skip
        for column, place in zip(columns, range(3), strict=True):
            assert rows[f"c{place}"].tolist() == rows[column.name].tolist()


def test_a_search_is_as_deep_as_the_logarithm():
    scale = Scale(Column("x", ColumnType("DOUBLE")), np.arange(1024.0), np.arange(1024.0) + 0.5)
    tree = scale_code.search(scale, "duckdb")

    def depth(node):
        return (isinstance(node, exp.Case)) + max(map(depth, node.iter_expressions()), default=0)

    assert depth(tree) == 10
    assert len(list(tree.find_all(exp.Case))) == 1023

    assert tree.sql("duckdb").startswith('CASE WHEN "x" IS NULL OR')
