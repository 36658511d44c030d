"""Rows of sequential covering: memory and engine give the same counts, and both those of codes."""

from __future__ import annotations

import random
from contextlib import ExitStack, contextmanager
from fractions import Fraction

import numpy as np
import pytest
from subset_walks import a_literal, an_antecedent, walk

from dbrules.data.binning import Bins
from dbrules.data.coding import level_coding
from dbrules.data.scale import scale_of
from dbrules.errors import InvalidData
from dbrules.learners.scales import scaled_rows
from dbrules.search.covering.draw import PRIME, Draw, draws
from dbrules.search.covering.literal import Feature, Literal
from dbrules.statistics.coded_patterns import read_coded_patterns
from dbrules.statistics.coded_rows import coded
from dbrules.statistics.counts import value_counts
from dbrules.statistics.engine_rows import engine_rows
from dbrules.statistics.memory_rows import MemoryRows

FEATURES = ["n", "x", "d", "s"]


@pytest.fixture
def table(con):
    con.execute("""
        CREATE TABLE t AS
        SELECT i, nullif(hash(i) % 90, 7) AS n,
          CASE WHEN i % 11 = 0 THEN 'NaN'::DOUBLE WHEN i % 13 = 0 THEN 'inf'::DOUBLE
            WHEN i % 17 > 0 THEN hash(i + 1) % 5000 / 7 END AS x,
          DATE '2024-02-28' + (hash(i + 2) % 5)::INTEGER AS d,
          nullif('s' || hash(i + 3) % 5, 's4') AS s,
          CASE WHEN i % 31 > 0 THEN 'y' || (hash(i + 4) % 3 // 2) END AS two,
          'y' || hash(i + 5) % 4 AS four, 'z' || hash(i + 6) % 30 AS many,
          hash(i + 7) % 4 AS w, hash(i + 7) % 7 / 20 AS tenth,
          -- these total so much that they are rounded to units
          1e5 * (hash(i + 8) % 1000) + (hash(i + 9) % 999999999999) / 1e12 AS long
        FROM range(900) r(i)
    """)
    return con


@contextmanager
def both(opened, data, target, features=FEATURES, weight=None, cuts=30):
    """Open the same rows in memory and in the engine."""
    with ExitStack() as opening:
        dataset, classes = opening.enter_context(
            opened(data, target, features=features, weight=weight)
        )

        def bins(column):
            return Bins("quantile", k=3) if column.name == "d" else None

        rows = [
            opening.enter_context(
                scaled_rows(
                    dataset, classes, bins, missing_level=True, max_cuts=cuts, where=where,
                    max_patterns=10**6, seed=0,
                )
            )
            for where in ("memory", "database")
        ]  # fmt: skip
        assert rows[0].unit == rows[1].unit
        assert rows[0].rows.features == rows[1].rows.features
        yield rows[0].rows, rows[1].rows


@pytest.mark.parametrize(
    ("target", "weight", "cuts"),
    [("two", None, 30), ("four", "tenth", 10), ("four", "w", 100), ("many", None, 5),
     ("two", "long", 20)],
)  # fmt: skip
def test_memory_and_engine_give_the_same_counts(table, opened, leftovers, target, weight, cuts):
    before = leftovers(table)
    rng = random.Random(f"{target} {weight}")
    with both(opened, "t", target, weight=weight, cuts=cuts) as (memory, engine):
        for _ in range(2):
            assert engine.totals.tolist() == memory.totals.tolist()
            rules = [an_antecedent(rng, memory.features) or (Literal(3, 0, 1),) for _ in range(4)]
            for ask in ("captures", "covers"):
                for asked in (rules, [*rules, ()], []):
                    mine, theirs = getattr(memory, ask)(asked), getattr(engine, ask)(asked)
                    assert theirs.tolist() == mine.tolist()
                    assert theirs.shape == mine.shape == (len(asked), len(memory.totals))
                    assert theirs.dtype == mine.dtype == np.int64
            positive = rng.randrange(len(memory.totals))
            walk(memory.against(positive), engine.against(positive), rng, 3)
            memory, engine = memory.without(rules[:2]), engine.without(rules[:2])
        everything = memory.without([()]), engine.without([()])
        assert not everything[0].totals.any()
        walk(everything[0].against(0), everything[1].against(0), rng, 1)
    assert leftovers(table) == before


