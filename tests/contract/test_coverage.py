"""Both doors say of what prefixes leave what plain Python counts, on tables of hostile cells."""

from __future__ import annotations

import itertools
import random
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hostile_tables import WEIGHTS, fill, random_coding, random_table

from dbrules.data.roles import assign_roles
from dbrules.data.source import source
from dbrules.engine.connect import connect
from dbrules.search.remaining import remaining_after
from dbrules.statistics.classes import class_counts
from dbrules.statistics.dataset import open_dataset
from dbrules.statistics.door import open_statistics

PRICES = [(3, 2), (7, 1)]


class Judge:
    """Rows as tuples of which antecedents hold, with a label and a weight in units."""

    def __init__(self, rows, codings, members, antecedents, unit, weighted):
        self.rows = []
        for label, *cells in rows:
            weight = Fraction(Decimal(repr(cells[-1]))) if weighted and isinstance(
                cells[-1], float) else Fraction(cells[-1] if weighted else 1)  # fmt: skip
            codes = [c.code(cell) for c, cell in zip(codings, cells, strict=False)]
            holds = tuple(
                all(members[f][literal][codes[f]] for f, literal in antecedent)
                for antecedent in antecedents
            )
            if label is not None and weight:
                self.rows.append((holds, label, weight / unit))
        self.antecedents = len(antecedents)

    def left(self, prefix):
        return [i for i, (holds, _, _) in enumerate(self.rows) if not any(holds[a] for a in prefix)]

    def weigh(self, left, positive, chosen=lambda holds: True):
        counts = [0, 0]
        for i in left:
            holds, label, weight = self.rows[i]
            if chosen(holds):
                counts[label != positive] += weight
        return counts

    def counts(self, left, positive):
        return [
            self.weigh(left, positive, lambda holds, a=antecedent: holds[a])
            for antecedent in range(self.antecedents)
        ]

    def inseparable(self, left, positive, weight, unit):
        cost = 0
        for kind in {self.rows[i][0] for i in left}:
            alike = [i for i in left if self.rows[i][0] == kind]
            positives, negatives = self.weigh(alike, positive)
            cost += min(weight * positives, unit * negatives)
        return cost


def random_antecedents(rng, members):
    """Conjunctions of literals of different features; duplicates and ones that never hold."""
    antecedents = []
    for _ in range(rng.choice([0, 1, 5, 20, 70])):
        features = sorted(rng.sample(range(len(members)), rng.randint(0, min(3, len(members)))))
        antecedents.append(tuple((f, rng.randrange(len(members[f]))) for f in features))
    return antecedents


def random_prefixes(rng, antecedents):
    """Prefixes, some with the rules of others in another order, some with a rule twice."""
    prefixes = [()]
    for _ in range(9 if antecedents else 0):
        prefix = [rng.randrange(antecedents) for _ in range(rng.randint(1, 4))]
        prefixes += [tuple(prefix), tuple(rng.sample(prefix, len(prefix)))]
    return prefixes


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("weight", WEIGHTS)
def test_both_doors_say_what_prefixes_leave(con, leftovers, seed, weight):
    rng = random.Random(f"coverage {seed} {weight}")
    columns, rows = random_table(rng, weight)
    features = [name for name, _ in columns[1:] if name != "weight"]
    fill(con, columns, rows)
    before = leftovers(con)
    origin = source("t")
    found = {}
    with connect(origin, con) as engine:
        roles = assign_roles(engine.columns(origin), columns[0][0], features=features,
                             weight=weight and "weight")  # fmt: skip
        codings = [random_coding(rng, column) for column in roles.features]
        members = [np.array([[rng.random() < 0.5 for _ in range(coding.size)] for _ in range(3)])
                   for coding in codings]  # fmt: skip
        antecedents = random_antecedents(rng, members)
        prefixes = random_prefixes(rng, len(antecedents))
        with open_dataset(engine, origin, roles) as dataset:
            dataset, classes = class_counts(dataset, None, None)
            labels = classes.target.classes
            positive = rng.randrange(len(labels))
            for where, threads in itertools.product(("memory", "database"), (1, 2)):
                con.execute(f"SET threads = {threads}")
                with open_statistics(dataset, codings, classes, where) as statistics:
                    coverage = statistics.coverage(members, antecedents, positive)
                    unit = statistics.patterns.unit
                    found[where, threads] = [
                        (left.totals, left.counts.tolist(), left.counts.shape, left.counts.dtype,
                         [left.inseparable(*prices) for prices in PRICES], left.key)
                        for left in (remaining_after(coverage.everything, p) for p in prefixes)
                    ]  # fmt: skip
                assert leftovers(con) == before
    judge = Judge(rows, codings, members, antecedents, unit, weight is not None)
    lefts = [judge.left(prefix) for prefix in prefixes]
    for left, *answers in zip(lefts, *found.values(), strict=True):
        for totals, counts, shape, dtype, inseparable, _ in answers:
            assert list(totals) == judge.weigh(left, labels[positive])
            assert counts == judge.counts(left, labels[positive])
            assert (shape, dtype) == ((len(antecedents), 2), np.int64)
            assert inseparable == [
                judge.inseparable(left, labels[positive], *prices) for prices in PRICES
            ]
    for (one, *mine), (other, *others) in itertools.combinations(
        zip(lefts, *found.values(), strict=True), 2
    ):
        for (*_, key), (*_, other_key) in zip(mine, others, strict=True):
            assert (key == other_key) == (one == other)
