"""The third door between search and data: what the rules of a list capture, class by class."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

#: A rule list without its answers: numbers of antecedents, each at most once.
AntecedentList = tuple[int, ...]
#: Counts of each class, in units of weight.
ClassTuple = tuple[int, ...]


class Rows(Protocol):
    """Rows that no rule of a prefix captures.

    Unlike :class:`~dbrules.search.remaining.Remaining` it counts one antecedent when asked, of
    every class: random walks look at one next rule, not at all of them.
    """

    @property
    def counts(self) -> ClassTuple:
        """What is left of each class."""

    @property
    def key(self) -> Hashable:
        """Equal for equal rows, whatever the prefix that left them, and only for them."""

    @property
    def cells(self) -> NDArray[np.int64] | None:
        """Class counts of the cells that no antecedent tells apart, (cells, classes).

        None where cells must not leave the engine.
        """

    def count(self, antecedent: int) -> ClassTuple:
        """Return the class counts that a rule with ``antecedent`` captures."""

    def capture(self, antecedent: int) -> tuple[ClassTuple, Rows]:
        """Return the class counts that a rule with ``antecedent`` captures, and what it leaves."""


def captured_by(rows: Rows, antecedents: Iterable[int]) -> Iterator[ClassTuple]:
    """Yield the class counts that each rule of a list captures, the else last."""
    for antecedent in antecedents:
        counts, rows = rows.capture(antecedent)
        yield counts
    yield rows.counts


def without_idle(rows: Rows, antecedents: AntecedentList) -> AntecedentList:
    """Return a list without the rules that capture nothing: they say nothing."""
    counts = captured_by(rows, antecedents)
    return tuple(a for a, n in zip(antecedents, counts, strict=False) if any(n))
