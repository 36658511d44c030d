"""The lists that Chen & Rudin (2018) print are counted and scored as they print them."""

from __future__ import annotations

from fractions import Fraction

import pytest
from brute_force import list_objective, rises
from published import published_lists

import dbrules
from dbrules.language.column import ColumnType
from dbrules.language.rule import Target
from dbrules.search.objectives import FallingObjective

TARGET = Target("y", ColumnType("VARCHAR"), ("no", "yes"), positive="yes")
LISTS = [pytest.param(one, id=f"table-{one.table}") for one in published_lists()]
PRICED = [p for p in LISTS if p.values[0].objective is not None]


def exact(value):
    """The decimal that is written, not the double nearest to it."""
    return None if value is None else Fraction(str(value))


def test_all_seventeen_are_here():
    assert len(LISTS) == 17
    assert len(PRICED) == 15


@pytest.mark.parametrize("binned", [False, True], ids=["raw", "binned"])
@pytest.mark.parametrize("published", LISTS)
def test_counts(published, binned, shared_data, con):
    file = "bank_full_frl12" if binned else "bank_full"
    rules = dbrules.parse_rule_list(published.text(binned), target=TARGET)
    model = dbrules.Model(rules).recount(str(shared_data / f"{file}.parquet"), connection=con)
    counted = [tuple(reversed(outcome.counts)) for outcome in model.rules.outcomes]
    assert counted == list(published.counts)
    assert model.training.rows == 45211


@pytest.mark.parametrize("published", LISTS)
def test_hard_lists_fall(published):
    assert sum(published.positives) == 5289
    assert sum(published.negatives) == 39922
    assert any(rises(published.counts)) <= (published.soft_penalty is not None)


@pytest.mark.parametrize("published", PRICED)
def test_objective(published):
    costs = exact(published.rule_cost), exact(published.soft_penalty)
    by_definition = list_objective(published.counts, published.weight, *costs)
    assert float(by_definition) == pytest.approx(published.objective, rel=0, abs=1e-12)
    positives, negatives = sum(published.positives), sum(published.negatives)
    objective = FallingObjective(published.weight, *costs, positives, negatives)
    assert objective.loss(published.counts) == by_definition
    assert objective.permits(published.counts)