def test_both_count_what_the_codes_say(table, opened):
    features = ["n", "x", "s"]
    rng = random.Random(3)
    with opened("t", "four", features=features, weight="w") as (dataset, classes):
        n, x, s = dataset.roles.features
        codings = [
            scale_of(n, *weighed(dataset, n, classes), 50, missing=True),
            scale_of(x, *weighed(dataset, x, classes), 9),
            level_coding(s, ["s0", "s2"], missing=True),
        ]
        patterns = read_coded_patterns(dataset, codings, classes)
        sizes = [coding.size for coding in codings]
        steps = [codings[0].steps, codings[1].steps, 0]
        shapes = [Feature(*both) for both in zip(sizes, steps, strict=True)]
        codes, counts = patterns.codes.astype(int), patterns.counts
        memory = MemoryRows(coded(patterns, shapes), counts)
        with engine_rows(dataset, codings, classes) as engine:
            for positive, rows in ((p, r) for p in range(4) for r in (memory, engine)):
                left = np.ones(len(codes), dtype=bool)
                subset = rows.against(positive)
                for _ in range(6):
                    units = np.stack([counts[:, positive],
                                      counts.sum(axis=1) - counts[:, positive]]) * left  # fmt: skip
                    expected = [
                        [sum(units[side, codes[:, f] == code]) for f, size in enumerate(sizes)
                         for code in range(size)]
                        for side in (0, 1)
                    ]  # fmt: skip
                    assert subset.histogram.tolist() == expected
                    rule = an_antecedent(rng, shapes) or (Literal(0, 0, 3),)
                    inside = left.copy()
                    path = []
                    for f, first, end in rule:
                        inside &= (codes[:, f] >= first) & (codes[:, f] < end)
                        path.append((units @ inside).tolist())
                    assert [list(count) for count in subset.path(rule)] == path
                    assert [list(count) for count in subset.captures([rule])] == path[-1:]
                    numbers = np.repeat(np.arange(len(codes)), units[0])
                    if len(numbers):
                        unit = rng.randrange(len(numbers))
                        assert subset.row(unit) == tuple(codes[numbers[unit]].tolist())
                    subset = subset.without(rule)
                    left &= ~inside


def weighed(dataset, column, classes):
    found = value_counts(dataset, column, classes)
    return found.values, np.rint(found.weights.sum(axis=1)).astype(np.int64)


def test_histograms_by_difference_are_those_counted_anew(table, opened):
    rng = random.Random(8)

    def forget(subset):
        return type(subset)(subset._codes, subset.parts)

    with both(opened, "t", "two") as (memory, _):
        start = memory.against(1)
        start.histogram  # noqa: B018 - of which differences are made
        for draw in (draws(k, 1 / 3).next() for k in range(20)):
            literal, rule = a_literal(rng, start.features), an_antecedent(rng, start.features)
            with start.split(draw) as (left, drawn):
                for subset in (start.meeting(literal), start.without(rule or (literal,)), left,
                               drawn, left.without((literal,)), left.meeting(literal)):  # fmt: skip
                    assert subset.histogram.tolist() == forget(subset).histogram.tolist()


def test_a_question_is_one_statement_however_long(table, opened):
    with opened("t", "four", features=FEATURES) as (dataset, classes):
        n, x, d, s = dataset.roles.features
        codings = [scale_of(c, *weighed(dataset, c, classes), 50) for c in (n, x, d)]
        with engine_rows(dataset, [*codings, level_coding(s, ["s1"])], classes) as rows:
            subset = rows.against(2)
            rng = random.Random(1)
            for _ in range(50):
                subset = subset.meeting(Literal(1, 0, 49)).without(
                    (Literal(0, 3, 5), Literal(2, 0, 2))
                )
            rules = [an_antecedent(rng, rows.features) for _ in range(300)]
            for ask in (lambda: subset.histogram, lambda: subset.path(rules[0] + rules[1] * 40),
                        lambda: subset.captures(rules), lambda: rows.captures(rules),
                        lambda: rows.covers(rules[:200]), lambda: rows.against(1).count,
                        lambda: rows.without(rules).totals):  # fmt: skip
                before = len(dataset.engine.journal)
                ask()
                assert len(dataset.engine.journal) == before + 1


