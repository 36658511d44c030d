"""The list that a walk stands on, and what another list that begins like it would be worth."""

from __future__ import annotations

import math
from collections.abc import Sequence

from dbrules.search.bayes.brl_posterior import BrlPosterior
from dbrules.search.captures import Rows

#: A list next to another, and where they differ, as :meth:`ListState.weigh` takes them.
Change = tuple[list[int], int, int, int]


class ListState:
    """A list with what its rules leave, rule by rule, so that a neighbour is counted in part.

    ``log_posterior`` is that of the list, up to the evidence. ``left``: the rows before each rule
    and before the else; ``terms``: log likelihoods of each rule and the else; ``sums``: the sum of
    those before each; all of (rules + 1,). A neighbour is first weighed and
    then, if wanted, taken::

        if state.weigh(proposed, first, same, shift, floor) is not None:
            state.take()
    """

    __slots__ = (
        "_pending",
        "_posterior",
        "antecedents",
        "left",
        "log_posterior",
        "sums",
        "terms",
    )  # fmt: skip

    def __init__(self, posterior: BrlPosterior, rows: Rows, antecedents: Sequence[int]) -> None:
        self._posterior = posterior
        self.antecedents: list[int] = []
        self.left: list[Rows] = [rows]
        self.terms: list[float] = [posterior.term(rows.counts)]
        self.sums: list[float] = [0.0]
        self.log_posterior = posterior.list_prior(()) + self.terms[0]
        self.weigh(list(antecedents), 0, len(antecedents), 0, -math.inf)
        self.take()

    def weigh(
        self, proposed: list[int], first: int, same: int, shift: int, floor: float
    ) -> float | None:
        """Return the log posterior of a list; None where it is below ``floor``.

        The lists agree before place ``first``; from place ``same`` on ``proposed`` has, ``shift``
        places later, what this list has. Counting ends as soon as the bound of Yang et al. (2017,
        theorem 3) on the rules to come shows that the floor is not reached.
        """
        posterior = self._posterior
        terms, pures = posterior.terms, posterior.pures
        prior = posterior.list_prior(proposed)
        least = floor - prior
        left = self.left
        rows, so_far = left[first], self.sums[first]
        if so_far + posterior.pure(rows.counts) < least:
            return None
        new_left: list[Rows] = []
        new_terms: list[float] = []
        new_sums: list[float] = []
        tail = len(proposed)
        for place in range(first, tail):
            if place >= same and rows.key == left[place - shift].key:
                tail = place
                break
            counts, rows = rows.capture(proposed[place])
            worth = terms.get(counts)
            if worth is None:
                worth = posterior.term(counts)
            so_far += worth
            bound = pures.get(rows.counts)
            if bound is None:
                bound = posterior.pure(rows.counts)
            if so_far + bound < least:
                return None
            new_terms.append(worth)
            new_left.append(rows)
            new_sums.append(so_far)
        if tail < len(proposed):
            old = tail - shift
            new_left += left[old + 1 :]
            for worth in self.terms[old:-1]:
                so_far += worth
                new_sums.append(so_far)
            new_terms += self.terms[old:]
        else:
            new_terms.append(posterior.term(rows.counts))
        # prior and likelihood are added once, so that equal lists have equal values
        log_posterior = prior + (so_far + new_terms[-1])
        if log_posterior < floor:
            return None
        self._pending = (proposed, first, new_left, new_terms, new_sums, log_posterior)
        return log_posterior

    @property
    def is_idle(self) -> bool:
        """Whether, of the list weighed last, a rule from the first change on captures nothing."""
        before = self.left[self._pending[1]]
        for rows in self._pending[2]:
            if rows.counts == before.counts:
                return True
            before = rows
        return False

    def take(self) -> None:
        """Stand on the list that was weighed last."""
        proposed, first, left, terms, sums, log_posterior = self._pending
        self.antecedents = proposed
        self.left[first + 1 :] = left
        self.terms[first:] = terms
        self.sums[first + 1 :] = sums
        self.log_posterior = log_posterior
