"""A fit of a falling rule list, watched: what its search was given and how long that took."""

from __future__ import annotations

import time
import warnings
from dataclasses import dataclass
from typing import Any
from unittest import mock

import dbrules
from dbrules.errors import DbrulesWarning
from dbrules.learners.falling_settings import SearchSettings
from dbrules.search.falling_search import FoundList
from dbrules.search.objectives import FallingObjective
from dbrules.statistics.coverage import Coverage


@dataclass(frozen=True)
class Watched:
    """A model, what was searched and found, and seconds: of the fit, by the clock and of CPU time.

    ``search``: CPU time of the search alone. It has one thread, and CPU time is what other work
    on the machine changes least.
    """

    model: dbrules.Model
    fit: float
    cpu: float
    search: float
    coverage: Coverage
    objective: FallingObjective
    found: FoundList

    @property
    def statements(self) -> float:
        """Seconds that the statements of the fit took."""
        return sum(entry.ms for entry in self.model.journal) / 1000

    @property
    def errors(self) -> int:
        """The weighted errors of the list, n R(d)."""
        training = self.model.training
        cost = self.objective.rule_cost * len(self.model.rules.rules)
        assert training.objective is not None
        return round((training.objective - float(cost)) * self.objective.rows)


def watched(data: object, learner: dbrules.FallingRuleList, **fit: Any) -> Watched:
    """Fit and watch; that no rule is worth its cost is a result here, and no warning."""
    seen: list[Any] = []
    run = SearchSettings.run

    def watch(self: SearchSettings, coverage: Any, objective: Any, *rest: Any) -> Any:
        started = time.process_time()
        found = run(self, coverage, objective, *rest)
        seen.extend((time.process_time() - started, coverage, objective, found))
        return found

    with mock.patch.object(SearchSettings, "run", watch), warnings.catch_warnings():
        warnings.simplefilter("ignore", DbrulesWarning)
        started, cpu = time.perf_counter(), time.process_time()
        model = learner.fit(data, **fit)
        seconds, cpu = time.perf_counter() - started, time.process_time() - cpu
    return Watched(model, seconds, cpu, *seen)


def paper(path: str, weight: float, rule_cost: float, **settings: Any) -> Watched:
    """Fit the bank table of the paper: the default support gives its 262 antecedents."""
    learner = dbrules.FallingRuleList(positive_weight=weight, rule_cost=rule_cost, **settings)
    return watched(path, learner, target="y", positive="yes")
