from __future__ import annotations

import datetime as dt
from collections import Counter
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbrules.data.binning import Bins
from dbrules.data.code_column import code_column
from dbrules.data.literals import interval_conditions, missing_condition
from dbrules.data.ordinal import to_value
from dbrules.data.thresholds import Thresholds
from dbrules.errors import ColumnTypeError
from dbrules.language.column import Column, ColumnType
from dbrules.search.support import MinSupport

ORDINALS = {
    "INTEGER": st.integers(-30, 30),
    "HUGEINT": st.integers(2**100, 2**100 + 60),
    "DECIMAL(6,2)": st.integers(-3000, 3000),
    "DOUBLE": st.floats(-9, 9) | st.sampled_from([-np.inf, np.inf, 1e300]),
    "REAL": st.floats(-9, 9, width=32),
    "DATE": st.integers(0, 400),
    "TIMESTAMP": st.integers(0, 10**12),
}
LEVELS = {
    "VARCHAR": st.text(max_size=2),
    "BOOLEAN": st.booleans(),
}
HOW = [
    Thresholds(), Thresholds(quantiles=3, leaves=3, intervals=3, closed="right"),
    Thresholds(quantiles=0, leaves=0), "width:5", "quantile:3:right", "mdlp", "tree:4",
]  # fmt: skip


@st.composite
def columns(draw, name):
    """Return distinct cells in order, their counts and those of missing cells."""
    cells = draw(st.lists((ORDINALS | LEVELS)[name], unique_by=repr, max_size=25))
    cells = sorted({cell + 0.0 if isinstance(cell, float) else cell for cell in cells})
    dtype = {"HUGEINT": object, "DOUBLE": float, "REAL": float, "VARCHAR": object, "BOOLEAN": bool}
    values = np.array(cells, dtype=dtype.get(name, np.int64))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    share = np.repeat(random.random(25), random.integers(1, 9, 25))[: len(values)]
    rows = random.poisson(draw(st.sampled_from([1, 5, 60])), len(values))
    positives = random.binomial(rows, share)
    counts = np.column_stack([rows - positives, positives]).astype(np.int64)
    return values, counts, random.integers(0, 2, 2) * random.poisson(9, 2)


SUPPORTS = st.sampled_from(
    [MinSupport(0), MinSupport(0.1), MinSupport(positive=0.1, negative=0.1), MinSupport(0.6)]
)


def python_values(values, column_type):
    return [to_value(v, column_type) if column_type.is_ordered else v for v in values.tolist()]


def captured(condition, cells):
    return [condition.covers({condition.feature: cell}) is True for cell in cells]


@pytest.mark.parametrize("name", [*ORDINALS, *LEVELS])
def test_a_coding_says_of_every_value_what_its_literals_say(name):
    column = Column("x", ColumnType(name))

    @given(columns(name), st.sampled_from(HOW), SUPPORTS, st.booleans(), st.data())
    def check(drawn, how, support, missing_level, data):
        values, counts, missing = drawn
        how = how if isinstance(how, Thresholds) else Bins.parse(how)
        totals = counts.sum(axis=0) + missing
        coding = code_column(column, values, counts, missing, partial(support.met, totals=totals),
                             how, missing_level=missing_level)  # fmt: skip
        seen = [*python_values(values, column.type), None]
        new = data.draw(st.lists((ORDINALS | LEVELS)[name], max_size=5))
        for value in [*seen, *python_values(np.array(new, dtype=object), column.type)]:
            held = [i for i, cell in enumerate(coding.cells) if cell.covers({"x": value})]
            assert held in ([], [coding.code(value)])
            assert [literal.covers({"x": value}) is True for literal in coding.literals] == list(
                coding.members[:, coding.code(value)]
            )
        table = np.vstack([counts, missing])
        codes = [coding.code(value) for value in seen]
        by_code = np.stack([np.bincount(codes, column, coding.size) for column in table.T], axis=1)
        assert by_code.sum(axis=0).tolist() == totals.tolist()
        parts = [tuple(captured(literal, seen)) for literal in coding.literals]
        for part, members in zip(parts, coding.members, strict=True):
            count = table[np.array(part)].sum(axis=0)
            assert support.met(count, totals)
            assert count.any()
            assert count.tolist() != totals.tolist()
            assert by_code[members].sum(axis=0).tolist() == count.tolist()
        present = table.any(axis=1)
        alike = Counter(tuple(np.array(part)[present]) for part in parts)
        assert all(times == 1 for times in alike.values())
        assert coding.members[:, :-1].any(axis=0).all()  # no code without a literal but the last

    check()


@given(columns("INTEGER"), SUPPORTS, st.sampled_from(["left", "right"]))
def test_thresholds_come_in_value_order(column, support, closed):
    values, counts, missing = column
    totals = counts.sum(axis=0) + missing
    meets = partial(support.met, totals=totals)
    coding = code_column(
        Column("x", ColumnType("INTEGER")),
        values,
        counts,
        missing,
        meets,
        Thresholds(closed=closed),
    )
    below, above, between = ("<", ">=", ">=,<") if closed == "left" else ("<=", ">", ">,<=")
    single = [literal for literal in coding.literals if literal.op in (below, above)]
    intervals = [literal for literal in coding.literals if literal.op == between]
    rest = [literal for literal in coding.literals if literal.op not in (below, above, between)]
    assert list(coding.literals) == [*single, *intervals, *rest]
    assert single == sorted(single, key=lambda c: (c.value, c.op != below))
    assert intervals == sorted(intervals, key=lambda c: c.value)
    assert len(single) <= 2 * len({literal.value for literal in single})
    ops = [c.op for c in rest]
    assert ops in ([], ["is null"], ["is not null"], ["is not null", "is null"])
    assert not (single and "is not null" in ops)


