"""The best list of a walk improved by single changes, until none is left that improves it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Final

from dbrules.search.bayes.brl_additions import best_addition
from dbrules.search.bayes.brl_posterior import TOLERANCE, BrlPosterior
from dbrules.search.bayes.list_state import Change, ListState
from dbrules.search.budget import INTERRUPTED, Budget
from dbrules.search.captures import AntecedentList, Rows, without_idle

#: Rules that a shaken list loses, at most.
_SHAKEN: Final = 3
#: Additions that cost as much as one list weighed: they share their counts.
_SHARED: Final = 5


class Polish:
    """Improves lists by additions, removals, moves and exchanges, until none improves.

    Additions come first, the best of all at once; then each other change is made as it is found.
    A change is made, too, that is worth the same and whose antecedents come first: ties go to the
    order of features, whatever a walk happened to meet. Each rule captures a row: one that does
    not says nothing, and is left out, be the list ever so probable with it. ``best`` and
    ``log_posterior``: the best list so far. A node of ``budget`` is spent on each list weighed;
    for additions, of which the counts are shared, one on five.
    """

    def __init__(
        self, posterior: BrlPosterior, rows: Rows, start: AntecedentList, budget: Budget
    ) -> None:
        self._posterior = posterior
        self._rows = rows
        self._budget = budget
        self.best = without_idle(rows, start)
        self.log_posterior = posterior.of(rows, self.best)

    def run(self, starts: Sequence[AntecedentList], shakes: int = 0, seed: int = 0) -> None:
        """Improve each of ``starts``, and then the best one without some of its rules.

        Chains that stand on different lists are in different valleys, and so are lists that lost
        rules: the best of them need not be in the deepest one. ``shakes``: how often the best list
        loses up to three rules, drawn by ``seed``. Ends when the budget does, or the user
        interrupts, which ``limit`` of the budget then says.
        """
        rng = random.Random(seed)
        try:
            for start in starts:
                self._improve(start)
            for _ in range(shakes):
                if not self._budget.spend(0) or len(self.best) < 2:
                    return
                lost = set(rng.sample(self.best, min(len(self.best), rng.randint(1, _SHAKEN))))
                self._improve(tuple(a for a in self.best if a not in lost))
        except KeyboardInterrupt:
            self._budget.limit = INTERRUPTED

    def _improve(self, start: AntecedentList) -> None:
        """Improve one list until no change does."""
        state = ListState(self._posterior, self._rows, without_idle(self._rows, start))
        #: The most that was reached: ties do not drift below it, so no list comes twice.
        self._level = state.log_posterior
        self._offer(state)
        while self._grow(state) or self._change(state):
            pass

    def _grow(self, state: ListState) -> bool:
        """Make the best addition; False where none is better, or the budget is spent."""
        if not self._budget.spend(len(self._posterior.lengths) * len(state.left) // _SHARED):
            return False
        found = best_addition(state, self._posterior)
        return found is not None and self._try(state, found[1], found[2], found[2] + 1, 1)

    def _change(self, state: ListState) -> bool:
        """Go once through all other changes; False where none was made."""
        changed = False
        for change in _changes(state, self._posterior):
            if not self._budget.spend():
                return False
            changed |= self._try(state, *change)
        return changed

    def _try(
        self, state: ListState, proposed: list[int], first: int, same: int, shift: int
    ) -> bool:
        """Take a list that is better, or as good and smaller."""
        smaller = proposed < state.antecedents
        floor = self._level + (-TOLERANCE if smaller else TOLERANCE)
        reached = state.weigh(proposed, first, same, shift, floor)
        if reached is None or state.is_idle:
            return False
        state.take()
        self._level = max(self._level, reached)
        self._offer(state)
        return True

    def _offer(self, state: ListState) -> None:
        found = tuple(state.antecedents)
        tied = state.log_posterior > self.log_posterior - TOLERANCE and found < self.best
        if state.log_posterior > self.log_posterior + TOLERANCE or tied:
            self.best, self.log_posterior = found, state.log_posterior


def _changes(state: ListState, posterior: BrlPosterior) -> Iterator[Change]:
    """Yield removals, moves and exchanges of the list that stands there, which may change."""
    for place in _places(state):
        now = state.antecedents
        yield [*now[:place], *now[place + 1 :]], place, place, -1
    for source in _places(state):
        for place in _places(state):
            if source < len(state.antecedents) and place not in (source, source - 1):
                moved = state.antecedents.copy()
                moved.insert(place, moved.pop(source))
                yield moved, min(source, place), max(source, place) + 1, 0
    for place in _places(state):
        for other in range(len(posterior.lengths)):
            now = state.antecedents
            if other not in now and place < len(now):
                yield [*now[:place], other, *now[place + 1 :]], place, place + 1, 0


def _places(state: ListState) -> Iterator[int]:
    place = 0
    while place < len(state.antecedents):
        yield place
        place += 1
