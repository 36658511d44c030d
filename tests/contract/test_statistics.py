"""Both doors to counts answer what plain Python counts, on random tables of hostile cells."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from decimal import Decimal
from fractions import Fraction

import pytest
from hostile_tables import WEIGHTS, fill, random_coding, random_table

from dbrules.data.coding import Coding
from dbrules.data.roles import assign_roles
from dbrules.data.source import source
from dbrules.engine.connect import connect
from dbrules.statistics.classes import class_counts
from dbrules.statistics.database import database_statistics
from dbrules.statistics.dataset import open_dataset
from dbrules.statistics.memory import MemoryStatistics
from dbrules.statistics.patterns import read_patterns


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
