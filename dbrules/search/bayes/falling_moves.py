"""The four moves from a list of antecedents to a neighbour, and their proposal densities."""

from __future__ import annotations

import math
import random
from typing import Final, NamedTuple

MOVES: Final = ("swap", "replace", "add", "remove")


class Proposal(NamedTuple):
    """A list next to another.

    ``place``: of the rule that is replaced, added or removed; of the first of the two swapped.
    ``log_ratio``: log q(list | proposed) - log q(proposed | list), what a Metropolis-Hastings
    acceptance adds to the log ratio of the targets.
    """

    move: str
    antecedents: tuple[int, ...]
    place: int
    log_ratio: float


def propose(rng: random.Random, antecedents: tuple[int, ...], number: int) -> Proposal | None:
    """Propose a neighbour of a list of L of ``number`` = B antecedents; None: the list stays.

    One of four moves is drawn, each with probability 1/4 whatever the list, so that the 1/4
    cancels: a move that is impossible leaves the list as it is. Within a move (Wang and Rudin,
    2015, Falling rule lists, section 3.2):

    ======= ============================= ==================== ==============================
    move    what is drawn                 q(there)             q(back)
    ======= ============================= ==================== ==============================
    swap    two rules i ≠ j               2 / (L (L-1))        2 / (L (L-1))
    replace a rule, an unused antecedent  1 / ((B-L) L)        1 / ((B-L) L)
    add     a place, an unused antecedent 1 / ((L+1) (B-L))    1 / (L+1), a remove of L+1
    remove  a rule                        1 / L                1 / (L (B-L+1)), an add to L-1
    ======= ============================= ==================== ==============================

    Each neighbour is reached by one move in one way, so that these are its whole probability. A
    swap needs two rules, a replace and a remove one, a replace and an add an unused antecedent.

    >>> propose(random.Random(1), (4, 2), 6)
    Proposal(move='swap', antecedents=(2, 4), place=0, log_ratio=0.0)
    >>> propose(random.Random(1), (4,), 6) is None  # one rule cannot be swapped
    True
    """
    draw = rng.random
    rules = len(antecedents)
    kind = int(draw() * 4)
    if kind == 0:
        if rules < 2:
            return None
        first = int(draw() * rules)
        second = int(draw() * (rules - 1))
        second += second >= first
        swapped = list(antecedents)
        swapped[first], swapped[second] = swapped[second], swapped[first]
        return Proposal("swap", tuple(swapped), min(first, second), 0.0)
    if kind == 3:
        if not rules:
            return None
        place = int(draw() * rules)
        removed = antecedents[:place] + antecedents[place + 1 :]
        return Proposal("remove", removed, place, -math.log(number - rules + 1))
    unused = number - rules
    if not unused or (kind == 1 and not rules):
        return None
    if kind == 1:
        place = int(draw() * rules)
        chosen = _unused(antecedents, int(draw() * unused))
        replaced = (*antecedents[:place], chosen, *antecedents[place + 1 :])
        return Proposal("replace", replaced, place, 0.0)
    place = int(draw() * (rules + 1))
    chosen = _unused(antecedents, int(draw() * unused))
    added = (*antecedents[:place], chosen, *antecedents[place:])
    return Proposal("add", added, place, math.log(unused))


def _unused(used: tuple[int, ...], which: int) -> int:
    """Return the unused antecedent that has ``which`` unused ones before it."""
    for antecedent in sorted(used):
        if which < antecedent:
            break
        which += 1
    return which
