"""One walk of simulated annealing, from the list of no rules."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from dbrules.search.bayes.best_list import BestList
from dbrules.search.bayes.falling_moves import MOVES, propose
from dbrules.search.bayes.falling_posterior import FallingTarget, PeakPosterior
from dbrules.search.budget import Budget


class AnnealingWalk:
    """A chain over lists; equal states of ``rng`` give equal chains.

    A proposal d' of :func:`~dbrules.search.bayes.falling_moves.propose` is accepted with
    probability min(1, exp(-(E(d') - E(d)) / T)). As an add is one of B - L times as many as the
    remove that undoes it, the chain at constant T visits a list of L of B antecedents in
    proportion to exp(-E / T) (B-L)! / B!, not to exp(-E / T).

    ``trace``: -E after each step. ``proposed``, ``accepted``: possible proposals, by move.
    """

    def __init__(
        self, target: FallingTarget, posterior: PeakPosterior, best: BestList, rng: random.Random
    ) -> None:
        self._target = target
        self._posterior = posterior
        self._best = best
        self._rng = rng
        self._list = target.count(())
        self.log_posterior = target.log_peak(())
        self.trace: list[float] = []
        self.proposed = dict.fromkeys(MOVES, 0)
        self.accepted = dict.fromkeys(MOVES, 0)

    @property
    def antecedents(self) -> tuple[int, ...]:
        """The list that the walk stands on."""
        return self._list.antecedents

    def run(self, temperatures: Sequence[float], budget: Budget) -> None:
        """Take a step at each temperature, until the budget ends."""
        for temperature in temperatures:
            if not budget.spend():
                return
            self._step(temperature)
            self.trace.append(self.log_posterior)
            budget.tell(self._line)

    def _step(self, temperature: float) -> None:
        proposal = propose(self._rng, self.antecedents, self._target.lists.number)
        if proposal is None:
            return
        self.proposed[proposal.move] += 1
        # drawn first: it says what the proposal must reach, and bounds may show that it cannot
        draw = self._rng.random()
        floor = self.log_posterior + temperature * math.log(draw) if draw else -math.inf
        weighed = self._posterior.weigh(self._list, proposal.antecedents, floor)
        if weighed is None:
            return
        self.accepted[proposal.move] += 1
        self.log_posterior, counted = weighed
        if counted is None:
            counted = self._target.recount(self._list, proposal.antecedents)
        self._list = counted
        self._best.offer(counted.antecedents, self.log_posterior)

    def _line(self) -> str:
        best = self._best
        return (
            f"annealing: {len(self.trace)} steps, best log posterior {best.log_posterior:.6g}"
            f" of {len(best.antecedents)} rules"
        )
