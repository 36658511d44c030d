"""Codings and counts that fit: all rows in memory or in the engine, fewer cuts, a sample."""

from __future__ import annotations

from contextlib import contextmanager

import pytest

from dbrules.data.binning.spec import Bins
from dbrules.data.roles import assign_roles
from dbrules.data.source import source
from dbrules.data.thresholds import Thresholds
from dbrules.engine.connect import connect
from dbrules.errors import InvalidData
from dbrules.learners import coded
from dbrules.learners.coded import coded_statistics
from dbrules.search.support import MinSupport
from dbrules.statistics.classes import class_counts
from dbrules.statistics.database import DatabaseStatistics
from dbrules.statistics.dataset import open_dataset
from dbrules.statistics.memory import MemoryStatistics

FEATURES = ["age", "plan", "calls", "region"]


@contextmanager
def opened(
    con, where="auto", *, features=FEATURES, max_patterns=10**6, seed=0, how=None, data=None
):
    """Yield what a search works on, and the numbers of quantiles that were tried."""
    tried = []

    def thresholds(quantiles):
        tried.append(quantiles)
        return lambda column: Thresholds(quantiles=quantiles)

    origin = source(data or "customers")
    with connect(origin, con) as engine:
        roles = assign_roles(engine.columns(origin), "left_us", features=features)
        with open_dataset(engine, origin, roles) as dataset:
            dataset, classes = class_counts(dataset, None, None)
            with coded_statistics(
                dataset, classes, MinSupport(0.05), how or thresholds, missing_level=True,
                where=where, max_patterns=max_patterns, seed=seed,
            ) as found:  # fmt: skip
                yield found, tried


def test_memory_and_database_are_coded_alike(customers):
    with opened(customers, "memory") as (memory, tried), opened(customers, "database") as (kept, _):
        assert isinstance(memory.statistics, MemoryStatistics)
        assert isinstance(kept.statistics, DatabaseStatistics)
        assert memory.features == kept.features
        assert memory.cells == kept.cells == len(memory.statistics.patterns.counts)
        assert memory.statistics.sizes == kept.statistics.sizes
        assert memory.statistics.totals.tolist() == kept.statistics.totals.tolist() == [655, 354]
        assert (memory.step, memory.notes, kept.notes) == (None, (), ())
        assert set(tried) == {10}


def test_cuts_by_class_alone_come_before_a_sample(customers):
    with opened(customers, "memory") as (every, _):
        cells = every.cells
    with opened(customers, max_patterns=cells) as (found, tried):
        assert (found.cells, found.notes, set(tried)) == (cells, (), {10})
    with opened(customers, max_patterns=cells - 1) as (found, tried):
        assert isinstance(found.statistics, MemoryStatistics)
        assert found.cells < cells
        assert found.step is None
        assert set(tried) == {10, 0}
        assert found.notes == (
            f"no quantile cuts: with them there were more than max_patterns {cells - 1} patterns",
        )
        assert found.statistics.totals.sum() == 1009
    # what memory or database are asked for, they give, however many there are
    for where in ("memory", "database"):
        with opened(customers, where, max_patterns=1) as (found, _):
            assert (found.cells, found.step) == (cells, None)


def test_a_sample_is_of_all_cuts(customers):
    with opened(customers, "memory") as (every, _):
        features = every.features
    with opened(customers, max_patterns=10) as (found, tried):
        assert set(tried) == {10, 0}
        assert found.features == features
        assert found.step > 1
        assert found.cells == len(found.statistics.patterns.counts) <= 10
        assert found.notes == ()
        # each unit taken stands for as many rows as the step
        assert abs(int(found.statistics.totals.sum()) - 1009) <= 2 * found.step
    # bins that do not depend on quantiles are not tried twice in vain
    with opened(customers, max_patterns=10, how=lambda _: lambda column: Bins("cuts", cuts=(30,)),
                features=["age", "plan", "region"]) as (found, _):  # fmt: skip
        assert found.step > 1


def test_so_many_literals_that_pairs_are_too_many(customers, monkeypatch):
    monkeypatch.setattr(coded, "_LITERALS", 30)
    for where in ("memory", "database", "auto"):
        with opened(customers, where) as (found, tried):
            assert set(tried) == {10, 0}
            assert found.notes == (
                "no quantile cuts: with them there were more than 30 conditions on single columns",
            )
            assert found.step is None
    # without quantiles there are no fewer ways: all of them are counted
    monkeypatch.setattr(coded, "_LITERALS", 3)
    with opened(customers) as (found, tried):
        assert set(tried) == {10, 0}
        assert sum(len(coding.literals) for coding in found.features.codings) > 3


@pytest.mark.parametrize("where", ["auto", "memory", "database"])
def test_features_without_a_value_or_without_a_use(customers, where, leftovers):
    before = leftovers(customers)
    data = "SELECT NULL::DOUBLE AS a, NULL::VARCHAR AS b, 1 AS c, left_us FROM customers"
    with (
        pytest.raises(InvalidData, match=r"^a: all values missing, not used; no feature is left"),
        opened(customers, where, features=["a", "b"], data=data),
    ):
        pass
    with opened(customers, where, features=["a", "b", "c"], data=data) as (found, _):
        assert found.features.codings == ()
        assert found.features.notes == ("c: one bin only, nothing to tell apart",)
        assert [text[:2] for text in found.features.warnings] == ["a:", "b:"]
        assert found.statistics.totals.tolist() == [655, 354]
        assert found.cells == 1
    assert leftovers(customers) == before
