"""Both doors to counts answer what plain Python counts, on random tables of hostile cells."""

from __future__ import annotations

import datetime as dt
import itertools
import math
import random
from collections import Counter
from decimal import Decimal
from fractions import Fraction

import pytest

from dbrules.data.coding import Coding, interval_coding, level_coding
from dbrules.data.roles import assign_roles
from dbrules.data.source import source
from dbrules.engine.connect import connect
from dbrules.statistics.classes import class_counts
from dbrules.statistics.database import database_statistics
from dbrules.statistics.dataset import open_dataset
from dbrules.statistics.memory import MemoryStatistics
from dbrules.statistics.patterns import read_patterns

NAMES = ["a b", 'a"b', "code_0", "units", "x'); DROP TABLE t; --", "select", "place", "é", "cell"]
NAN, INF = math.nan, math.inf
CELLS = {
    "DOUBLE": [0.1, 0.1 + 0.2, 0.3, -0.0, 0.0, 5e-324, INF, -INF, NAN, None],
    "FLOAT": [float.fromhex("0x1.99999ap-4"), 0.25, INF, NAN, None],
    "BIGINT": [0, 1, 2**60, 2**60 + 1, -(2**63), None],
    "DECIMAL(9,2)": [Decimal("1.50"), Decimal("-0.01"), None],
    "DATE": [dt.date(2024, 2, 29), dt.date(1, 1, 1), None],
    "VARCHAR": ["O'Brien", "C:\\new", "", " a", "a", "A", "NULL", "😀", "x\ny", None],
    "BOOLEAN": [True, False, None],
}
LABELS = ["no", "it's", None, "yes"]
WEIGHTS = {
    None: [1],
    "BIGINT": [1, 2, 0],
    "DECIMAL(9,3)": [Decimal("0.125"), Decimal("2.500"), Decimal("0")],
    "DOUBLE": [0.25, 3.0, 0.0, 1e-12],
}


def random_table(rng, weight):
    """Return columns as (name, type), the first the target, the last the weight; and rows."""
    names = rng.sample(NAMES, rng.randint(2, 6))
    kinds = ["VARCHAR", *(rng.choice(sorted(CELLS)) for _ in names[1:])]
    pools = [LABELS, *(rng.sample(CELLS[kind], min(5, len(CELLS[kind]))) for kind in kinds[1:])]
    if weight is not None:
        names, kinds = [*names, "weight"], [*kinds, weight]
        pools.append(WEIGHTS[weight])
    rows = [tuple(rng.choice(pool) for pool in pools) for _ in range(rng.choice([3, 40, 400]))]
    rows += [("yes", *row[1:-1], WEIGHTS[weight][0]) if weight else ("yes", *row[1:])
             for row in rows[:2]]  # fmt: skip
    return list(zip(names, kinds, strict=True)), rows


def random_coding(rng, column) -> Coding:
    values = [value for value in CELLS[column.type.name] if value is not None and value == value]
    chosen = rng.sample(values, rng.randint(0, min(3, len(values))))
    missing = rng.random() < 0.5
    if column.type.is_ordered:
        cuts = sorted({value for value in chosen if value not in (INF, -INF)})
        return interval_coding(column, cuts, rng.choice(["left", "right"]), missing=missing)
    return level_coding(column, chosen, missing=missing)


def fill(con, columns, rows):
    declared = ", ".join('"' + n.replace('"', '""') + f'" {kind}' for n, kind in columns)
    con.execute(f"CREATE OR REPLACE TABLE t ({declared})")
    con.executemany(f"INSERT INTO t VALUES ({', '.join('?' * len(columns))})", rows)


def plain_counts(rows, codings, labels, weighted):
    """Return the weight of each coded row and class, as fractions."""
    counts = Counter()
    for row in rows:
        weight = Fraction(row[-1]) if weighted else Fraction(1)
        if weighted and isinstance(row[-1], float):
            weight = Fraction(Decimal(repr(row[-1])))
        if row[0] is not None and weight:
            cells = row[1 : 1 + len(codings)]
            codes = tuple(c.code(cell) for c, cell in zip(codings, cells, strict=True))
            counts[codes, labels.index(row[0])] += weight
    return counts


def histogram(counts, group):
    summed = Counter()
    for (codes, label), weight in counts.items():
        summed[tuple(codes[feature] for feature in group), label] += weight
    return summed


def entries(array, unit):
    """Return the counts above 0 of an answer, as weights by (codes, class)."""
    places = zip(*(axis.tolist() for axis in array.nonzero()), strict=True)
    return {(place[:-1], place[-1]): int(array[place]) * unit for place in places}


@pytest.mark.parametrize("seed", range(15))
@pytest.mark.parametrize("weight", WEIGHTS)
def test_both_doors_answer_what_python_counts(con, seed, weight):
    rng = random.Random(f"{seed} {weight}")
    columns, rows = random_table(rng, weight)
    target, features = columns[0][0], [name for name, _ in columns[1:] if name != "weight"]
    answers = []
    codings: list[Coding] = []
    for threads in (1, 2):
        con.execute(f"SET threads = {threads}")
        fill(con, columns, rows)
        origin = source(rng.choice(["t", "SELECT * FROM t"]))
        with connect(origin, con) as engine:
            roles = assign_roles(
                engine.columns(origin), target, features=features, weight=weight and "weight"
            )
            codings = codings or [random_coding(rng, column) for column in roles.features]
            with open_dataset(engine, origin, roles) as dataset:
                dataset, classes = class_counts(dataset, None, None)
                patterns = read_patterns(dataset, codings, classes)
                groups = [
                    g for k in range(4) for g in itertools.permutations(range(len(codings)), k)
                ]
                groups = groups[::5] + groups[-1:]
                memory = MemoryStatistics(patterns, [coding.size for coding in codings])
                with database_statistics(dataset, codings, classes) as database:
                    assert database.patterns.unit == patterns.unit
                    answers += [[d.totals, *d.histograms(groups)] for d in (memory, database)]
        rng.shuffle(rows)
    for other in answers[1:]:
        assert [a.tobytes() for a in other] == [a.tobytes() for a in answers[0]]
        assert [a.shape for a in other] == [a.shape for a in answers[0]]
    counts = plain_counts(rows, codings, list(classes.target.classes), weight is not None)
    totals, *histograms = answers[0]
    assert entries(totals, patterns.unit) == histogram(counts, ())
    for group, array in zip(groups, histograms, strict=True):
        assert entries(array, patterns.unit) == histogram(counts, group)
    assert patterns.codes.tolist() == sorted(map(list, {codes for codes, _ in counts}))
    finer = {weight / (10 * patterns.unit) for weight in counts.values()}
    assert patterns.unit == 1 or any(multiple.denominator > 1 for multiple in finer)
