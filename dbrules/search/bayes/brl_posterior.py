"""The posterior of Bayesian rule lists, in logarithms: prior, likelihood, and bounds on them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import lgamma
from typing import Final

import numpy as np

from dbrules.search.bayes.truncated_poisson import truncated_poisson
from dbrules.search.captures import ClassTuple, Rows, captured_by

#: Log posteriors this close are equal: sums in different orders.
TOLERANCE: Final = 1e-9
#: Values that are remembered, of one kind.
_KEPT: Final = 500_000


@dataclass(frozen=True)
class BrlPrior:
    """The hyperparameters of Bayesian rule lists.

    ``expected_length``: λ, of the truncated Poisson number of rules. ``expected_conditions``: η,
    of that of an antecedent's conditions. ``alpha``: pseudocounts of the Dirichlet prior of each
    rule's class probabilities, (classes,). Letham et al. (2015), Interpretable classifiers using
    rules and Bayesian analysis, sections 2.2 to 2.4.
    """

    expected_length: float = 3.0
    expected_conditions: float = 1.0
    alpha: tuple[float, ...] = (1.0, 1.0)


class BrlPosterior:
    """log p(y | list) + log p(list) of lists of antecedents, up to the evidence.

    ``lengths``: the number of conditions of each antecedent. ``unit``: the weight of one unit of
    counts. Lists are sequences of numbers of antecedents, each at most once, of at most ``most``
    rules (None: as many as there are antecedents).

    >>> posterior = BrlPosterior(BrlPrior(), [1, 1, 2])
    >>> round(posterior.likelihood([(3, 0), (1, 1)]), 6), round(math.log(1 / 4 / 6), 6)
    (-3.178054, -3.178054)
    >>> round(posterior.list_prior((2,)), 6), round(math.log(3 / 13 * 1 / 3), 6)
    (-2.564949, -2.564949)
    """

    def __init__(
        self, prior: BrlPrior, lengths: Sequence[int], unit: float = 1.0, most: int | None = None
    ) -> None:
        self.prior = prior
        self.lengths = tuple(lengths)
        self.most = len(self.lengths) if most is None else min(most, len(self.lengths))
        self._unit = unit
        self._alpha = prior.alpha
        self._alpha_total = math.fsum(prior.alpha)
        self._constant = lgamma(self._alpha_total) - math.fsum(map(lgamma, prior.alpha))
        #: How many antecedents have so many conditions.
        self.available = Counter(self.lengths)
        #: Lists of fewer rules use up no kind of antecedent: their prior knows no order.
        self._fewest = min(self.available.values(), default=0)
        self._of_length = truncated_poisson(prior.expected_length, range(self.most + 1))
        self._of_conditions: dict[tuple[int, ...], dict[int, float]] = {}
        self._priors: dict[tuple[int, ...], float] = {}
        #: What :meth:`term` and :meth:`pure` have answered; walks look here first.
        self.terms: dict[ClassTuple, float] = {}
        self.pures: dict[ClassTuple, float] = {}
        self._commons: dict[ClassTuple, float] = {}

    # -- prior ---------------------------------------------------------------------------------

    def list_prior(self, antecedents: Sequence[int]) -> float:
        """Return log p(list | A, λ, η)."""
        all_lengths = self.lengths
        lengths = [all_lengths[a] for a in antecedents]
        if self.knows_no_order(len(lengths)):
            lengths.sort()
        key = tuple(lengths)
        known = self._priors.get(key)
        if known is None:
            known = self._of_length[len(lengths)] + math.fsum(self._choices(lengths))
            _remember(self._priors, key, known)
        return known

    def knows_no_order(self, rules: int) -> bool:
        """Say whether the prior of all lists of so many rules is that of any order of them."""
        return rules < self._fewest

    def length_prior(self, rules: int) -> float:
        """Return log p(number of rules)."""
        return self._of_length[rules]

    def choice(self, used: Counter[int], length: int) -> float:
        """Return the log prior of the next antecedent, of ``length``, after those ``used``."""
        left = tuple(c for c, n in self.available.items() if n > used[c])
        return self.conditions_prior(left)[length] - math.log(self.available[length] - used[length])

    def conditions_prior(self, available: tuple[int, ...]) -> dict[int, float]:
        """Return log p(number of conditions) of the next antecedent, by those still available."""
        known = self._of_conditions.get(available)
        if known is None:
            known = truncated_poisson(self.prior.expected_conditions, available)
            self._of_conditions[available] = known
        return known

    def _choices(self, lengths: Iterable[int]) -> Iterable[float]:
        used: Counter[int] = Counter()
        for length in lengths:
            yield self.choice(used, length)
            used[length] += 1

    # -- likelihood ----------------------------------------------------------------------------

    def term(self, counts: ClassTuple) -> float:
        """Return the log Dirichlet-multinomial likelihood of what one rule captures."""
        known = self.terms.get(counts)
        if known is None:
            weights = [n * self._unit for n in counts]
            parts = (lgamma(w + a) for w, a in zip(weights, self._alpha, strict=True))
            known = self._constant + math.fsum(parts)
            known -= lgamma(math.fsum(weights) + self._alpha_total)
            _remember(self.terms, counts, known)
        return known

    def pure(self, counts: ClassTuple) -> float:
        """Return what no rules can beat on rows with these counts: each class by itself.

        A class that is captured alone is the more probable row by row: its own rows come before,
        and no others. Yang et al. (2017), Scalable Bayesian rule lists, theorem 3, for any α and
        any number of classes.
        """
        known = self.pures.get(counts)
        if known is None:
            empty = [0] * len(counts)
            alone = ((*empty[:k], n, *empty[k + 1 :]) for k, n in enumerate(counts) if n)
            known = math.fsum(self.term(of_class) for of_class in alone)
            _remember(self.pures, counts, known)
        return known

    def at_own_shares(self, rows: Rows) -> float:
        """Return what no rules can beat where each cell of rows is given its own class shares.

        No antecedent tells the rows of a cell apart, and no prior makes them more probable than
        their own shares do. Infinite where the cells are not known.
        """
        cells = rows.cells
        if cells is None:
            return math.inf
        # a share of no rows may be anything above nothing
        shares = np.maximum(cells, 1) / np.maximum(cells.sum(axis=1, keepdims=True), 1)
        return float(np.vdot(cells, np.log(shares))) * self._unit

    def at_common_share(self, counts: ClassTuple) -> float:
        """Return the log likelihood of rows at their class shares, the same for all of them.

        No more than :meth:`at_own_shares` of the same rows.
        """
        known = self._commons.get(counts)
        if known is None:
            rows = sum(counts)
            known = self._unit * math.fsum(n * math.log(n / rows) for n in counts if n)
            _remember(self._commons, counts, known)
        return known

    def likelihood(self, captured: Iterable[ClassTuple]) -> float:
        """Return log p(y | list) from the counts of each rule, the else last."""
        return total([self.term(counts) for counts in captured])

    def of(self, rows: Rows, antecedents: Sequence[int]) -> float:
        """Return the log posterior of a list over all ``rows``, up to the evidence."""
        return self.list_prior(antecedents) + self.likelihood(captured_by(rows, antecedents))

    def share(self, counts: ClassTuple) -> tuple[float, ...]:
        """Return the posterior mean of each class probability of a rule (equation 2.7)."""
        weights = [n * self._unit + a for n, a in zip(counts, self._alpha, strict=True)]
        return tuple(weight / math.fsum(weights) for weight in weights)


def total(terms: Iterable[float]) -> float:
    """Return the sum from left to right: equal whatever part of it was known before."""
    *_, last = accumulate(terms, initial=0.0)
    return last


def _remember(known: dict[tuple[int, ...], float], key: tuple[int, ...], value: float) -> None:
    if len(known) >= _KEPT:
        known.clear()
    known[key] = value
