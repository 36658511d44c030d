"""Both doors say of what the rules of a list capture what NumPy counts over the rows."""

from __future__ import annotations

import itertools
import random
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hostile_tables import WEIGHTS, fill

from dbrules.data.coding import level_coding
from dbrules.data.roles import assign_roles
from dbrules.data.source import source
from dbrules.engine.connect import connect
from dbrules.search.captures import captured_by
from dbrules.statistics.classes import class_counts
from dbrules.statistics.dataset import open_dataset
from dbrules.statistics.door import open_statistics


def random_rows(rng, features, labels, weight):
    """Rows of a label, levels and a weight: rare classes, and labels and levels that are NULL."""
    rows = []
    for _ in range(rng.choice([40, 400])):
        label = labels[min(rng.randrange(len(labels)), rng.randrange(len(labels)))]
        cells = [rng.choice(["a", "b", "c", "d", None]) for _ in range(features)]
        cells[0] = label[-1] if rng.random() < 0.3 else cells[0]  # cells without some classes
        rows.append((rng.choice([label] * 9 + [None]), *cells, rng.choice(WEIGHTS[weight])))
    return rows + [(label, *["a"] * features, WEIGHTS[weight][0]) for label in labels]


def random_antecedents(rng, members, number):
    """Conjunctions of literals of different features; some never hold, one always does."""
    antecedents = [()]
    while len(antecedents) < number:
        features = sorted(rng.sample(range(len(members)), rng.randint(1, len(members))))
        antecedents.append(tuple((f, rng.randrange(len(members[f]))) for f in features))
    return rng.sample(antecedents, number)


def random_lists(rng, antecedents):
    """Lists, some with the rules of others in another order, some with a rule twice."""
    lists = [()]
    for _ in range(6 if antecedents else 0):
        rules = [rng.randrange(antecedents) for _ in range(rng.randint(1, 5))]
        lists += [tuple(rules), tuple(rng.sample(rules, len(rules))), (*rules, rules[0])]
    return lists


class Judge:
    """Rows that count, as arrays: which antecedents hold, the class, and units of weight."""

    def __init__(self, rows, codings, members, antecedents, labels, unit):
        rows = [row for row in rows if row[0] is not None and row[-1]]
        self.classes = len(labels)
        self.label = np.array([labels.index(row[0]) for row in rows])
        units = [Fraction(Decimal(repr(row[-1])) if isinstance(row[-1], float) else row[-1]) / unit
                 for row in rows]  # fmt: skip
        assert all(count.denominator == 1 for count in units)
        self.units = np.array([int(count) for count in units])
        codes = np.array([[c.code(cell) for c, cell in zip(codings, row[1:], strict=False)]
                          for row in rows])  # fmt: skip
        self.holds = np.ones((len(rows), len(antecedents)), dtype=bool)
        for place, antecedent in enumerate(antecedents):
            for feature, literal in antecedent:
                self.holds[:, place] &= members[feature][literal][codes[:, feature]]

    def weigh(self, chosen):
        counts = np.zeros(self.classes, dtype=np.int64)
        np.add.at(counts, self.label[chosen], self.units[chosen])
        return tuple(counts.tolist())

    def cells(self, chosen):
        """Return the counts of the rows that no antecedent tells apart, sorted."""
        kinds = {kind.tobytes(): kind for kind in self.holds[chosen]}
        return sorted(
            self.weigh(chosen & (self.holds == kind).all(axis=1)) for kind in kinds.values()
        )

    def follow(self, rules):
        """Return what each rule captures, and which rows are left before each and at the end."""
        left = [np.ones(len(self.label), dtype=bool)]
        captured = []
        for rule in rules:
            captured.append(self.weigh(left[-1] & self.holds[:, rule]))
            left.append(left[-1] & ~self.holds[:, rule])
        return captured, left


