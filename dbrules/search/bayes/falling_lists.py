"""The prior over ordered lists of antecedents: a Poisson length, then draws without return."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Final

from dbrules.errors import InvalidSetting
from dbrules.search.bayes.truncated_poisson import truncated_poisson
from dbrules.search.captures import AntecedentList

#: A sum of weights left that is smaller than this share of all is summed anew.
_SMALL: Final = 1e-6


class ListPrior:
    """log p(L, c) of Wang and Rudin (2015), Falling rule lists, section 2.2.

    L ~ Poisson(λ) given L ≤ ``longest``: there are no more antecedents than that, and no more
    rules than ``max_rules``. The probability of each length is divided by their sum, so that L =
    ``longest`` has its own Poisson probability and not that of the tail. Each antecedent is drawn
    among those unused with a probability in proportion to its weight, so that
    p(c | L) = Π_l w(c_l) / (sum of w over what c_0 … c_{l-1} left).

    ``weights``: w of each antecedent, above 0. ``expected_length``: λ.

    >>> prior = ListPrior(1.0, [1.0, 2.0])
    >>> lists = [(), (0,), (1,), (0, 1), (1, 0)]
    >>> round(sum(math.exp(prior.log(antecedents)) for antecedents in lists), 12)
    1.0
    >>> round(prior.log((1, 0)) - prior.log((0, 1)), 6), round(math.log(2), 6)
    (0.693147, 0.693147)
    """

    def __init__(
        self, expected_length: float, weights: Sequence[float], max_rules: int | None = None
    ) -> None:
        if not (expected_length > 0 and math.isfinite(expected_length)):
            raise InvalidSetting(
                f"expected_length is {expected_length!r}; give a finite number above 0"
            )
        for place, weight in enumerate(weights):
            if not (weight > 0 and math.isfinite(weight)):
                raise InvalidSetting(
                    f"the weight of antecedent {place} is {weight!r}; give finite weights above 0"
                )
        self.weights = tuple(map(float, weights))
        #: The number of antecedents.
        self.number = len(self.weights)
        #: The most rules that a list can have.
        self.longest = self.number if max_rules is None else min(self.number, max_rules)
        lengths = truncated_poisson(expected_length, range(self.longest + 1))
        self._log_lengths = list(lengths.values())
        self._equal = len(set(self.weights)) <= 1
        self._total = math.fsum(self.weights)
        self._logs = [math.log(weight) for weight in self.weights]
        # with equal weights only the length counts
        steps = [math.log(self.number - used) for used in range(self.longest)]
        self._of_equal = [
            log - math.fsum(steps[:rules]) for rules, log in enumerate(self._log_lengths)
        ]

    def log_length(self, rules: int) -> float:
        """Return log p(L = rules); -inf for more than can be."""
        return self._log_lengths[rules] if rules <= self.longest else -math.inf

    def log(self, antecedents: Sequence[int]) -> float:
        """Return log p(L, c) of a list of different antecedents; -inf where it is too long."""
        rules = len(antecedents)
        if rules > self.longest:
            return -math.inf
        if self._equal:
            return self._of_equal[rules]
        found, rest, logs = self._log_lengths[rules], self._total, self._logs
        for place, antecedent in enumerate(antecedents):
            found += logs[antecedent] - math.log(rest)
            rest -= self.weights[antecedent]
            if rest < _SMALL * self._total:
                used = set(antecedents[: place + 1])
                rest = math.fsum(w for a, w in enumerate(self.weights) if a not in used)
        return found

    def draw(self, rng: random.Random) -> AntecedentList:
        """Draw a list."""
        lengths = [math.exp(log) for log in self._log_lengths]
        rules = rng.choices(range(self.longest + 1), lengths)[0]
        drawn: list[int] = []
        for _ in range(rules):
            unused = [a for a in range(self.number) if a not in drawn]
            drawn.append(rng.choices(unused, [self.weights[a] for a in unused])[0])
        return tuple(drawn)
