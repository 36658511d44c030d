"""How Bayesian falling rule lists are searched: annealing, then draws of risks and lists."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from dbrules.learners.falling_posterior import FallingDrawn
from dbrules.search.bayes.annealing import Annealed, Annealing, anneal
from dbrules.search.bayes.falling_posterior import FallingTarget
from dbrules.search.bayes.falling_sampler import Sampling, sample_falling
from dbrules.search.bayes.falling_ties import first_of_ties
from dbrules.search.budget import INTERRUPTED, Budget
from dbrules.search.captures import AntecedentList, without_idle

#: What annealing may take of the seconds, where draws follow.
_ANNEALING_SHARE: Final = 0.6
#: Draws that warm a chain up, as a share of those kept, and at most.
_BURN_IN: Final = 0.5
_MOST_BURN_IN: Final = 2000
#: Other lists proposed between two draws: lists change more slowly than risks.
_LIST_STEPS: Final = 10
#: Sweeps over the risks of one list, for its credible intervals.
_INTERVAL_SWEEPS: Final = 2000


@dataclass(frozen=True, eq=False)
class Found:
    """What annealing found, the list that is shown, what was drawn, and what cut the search.

    Each rule of the list captures a row: one that does not says nothing.
    """

    annealed: Annealed
    antecedents: AntecedentList
    drawn: FallingDrawn
    limit: str | None


@dataclass(frozen=True)
class FallingSearch:
    """The settings of a search, as :class:`dbrules.BayesianFallingRuleList` has them."""

    iterations: int
    chains: int
    temperature: float | tuple[float, float]
    draws: int
    seed: int

    def run(self, judged: FallingTarget, budget: Budget) -> Found:
        """Search and draw; the user, and the budget, can end each stage."""
        annealed = self.anneal(judged, budget)
        best, limit = self._first(judged, annealed, budget)
        drawn = FallingDrawn(None, None)
        if self.draws and limit != INTERRUPTED:
            drawn = self.draw(judged, best, [chain.last for chain in annealed.chains], budget)
        return Found(annealed, best, drawn, limit or drawn.limit)

    def anneal(self, judged: FallingTarget, budget: Budget) -> Annealed:
        """Return the list of highest density with its risks."""
        part = budget.part(None, _ANNEALING_SHARE if self.draws else 1.0)
        settings = Annealing(self.iterations, self.temperature, self.chains)
        return anneal(judged, settings, self.seed, part)

    def draw(
        self, judged: FallingTarget, best: AntecedentList, starts: Sequence[AntecedentList],
        budget: Budget,
    ) -> FallingDrawn:  # fmt: skip
        """Draw the risks of the list that is shown, and lists from where annealing ended."""
        fixed = Sampling(_INTERVAL_SWEEPS, burn_in=200, list_fixed=True)
        risks = sample_falling(judged, fixed, self.seed, best, budget=budget)
        if risks.limit == INTERRUPTED:
            return FallingDrawn(None, risks)
        burn_in = min(math.ceil(_BURN_IN * self.draws), _MOST_BURN_IN)
        settings = Sampling(self.draws, burn_in, self.chains, mh_steps=_LIST_STEPS)
        samples = sample_falling(judged, settings, self.seed, best, budget=budget, starts=starts)
        return FallingDrawn(samples, risks)

    def _first(
        self, judged: FallingTarget, annealed: Annealed, budget: Budget
    ) -> tuple[AntecedentList, str | None]:
        """Return the list that annealing found, ties by the order of features, and what cut it."""
        best = without_idle(judged.rows, annealed.antecedents)
        if annealed.limit is not None:
            return best, annealed.limit
        ties = budget.part(self.iterations)
        return first_of_ties(judged, best, ties), INTERRUPTED if ties.limit == INTERRUPTED else None
