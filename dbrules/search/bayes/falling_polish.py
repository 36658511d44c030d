"""A list improved by its best-placed neighbours until none is better."""

from __future__ import annotations

from collections.abc import Iterator

from dbrules.search.bayes.best_list import BestList
from dbrules.search.bayes.falling_posterior import FallingTarget, PeakPosterior
from dbrules.search.budget import Budget

#: What a neighbour must gain, as a share of the log posterior: less is rounding.
_GAIN = 1e-12


def polish(
    target: FallingTarget, posterior: PeakPosterior, best: BestList, tries: int, budget: Budget
) -> None:
    """Replace ``best`` by the first neighbour that is better, again and again.

    Neighbours are those of all four moves. At most ``tries`` lists are weighed; ``budget`` counts
    a node for each.
    """
    start = 0
    counted = target.count(best.antecedents)
    while True:
        for antecedents, chosen in neighbours(counted.antecedents, target.lists.number, start):
            if tries == 0 or not budget.spend():
                return
            tries -= 1
            floor = best.log_posterior + _GAIN * (1 + abs(best.log_posterior))
            weighed = posterior.weigh(counted, antecedents, floor)
            if weighed is not None:
                best.offer(antecedents, weighed[0])
                counted, start = target.recount(counted, antecedents), chosen
                break
        else:
            return


def neighbours(
    antecedents: tuple[int, ...], number: int, start: int
) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield what a remove, a swap, an add or a replace makes of a list.

    Unused antecedents come one after another from ``start`` on; with each neighbour comes the one
    to go on from, so that a list that was improved does not begin with those just tried.

    >>> [found for found, _ in neighbours((0,), 2, 0)]
    [(), (1, 0), (0, 1), (1,)]
    """
    rules = len(antecedents)
    for place in range(rules):
        yield antecedents[:place] + antecedents[place + 1 :], start
    for first in range(rules):
        for second in range(first + 1, rules):
            swapped = list(antecedents)
            swapped[first], swapped[second] = swapped[second], swapped[first]
            yield tuple(swapped), start
    for step in range(number):
        chosen = (start + step) % number
        if chosen in antecedents:
            continue
        for place in range(rules + 1):
            yield (*antecedents[:place], chosen, *antecedents[place:]), chosen
        for place in range(rules):
            yield (*antecedents[:place], chosen, *antecedents[place + 1 :]), chosen