def test_rules_beyond_what_one_case_takes_are_counted_by_several(table, opened, monkeypatch):
    rng = random.Random(5)
    with both(opened, "t", "four") as (memory, engine):
        rules = [an_antecedent(rng, memory.features) or (Literal(0, 4, 5),) for _ in range(12)]
        for module in ("engine_rows", "engine_subset"):
            monkeypatch.setattr(f"dbrules.statistics.{module}.branches_of", lambda _: 5)
        assert engine.captures(rules).tolist() == memory.captures(rules).tolist()
        assert engine.against(1).captures(rules) == memory.against(1).captures(rules)


def test_the_rows_are_read_once_and_small_integers_are_kept(table, opened, leftovers):
    before = leftovers(table)
    with opened("t", "two", features=["n", "s"], weight="tenth") as (dataset, classes):
        n, s = dataset.roles.features
        codings = [scale_of(n, *weighed(dataset, n, classes), 50), level_coding(s, ["s1"])]
        start = len(dataset.engine.journal)

        def fail():
            with engine_rows(dataset, codings, classes) as rows:
                with rows.against(0).split(draws(0, 0.3).next()) as (left, drawn):
                    assert left.count.total + drawn.count.total == int(rows.totals.sum())
                    assert len(leftovers(table)) == len(before) + 2
                assert len(leftovers(table)) == len(before) + 1
                (name,) = {name for (name,) in leftovers(table)} - {name for (name,) in before}
                kept = table.execute(f'SELECT typeof(COLUMNS(*)) FROM "{name}" LIMIT 1')
                kinds.extend(kept.fetchall())
                raise ZeroDivisionError

        kinds = []
        with pytest.raises(ZeroDivisionError):
            fail()
        asked = list(dataset.engine.journal)[start:]
    assert sum('FROM "t"' in entry.sql for entry in asked) == 1
    assert kinds[0][:2] == ("UTINYINT", "UTINYINT")
    assert leftovers(table) == before


@pytest.mark.parametrize("weight", [None, "w"])
def test_a_table_that_changes_is_noticed(table, opened, leftovers, weight):
    before = leftovers(table)
    with opened("t", "two", features=["n"], weight=weight) as (dataset, classes):
        (n,) = dataset.roles.features
        scale = scale_of(n, *weighed(dataset, n, classes), 50)
        table.execute("INSERT INTO t SELECT * FROM t LIMIT 50")
        with pytest.raises(InvalidData, match="changed"), engine_rows(dataset, [scale], classes):
            pass
    assert leftovers(table) == before


def test_without_features_there_are_counts(table, opened):
    with opened("t", "two", features=[]) as (dataset, classes):
        patterns = read_coded_patterns(dataset, [], classes)
        memory = MemoryRows(coded(patterns, []), patterns.counts)
        with engine_rows(dataset, [], classes) as engine:
            assert engine.totals.tolist() == memory.totals.tolist()
            draw = draws(0, 0.5).next()
            mine, theirs = memory.against(0), engine.against(0)
            with mine.split(draw) as parts, theirs.split(draw) as others:
                assert [part.count for part in parts] == [part.count for part in others]
            assert mine.histogram.shape == theirs.histogram.shape == (2, 0)


def test_patterns_of_more_codes_than_one_number_holds_are_in_the_same_order(con, opened):
    names = [f"n{k}" for k in range(9)]
    columns = ", ".join(f"hash(i // 2 + {k}) % 997 AS n{k}" for k in range(8))
    con.execute(
        f"CREATE TABLE t AS SELECT {columns}, i % 5 AS n8, hash(i) % 2 AS y FROM range(500) r(i)"
    )
    with both(opened, "t", "y", features=names, cuts=1000) as (memory, engine):
        assert sum(np.log2(feature.size) for feature in memory.features) > 62
        mine, theirs = memory.against(1), engine.against(1)
        for unit in range(0, mine.count.positive, 40):
            assert theirs.row(unit) == mine.row(unit)
        draw = draws(0, 0.4).next()
        with mine.split(draw) as parts, theirs.split(draw) as others:
            for a, b in zip(parts, others, strict=True):
                assert a.histogram.tolist() == b.histogram.tolist()


# -- the draw ------------------------------------------------------------------------------


