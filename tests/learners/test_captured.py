"""What a list captures is counted by one statement, as its rules read in Python."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from dataclasses import replace

import pytest

import dbrules
from dbrules.data.roles import assign_roles
from dbrules.data.source import source
from dbrules.engine.connect import connect
from dbrules.errors import InvalidData
from dbrules.falling import Falling
from dbrules.learners.captured import captured
from dbrules.learners.falling_list import default_list, falling_list
from dbrules.statistics.classes import class_counts
from dbrules.statistics.dataset import open_dataset

RULES = """
IF age < 30 AND plan = 'trial' THEN yes
IF calls >= 6 THEN yes
IF calls >= 7 THEN yes
IF region IS NULL THEN yes
IF calls IS NULL AND plan IN ('basic', 'gold') THEN no
ELSE no
"""


@contextmanager
def opened(con, data, target, **roles):
    """Yield a data set and its classes."""
    origin = source(data)
    with connect(origin, con) as engine:
        assigned = assign_roles(engine.columns(origin), target, **roles)
        with open_dataset(engine, origin, assigned) as dataset:
            yield class_counts(dataset, None, None)


def antecedents(text=RULES):
    return [rule.conditions for rule in dbrules.parse_rule_list(text).rules]


def by_python(con, dataset, rules, weight="1"):
    """Return weight and rows by rule and class, each row captured by the rules themselves."""
    names = [column.name for column in dataset.roles.features]
    target = dataset.roles.target.name
    weights, rows = Counter(), Counter()
    fetched = con.execute(f"SELECT {', '.join(names)}, {target}, {weight} FROM customers")
    for *cells, label, w in fetched.fetchall():
        if label is not None and w:
            row = dict(zip(names, cells, strict=True))
            rule = next((i for i, conditions in enumerate(rules)
                         if all(c.covers(row) for c in conditions)), len(rules))  # fmt: skip
            weights[rule, label] += w
            rows[rule, label] += 1
    return weights, rows


# with many classes the engine does not number them
@pytest.mark.parametrize(
    ("target", "weight"), [("left_us", None), ("left_us", "copies"), ("twenty", None)]
)
def test_each_row_is_captured_by_the_first_rule_that_holds(customers, target, weight):
    customers.execute(
        "CREATE OR REPLACE TABLE customers AS "
        "SELECT *, nullif('c' || id % 20, 'c7') AS twenty FROM customers"
    )
    features = ["age", "plan", "calls", "region"]
    with opened(customers, "customers", target, features=features, weight=weight) as (rows, known):
        counts = captured(rows, known, antecedents())
        assert sum(entry.name.startswith("counts/") for entry in rows.engine.journal) == 1
        weights, numbers = by_python(customers, rows, antecedents(), weight or "1")
        classes = known.target.classes
    for place in range(6):
        for label, column in zip(classes, range(len(classes)), strict=True):
            assert counts.weights[place, column] == weights[place, label]
            assert counts.rows[place, column] == numbers[place, label]
    assert counts.rows.sum() == known.rows.sum()
    assert counts.rows[2].sum() == 0  # nobody is left for it


def test_no_rules_leave_all_to_the_default(customers):
    with opened(customers, "customers", "left_us", features=["age"]) as (dataset, classes):
        counts = captured(dataset, classes, [])
        assert counts.rows.tolist() == [classes.rows.tolist()] == counts.weights.tolist()


def test_a_table_that_changed_is_refused(customers):
    with opened(customers, "customers", "left_us", features=["age"]) as (dataset, classes):
        before = replace(classes, rows=classes.rows + 1)
        with pytest.raises(InvalidData, match=r"^the table changed while the rules of the list"):
            captured(dataset, before, antecedents("IF age < 30 THEN yes ELSE no"))


@pytest.mark.parametrize("weight", [None, "copies"])
def test_a_falling_list_of_any_antecedents(customers, weight):
    features = ["age", "plan", "calls", "region"]
    with opened(customers, "customers", "left_us", features=features, weight=weight) as opening:
        learned = falling_list(*opening, antecedents(), Falling(2), 0.01, 0.5)
        hard = falling_list(*opening, antecedents(), Falling(2), 0.01, None)
    counts = [outcome.counts for outcome in learned.rules.outcomes]
    shares = [yes / (no + yes) if no + yes else None for no, yes in counts]
    least, rises = 1.0, 0.0
    for share in filter(lambda share: share is not None, shares):
        rises += max(0.0, share - least)
        least = min(least, share)
    assert rises > 0
    wrong = sum(min(2 * yes, no) for no, yes in counts)
    total = sum(map(sum, counts))
    assert hard.objective == pytest.approx(wrong / total + 0.05)
    assert learned.objective == pytest.approx(hard.objective + 0.5 * rises)
    assert learned.falling == Falling(2)
    learned.falling.refuse_rising(learned.rules)
    assert (learned.rules.outcomes[0].rows is None) == (weight is None)


def test_the_list_of_one_class_is_its_default(con):
    with opened(con, "SELECT 1 AS x, 'k' AS y, 0.25 AS w FROM range(3)", "y", weight="w") as all_:
        learned = default_list(*all_)
    assert learned.rules.rules == ()
    default = learned.rules.default
    assert (default.label, default.probability, default.counts, default.rows) == (
        "k", (1.0,), (0.75,), 3
    )  # fmt: skip
    assert (learned.objective, learned.falling) == (0.0, None)
