"""Searches of instances that have little, much, or numbers that are hard to calculate with."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from brute_force import Instance
from larger_instances import larger_instance
from searchable import ROUNDING, best, exact, lists

SOFT = [pytest.param(False, id="hard"), pytest.param(True, id="soft")]
TABLE = [pytest.param(True, id="with table"), pytest.param(False, id="without")]


def awkward(**changes):
    """Two antecedents that overlap, and a cell that neither holds of, with changes."""
    plain = Instance(
        ((True, True, False, False), (False, True, True, False)),
        (4, 5, 3, 2), (1, 2, 2, 20), Fraction(2), Fraction(1, 1000), max_rules=None,
    )  # fmt: skip
    return replace(plain, **changes)


AWKWARD = {
    "no antecedent": {"coverage": ()},
    "one cell": {"coverage": ((True,), (False,)), "positives": (3,), "negatives": (4,)},
    "one row": {"coverage": ((True,),), "positives": (1,), "negatives": (0,)},
    "an antecedent that holds everywhere": {
        "coverage": ((True,) * 4, (True, False, False, False), (True,) * 4)
    },
    "an antecedent that holds nowhere": {"coverage": ((False,) * 4, (True, False, False, False))},
    "equal antecedents": {"coverage": ((True, False, False, False),) * 5},
    "zero positives": {"positives": (0, 0, 0, 0)},
    "zero negatives": {"negatives": (0, 0, 0, 0)},
    "empty cells": {"positives": (4, 0, 0, 2), "negatives": (0, 0, 0, 9)},
    "w = 1/3": {"weight": Fraction(1, 3)},
    "w = 5/2": {"weight": Fraction(5, 2)},
    "a w of many digits": {"weight": Fraction("2.718281828459045")},
    "a w below all": {"weight": Fraction(1, 10**9)},
    "a w above all": {"weight": Fraction(10**9)},
    "free rules": {"rule_cost": Fraction(0)},
    "rules that cost more than all errors": {"rule_cost": Fraction(40)},
}


@pytest.mark.parametrize("table", TABLE)
@pytest.mark.parametrize("penalty", [None, Fraction(0), Fraction(1, 10), Fraction(10**6)], ids=str)
@pytest.mark.parametrize("changes", AWKWARD.values(), ids=AWKWARD.keys())
def test_awkward_instances(changes, penalty, table):
    instance = awkward(**changes, penalty=penalty)
    found = exact(instance, table=table)
    assert found.proved
    assert lists(instance)[found.antecedents].objective == best(instance)


@pytest.mark.parametrize("soft", SOFT)
@pytest.mark.parametrize("weight", ["1/3", "5/2", "2.718281828459"])
def test_huge_counts_find_what_small_ones_find(soft, weight):
    for seed in range(10):
        small = replace(larger_instance(seed, 6, 40, soft=soft), weight=Fraction(weight))
        unit = 10**12
        large = replace(
            small,
            positives=tuple(count * unit for count in small.positives),
            negatives=tuple(count * unit for count in small.negatives),
        )
        for table in (True, False):
            found = exact(large, table=table)
            assert found.proved
            assert found.objective == pytest.approx(exact(small).objective, abs=ROUNDING)
