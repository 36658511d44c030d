"""How Bayesian rule lists are searched: chains, then improvement of the best, then a bound."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dbrules.search.bayes.brl_annealing import anneal
from dbrules.search.bayes.brl_exact import BestList, BrlExact
from dbrules.search.bayes.brl_point import brl_point
from dbrules.search.bayes.brl_polish import Polish
from dbrules.search.bayes.brl_posterior import BrlPosterior
from dbrules.search.bayes.brl_walks import Walked, walk
from dbrules.search.budget import INTERRUPTED, Budget
from dbrules.search.captures import AntecedentList, Rows, without_idle

#: Antecedents counted by an exact search without a limit, and its prefixes at most.
_WORK: Final = 1_000_000
_MOST_NODES: Final = 3000
#: Lists weighed to improve the best of the chains: by annealing, and then one by one.
_ANNEALED: Final = 40_000
_TRIED: Final = 20_000
#: Chains whose best list is improved as well, the best of them first.
_POLISHED: Final = 4
#: How often the best list loses a few rules and is improved anew, where there is time for it.
_SHAKES: Final = 10
#: What chains may take of the seconds of an exact search.
_WALK_SHARE: Final = 0.5


@dataclass(frozen=True)
class Found:
    """What the chains saw, the list that answers, what bounds it, and what cut the search.

    Each rule of the list captures a row: one that does not says nothing.
    """

    walked: Walked
    antecedents: AntecedentList
    bounded: BestList | None
    limit: str | None


@dataclass(frozen=True)
class BrlSearch:
    """The settings of a search, as :class:`dbrules.BayesianRuleList` has them."""

    point: str
    exact: bool
    chains: int
    iterations: int
    temperature: float
    seed: int
    max_nodes: int | None

    def run(self, posterior: BrlPosterior, rows: Rows, budget: Budget) -> Found:
        """Search lists over ``rows``; the user, and the budget, can end each stage."""
        part = budget.part(None, _WALK_SHARE) if self.exact else budget
        walked = walk(
            posterior, rows, chains=self.chains, iterations=self.iterations,
            temperature=self.temperature, seed=self.seed, budget=part,
        )  # fmt: skip
        if walked.limit == INTERRUPTED or (walked.limit is not None and not self.exact):
            return Found(walked, without_idle(rows, walked.best), None, walked.limit)
        if self.point == "brl_point":
            point = brl_point(posterior, rows, walked.visits)
            return Found(walked, without_idle(rows, point), None, None)
        # improving the best takes no longer than finding it
        steps = self.chains * self.iterations
        tries = budget.part(None)
        annealed = anneal(posterior, rows, walked.best, min(steps, _ANNEALED), self.seed, tries)
        if tries.limit is None:
            tries.max_nodes = tries.nodes + min(steps, _TRIED)
        polish = Polish(posterior, rows, walked.best, tries)
        polish.run([annealed, *walked.bests[:_POLISHED]], _SHAKES, self.seed)
        best = polish.best
        if tries.limit == INTERRUPTED or not self.exact:
            return Found(walked, best, None, tries.limit if tries.limit == INTERRUPTED else None)
        nodes = self.max_nodes
        if nodes is None and budget.max_seconds is None:
            nodes = min(_MOST_NODES, _WORK // max(1, len(posterior.lengths)))
        rest = budget.part(None)
        rest.max_nodes = nodes
        found = BrlExact(posterior, rows).run(best, rest)
        return Found(walked, found.antecedents, found, found.limit)
