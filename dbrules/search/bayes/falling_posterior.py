"""The log posterior of falling rule lists: with γ and K at their best, or at given values."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from dbrules.search.bayes.falling_counts import CountedList, Scale, count_list, recount
from dbrules.search.bayes.falling_inner import Peak, peak, upper
from dbrules.search.bayes.falling_lists import ListPrior
from dbrules.search.bayes.falling_prior import FallingPrior
from dbrules.search.captures import AntecedentList, Rows

#: Lists whose posterior, or a bound on it, is remembered.
_KEPT: Final = 100_000
#: What two computations of one log posterior may differ by, as a share of it.
_ROUNDING: Final = 1e-9


@dataclass(frozen=True, eq=False)
class FallingTarget:
    """What a falling list is judged by: rows, the meaning of their counts, and the priors."""

    rows: Rows
    scale: Scale
    prior: FallingPrior
    lists: ListPrior

    def count(self, antecedents: AntecedentList) -> CountedList:
        """Return a list with its counts."""
        return count_list(CountedList.empty(self.rows, self.scale), antecedents, self.scale)

    def recount(self, base: CountedList, antecedents: AntecedentList) -> CountedList:
        """Return a list with its counts, from those of another."""
        return count_list(base, antecedents, self.scale)

    def peak(self, antecedents: AntecedentList) -> Peak:
        """Return the largest log density over γ and K of the list, and where it is."""
        return peak(self.count(antecedents).pairs, self.prior)

    def log_peak(self, antecedents: AntecedentList) -> float:
        """Return -E: log p(L, c) + max over γ, K of log p(y, γ, K | L, c)."""
        return self.lists.log(antecedents) + self.peak(antecedents).value


class PeakPosterior:
    """-E of many lists, each next to one that is counted.

    What was found is remembered. A list is not counted to its end where the likelihood of the
    rules counted so far, each at its own share, with all others perfect and with the largest
    density of γ and K, shows that it is too low; and not solved where ``upper`` shows it.

    ``solved``: lists whose -E was computed. ``given_up``: those that a bound spared.
    """

    def __init__(self, target: FallingTarget) -> None:
        self._target = target
        self._known: dict[AntecedentList, float] = {}
        self._below: dict[AntecedentList, float] = {}
        self._perfect: dict[int, float] = {}
        self.solved = 0
        self.given_up = 0

    def weigh(
        self, base: CountedList, antecedents: AntecedentList, floor: float
    ) -> tuple[float, CountedList | None] | None:
        """Return -E of a list and, if they were needed, its counts; None: -E is below ``floor``."""
        known = self._known.get(antecedents)
        if known is not None:
            return (known, None) if known >= floor else None
        if self._below.get(antecedents, math.inf) < floor:
            return None
        target = self._target
        list_prior = target.lists.log(antecedents)
        if list_prior == -math.inf:
            return None
        # a bound and a value are computed in different ways
        slack = _ROUNDING * (1 + abs(floor))
        least = floor - list_prior - slack
        counted = recount(base, antecedents, target.scale, least - self._density(len(antecedents)))
        if counted is None:
            self.given_up += 1
            return None
        bound = upper(counted.pairs, target.prior)
        if bound < least:
            self.given_up += 1
            _remember(self._below, antecedents, bound + list_prior + slack)
            return None
        self.solved += 1
        found = list_prior + peak(counted.pairs, target.prior).value
        _remember(self._known, antecedents, found)
        return (found, counted) if found >= floor else None

    def _density(self, rules: int) -> float:
        """Return the largest log density that γ of so many rules and K can have."""
        known = self._perfect.get(rules)
        if known is None:
            known = self._perfect[rules] = upper([(0.0, 0.0)] * (rules + 1), self._target.prior)
        return known


def _remember(
    known: dict[AntecedentList, float], antecedents: AntecedentList, value: float
) -> None:
    if len(known) >= _KEPT:
        known.clear()
    known[antecedents] = value
