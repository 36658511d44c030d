"""The splits of a decision tree's node in two: rows that a literal holds of, and the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dbrules.search.covering.goal import Candidate, Task
from dbrules.search.covering.impurity import IMPURITIES
from dbrules.search.covering.subset import Subset

#: Gains that differ by less than this share of the rows are equal: it is rounding.
_ROUNDING: Final = 1e-9


@dataclass(frozen=True, eq=False)
class Splits:
    """The literals that a node can be split by.

    ``place``: of each literal; ``inside`` and ``outside``: class counts, (classes, literals). With
    one view of the rows the classes are the positive one and all others, of which rules are for
    the first; with more they are the positive ones of the views.
    """

    task: Task
    place: NDArray[np.intp]
    inside: NDArray[np.int64]
    outside: NDArray[np.int64]
    views: int

    def best(self, impurity: str) -> int | None:
        """Return the number of the best literal, that of the purer side; None where none gains.

        The least impurity counts, then the order of the features, then the purest side, then the
        rows of its class, then the order of the classes and of the literals.
        """
        mixed = IMPURITIES[impurity]
        everything = self.inside[:, :1] + self.outside[:, :1]
        gain = mixed(everything) - mixed(self.inside) - mixed(self.outside)
        purity = self._purity(self.inside)
        least = _ROUNDING * float(everything.sum())
        some = np.flatnonzero((gain > least) & (purity >= self._purity(self.outside)))
        if not len(some):
            return None
        some = some[gain[some] >= gain[some].max() - least]
        feature = self.task.refinements.feature[self.place[some]]
        some = some[feature == feature.min()]
        inside = self.inside[: self.views, some]
        order = np.lexsort(
            (self.place[some], inside.argmax(axis=0), -inside.max(axis=0), -purity[some])
        )
        return int(some[order[0]])

    def other_side(self, number: int) -> int | None:
        """Return the number of the literal of all other rows, None where there is none."""
        literals = self.task.refinements
        feature, first, end = literals[int(self.place[number])]
        apart = (literals.first[self.place] >= end) | (literals.end[self.place] <= first)
        others = np.flatnonzero(
            apart & (literals.feature[self.place] == feature)
            & (self.inside == self.outside[:, [number]]).all(axis=0)
        )  # fmt: skip
        return int(others[0]) if len(others) else None

    def _purity(self, counts: NDArray[np.int64]) -> NDArray[np.float64]:
        share: NDArray[np.float64] = counts[: self.views].max(axis=0) / counts.sum(axis=0)
        return share


def splits(task: Task, rule: Candidate, views: Sequence[Subset]) -> Splits:
    """Return the splits of the node of a rule by literals that the goal of the task allows."""
    histograms = [view.histogram for view in views]
    of_class = list(histograms[0]) if len(views) == 1 else [h[0] for h in histograms]
    everything = histograms[0].sum(axis=0)
    counted = [task.refinements.counts(np.stack([h, everything - h])) for h in of_class]
    place, inside = counted[0][0], np.stack([p for _, p, _ in counted])
    whole = np.array(views[0].count if len(views) == 1 else [view.count.positive for view in views])
    outside = whole[:, None] - inside
    covered = inside.sum(axis=0)
    some = (covered >= task.goal.least) & (outside.sum(axis=0) > 0)
    if task.goal.max_conditions is not None:
        some &= task.conditions(rule, place) <= task.goal.max_conditions
    return Splits(task, place[some], inside[:, some], outside[:, some], len(views))
