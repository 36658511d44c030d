"""Best-first search for the rule list of highest posterior, and a bound on what any could have."""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from dbrules.search.bayes.brl_posterior import TOLERANCE, BrlPosterior
from dbrules.search.budget import INTERRUPTED, Budget
from dbrules.search.captures import AntecedentList, Rows


@dataclass(frozen=True)
class BestList:
    """A list, its log posterior, what no list can have more of, and what cut the search."""

    antecedents: AntecedentList
    log_posterior: float
    upper_bound: float
    proved: bool
    nodes: int
    limit: str | None


@dataclass(slots=True, eq=False)
class _Prefix:
    """``worth``: log likelihood of its rules and log prior of its antecedents, length apart.

    ``used``: its antecedents by number of conditions. ``next``: antecedents that may capture one
    of ``rows``. ``shares``: log likelihood of the rows at the shares of their own cells, or more;
    no more where ``tight``: the cells have been looked at.
    """

    antecedents: AntecedentList
    rows: Rows
    worth: float
    used: tuple[int, ...]
    next: list[int]
    shares: float = math.inf
    tight: bool = False


class _Step(NamedTuple):
    """One rule more: antecedents used then, its log prior, the best log prior of going on."""

    used: tuple[int, ...]
    choice: float
    future: float


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
        self._futures: dict[tuple[int, ...], float] = {}
        self._steps: dict[tuple[int, ...], dict[int, _Step]] = {}
        self._seen: dict[Hashable, float] = {}
        #: Best bound first, then the smaller list.
        self._heap: list[tuple[float, AntecedentList, _Prefix]] = []
        self._best: AntecedentList = ()
        self._reached = -math.inf

    def run(self, start: AntecedentList, budget: Budget) -> BestList:
        """Search with the list ``start`` to beat; a node of ``budget`` is spent on each prefix."""
        for found in (start, ()):
            self._offer(found, self._posterior.of(self._rows, found))
        everything = list(range(len(self._posterior.lengths)))
        root = _Prefix((), self._rows, 0.0, (0,) * len(self._kinds), everything)
        self._seen = {}
        self._heap = [(-math.inf, (), root)]
        upper, limit = math.inf, None
        try:
            while self._heap:
                bound, _, prefix = heapq.heappop(self._heap)
                upper = -bound
                if upper <= self._reached + TOLERANCE:
                    break
                if not prefix.tight:
                    self._look_at_cells(prefix)
                    tight = prefix.worth + self._future(prefix.used) + prefix.shares
                    if tight < upper:
                        self._push(tight, prefix)
                        continue
                if not budget.spend():
                    limit = budget.limit
                    break
                self._extend(prefix, upper)
                budget.tell(partial(_line, budget.nodes, self._reached, upper))
            else:
                upper = self._reached
        except KeyboardInterrupt:
            limit = INTERRUPTED
        proved = upper <= self._reached + TOLERANCE
        return BestList(
            self._best, self._reached, self._reached if proved else upper, proved, budget.nodes,
            None if proved else limit,
        )  # fmt: skip

    def _offer(self, antecedents: AntecedentList, log_posterior: float) -> None:
        if log_posterior > self._reached + TOLERANCE:
            self._best, self._reached = antecedents, log_posterior

    def _push(self, bound: float, prefix: _Prefix) -> None:
        if bound > self._reached + TOLERANCE:
            heapq.heappush(self._heap, (-bound, prefix.antecedents, prefix))

    def _extend(self, prefix: _Prefix, upper: float) -> None:
        """Weigh the prefix, bounded by ``upper``, with one rule more; push what may be best."""
        posterior = self._posterior
        rules = len(prefix.antecedents) + 1
        if rules > posterior.most:
            return
        lengths, common = posterior.lengths, posterior.at_common_share
        term, pure = posterior.term, posterior.pure
        steps, ends = self._steps_of(prefix.used), posterior.length_prior(rules)
        capturing: list[int] = []
        for antecedent in prefix.next:
            counts, rows = prefix.rows.capture(antecedent)
            if not any(counts):
                continue
            capturing.append(antecedent)
            used, choice, future = steps[lengths[antecedent]]
            worth = prefix.worth + choice + term(counts)
            ended = worth + ends + term(rows.counts)
            if ended > self._reached + TOLERANCE:
                self._offer((*prefix.antecedents, antecedent), ended)
            # cells captured lose no less than what one share for all of them would leave
            shares = prefix.shares - common(counts)
            bound = min(upper, worth + future + min(pure(rows.counts), shares))
            if bound <= self._reached + TOLERANCE or not any(rows.counts):
                continue
            if self._seen.get((rows.key, used), -math.inf) >= worth:
                continue
            self._seen[rows.key, used] = worth
            longer = (*prefix.antecedents, antecedent)
            self._push(bound, _Prefix(longer, rows, worth, used, capturing, shares))

    def _steps_of(self, used: tuple[int, ...]) -> dict[int, _Step]:
        """Return what one rule more means, by its number of conditions."""
        known = self._steps.get(used)
        if known is None:
            posterior = self._posterior
            before = Counter(dict(zip(self._kinds, used, strict=True)))
            known = {}
            for place, conditions in enumerate(self._kinds):
                if before[conditions] < posterior.available[conditions]:
                    after = (*used[:place], used[place] + 1, *used[place + 1 :])
                    choice = posterior.choice(before, conditions)
                    known[conditions] = _Step(after, choice, self._future(after))
            self._steps[used] = known
        return known

    def _look_at_cells(self, prefix: _Prefix) -> None:
        prefix.shares = self._posterior.at_own_shares(prefix.rows)
        prefix.tight = True

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
            if reached <= best and rules + more >= posterior.prior.expected_length:
                break  # lengths beyond their mode are ever less probable, as are choices
            best = max(best, reached)
        return best


def _line(nodes: int, reached: float, upper: float) -> str:
    return f"{nodes} prefixes: log posterior {reached:.2f}, at most {upper:.2f}"
