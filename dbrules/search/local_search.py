"""Sets of antecedents improved one at a time, and put in an order that falls.

The loss of a falling list depends on the union of what its rules capture and their number, so
sets are searched without order: add, leave out or exchange one antecedent while the union gains.
A set that gains is then ordered; sets are shaken and improved again. For hard lists.
"""

from __future__ import annotations

import random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dbrules.search.budget import Budget
from dbrules.search.incumbent import Incumbent
from dbrules.search.prefixes import Prefix, Prefixes
from dbrules.search.remaining import Remaining

#: Prefixes tried when a set is ordered.
_ORDERS: Final = 200
#: Steps that improve one set.
_STEPS: Final = 100
#: Antecedents kept out, one after another, in the place of one.
_ALIKE: Final = 12
#: Sets whose rows left are remembered.
_KEPT: Final = 2000

_Set = frozenset[int]


class LocalSearch:
    """Improves the incumbent of hard falling lists; equal seeds give equal lists."""

    def __init__(self, prefixes: Prefixes, incumbent: Incumbent, seed: int) -> None:
        self._prefixes = prefixes
        self._incumbent = incumbent
        self._rng = random.Random(seed)
        self._left: dict[_Set, Remaining] = {frozenset(): prefixes.root.left}
        self._tried: set[tuple[_Set, _Set]] = set()

    def run(self, budget: Budget, rounds: int) -> None:
        """Improve the best list, without what it has and shaken; a node is spent on each step.

        Each of its antecedents is kept out in turn, and what comes in its place too, one after
        another, so that several smaller ones have their chance. Then come ``rounds`` random
        changes.
        """
        self.improve(frozenset(self._incumbent.antecedents), budget)
        self.improve(frozenset(), budget)
        done: set[int] = set()
        while left := [a for a in self._incumbent.antecedents if a not in done]:
            done.add(left[0])
            if not self._replace(left[0], budget):
                return
        for _ in range(rounds):
            best = frozenset(self._incumbent.antecedents)
            if self.improve(self._shaken(best), budget) is None:
                return
            self._forget()

    def _replace(self, antecedent: int, budget: Budget) -> bool:
        """Look for others in the place of one; False where the budget is spent."""
        best, loss = frozenset(self._incumbent.antecedents), self._incumbent.loss
        out = frozenset({antecedent})
        for _ in range(_ALIKE):
            found = self.improve(best - {antecedent}, budget, out)
            self._forget()
            if found is None:
                return False
            if self._incumbent.loss < loss or not found - best:
                break
            gains = self._gains(self._rest(best - {antecedent}))
            out |= {max(sorted(found - best), key=lambda a: float(gains[a]))}
        return True

    def improve(self, chosen: _Set, budget: Budget, out: _Set = frozenset()) -> _Set | None:
        """Improve one set while its union gains, and offer its lists; None: budget spent.

        ``out`` stay out. Returns the set that could not be improved, or one that was met before.
        """
        for _ in range(_STEPS):
            if (chosen, out) in self._tried:
                return chosen
            self._tried.add((chosen, out))
            if not budget.spend():
                return None
            step = self._best_step(chosen, out)
            if step is None:
                break
            chosen = step
        self.order(chosen)
        return chosen

    def _forget(self) -> None:
        if len(self._left) > _KEPT:
            self._left = {frozenset(): self._prefixes.root.left}

    def order(self, chosen: _Set) -> Prefix | None:
        """Offer the falling lists of a set; return one of all its antecedents, None if none is."""
        tries = _ORDERS
        stack = [self._prefixes.root]
        while stack and tries:
            tries -= 1
            prefix = stack.pop()
            self._incumbent.offer(prefix, self._prefixes.loss(prefix))
            if len(prefix.antecedents) == len(chosen):
                return prefix
            found = self._prefixes.extensions(prefix)
            # the highest proportion on top of the stack
            inside = np.isin(found.antecedents, list(chosen))
            stack += self._prefixes.by_proportion(prefix, found, inside)
        return None

    def _best_step(self, chosen: _Set, out: _Set) -> _Set | None:
        best, gain = None, 1e-9
        cost = self._prefixes.cost
        banned = sorted(out)
        if len(chosen) < self._prefixes.max_rules:
            added = self._gains(self._rest(chosen)) - cost
            added[banned] = -np.inf
            place = int(np.argmax(added)) if len(added) else 0
            if len(added) and added[place] > gain:
                best, gain = chosen | {place}, float(added[place])
        for antecedent in sorted(chosen):
            without = chosen - {antecedent}
            gains = self._gains(self._rest(without)) - cost
            lost = float(gains[antecedent])
            if -lost > gain:
                best, gain = without, -lost
            gains[[antecedent, *banned]] = -np.inf
            place = int(np.argmax(gains))
            if gains[place] - lost > gain:
                best, gain = without | {place}, float(gains[place]) - lost
        return best

    def _gains(self, left: Remaining) -> NDArray[np.float64]:
        counts = left.counts.astype(np.float64)
        return self._prefixes.weight * counts[:, 0] - counts[:, 1]

    def _rest(self, chosen: _Set) -> Remaining:
        """Return what a set leaves; the largest antecedent is taken last, for the cache."""
        known, missing = chosen, []
        while known not in self._left:
            missing.append(max(known))
            known = known - {missing[-1]}
        left = self._left[known]
        for last in reversed(missing):
            left, known = left.without(last), known | {last}
            self._left[known] = left
        return left

    def _shaken(self, chosen: _Set) -> _Set:
        ordered = sorted(chosen)
        self._rng.shuffle(ordered)
        size = len(self._prefixes.root.left.counts)
        many = self._rng.randint(0, 2) if size else 0
        added = {self._rng.randrange(size) for _ in range(many)}
        return frozenset(ordered[self._rng.randint(1, 3) :]) | added