def below(draw, units, positive):
    """Return the same by whole numbers of any size."""
    up, down = draw.share.numerator, draw.share.denominator
    a, b, c = draw.keys[0 if positive else 1]
    i = units * up // down
    start, end = -(-i * down // up), -(-(i + 1) * down // up)
    x = (a * (i % PRIME) + b) % PRIME
    return i + (start + (x * x + c) % PRIME % (end - start) < units)


SHARES = [Fraction(1, 3), Fraction(2, 3), Fraction(1), Fraction(1, 1000), Fraction(999, 1000),
          Fraction(377, 610)]  # fmt: skip
LARGEST = PRIME - 1


@pytest.mark.parametrize("share", SHARES)
def test_a_draw_is_exact_up_to_the_most_units(share):
    rng = random.Random(0)
    for key in [(LARGEST,) * 3, (1, 1, 1), tuple(rng.randrange(1, PRIME) for _ in range(3))]:
        draw = Draw(share, (key, key[::-1]))
        units = [*range(50), *(rng.randrange(2**52) for _ in range(300)), *(2**52 - k for k in
                 range(50)), 2**52 + 2**30]  # fmt: skip
        for positive in (True, False):
            found = draw.below(np.array(units, dtype=np.int64), positive=positive)
            assert found.tolist() == [below(draw, u, positive) for u in units]


@pytest.mark.parametrize("share", SHARES)
def test_every_run_of_units_keeps_its_share(share):
    draw = draws(7, float(share)).next()
    assert draw.share == share
    drawn = draw.below(np.arange(20_001), positive=True)
    assert drawn[0] == 0
    assert set(np.diff(drawn).tolist()) <= {0, 1}
    expected = np.arange(20_001) * float(share)
    assert (np.abs(drawn - expected) < 1 + 1e-6).all()
    for length in (1, 7, 100, 5000):  # two ends, each within one unit
        runs = drawn[length:] - drawn[:-length]
        assert (np.abs(runs - length * float(share)) < 2).all()


@pytest.mark.parametrize("n", [2, 3, 10])
def test_a_draw_of_one_in_n_takes_each_unit_as_often(n):
    times = np.zeros(60)
    source = draws(1, 1 / n)
    for _ in range(2000):
        times += np.diff(source.next().below(np.arange(61), positive=False))
    assert times.sum() == 2000 * 60 / n
    assert (np.abs(times / 2000 - 1 / n) < 0.05).all()  # of a standard deviation of 0.01


def test_the_engine_draws_the_same_of_the_most_units(con, opened):
    # few patterns of 2**52 units in all; a hair below, as rows have a weight
    weights = [2**51 - 5, 2**50, 3, 1, 2**49, 2**48 + 1, 7]
    con.execute("CREATE TABLE t (n INTEGER, y VARCHAR, w BIGINT)")
    con.executemany("INSERT INTO t VALUES (?, ?, ?)", [
        (k, "p" if k % 3 else "q", w) for k, w in enumerate(weights)])  # fmt: skip
    with opened("t", features=["n"], weight="w") as (dataset, classes):
        (n,) = dataset.roles.features
        scale = scale_of(n, *weighed(dataset, n, classes), 50)
        patterns = read_coded_patterns(dataset, [scale], classes)
        shape = [Feature(scale.size, scale.steps)]
        memory = MemoryRows(coded(patterns, shape), patterns.counts).against(0)
        with engine_rows(dataset, [scale], classes) as rows:
            for share in SHARES:
                draw = Draw(share, ((LARGEST, LARGEST, LARGEST), (LARGEST, 5, LARGEST)))
                with memory.split(draw) as mine, rows.against(0).split(draw) as theirs:
                    for a, b in zip(mine, theirs, strict=True):
                        assert a.histogram.tolist() == b.histogram.tolist()


def test_units_are_drawn_in_the_order_of_patterns(table, opened):
    with both(opened, "t", "two") as (memory, _):
        counts = memory._counts
        draw = draws(3, 0.4).next()
        with memory.against(0).split(draw) as (left, drawn):
            for side, column in ((0, 0), (1, 1)):
                ends = np.concatenate([[0], np.cumsum(counts[:, column])])
                expected = np.diff(draw.below(ends, positive=side == 0))
                found = np.zeros(len(counts), dtype=np.int64)
                part = drawn.parts[side]
                found[part.patterns] = 1 if part.units is None else part.units
                assert found.tolist() == expected.tolist()
                rest = np.zeros(len(counts), dtype=np.int64)
                part = left.parts[side]
                rest[part.patterns] = 1 if part.units is None else part.units
                assert (found + rest).tolist() == counts[:, column].tolist()
