"""Whether a rule covers more rows of its class than of any other class."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dbrules.search.covering.literal import Antecedent
from dbrules.search.covering.refinements import Refinements
from dbrules.search.covering.subset import Count, Rows, Subset


class Majority:
    """The majority that a rule for the class ``label`` needs, in what it captures of ``rows``.

    ``before``: the rules before it, whose rows do not count. None: all rows that it covers count,
    also those of its class that another rule covers already, which no search sees.

    Two classes need no more than the counts that a search has. Of more, single classes are
    counted where a rule covers fewer rows of its class than of all others together.
    """

    def __init__(self, rows: Rows, label: int, before: Sequence[Antecedent] | None) -> None:
        self._rows, self._label, self._before = rows, label, before
        self._present = [place for place, units in enumerate(rows.totals.tolist()) if units]
        #: whether the counts of a search are those of the rows that count
        self.sees_all = before is not None

    def sure(self, p: NDArray[np.int64], n: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Say which rules have it by their counts alone."""
        return p > n

    def possible(self, p: NDArray[np.int64], n: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Say which rules may have it; a rule has it where the others are not too many."""
        if not self.sees_all:
            return np.ones(len(p), dtype=np.bool_)
        return p * max(len(self._present) - 1, 1) > n

    def holds(self, antecedent: Antecedent, count: Count) -> bool:
        """Say whether a rule has it."""
        p, n = np.array([count.positive]), np.array([count.negative])
        if self.sure(p, n)[0] or not self.possible(p, n)[0]:
            return bool(self.sure(p, n)[0])
        if self._before is None:
            units = self._rows.covers([antecedent])[0]
        else:
            units = self._rows.captures([*self._before, antecedent])[-1]
        return int(np.count_nonzero(units >= units[self._label])) == 1

    def of_refinements(
        self, antecedent: Antecedent, literals: Refinements, place: NDArray[np.intp]
    ) -> NDArray[np.bool_]:
        """Say which refinements of a rule have it, by the places of the literals added."""
        own = np.zeros(len(place), dtype=np.int64)
        most = np.zeros(len(place), dtype=np.int64)
        for label, view in self._views.items():
            inside = view.meeting(*antecedent) if antecedent else view
            places, units, others = literals.counts(inside.histogram)
            of_place = np.searchsorted(places, place)
            if label == self._label:
                own = units[of_place]
                most = others[of_place] if len(self._present) == 2 else most
            else:
                most = np.maximum(most, units[of_place])
        return own > most

    @cached_property
    def _views(self) -> dict[int, Subset]:
        """The rows that count, each class told from all others; of two classes one is enough."""
        labels = [self._label] if len(self._present) == 2 else self._present
        views = {label: self._rows.against(label) for label in labels}
        if not self._before:
            return views
        return {label: view.without(*self._before) for label, view in views.items()}
