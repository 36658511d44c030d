"""Best-first branch and bound over prefixes: proves a list optimal, or says what is left.

Every list begins with some open prefix; the least bound of them bounds all lists. Prefixes that
leave the same rows are compared: what follows one may follow the other, so the dearer one, or
the one that allows less, goes (dominance).
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dbrules.search.budget import Budget
from dbrules.search.incumbent import Incumbent, rounding
from dbrules.search.prefixes import Prefix, Prefixes

#: Prefixes whose rows left are kept; others are counted anew from the nearest one that is kept.
_KEPT: Final = 2000

#: Of a prefix: its loss, positives and negatives of its least rule, rules where they are limited.
_Standing = tuple[float, int, int, int]


@dataclass(frozen=True, eq=False)
class _Open:
    """The hopeful extensions of a prefix, by rising bounds; before the root there is none."""

    before: tuple[int, ...] | None
    bounds: NDArray[np.float64]
    antecedents: NDArray[np.int32]

    def prefix(self, place: int) -> tuple[int, ...]:
        return () if self.before is None else (*self.before, int(self.antecedents[place]))


class BranchAndBound:
    """The open prefixes of a search.

    :meth:`run` may be called again, with another budget, and goes on where it was.
    """

    def __init__(self, prefixes: Prefixes, incumbent: Incumbent) -> None:
        self._prefixes = prefixes
        self._incumbent = incumbent
        self._order = itertools.count()
        self._heap: list[tuple[float, int, int, int, _Open]] = []
        self._kept: OrderedDict[tuple[int, ...], Prefix] = OrderedDict()
        self._seen: dict[Hashable, list[_Standing]] = {}
        incumbent.offer(prefixes.root, prefixes.loss(prefixes.root))
        self._push(
            _Open(None, np.array([prefixes.bound(prefixes.root)]), np.array([-1], dtype=np.int32))
        )

    @property
    def lower_bound(self) -> float:
        """What no list can cost less than, times the number of rows."""
        return self._incumbent.loss if self.proved else self._heap[0][0]

    @property
    def proved(self) -> bool:
        """Whether the incumbent is optimal."""
        return not self._heap or self._pruned(self._heap[0][0])

    def run(self, budget: Budget) -> None:
        """Search until the incumbent is proved or the budget ends."""
        while not self.proved and budget.spend():
            bound, _, _, place, opened = heapq.heappop(self._heap)
            self._push(opened, place + 1)
            prefix = self._prefix(opened.prefix(place))
            if self._dominated(prefix):
                continue
            tighter = self._prefixes.bound(prefix)
            if self._pruned(tighter):
                continue
            self._expand(prefix, max(bound, tighter))
            budget.tell(lambda: f"branch and bound: {len(self._heap)} open, {self._incumbent}")

    def dive(self) -> None:
        """Follow the best extension from the root, for a good list early; spends nothing."""
        prefix = self._prefixes.root
        while True:
            found = self._prefixes.extensions(prefix)
            if not len(found.antecedents):
                return
            prefix = self._prefixes.extend(prefix, found, int(np.argmin(found.losses)))
            if not self._incumbent.offer(prefix, self._prefixes.loss(prefix)):
                return

    def _expand(self, prefix: Prefix, bound: float) -> None:
        found = self._prefixes.extensions(prefix)
        if not len(found.antecedents):
            return
        best = int(np.argmin(found.losses))
        if found.losses[best] < self._incumbent.loss:
            extended = self._prefixes.extend(prefix, found, best)
            self._incumbent.offer(extended, self._prefixes.loss(extended))
        bounds = np.maximum(found.bounds, bound)
        hopeful = np.flatnonzero(bounds < self._limit)
        order = hopeful[np.argsort(bounds[hopeful], kind="stable")]
        self._push(
            _Open(prefix.antecedents, bounds[order], found.antecedents[order].astype(np.int32))
        )

    def _push(self, opened: _Open, place: int = 0) -> None:
        """Open the extension at ``place``; the next one is opened when this one is taken."""
        if place == len(opened.bounds) or self._pruned(float(opened.bounds[place])):
            return
        # of equal bounds the longer prefix first: it is nearer to a whole list
        length = 0 if opened.before is None else len(opened.before) + 1
        entry = (float(opened.bounds[place]), -length, next(self._order), place, opened)
        heapq.heappush(self._heap, entry)

    @property
    def _limit(self) -> float:
        return self._incumbent.loss - rounding(self._incumbent.loss)

    def _pruned(self, bound: float) -> bool:
        return bound >= self._limit

    def _prefix(self, antecedents: tuple[int, ...]) -> Prefix:
        prefix = self._kept.get(antecedents)
        if prefix is not None:
            self._kept.move_to_end(antecedents)
            return prefix
        if not antecedents:
            return self._prefixes.root
        before = self._prefix(antecedents[:-1])
        found = self._prefixes.extensions(before)
        place = int(np.flatnonzero(found.antecedents == antecedents[-1])[0])
        prefix = self._prefixes.extend(before, found, place)
        self._kept[antecedents] = prefix
        if len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return prefix

    def _dominated(self, prefix: Prefix) -> bool:
        """Say whether a prefix that leaves the same rows costs no more and allows no less."""
        length = len(prefix.antecedents) if self._prefixes.max_rules < math.inf else 0
        mine = (prefix.loss, *prefix.least, length)
        others = self._seen.setdefault(prefix.left.key, [])
        if any(_dominates(other, mine) for other in others):
            return True
        others[:] = [other for other in others if not _dominates(mine, other)]
        others.append(mine)
        return False


def _dominates(one: _Standing, other: _Standing) -> bool:
    loss, positives, negatives, length = one
    return (
        loss <= other[0] + rounding(loss)
        and positives * (other[1] + other[2]) >= other[1] * (positives + negatives)
        and length <= other[3]
    )
