"""One Metropolis-Hastings chain over rule lists: move, add or remove an antecedent."""

from __future__ import annotations

import math
import random
from collections import Counter
from typing import Final, NamedTuple

from dbrules.search.bayes.brl_posterior import BrlPosterior
from dbrules.search.bayes.list_state import ListState
from dbrules.search.captures import AntecedentList, Rows

MOVES: Final = ("move", "add", "remove")


class BrlWalk:
    """A chain, begun at a draw from the prior; equal seeds give equal chains.

    Letham et al. (2015), section 2.6: the kind of proposal is uniform among those possible, and so
    is each choice within it. ``temperature``: 1 samples the posterior, above it the posterior to
    the power 1 / temperature.

    ``trace``: the log posterior after each iteration. ``visits``: how many iterations each list
    was stood on, since they were last cleared. ``best``: the list of highest posterior of all,
    the smaller tuple on a tie. ``proposed`` and ``accepted``: by kind of proposal.
    """

    def __init__(
        self, posterior: BrlPosterior, rows: Rows, rng: random.Random, temperature: float = 1.0
    ) -> None:
        self._rng = rng
        self._temperature = temperature
        self._number, self._most = len(posterior.lengths), posterior.most
        self._of_rules: list[Options] = []
        self._state = ListState(posterior, rows, prior_draw(posterior, rng))
        self._since = 0
        self.trace: list[float] = []
        self.visits: Counter[AntecedentList] = Counter()
        self.proposed = dict.fromkeys(MOVES, 0)
        self.accepted = dict.fromkeys(MOVES, 0)
        self.best: AntecedentList = tuple(self._state.antecedents)
        self.best_log_posterior = self._state.log_posterior

    def clear(self) -> None:
        """Forget the visits so far: the chain is warm now."""
        self.visits.clear()
        self._since = len(self.trace)

    def run(self, iterations: int) -> None:
        """Go on for so many iterations."""
        state, rng = self._state, self._rng.random
        trace, temperature = self.trace, self._temperature
        if not self._most:  # the empty list is the only one
            trace += [state.log_posterior] * iterations
            iterations = 0
        for _ in range(iterations):
            kind, proposed, first, same, shift, ratio = self._proposal()
            self.proposed[kind] += 1
            # the draw comes first: it says what the proposal must reach
            u = rng()
            draw = math.log(u) if u else -math.inf
            floor = state.log_posterior + temperature * (draw - ratio)
            reached = state.weigh(proposed, first, same, shift, floor)
            if reached is not None:
                self._settle()
                state.take()
                self.accepted[kind] += 1
                if reached >= self.best_log_posterior:
                    self._offer(tuple(proposed), reached)
            trace.append(state.log_posterior)
        self._settle()

    def _settle(self) -> None:
        """Count the iterations spent on the list that is about to be left."""
        stayed = len(self.trace) - self._since
        if stayed:
            self.visits[tuple(self._state.antecedents)] += stayed
            self._since += stayed

    def _offer(self, antecedents: AntecedentList, log_posterior: float) -> None:
        if log_posterior > self.best_log_posterior or antecedents < self.best:
            self.best, self.best_log_posterior = antecedents, log_posterior

    def _proposal(self) -> tuple[str, list[int], int, int, int, float]:
        """Return kind, list, where it differs (see ``ListState.weigh``) and log Q ratio.

        The ratio is log Q(list | proposed) - log Q(proposed | list).
        """
        rng = self._rng.random
        antecedents = self._state.antecedents
        rules = len(antecedents)
        kinds = self._options(rules).kinds
        kind = kinds[int(rng() * len(kinds))]
        proposed = antecedents.copy()
        if kind == "move":
            source = int(rng() * rules)
            place = int(rng() * (rules - 1))
            place += place >= source
            proposed.insert(place, proposed.pop(source))
            if place < source:
                return kind, proposed, place, source + 1, 0, 0.0
            return kind, proposed, source, place + 1, 0, 0.0
        if kind == "add":
            number = self._number
            chosen = int(rng() * number)
            while chosen in antecedents:
                chosen = int(rng() * number)
            place = int(rng() * (rules + 1))
            proposed.insert(place, chosen)
            ratio = self._options(rules + 1).log_remove - self._options(rules).log_add
            return kind, proposed, place, place + 1, 1, ratio
        place = int(rng() * rules)
        del proposed[place]
        ratio = self._options(rules - 1).log_add - self._options(rules).log_remove
        return kind, proposed, place, place, -1, ratio

    def _options(self, rules: int) -> Options:
        while len(self._of_rules) <= rules:
            self._of_rules.append(options(len(self._of_rules), self._number, self._most))
        return self._of_rules[rules]


class Options(NamedTuple):
    """What can be proposed for a list, and the log probability of one addition or removal."""

    kinds: tuple[str, ...]
    log_add: float
    log_remove: float


def options(rules: int, antecedents: int, most: int) -> Options:
    """Return the options of a list of ``rules`` of the antecedents, where ``most`` are allowed.

    >>> options(1, 5, 5).kinds, options(2, 5, 2).kinds, round(math.exp(-options(1, 5, 5).log_add))
    (('add', 'remove'), ('move', 'remove'), 16)
    """
    possible = {"move": rules >= 2, "add": rules < most, "remove": rules >= 1}
    kinds = tuple(kind for kind in MOVES if possible[kind])
    add = len(kinds) * (antecedents - rules) * (rules + 1)
    remove = len(kinds) * rules
    return Options(
        kinds, -math.log(add) if add else -math.inf, -math.log(remove) if remove else -math.inf
    )


def prior_draw(posterior: BrlPosterior, rng: random.Random) -> AntecedentList:
    """Draw a list from its prior."""
    rules = _choice([posterior.length_prior(k) for k in range(posterior.most + 1)], rng)
    drawn: list[int] = []
    used: Counter[int] = Counter()
    for _ in range(rules):
        rest = [a for a in range(len(posterior.lengths)) if a not in drawn]
        by_length = {c: posterior.choice(used, c) for c in {posterior.lengths[a] for a in rest}}
        drawn.append(rest[_choice([by_length[posterior.lengths[a]] for a in rest], rng)])
        used[posterior.lengths[drawn[-1]]] += 1
    return tuple(drawn)


def _choice(logs: list[float], rng: random.Random) -> int:
    return rng.choices(range(len(logs)), [math.exp(value) for value in logs])[0]
