"""The best rule to add to a list, of all antecedents at all places, by one pass over the counts."""

from __future__ import annotations

from operator import sub

from dbrules.search.bayes.brl_posterior import TOLERANCE, BrlPosterior
from dbrules.search.bayes.list_state import ListState
from dbrules.search.captures import ClassTuple


def best_addition(
    state: ListState, posterior: BrlPosterior
) -> tuple[float, list[int], int] | None:  # fmt: skip
    """Return the best list with one rule more, its log posterior and the place of the rule.

    Of equally good lists the smaller one; None where no rule can be added. What a new rule would
    capture of the rows before each rule says all: from rule to rule it captures less, and the
    difference is what the rule in between loses to a new one above it. So each antecedent is
    counted once a rule, whatever the place. The sums are added up from below, and may differ from
    those of :meth:`ListState.weigh` by rounding.
    """
    now, left, sums = state.antecedents, state.left, state.sums
    rules = len(now)
    if rules >= posterior.most:
        return None
    own = [tuple(map(sub, left[k].counts, left[k + 1].counts)) for k in range(rules)]
    free = posterior.knows_no_order(rules + 1)
    best: tuple[float, list[int], int] | None = None
    for antecedent in range(len(posterior.lengths)):
        if antecedent in now:
            continue
        met = [rows.count(antecedent) for rows in left]
        below = posterior.term(tuple(map(sub, left[rules].counts, met[rules])))
        prior = posterior.list_prior([*now, antecedent])
        for place in range(rules, -1, -1):
            if place < rules:
                below += _without(state, posterior, place, own[place], met)
            if not any(met[place]):
                continue  # a rule that captures nothing says nothing
            if not free:
                prior = posterior.list_prior([*now[:place], antecedent, *now[place:]])
            reached = prior + (sums[place] + posterior.term(met[place]) + below)
            if best is None or reached > best[0] - TOLERANCE:
                found = [*now[:place], antecedent, *now[place:]]
                if best is None or reached > best[0] + TOLERANCE or found < best[1]:
                    best = reached, found, place
    return best


def _without(
    state: ListState, posterior: BrlPosterior, place: int, own: ClassTuple, met: list[ClassTuple]
) -> float:
    """Return the log likelihood of a rule that loses rows to a new rule above it."""
    if met[place] == met[place + 1]:
        return state.terms[place]
    return posterior.term(
        tuple([n - a + b for n, a, b in zip(own, met[place], met[place + 1], strict=True)])
    )
