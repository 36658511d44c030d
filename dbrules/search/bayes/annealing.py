"""The most probable falling list by simulated annealing over lists of antecedents.

Wang and Rudin (2015), Falling rule lists, section 3.1: the energy of a list is
E(L, c) = -max over γ, K of log p(L, c, γ, K | y), up to the evidence.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dbrules.errors import InvalidSetting
from dbrules.search.bayes.annealing_walk import AnnealingWalk
from dbrules.search.bayes.best_list import BestList
from dbrules.search.bayes.falling_inner import Peak
from dbrules.search.bayes.falling_polish import polish
from dbrules.search.bayes.falling_posterior import FallingTarget, PeakPosterior
from dbrules.search.budget import INTERRUPTED, Budget
from dbrules.search.captures import AntecedentList, ClassTuple, captured_by


@dataclass(frozen=True)
class Annealing:
    """The settings of the walk.

    ``steps`` of each of ``chains``, which begin at the list of no rules. ``temperature``: T, or
    the first and the last of a geometric cooling. ``polish``: lists tried at the end, next to the
    best; 0: none, None: half as many as the steps of a chain, which takes about as long as one.
    """

    steps: int = 5000
    temperature: float | tuple[float, float] = 1.0
    chains: int = 1
    polish: int | None = None

    def temperatures(self) -> NDArray[np.float64]:
        """Return the temperature of each step, (steps,).

        >>> Annealing(steps=3, temperature=(4.0, 1.0)).temperatures()
        array([4., 2., 1.])
        """
        first, last = (
            self.temperature
            if isinstance(self.temperature, tuple)
            else (self.temperature, self.temperature)
        )
        if not (0 < last <= first < math.inf):
            raise InvalidSetting(
                f"temperature is {self.temperature!r}; give a number above 0, or two that fall"
            )
        if self.steps == 0:
            return np.empty(0)
        return np.geomspace(first, last, self.steps)


@dataclass(frozen=True, eq=False)
class AnnealingChain:
    """What one walk did.

    ``log_posterior``: -E of the list after each step, (steps,). ``proposed`` and ``accepted``: by
    move; moves that were impossible are not counted. ``last``: the list on which it ended.
    """

    log_posterior: NDArray[np.float64]
    proposed: dict[str, int]
    accepted: dict[str, int]
    last: AntecedentList


@dataclass(frozen=True, eq=False)
class Annealed:
    """The best list that was met, of equal ones the smaller tuple.

    ``counts``: class counts of each rule and of the else, (L+1, classes). ``peak``: the best γ and
    K, as the log odds of each rule and of the else. ``log_posterior``: -E, up to the evidence.
    ``limit``: what cut the search short, None if nothing did.
    """

    antecedents: AntecedentList
    counts: tuple[ClassTuple, ...]
    peak: Peak
    log_posterior: float
    chains: tuple[AnnealingChain, ...]
    limit: str | None


def anneal(
    target: FallingTarget, settings: Annealing, seed: int, budget: Budget | None = None
) -> Annealed:
    """Search for the list of least energy; equal seeds give equal lists.

    ``budget`` counts a node a step. Where it ends, or on an interrupt from the keyboard, the best
    list so far is returned, and ``limit`` says why.
    """
    if target.prior.alpha_last < 1:
        raise InvalidSetting(
            f"alpha_last is {target.prior.alpha_last!r}: the density of K then has no maximum;"
            " give at least 1, or sample"
        )
    budget = Budget() if budget is None else budget
    posterior = PeakPosterior(target)
    best = BestList()
    best.offer((), target.log_peak(()))
    walks: list[AnnealingWalk] = []
    temperatures = settings.temperatures().tolist()
    tries = settings.steps // 2 if settings.polish is None else settings.polish
    limit = None
    try:
        for number in range(settings.chains):
            walks.append(AnnealingWalk(target, posterior, best, random.Random(f"{seed} {number}")))
            walks[-1].run(temperatures, budget)
        polish(target, posterior, best, tries, budget)
    except KeyboardInterrupt:
        limit = INTERRUPTED
    return Annealed(
        best.antecedents,
        tuple(captured_by(target.rows, best.antecedents)),
        target.peak(best.antecedents),
        best.log_posterior,
        tuple(
            AnnealingChain(np.array(w.trace), w.proposed, w.accepted, w.antecedents) for w in walks
        ),
        limit or budget.limit,
    )  # fmt: skip
