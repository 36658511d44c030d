"""How a falling list is searched: which search, how far, and from where."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from dbrules.search.budget import Budget
from dbrules.search.falling_search import FoundList, search_exact, search_monte_carlo
from dbrules.search.monte_carlo import MonteCarlo
from dbrules.search.objectives import FallingObjective
from dbrules.search.prefixes import Prefixes
from dbrules.search.statistics import Coverage

#: T of the paper, for Algorithm FRL and its soft form.
_RESTARTS: Final = 3000
_SOFT_RESTARTS: Final = 6000
#: Lists grown at random before an exact search, at most.
_FIRST_RESTARTS: Final = 300
#: Nodes of an exact search without a limit: at least, at most, and of how much work in all.
_LEAST_NODES: Final = 300
_MOST_NODES: Final = 3000
_WORK: Final = 20_000_000_000
#: What the hard list that a soft one starts from may take of the seconds.
_HARD_SHARE: Final = 0.75


@dataclass(frozen=True)
class SearchSettings:
    """The settings of a search, as :class:`dbrules.FallingRuleList` has them."""

    exact: bool
    restarts: int | None
    curiosity: float
    termination_probability: float
    max_rules: int | None
    seed: int

    def run(
        self, coverage: Coverage, objective: FallingObjective, budget: Budget, antecedents: int,
        cells: int,
    ) -> FoundList:  # fmt: skip
        """Search lists of ``antecedents`` over ``cells`` patterns.

        Without a limit, an exact search looks at fewer nodes the more there is to count at each.
        It grows few random lists, whatever ``restarts``: at most a sixth of its nodes.
        A soft list is searched from the best hard one on, and is never worse.
        """
        table = coverage.table
        soft = objective.soft_penalty is not None
        prefixes = Prefixes(coverage.everything, objective, self.max_rules)
        if not self.exact:
            grown = self._monte_carlo(self.restarts or (_SOFT_RESTARTS if soft else _RESTARTS))
            return search_monte_carlo(prefixes, grown, budget, self.seed)
        if budget.max_nodes is None and budget.max_seconds is None:
            nodes = _WORK // max(1, antecedents * max(cells, 1000))
            budget.max_nodes = max(_LEAST_NODES, min(_MOST_NODES, nodes))
        # random lists are but a start: most of the nodes are for the proof
        most = (budget.max_nodes or _MOST_NODES) // 6
        few = self._monte_carlo(min(self.restarts or _FIRST_RESTARTS, most))
        if not soft:
            return search_exact(prefixes, few, budget, self.seed, table=table)
        hard = Prefixes(coverage.everything, replace(objective, soft_penalty=None), self.max_rules)
        # as many nodes as a hard list would get, so that the soft one is never worse
        part = budget.part(budget.max_nodes, _HARD_SHARE)
        start = search_exact(hard, few, part, self.seed, table=table)
        return search_exact(prefixes, few, budget, self.seed, start=start.antecedents)

    def _monte_carlo(self, restarts: int) -> MonteCarlo:
        return MonteCarlo(restarts, self.curiosity, self.termination_probability)