def follow(rows, rules):
    captured, left = [], [rows]
    for rule in rules:
        counts, rows = rows.capture(rule)
        captured.append(counts)
        left.append(rows)
    return captured, left


@pytest.mark.parametrize("classes", [2, 3, 7, 20])
@pytest.mark.parametrize("weight", WEIGHTS)
def test_both_doors_say_what_rules_capture(con, leftovers, classes, weight):
    rng = random.Random(f"captures {classes} {weight}")
    labels = sorted(f"c'{number}" for number in range(classes))
    names = ["f", "g h", "units_0"]
    rows = random_rows(rng, len(names), labels, weight)
    kinds = ["VARCHAR"] * 4 + [weight or "BIGINT"]
    fill(con, list(zip(["y", *names, "w"], kinds, strict=True)), rows)
    before = leftovers(con)
    origin = source("t")
    number = rng.choice([1, 5, 63, 70, 130])
    with connect(origin, con) as engine:
        roles = assign_roles(engine.columns(origin), "y", features=names, weight=weight and "w")
        codings = [level_coding(column, ["a", "b", "c"]) for column in roles.features]
        members = [np.array([[rng.random() < 0.4 for _ in range(coding.size)] for _ in range(3)]
                            + [[False] * coding.size]) for coding in codings]  # fmt: skip
        antecedents = random_antecedents(rng, members, number)
        lists = random_lists(rng, number)
        with open_dataset(engine, origin, roles) as dataset:
            dataset, counted = class_counts(dataset, None, None)
            found = {}
            for where, threads in itertools.product(("memory", "database"), (1, 2)):
                con.execute(f"SET threads = {threads}")
                with open_statistics(dataset, codings, counted, where) as statistics:
                    everything = statistics.captures(members, antecedents)
                    unit, totals = statistics.patterns.unit, tuple(statistics.totals.tolist())
                    found[where, threads] = [follow(everything, rules) for rules in lists]
                    for rules in lists:
                        assert tuple(map(sum, zip(*captured_by(everything, rules), strict=True))
                                     ) == totals  # fmt: skip
                assert leftovers(con) == before
    judge = Judge(rows, codings, members, antecedents, labels, unit)
    expected = [judge.follow(rules) for rules in lists]
    for (where, _), answers in found.items():
        rows_of_key, key_of_rows = {}, {}
        for (captured, lefts), (mine, mine_left) in zip(expected, answers, strict=True):
            assert mine == captured
            for left, rows_left in zip(lefts, mine_left, strict=True):
                assert rows_left.counts == judge.weigh(left)
                assert all(type(count) is int for count in rows_left.counts)
                assert rows_of_key.setdefault(rows_left.key, left.tobytes()) == left.tobytes()
                assert key_of_rows.setdefault(left.tobytes(), rows_left.key) == rows_left.key
            if where == "memory":
                assert sorted(map(tuple, rows_left.cells.tolist())) == judge.cells(left)
            else:
                assert rows_left.cells is None


@pytest.mark.parametrize("where", ["memory", "database"])
@pytest.mark.parametrize("names", [[], ["f"]])
def test_without_antecedents_all_rows_are_left(con, where, names):
    con.execute("CREATE TABLE t AS SELECT 'a' AS f, i % 3 AS y FROM range(10) t(i)")
    origin = source("t")
    with connect(origin, con) as engine:
        roles = assign_roles(engine.columns(origin), "y", features=names)
        codings = [level_coding(column, ["a"]) for column in roles.features]
        with open_dataset(engine, origin, roles) as dataset:
            dataset, classes = class_counts(dataset, None, None)
            with open_statistics(dataset, codings, classes, where) as statistics:
                rows = statistics.captures([coding.members for coding in codings], [])
                assert rows.counts == (4, 3, 3)
                assert list(captured_by(rows, [])) == [(4, 3, 3)]
                assert hash(rows.key) == hash(
                    statistics.captures([coding.members for coding in codings], []).key
                )
