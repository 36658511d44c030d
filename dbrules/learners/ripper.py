"""RIPPER (Cohen 1995): short rule lists, pruned on held-out rows and by description length."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dbrules.learners.checks import check_count, check_number
from dbrules.learners.covering_learner import CoveringLearner
from dbrules.learners.covering_models import Found
from dbrules.learners.learner import Learned
from dbrules.learners.scales import Scaled
from dbrules.search.budget import Budget
from dbrules.search.covering.classes import ascending
from dbrules.search.covering.draw import draws
from dbrules.search.ripper.grow import Growth
from dbrules.search.ripper.ranking import ranking_rules
from dbrules.search.ripper.ripper import Ripper as RipperSearch
from dbrules.statistics.classes import ClassCounts
from dbrules.statistics.dataset import Dataset

#: A rule must cover so much weight of its class, where no min_support is given.
_MIN_WEIGHT = 2.0


@dataclass(frozen=True)
class Ripper(CoveringLearner):
    """Rules for the rare classes first, each grown on a part of the rows and pruned on the rest.

    ``passes`` (k) of optimisation, in which every rule may be replaced or revised.
    ``prune_fraction``: the share of the rows that rules are pruned on.

    Cohen (1995), Fast effective rule induction, ICML.

    >>> rows = "SELECT i % 10 AS size, i % 3 = 0 AS ill, i % 10 < 4 AS y FROM range(60) AS r(i)"
    >>> [str(rule.conditions[0].value) for rule in Ripper().fit(rows, target="y").rules.rules]
    ['3']
    """

    name: ClassVar[str] = "ripper"

    passes: int = 2
    prune_fraction: float = 1 / 3
    ranking_rules: int = 3

    def __post_init__(self) -> None:
        super().__post_init__()
        check_count("passes", self.passes, least=0)
        check_number("prune_fraction", self.prune_fraction, above=0, most=0.5)

    def _learn(self, dataset: Dataset, classes: ClassCounts) -> Learned:
        budget = self._budget()
        with self._scaled(dataset, classes) as scaled:
            found = self._list(scaled, budget) if self.ordered else self._set(scaled, budget)
        return self._counted(dataset, classes, scaled, found, budget)

    def _list(self, scaled: Scaled, budget: Budget) -> list[Found]:
        rows, found = scaled.rows, list[Found]()
        totals = rows.totals.tolist()
        order = ascending(totals)
        search = self._search(scaled, budget, found)
        for place, label in enumerate(order[:-1]):
            rest = sum(totals[other] for other in order[place:])
            rules = search.rules(rows.against(label), totals[label] / rest)
            found += [Found(rule, label) for rule in rules]
            rows = rows.without(rules)
        rest = rows.against(order[-1])
        possible = sum(f.size - 1 + f.steps for f in scaled.rows.features)
        rules = ranking_rules(rest, search.growth, possible, self.ranking_rules)
        return found + [Found(rule, order[-1]) for rule in rules]

    def _set(self, scaled: Scaled, budget: Budget) -> list[Found]:
        raise NotImplementedError

    def _search(self, scaled: Scaled, budget: Budget, found: list[Found]) -> RipperSearch:
        growth = Growth(scaled.rows.features, scaled.unit, _MIN_WEIGHT, self.max_conditions, budget)
        return RipperSearch(
            growth, draws(self.seed, self.prune_fraction), self.passes, self.max_rules
        )
