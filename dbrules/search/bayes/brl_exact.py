"""Best-first search for the rule list of highest posterior, and a bound on what any could have."""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from dbrules.search.bayes.brl_posterior import BrlPosterior
from dbrules.search.bayes.brl_walk import AntecedentList
from dbrules.search.budget import INTERRUPTED, Budget
from dbrules.search.captures import Rows

#: Values this close are equal: sums of logarithms in different orders.
TOLERANCE: Final = 1e-9


@dataclass(frozen=True)
class BestList:
    """A list, its log posterior, what no list can have more of, and what cut the search."""

    antecedents: AntecedentList
    log_posterior: float
    upper_bound: float
    proved: bool
    nodes: int
    limit: str | None


@dataclass(frozen=True, eq=False)
class _Prefix:
    """``worth``: log likelihood of its rules and log prior of its antecedents, length apart.

    ``used``: its antecedents by number of conditions. ``bound``: what a longer list can have,
    ``tight`` where the cells of the rows left were looked at.
    """

    antecedents: AntecedentList
    rows: Rows
    worth: float
    used: tuple[int, ...]
    bound: float
    tight: bool = False


#: Best bound first, then the smaller list.
_Entry = tuple[float, AntecedentList, _Prefix]


class BrlExact:
    """Searches lists of which each rule captures a row: one that does not says nothing.

    A prefix is worth at most its own likelihood and prior, the best prior that further rules can
    have, and the likelihood that the rows left could have: each class captured alone (Yang et al.
    2017, Scalable Bayesian rule lists, theorem 3), or each cell that no antecedent tells apart at
    its own shares, whichever is less. Of prefixes that leave the same rows and have as many
    antecedents of each number of conditions only the best is followed.
    """

    def __init__(self, posterior: BrlPosterior, rows: Rows) -> None:
        self._posterior = posterior
        self._rows = rows
        self._kinds = sorted(posterior.available)
        self._place = {conditions: place for place, conditions in enumerate(self._kinds)}
        self._futures: dict[tuple[int, ...], float] = {}
        self._seen: dict[Hashable, float] = {}

    def run(self, start: AntecedentList, budget: Budget) -> BestList:
        """Search with the list ``start`` to beat; a node of ``budget`` is spent on each prefix."""
        best, reached = max(
            ((found, self._posterior.of(self._rows, found)) for found in (start, ())),
            key=lambda item: item[1],
        )
        root = _Prefix((), self._rows, 0.0, (0,) * len(self._kinds), math.inf)
        heap: list[_Entry] = [(-root.bound, (), root)]
        upper, limit = math.inf, None
        try:
            while heap:
                prefix = heapq.heappop(heap)[2]
                upper = prefix.bound
                if upper <= reached + TOLERANCE:
                    break
                if not prefix.tight:
                    prefix = replace(prefix, bound=min(upper, self._by_cells(prefix)), tight=True)
                    if prefix.bound < upper:
                        if prefix.bound > reached + TOLERANCE:
                            heapq.heappush(heap, (-prefix.bound, prefix.antecedents, prefix))
                        continue
                if not budget.spend():
                    limit = budget.limit
                    break
                for child, ended in self._children(prefix):
                    if ended > reached + TOLERANCE:
                        best, reached = child.antecedents, ended
                    if child.bound > reached + TOLERANCE:
                        heapq.heappush(heap, (-child.bound, child.antecedents, child))
                budget.tell(partial(_line, budget.nodes, reached, upper))
            else:
                upper = reached
        except KeyboardInterrupt:
            limit = INTERRUPTED
        proved = upper <= reached + TOLERANCE
        upper = reached if proved else upper
        return BestList(best, reached, upper, proved, budget.nodes, None if proved else limit)

    def _children(self, prefix: _Prefix) -> Iterator[tuple[_Prefix, float]]:
        """Yield the prefix with one rule more, and the log posterior of the list that ends so."""
        posterior = self._posterior
        before = Counter(dict(zip(self._kinds, prefix.used, strict=True)))
        rules = len(prefix.antecedents) + 1
        if rules > posterior.most:
            return
        choices = {
            conditions: posterior.choice(before, conditions)
            for conditions in self._kinds
            if before[conditions] < posterior.available[conditions]
        }
        for antecedent, conditions in enumerate(posterior.lengths):
            if antecedent in prefix.antecedents:
                continue
            counts, rows = prefix.rows.capture(antecedent)
            if not any(counts):
                continue
            place = self._place[conditions]
            used = (*prefix.used[:place], prefix.used[place] + 1, *prefix.used[place + 1 :])
            worth = prefix.worth + choices[conditions] + posterior.term(counts)
            if self._seen.get((rows.key, used), -math.inf) >= worth:
                continue
            self._seen[rows.key, used] = worth
            bound = -math.inf
            if any(rows.counts):
                bound = worth + self._future(used) + posterior.pure(rows.counts)
            child = _Prefix(
                (*prefix.antecedents, antecedent), rows, worth, used, min(prefix.bound, bound)
            )
            yield child, worth + posterior.length_prior(rules) + posterior.term(rows.counts)

    def _by_cells(self, prefix: _Prefix) -> float:
        return prefix.worth + self._future(prefix.used) + self._posterior.at_own_shares(prefix.rows)

    def _future(self, used: tuple[int, ...]) -> float:
        """Return the best log prior of a list that goes on: of its length and its next rules."""
        if used not in self._futures:
            self._futures[used] = self._best_future(used)
        return self._futures[used]

    def _best_future(self, used: tuple[int, ...]) -> float:
        posterior = self._posterior
        left = {
            conditions: posterior.available[conditions] - number
            for conditions, number in zip(self._kinds, used, strict=True)
            if posterior.available[conditions] > number
        }
        if not left:
            return -math.inf
        shares = posterior.conditions_prior(tuple(left))
        rules, best, chosen = sum(used), -math.inf, 0.0
        for more in range(posterior.most - rules):
            # once a number of conditions may be used up, the others may have any share
            open_to = more < min(left.values())
            chosen += max(
                (shares[conditions] if open_to else 0.0) - math.log(max(1, number - more))
                for conditions, number in left.items()
            )
            reached = posterior.length_prior(rules + more + 1) + chosen
            if reached <= best:
                break  # lengths beyond their mode, and choices, are ever less probable
            best = reached
        return best


def _line(nodes: int, reached: float, upper: float) -> str:
    return f"{nodes} prefixes: log posterior {reached:.2f}, at most {upper:.2f}"