def everything(counts):
    return np.ones(len(counts), dtype=bool)


def test_bins_are_the_literals_where_bins_are_given():
    column, values, counts = (
        Column("age", ColumnType("BIGINT")),
        np.arange(10),
        np.ones((10, 2), int),
    )
    for setting in ("width:5", "quantile:4:right", [3, 7]):
        bins = Bins.parse(setting)
        coding = code_column(column, values, counts, np.array([1, 0]), everything, bins)
        cuts = [c.values[-1] for c in coding.literals[:-2]]
        assert coding.literals == coding.cells == (
            *interval_conditions("age", cuts, bins.closed), missing_condition("age"))  # fmt: skip
    one_empty = code_column(
        column, values, counts, np.array([0, 0]), everything, Bins.parse([3, 7, 99])
    )
    assert [c.value for c in one_empty.literals] == [3, (3, 7), (7, 99)]
    assert one_empty.code(100) == one_empty.size - 1


def test_levels_in_hundreds_need_few_codes():
    column = Column("town", ColumnType("VARCHAR"))
    names = np.array(sorted(f"town {i}" for i in range(500)), dtype=object)
    counts = np.tile(np.array([[1, 0]]), (500, 1))
    counts[[3, 200, 499]] = [[60, 3], [0, 70], [50, 50]]
    missing = np.array([0, 9])
    meets = partial(MinSupport(0.05).met, totals=counts.sum(axis=0) + missing)
    coding = code_column(column, names, counts, missing, meets, Thresholds())
    assert [c.value for c in coding.literals] == names[[3, 200, 499]].tolist()
    assert coding.size == 4
    assert coding.code(None) == coding.code("town 0") == 3


def test_booleans_are_levels():
    column = Column("member", ColumnType("BOOLEAN"))
    coding = code_column(column, np.array([False, True]), np.array([[5, 1], [2, 3]]),
                         np.array([1, 0]), everything, Thresholds())  # fmt: skip
    assert [(c.op, c.value) for c in coding.literals] == [
        ("=", False), ("=", True), ("is null", None)]  # fmt: skip
    assert [coding.code(value) for value in (False, True, None)] == [0, 1, 2]


@pytest.mark.parametrize(
    ("missing_level", "support", "literals"),
    [
        (True, MinSupport(0.1), ["is not null", "is null"]),
        (True, MinSupport(0.5), ["is not null"]),
        (False, MinSupport(0.1), ["is not null"]),
    ],
)
def test_missing_is_a_literal_where_there_is_enough_of_it(missing_level, support, literals):
    column, totals = Column("x", ColumnType("DOUBLE")), np.array([20, 20])
    coding = code_column(column, np.array([1.5]), np.array([[15, 15]]), np.array([5, 5]),
                         partial(support.met, totals=totals), Thresholds(),
                         missing_level=missing_level)  # fmt: skip
    assert [c.op for c in coding.literals] == literals
    assert (
        coding.code(1.5) != coding.code(float("nan")) == coding.size - 1 - ("is null" in literals)
    )


@pytest.mark.parametrize("how", [Thresholds(), Bins(), Bins("width")])
@pytest.mark.parametrize("name", ["DOUBLE", "VARCHAR"])
def test_one_value_tells_nothing_apart(name, how):
    for values, counts in (([], np.zeros((0, 2))), (["1"], [[4, 4]])):
        cells = np.array(values, dtype=float if name == "DOUBLE" else object)
        coding = code_column(Column("x", ColumnType(name)), cells, np.array(counts, dtype=np.int64),
                             np.array([0, 0]), everything, how)  # fmt: skip
        assert coding.literals == coding.cells == ()
        assert coding.code("1") == 0


def test_codes_are_no_more_than_literals_need():
    # a tenth of the rows below 10, of which a fifth have to be captured
    values = np.arange(100)
    counts = np.column_stack([values >= 10, values < 10]).astype(np.int64)
    meets = partial(MinSupport(0.2).met, totals=np.array([90, 10]))
    coding = code_column(Column("x", ColumnType("INTEGER")), values, counts, np.array([0, 0]),
                         meets, Thresholds(quantiles=0, leaves=0))  # fmt: skip
    assert [(c.op, c.value) for c in coding.literals] == [(">=", 10)]
    assert coding.size == 2
    disjoint = code_column(Column("x", ColumnType("INTEGER")), values, counts, np.array([0, 0]),
                           meets, Bins("cuts", cuts=(5, 10, 60)))  # fmt: skip
    assert [c.value for c in disjoint.cells] == [(10, 60), 60]
    assert disjoint.code(3) == disjoint.code(7) == 2


def test_weights_count_as_weights_and_not_as_units():
    # MDLP asks more of few rows: the same shares in units of a hundredth are still few rows
    counts = np.array([[4, 1], [1, 4]])
    column = Column("x", ColumnType("DATE"))
    only = Thresholds(quantiles=0, leaves=0)
    values = np.array([19_000, 19_100])
    none = np.array([0, 0])
    assert code_column(column, values, counts, none, everything, only).size == 1
    from_units = code_column(
        column, values, counts * 100, none, everything, only, unit=Fraction(1, 100)
    )
    assert from_units.size == 1
    many = code_column(column, values, counts * 100, none, everything, only)
    assert [c.value for c in many.literals] == [dt.date(2022, 3, 1)] * 2


def test_own_cuts_must_fit_the_column():
    with pytest.raises(ColumnTypeError, match="old"):
        code_column(Column("x", ColumnType("DOUBLE")), np.array([1.0, 2.0]), np.ones((2, 2), int),
                    np.array([0, 0]), everything, Bins.parse(["old"]))  # fmt: skip
