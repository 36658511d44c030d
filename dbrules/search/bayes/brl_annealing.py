"""Annealing from the best list of the chains, with exchanges of antecedents besides their moves."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Final

from dbrules.search.bayes.brl_posterior import BrlPosterior
from dbrules.search.bayes.list_state import Change, ListState
from dbrules.search.budget import INTERRUPTED, Budget
from dbrules.search.captures import AntecedentList, Rows

#: The temperature at the first and the last step.
_FIRST: Final = 1.5
_LAST: Final = 0.5


def anneal(
    posterior: BrlPosterior, rows: Rows, start: AntecedentList, steps: int, seed: int,
    budget: Budget,
) -> AntecedentList:  # fmt: skip
    """Return the best list that a cooling walk from ``start`` meets; equal seeds, equal lists.

    Chains that sample the posterior exchange an antecedent in two steps, of which the first is
    mostly refused; where only the best list counts, one step may do it. ``budget`` counts a node a
    step; what was met when it ends, or the user interrupts, is returned.
    """
    rng = random.Random(f"anneal {seed}").random
    state = ListState(posterior, rows, start)
    best, reached = start, state.log_posterior
    cooling = math.log(_LAST / _FIRST) / max(1, steps)
    try:
        for step in range(steps):
            if not budget.spend():
                break
            change = _change(state.antecedents, posterior, rng)
            if change is None:
                continue
            u = rng()
            draw = math.log(u) if u else -math.inf
            floor = state.log_posterior + _FIRST * math.exp(cooling * step) * draw
            found = state.weigh(*change, floor)
            if found is not None:
                state.take()
                if found > reached:
                    best, reached = tuple(state.antecedents), found
    except KeyboardInterrupt:
        budget.limit = INTERRUPTED
    return best


def _change(now: list[int], posterior: BrlPosterior, rng: Callable[[], float]) -> Change | None:
    """Return a move, an exchange, an addition or a removal; None where it cannot be done."""
    rules, number = len(now), len(posterior.lengths)
    kind = int(4 * rng())
    if kind == 3:
        place, antecedent = int(rng() * (rules + 1)), int(rng() * number)
        if antecedent in now or rules == posterior.most:
            return None
        return [*now[:place], antecedent, *now[place:]], place, place + 1, 1
    if not rules:
        return None
    place = int(rng() * rules)
    if kind == 2:
        return [*now[:place], *now[place + 1 :]], place, place, -1
    if kind == 1:
        antecedent = int(rng() * number)
        if antecedent in now:
            return None
        return [*now[:place], antecedent, *now[place + 1 :]], place, place + 1, 0
    target = int(rng() * rules)
    if target == place:
        return None
    moved = now.copy()
    moved.insert(target, moved.pop(place))
    return moved, min(place, target), max(place, target) + 1, 0
