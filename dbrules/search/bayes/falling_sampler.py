"""Draws from the posterior of Bayesian falling rule lists.

Wang and Rudin (2015), Falling rule lists, section 3.2. A sweep draws each γ, K, then (L, c) with
the γ of rules that come and go by collapsed Metropolis-Hastings, then U and ζ together. The third
step does not condition on U and ζ, and the fourth draws them anew given all else: together they
leave the posterior of all variables as it is. So do further steps on γ and K before the fourth.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dbrules.search.bayes.falling_chain import FallingChain, SweepSteps
from dbrules.search.bayes.falling_draws import FallingDraws, ListDraws
from dbrules.search.bayes.falling_posterior import FallingTarget
from dbrules.search.budget import INTERRUPTED, Budget
from dbrules.search.captures import AntecedentList


@dataclass(frozen=True)
class Sampling:
    """The settings of the sampler.

    ``sweeps`` are kept of each of ``chains``, after ``burn_in`` that are not. ``mh_steps``: how
    often a sweep proposes another list. ``odds_steps``: how often it proposes other γ and K
    besides their Gibbs draws (see :mod:`dbrules.search.bayes.falling_levels`); 0: the schedule of
    the paper. ``list_fixed``: the list stays; γ and K alone are drawn.
    """

    sweeps: int = 5000
    burn_in: int = 1000
    chains: int = 1
    mh_steps: int = 1
    odds_steps: int = 4
    list_fixed: bool = False


@dataclass(frozen=True, eq=False)
class FallingTrace:
    """What one chain did after its burn-in.

    ``log_posterior``: log p(L, c) p(γ, K | L) p(y | L, c, γ, K) of each draw, (sweeps,).
    ``lengths``: L, (sweeps,). ``proposed`` and ``accepted``: by move, burn-in included; moves that
    were impossible are not counted.
    """

    log_posterior: NDArray[np.float64]
    lengths: NDArray[np.int64]
    proposed: dict[str, int]
    accepted: dict[str, int]


@dataclass(frozen=True, eq=False)
class FallingSamples:
    """Draws by list.

    ``lists``: each list that was drawn, the most often drawn first, of equal ones the smaller
    tuple. ``kept``: of the list asked for, the probability of a positive of each rule and of the
    else at each of its draws; (draws, L+1). ``limit``: what cut the sampling short.
    """

    lists: tuple[ListDraws, ...]
    kept: NDArray[np.float64]
    chains: tuple[FallingTrace, ...]
    limit: str | None


def sample_falling(
    target: FallingTarget,
    settings: Sampling,
    seed: int,
    start: AntecedentList = (),
    keep: AntecedentList | None = None,
    budget: Budget | None = None,
    starts: Sequence[AntecedentList] = (),
) -> FallingSamples:
    """Sample the posterior; equal seeds give equal draws.

    Chains begin at the list ``start``, or in turn at those of ``starts``, with γ and K at their
    best. ``keep``: the list of which all draws are kept, ``start`` unless given; sums are kept of
    the others. ``budget`` counts a node a sweep. Where it ends, or on an interrupt from the
    keyboard, what was drawn so far is returned.
    """
    budget = Budget() if budget is None else budget
    draws = FallingDraws(start if keep is None else keep)
    steps = SweepSteps(settings.odds_steps, 0 if settings.list_fixed else settings.mh_steps)
    chains: list[FallingChain] = []
    limit = None
    try:
        for number in range(settings.chains):
            rng = np.random.default_rng([seed % 2**64, number])
            first = starts[number % len(starts)] if starts else start
            chain = FallingChain(target, first, random.Random(f"{seed} {number}"), rng)
            chains.append(chain)
            chain.run(settings.burn_in, steps, None, budget)
            chain.run(settings.sweeps, steps, draws, budget)
    except KeyboardInterrupt:
        limit = INTERRUPTED
    traces = (
        FallingTrace(
            np.array(chain.trace), np.array(chain.lengths, np.int64), chain.proposed, chain.accepted
        )
        for chain in chains
    )
    return FallingSamples(draws.lists(), draws.kept(), tuple(traces), limit or budget.limit)
