"""Rows in memory, as sequential covering asks for them (``search/covering/subset``)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dbrules.search.covering.draw import Draw
from dbrules.search.covering.literal import Antecedent, Feature, Literal
from dbrules.search.covering.subset import Count
from dbrules.statistics.coded_rows import Codes, Units, units_of


class MemorySubset:
    """Some of the rows, of the positive class or not (``search/covering/subset``).

    ``parts``: the units of the positive class and of all others. ``rest``: a larger subset and
    what it has besides this one; where that is less, histograms are differences.
    """

    def __init__(
        self,
        codes: Codes,
        parts: tuple[Units, Units],
        rest: tuple[MemorySubset, MemorySubset] | None = None,
    ) -> None:
        self._codes, self.parts, self._rest = codes, parts, rest

    @property
    def features(self) -> tuple[Feature, ...]:
        """The features, in declared order."""
        return self._codes.features

    @cached_property
    def count(self) -> Count:
        """What there is."""
        return Count(self.parts[0].total, self.parts[1].total)

    @cached_property
    def histogram(self) -> NDArray[np.int64]:
        """Positive and other units of each code, shape (2, codes of all features)."""
        rest, self._rest = self._rest, None  # larger subsets are not kept alive for it
        if rest is not None and rest[0]._is_known and rest[1]._size < self._size:
            return rest[0].histogram - rest[1].histogram
        return np.stack([self._codes.histogram(p.patterns, p.units) for p in self.parts])

    @property
    def _is_known(self) -> bool:
        """Whether the histogram is there, or is a difference of what is."""
        return "histogram" in self.__dict__ or (self._rest is not None and self._rest[0]._is_known)

    @property
    def _size(self) -> int:
        return sum(len(part.patterns) for part in self.parts)

    def meeting(self, *literals: Literal) -> MemorySubset:
        """Return the rows that each literal holds of."""
        if len(literals) == 1:
            holds = [self._codes.holds(literals[0], part.patterns) for part in self.parts]
        else:
            holds = [self._codes.covers(literals, part.patterns) for part in self.parts]
        return self._part(holds, [~held for held in holds])

    def without(self, *antecedents: Antecedent) -> MemorySubset:
        """Return the rows that no antecedent covers."""
        if len(antecedents) == 1:
            covered = [self._codes.covers(antecedents[0], part.patterns) for part in self.parts]
        else:
            covered = [self._codes.first_match(antecedents, p.patterns) > 0 for p in self.parts]
        return self._part([~inside for inside in covered], covered)

    def without_positives(self, antecedent: Antecedent) -> MemorySubset:
        """Return the rows but the positive ones of which all literals hold."""
        positive, others = self.parts
        covered = self._codes.covers(antecedent, positive.patterns)
        return MemorySubset(self._codes, (positive.where(~covered), others))

    def path(self, antecedent: Antecedent) -> list[Count]:
        """Return what the first literal covers, the first two, …, all."""
        counts, inside = [], self.parts
        for literal in antecedent:
            inside = self._where(inside, literal)
            counts.append(Count(inside[0].total, inside[1].total))
        return counts

    def captures(self, antecedents: Sequence[Antecedent]) -> list[Count]:
        """Return what each rule of a list captures."""
        size = len(antecedents)
        if size == 1:
            covered = (self._codes.covers(antecedents[0], part.patterns) for part in self.parts)
            units = (p.total_of(inside) for p, inside in zip(self.parts, covered, strict=True))
            return [Count(*units)]
        places = (self._codes.first_match(antecedents, part.patterns) for part in self.parts)
        of_place = [
            np.bincount(place, part.units, size + 1).astype(np.int64)[:0:-1].tolist()
            for place, part in zip(places, self.parts, strict=True)
        ]
        return [Count(positive, negative) for positive, negative in zip(*of_place, strict=True)]

    def row(self, unit: int) -> tuple[int, ...]:
        """Return the codes of a positive unit, by its number in the canonical order of patterns."""
        pattern = self.parts[0].pattern(unit)
        return tuple(self._codes.by_feature[:, pattern].tolist())

    @contextmanager
    def split(self, draw: Draw) -> Iterator[tuple[MemorySubset, MemorySubset]]:
        """Yield the rows that are left after a draw, and those drawn."""
        (left, drawn), (other_left, other_drawn) = (
            part.split(draw, positive=place == 0) for place, part in enumerate(self.parts)
        )
        drawn_rows = MemorySubset(self._codes, (drawn, other_drawn))
        _ = self.histogram  # known once, the parts of each draw are differences
        yield MemorySubset(self._codes, (left, other_left), (self, drawn_rows)), drawn_rows

    def _part(
        self, chosen: Sequence[NDArray[np.bool_]], others: Sequence[NDArray[np.bool_]]
    ) -> MemorySubset:
        """Return what is chosen; where the others are less, its histogram is a difference."""
        first, second = (p.where(c) for p, c in zip(self.parts, chosen, strict=True))
        inside = MemorySubset(self._codes, (first, second))
        if 2 * inside._size > self._size:
            first, second = (p.where(c) for p, c in zip(self.parts, others, strict=True))
            inside._rest = self, MemorySubset(self._codes, (first, second))
        return inside

    def _where(self, parts: tuple[Units, Units], literal: Literal) -> tuple[Units, Units]:
        first, second = (p.where(self._codes.holds(literal, p.patterns)) for p in parts)
        return first, second


class MemoryRows:
    """All rows, or those that the rules for earlier classes leave, with ``counts`` by pattern."""

    def __init__(
        self, codes: Codes, counts: NDArray[np.int64], patterns: NDArray[np.int32] | None = None,
        of_all: NDArray[np.int64] | None = None,
    ) -> None:  # fmt: skip
        self._codes, self._counts = codes, counts
        # of all classes together: summed once, not for each of many classes
        self._of_all = counts.sum(axis=1) if of_all is None else of_all
        self._patterns = np.arange(len(counts), dtype=np.int32) if patterns is None else patterns

    @property
    def features(self) -> tuple[Feature, ...]:
        """The features, in declared order."""
        return self._codes.features

    @cached_property
    def totals(self) -> NDArray[np.int64]:
        """Units of each class; shape (classes,)."""
        return np.asarray(self._counts[self._patterns].sum(axis=0), dtype=np.int64)

    def against(self, positive: int) -> MemorySubset:
        """Return the rows with one class told from all others."""
        of_class = self._counts[self._patterns, positive]
        others = self._of_all[self._patterns] - of_class
        first, second = (
            units_of(self._patterns[units > 0], units[units > 0]) for units in (of_class, others)
        )
        return MemorySubset(self._codes, (first, second))

    def without(self, antecedents: Sequence[Antecedent]) -> MemoryRows:
        """Return the rows that none of the rules covers."""
        left = self._patterns
        for antecedent in antecedents:
            left = left[~self._codes.covers(antecedent, left)]
        return MemoryRows(self._codes, self._counts, left, self._of_all)

    def captures(self, antecedents: Sequence[Antecedent]) -> NDArray[np.int64]:
        """Return the class counts that each rule of a list captures; shape (rules, classes)."""
        captured, left = [], self._patterns
        for antecedent in antecedents:
            covered = self._codes.covers(antecedent, left)
            captured.append(self._counts[left[covered]].sum(axis=0))
            left = left[~covered]
        return np.array(captured, dtype=np.int64).reshape(-1, self._counts.shape[1])

    def covers(self, antecedents: Sequence[Antecedent]) -> NDArray[np.int64]:
        """Return the class counts that each rule covers; shape (rules, classes)."""
        covered = [
            self._counts[self._patterns[self._codes.covers(antecedent, self._patterns)]].sum(axis=0)
            for antecedent in antecedents
        ]
        return np.array(covered, dtype=np.int64).reshape(-1, self._counts.shape[1])
