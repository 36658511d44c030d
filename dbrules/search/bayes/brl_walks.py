"""Several chains over rule lists, side by side, and what they saw."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dbrules.search.bayes.brl_posterior import BrlPosterior
from dbrules.search.bayes.brl_walk import BrlWalk
from dbrules.search.budget import INTERRUPTED, Budget
from dbrules.search.captures import AntecedentList, Rows

#: Iterations of one chain before the next one has its turn, at most.
_TURN: Final = 200


@dataclass(frozen=True, eq=False)
class Walked:
    """What chains saw.

    ``traces``: the log posterior after each iteration, an array a chain. ``warm_up``: how many
    iterations at their start are not draws. ``visits``: how many draws each list is, most visited
    first. ``best``: the list of highest posterior, warm-up included; ``bests``: that of each
    chain, the highest first. ``moves``: chain, kind of proposal, how many were proposed and
    accepted. ``limit``: what cut the chains short.
    """

    traces: tuple[NDArray[np.float64], ...]
    warm_up: int
    visits: dict[AntecedentList, int]
    best: AntecedentList
    log_posterior: float
    moves: tuple[tuple[int, str, int, int], ...]
    limit: str | None = None
    bests: tuple[AntecedentList, ...] = ()

    @property
    def draws(self) -> int:
        """How many draws there are, of all chains."""
        return sum(self.visits.values())


def walk(
    posterior: BrlPosterior, rows: Rows, *, chains: int, iterations: int, temperature: float,
    seed: int, budget: Budget,
) -> Walked:  # fmt: skip
    """Run chains that begin at independent draws from the prior; equal seeds, equal chains.

    The first half of the iterations is warm-up. Chains take turns, and what a turn saw counts when
    all have had it: a run that is cut by the budget, or by the user, leaves chains of equal
    lengths, of one iteration at least. Where that is before half of the iterations, all of them
    count as draws. First turns are short: where rows stay in an engine an iteration may be slow.
    """
    walks = [
        BrlWalk(posterior, rows, random.Random(f"{seed} {chain}"), temperature)
        for chain in range(chains)
    ]
    warm_up, done, warm, limit = iterations // 2, 0, 0, None
    turn, visits = 1, Counter[AntecedentList]()
    try:
        while done < iterations and limit is None:
            if done == warm_up:
                warm = done
                visits.clear()
            step = min(turn, (warm_up if done < warm_up else iterations) - done)
            turn = min(2 * turn, _TURN)
            for chain in walks:
                chain.run(step)
            done += step
            for chain in walks:
                visits.update(chain.visits)
                chain.clear()
            if not budget.spend(step * chains) and done < iterations:
                limit = budget.limit
            budget.tell(partial(_line, walks, done, iterations))
    except KeyboardInterrupt:
        if not done:
            raise
        limit = INTERRUPTED
    ranked = sorted(walks, key=lambda chain: (-chain.best_log_posterior, chain.best))
    best = ranked[0]
    return Walked(
        tuple(np.array(chain.trace[:done]) for chain in walks), warm,
        dict(sorted(visits.items(), key=lambda item: (-item[1], item[0]))),
        best.best, best.best_log_posterior,
        tuple(
            (number, kind, chain.proposed[kind], chain.accepted[kind])
            for number, chain in enumerate(walks) for kind in chain.proposed
        ),
        limit, tuple(dict.fromkeys(chain.best for chain in ranked)),
    )  # fmt: skip


def _line(walks: list[BrlWalk], done: int, iterations: int) -> str:
    best = max(chain.best_log_posterior for chain in walks)
    return f"iteration {done} of {iterations}, {len(walks)} chains: log posterior {best:.2f}"
