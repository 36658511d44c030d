"""The door between search and data: counts of coded rows, wherever they are kept."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from dbrules.search.association.uncovered import Uncovered
from dbrules.search.captures import Rows
from dbrules.search.remaining import Remaining

if TYPE_CHECKING:
    from dbrules.search.antecedents import Antecedent


class Table(Protocol):
    """Cells of rows that antecedents do not tell apart.

    ``holds``: (cells, antecedents); ``counts``: positives and negatives, (cells, 2); ``codes``:
    (cells, features).
    """

    holds: NDArray[np.bool_]
    counts: NDArray[np.int64]
    codes: NDArray[Any]


class Coverage(Protocol):
    """Antecedents over all rows: where searches for lists of rules begin."""

    @property
    def table(self) -> Table | None:
        """The cells, where they are in memory."""

    @property
    def everything(self) -> Remaining:
        """All rows, before the first rule."""


class Statistics(Protocol):
    """What a search may ask about the rows: how many of each class meet which codes.

    Features are numbered from 0 in their declared order. Each row has one code of each feature,
    from 0 to ``sizes[feature] - 1``. Every count is an integer multiple of one unit of weight
    (without weights: a row), and they total less than 2**53: sums are exact as int64 and as
    float64, and comparisons of counts are comparisons of integers.
    """

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many codes each feature has, literals or not; length: features."""

    @property
    def totals(self) -> NDArray[np.int64]:
        """Count of each class over all rows; shape (classes,)."""

    @property
    def unit(self) -> Fraction:
        """The weight of one unit of counts; 1 without weights."""

    def histograms(self, groups: Sequence[tuple[int, ...]]) -> list[NDArray[np.int64]]:
        """Return the class counts over the code grid of each group of features.

        A group is a tuple of distinct features, as many as wished; the answer to
        ``(f, g)`` has shape ``(sizes[f], sizes[g], classes)``, the answer to ``()`` is ``totals``.
        """

    def coverage(
        self,
        members: Sequence[NDArray[np.bool_]],
        antecedents: Sequence[Antecedent],
        positive: int,
    ) -> Coverage:
        """Return what prefixes of ``antecedents`` leave of the rows.

        ``members``: for each feature which codes its literals hold of, shape (literals, codes).
        ``positive``: the class that is told from all others.
        """

    def captures(
        self, members: Sequence[NDArray[np.bool_]], antecedents: Sequence[Antecedent]
    ) -> Rows:
        """Return all rows, before the first rule of a list of ``antecedents``.

        ``members``: for each feature which codes its literals hold of, shape (literals, codes).
        """

    def uncovered(self, members: Sequence[NDArray[np.bool_]]) -> Uncovered:
        """Return all rows, before the first rule, to be asked for one rule after another.

        ``members``: for each feature which codes its literals hold of, shape (literals, codes).
        """
