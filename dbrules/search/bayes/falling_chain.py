"""One chain of the falling list's sampler."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from dbrules.search.bayes.falling_counts import CountedList
from dbrules.search.bayes.falling_draws import FallingDraws
from dbrules.search.bayes.falling_gibbs import FallingGibbs
from dbrules.search.bayes.falling_inner import peak
from dbrules.search.bayes.falling_levels import step_levels
from dbrules.search.bayes.falling_likelihood import log_likelihood
from dbrules.search.bayes.falling_moves import MOVES, propose
from dbrules.search.bayes.falling_posterior import FallingTarget
from dbrules.search.budget import Budget

#: Lists whose counts are remembered.
_KEPT: Final = 2000
#: Log odds that no chain begins beyond: K = 0 can be a peak.
_FAR: Final = 30.0


class SweepSteps(NamedTuple):
    """How many Metropolis steps a sweep takes: of γ and K, and of the list."""

    of_odds: int
    of_list: int


class FallingChain:
    """A chain of draws of (L, c, γ, K).

    ``trace``: the log posterior density of each draw that was kept; ``lengths``: L of each.
    """

    def __init__(
        self,
        target: FallingTarget,
        start: tuple[int, ...],
        moves: random.Random,
        rng: np.random.Generator,
    ) -> None:
        self._target = target
        self._moves = moves
        self._list = target.count(start)
        self._list_prior = target.lists.log(start)
        self._known: dict[tuple[int, ...], CountedList] = {}
        self._state = FallingGibbs(target.prior, rng)
        self.stand(_start(target, start))
        self._fit = 0.0
        self.trace: list[float] = []
        self.lengths: list[int] = []
        self.proposed = dict.fromkeys(MOVES, 0)
        self.accepted = dict.fromkeys(MOVES, 0)

    def stand(self, odds: Sequence[float]) -> None:
        """Go on from these odds of each rule and of the else, above 0 and falling; (L+1,)."""
        self._state.stand(odds)
        self._odds = self._state.odds()
        self._state.draw_auxiliary(self._list.pairs, self._odds)

    def run(
        self, sweeps: int, steps: SweepSteps, draws: FallingDraws | None, budget: Budget
    ) -> None:
        """Draw so often, until the budget ends, and keep what is drawn if ``draws`` are given."""
        state, prior = self._state, self._target.prior
        for _ in range(sweeps):
            if not budget.spend():
                return
            state.draw_odds(self._odds)
            self._fit = log_likelihood(self._list.pairs, state.gammas, state.last)
            for _ in range(steps.of_odds):
                state.gammas, state.last, self._fit = step_levels(
                    self._moves, prior, self._list.pairs, state.gammas, state.last, self._fit
                )
            for _ in range(steps.of_list):
                self._draw_list()
            self._odds = state.odds()
            state.draw_auxiliary(self._list.pairs, self._odds)
            if draws is not None:
                draws.add(self._list.antecedents, self._odds)
                density = prior.log_density(state.gammas, state.last)
                self.trace.append(self._list_prior + density + self._fit)
                self.lengths.append(len(state.gammas))
            budget.tell(self._line)

    def _draw_list(self) -> None:
        """Take one Metropolis-Hastings step over (L, c, γ of rules that come and go).

        U and ζ are summed out. With q of :func:`~dbrules.search.bayes.falling_moves.propose`:

        - swap and replace keep γ of each place: the ratio is that of p(L, c) p(y | L, c, γ, K);
        - an add at place p draws γ* from its prior and puts it at place p, so that the odds of
          rules up to p grow γ*-fold. p(γ*) is in the target and in the proposal and cancels:
          the ratio is p(L+1, c') p(y | …) (1 / (L+1)) / (p(L, c) p(y | …) / ((L+1) (B-L)));
        - a remove at place p drops γ_p; the add that undoes it draws γ_p at place p, so that p(γ_p)
          cancels in the same way.
        """
        target, state = self._target, self._state
        proposal = propose(self._moves, self._list.antecedents, target.lists.number)
        if proposal is None:
            return
        move, antecedents, place, log_ratio = proposal
        self.proposed[move] += 1
        list_prior = target.lists.log(antecedents)
        if list_prior == -math.inf:
            return
        gammas = state.gammas
        if move == "add":
            gammas = [*gammas[:place], state.draw_gamma_prior(), *gammas[place:]]
        elif move == "remove":
            gammas = gammas[:place] + gammas[place + 1 :]
        counted = self._count(antecedents)
        log_ratio += list_prior - self._list_prior
        fit = log_likelihood(counted.pairs, gammas, state.last)
        log_ratio += fit - self._fit
        if log_ratio < 0 and self._moves.random() >= math.exp(log_ratio):
            return
        self.accepted[move] += 1
        self._list, self._list_prior, self._fit = counted, list_prior, fit
        state.gammas = gammas

    def _count(self, antecedents: tuple[int, ...]) -> CountedList:
        counted = self._known.get(antecedents)
        if counted is None:
            counted = self._target.recount(self._list, antecedents)
            if len(self._known) >= _KEPT:
                self._known.clear()
            self._known[antecedents] = counted
        return counted

    def _line(self) -> str:
        return f"sampling: {len(self.trace)} draws, {len(self._list.antecedents)} rules"


def _start(target: FallingTarget, antecedents: tuple[int, ...]) -> list[float]:
    """Return the odds at the peak, or near it where the density of K has a pole."""
    prior = replace(target.prior, alpha_last=max(1.0, target.prior.alpha_last))
    log_odds = peak(target.count(antecedents).pairs, prior).logits
    return [math.exp(min(max(value, -_FAR), _FAR)) for value in log_odds]
