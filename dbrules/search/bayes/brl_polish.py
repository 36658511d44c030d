"""The best list of a walk improved by single changes, until none is left that improves it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from dbrules.search.bayes.brl_posterior import BrlPosterior
from dbrules.search.bayes.brl_walk import AntecedentList
from dbrules.search.bayes.list_state import ListState
from dbrules.search.budget import INTERRUPTED, Budget
from dbrules.search.captures import Rows

#: Less is no improvement but a rounding.
_LEAST: Final = 1e-9

#: A list, and where it differs (see ``ListState.weigh``).
_Change = tuple[list[int], int, int, int]


def polish(
    posterior: BrlPosterior, rows: Rows, antecedents: AntecedentList, budget: Budget
) -> tuple[AntecedentList, float]:
    """Return a list that no removal, move, exchange or addition improves, and its log posterior.

    A change that improves is made at once, and the round goes on with the new list; so is one that
    is worth the same and whose antecedents come first: ties go to the order of features, whatever
    a walk happened to meet. A node of ``budget`` is spent on each change weighed; what was reached
    when it ends, or the user interrupts, is returned.
    """
    state = ListState(posterior, rows, antecedents)
    #: The most that was reached: ties do not drift below it, so no list comes twice.
    level = state.log_posterior
    best, worth = tuple(state.antecedents), state.log_posterior
    improved = True
    try:
        while improved:
            improved = False
            for change in _changes(state, posterior):
                if not budget.spend():
                    return best, worth
                first = change[0] < state.antecedents
                reached = state.weigh(*change, level - _LEAST if first else level + _LEAST)
                if reached is not None:
                    state.take()
                    best, worth = tuple(state.antecedents), state.log_posterior
                    level = max(level, reached)
                    improved = True
    except KeyboardInterrupt:
        budget.limit = INTERRUPTED
    return best, worth


def polish_best(
    posterior: BrlPosterior, rows: Rows, starts: Sequence[AntecedentList], budget: Budget
) -> tuple[AntecedentList, float]:
    """Return the best of what each of ``starts`` is improved to, and its log posterior.

    Chains that stand on different lists are in different valleys, and the best of them need not be
    in the deepest one. The first starts come first where the budget ends.
    """
    best, reached = polish(posterior, rows, starts[0], budget)
    for start in starts[1:]:
        found, worth = polish(posterior, rows, start, budget)
        tied = worth > reached - _LEAST and found < best
        if worth > reached + _LEAST or tied:
            best, reached = found, worth
    return best, reached


def _changes(state: ListState, posterior: BrlPosterior) -> Iterator[_Change]:
    """Yield neighbours of the list that the state stands on, which may change in between."""
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
    for place in _places(state, after=1):
        for other in range(len(posterior.lengths)):
            now = state.antecedents
            if other not in now and len(now) < posterior.most:
                yield [*now[:place], other, *now[place:]], place, place + 1, 1


def _places(state: ListState, after: int = 0) -> Iterator[int]:
    place = 0
    while place < len(state.antecedents) + after:
        yield place
        place += 1
