"""The literals that an antecedent can be refined with, and what they cover: one histogram."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dbrules.search.covering.literal import Feature, Literal


class Refinements:
    """All literals of some features, in canonical order.

    By feature, then by place; at each place between two values ``<=`` stands before ``>=``.
    ``feature``, ``first``, ``end``: shape (literals,).

    >>> literals = Refinements([Feature(size=4, steps=3), Feature(size=3)])
    >>> [literals[place] for place in range(len(literals))][:3]
    [Literal(feature=0, first=0, end=1), Literal(feature=0, first=1, end=3), Literal(feature=0, first=0, end=2)]
    """  # noqa: E501

    def __init__(self, features: Sequence[Feature]) -> None:
        runs = [_runs(feature) for feature in features]
        sizes = [len(run) for run in runs]
        self.feature = np.repeat(np.arange(len(runs)), sizes)
        runs = runs or [np.zeros((0, 2), dtype=np.int64)]
        self.first, self.end = np.ascontiguousarray(np.concatenate(runs).T)
        starts = np.cumsum([0, *(feature.size for feature in features)])[self.feature]
        self._low, self._high = starts + self.first, starts + self.end
        #: the code whose value is the threshold: a threshold is a value of some row
        self._edge = np.where(self.first > 0, self._low, self._high - 1)

    def __len__(self) -> int:
        return len(self.feature)

    def __getitem__(self, place: int) -> Literal:
        """Return a literal by its place."""
        return Literal(int(self.feature[place]), int(self.first[place]), int(self.end[place]))

    def counts(
        self, histogram: NDArray[np.int64]
    ) -> tuple[NDArray[np.intp], NDArray[np.int64], NDArray[np.int64]]:
        """Return the literals whose threshold, level or bin some row has, and what they cover.

        ``histogram``: of a subset, shape (2, codes). Places, positive and other units of each.
        """
        places = np.flatnonzero((histogram[0] + histogram[1]).take(self._edge))
        low, high = self._low.take(places), self._high.take(places)
        positive, negative = (
            below.take(high) - below.take(low)
            for below in (_below(histogram[0]), _below(histogram[1]))
        )
        return places, positive, negative


def _below(units: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the units of all codes before each, and at last of all."""
    below = np.zeros(len(units) + 1, dtype=np.int64)
    np.cumsum(units, out=below[1:])
    return below


def _runs(feature: Feature) -> NDArray[np.int64]:
    """Return the literals of a feature as runs of its codes, shape (literals, 2)."""
    cuts = np.arange(1, feature.steps)
    below = np.stack([np.zeros_like(cuts), cuts], axis=1)
    above = np.stack([cuts, np.full_like(cuts, feature.steps)], axis=1)
    ordered = np.stack([below, above], axis=1).reshape(-1, 2)
    single = np.arange(feature.steps, feature.size - 1)
    return np.concatenate([ordered, np.stack([single, single + 1], axis=1)]).astype(np.int64)
