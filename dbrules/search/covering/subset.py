"""Rows as sequential covering asks for them: what is left, what a rule covers, what is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from dbrules.search.covering.draw import Draw
from dbrules.search.covering.literal import Antecedent, Feature, Literal


class Count(NamedTuple):
    """Units of weight of the positive class, and of all others."""

    positive: int
    negative: int

    @property
    def total(self) -> int:
        """All units."""
        return self.positive + self.negative

    def __sub__(self, other: Count) -> Count:  # what other leaves
        return Count(self.positive - other.positive, self.negative - other.negative)


class Subset(Protocol):
    """Some of the rows, each of the positive class or not.

    Every count is a whole number of units of weight, and totals less than 2**53.
    """

    @property
    def features(self) -> tuple[Feature, ...]:
        """The features, in declared order."""

    @property
    def count(self) -> Count:
        """What there is."""

    @property
    def histogram(self) -> NDArray[np.int64]:
        """Positive and other units of each code, shape (2, codes of all features).

        The codes of a feature begin where those of the features before it end.
        """

    def meeting(self, *literals: Literal) -> Subset:
        """Return the rows that each literal holds of."""

    def without(self, *antecedents: Antecedent) -> Subset:
        """Return the rows that no antecedent covers."""

    def without_positives(self, antecedent: Antecedent) -> Subset:
        """Return the rows but the positive ones of which all literals hold."""

    def path(self, antecedent: Antecedent) -> list[Count]:
        """Return what the first literal covers, the first two, …, all."""

    def captures(self, antecedents: Sequence[Antecedent]) -> list[Count]:
        """Return what each rule of a list captures: covers, and no rule before it does."""

    def row(self, unit: int) -> tuple[int, ...]:
        """Return the codes of a positive unit, by its number in the canonical order of patterns."""

    def split(self, draw: Draw) -> AbstractContextManager[tuple[Subset, Subset]]:
        """Yield the rows that are left after a draw, and those drawn.

        The units of a class are drawn in the canonical order of the patterns of codes.
        """


class Rows(Protocol):
    """All rows, or those that the rules for earlier classes leave."""

    @property
    def features(self) -> tuple[Feature, ...]:
        """The features, in declared order."""

    @property
    def totals(self) -> NDArray[np.int64]:
        """Units of each class; shape (classes,)."""

    def against(self, positive: int) -> Subset:
        """Return the rows with one class told from all others."""

    def without(self, antecedents: Sequence[Antecedent]) -> Rows:
        """Return the rows that none of the rules covers."""

    def captures(self, antecedents: Sequence[Antecedent]) -> NDArray[np.int64]:
        """Return the class counts that each rule of a list captures; shape (rules, classes)."""

    def covers(self, antecedents: Sequence[Antecedent]) -> NDArray[np.int64]:
        """Return the class counts that each rule covers; shape (rules, classes)."""
