"""A fit of a Bayesian rule list, watched: where its CPU time went."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any
from unittest import mock

import duckdb
from bayesian_tables import Table

import dbrules
from dbrules.errors import DbrulesWarning
from dbrules.learners import brl_search, pattern_learner
from dbrules.learners.brl_search import BrlSearch
from dbrules.learners.frl_bayes_search import FallingSearch
from dbrules.learners.learner import Learner
from dbrules.search.bayes.annealing_walk import AnnealingWalk

#: What is timed, under which name: a function where its caller finds it. A walk is within a search.
STAGES: tuple[tuple[str, object, str], ...] = (
    ("mining", pattern_learner, "pool_antecedents"),
    ("search", BrlSearch, "run"),
    ("search", FallingSearch, "anneal"),
    ("walk", brl_search, "walk"),
    ("walk", AnnealingWalk, "run"),
    ("draws", FallingSearch, "draw"),
)


@dataclass(frozen=True)
class Watched:
    """A model; seconds of the fit by the clock (``wall``), of CPU time, of CPU time by stage.

    ``stages``: mining, search, the walk within it, and draws. What is left of a search improves
    what was found.
    """

    model: dbrules.Model
    wall: float
    cpu: float
    stages: dict[str, float]

    @property
    def statements(self) -> float:
        """Seconds by the clock that the statements of the fit took."""
        return sum(entry.ms for entry in self.model.journal) / 1000

    def line(self) -> str:
        """Return where the time went."""
        taken = self.stages
        search, walk, draws = taken["search"], taken["walk"], taken.get("draws", 0.0)
        rest = self.cpu - taken["mining"] - search - draws
        return (
            f"CPU {self.cpu:.2f} s: mining {taken['mining']:.2f}, walk {walk:.2f}, improving "
            f"{search - walk:.2f}, draws {draws:.2f}, all else {rest:.2f}; wall {self.wall:.2f} s, "
            f"{self.statements:.2f} s of it statements"
        )


def watched(data: object, learner: Learner, **fit: Any) -> Watched:
    """Fit and watch; what a fit warns of is no concern here."""
    with _timed() as stages, warnings.catch_warnings():
        warnings.simplefilter("ignore", DbrulesWarning)
        started, cpu = time.perf_counter(), time.process_time()
        model = learner.fit(data, **fit)
        wall, cpu = time.perf_counter() - started, time.process_time() - cpu
    return Watched(model, wall, cpu, stages)


def fit(
    connection: duckdb.DuckDBPyConnection, table: Table, data: str,
    learner: Learner, weight: str | None = None,
) -> Watched:  # fmt: skip
    """Fit a form of a table, and watch."""
    return watched(
        data, learner, target=table.target, positive=table.positive, connection=connection,
        weight=weight,
    )  # fmt: skip


def auroc(
    connection: duckdb.DuckDBPyConnection, table: Table, fold: int,
    learner: Learner,
) -> float:  # fmt: skip
    """Return the AUROC on a fold of what was learned from the others."""
    model = fit(connection, table, table.train(fold), learner).model
    found = model.evaluate(table.test(fold), connection=connection).auroc
    assert found is not None
    return found


@contextmanager
def _timed() -> Iterator[dict[str, float]]:
    stages: dict[str, float] = {}
    with ExitStack() as patches:
        for stage, owner, name in STAGES:
            timer = _timer(stage, getattr(owner, name), stages)
            patches.enter_context(mock.patch.object(owner, name, timer))
        yield stages


def _timer(
    stage: str, work: Callable[..., Any], stages: dict[str, float]
) -> Callable[..., Any]:  # fmt: skip
    def timed(*given: Any, **named: Any) -> Any:
        started = time.process_time()
        try:
            return work(*given, **named)
        finally:
            stages[stage] = stages.get(stage, 0.0) + time.process_time() - started

    return timed
