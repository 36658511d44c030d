"""Codes of patterns in memory, and how many rows of a class have which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dbrules.search.covering.draw import Draw
from dbrules.search.covering.literal import Antecedent, Feature, Literal
from dbrules.statistics.first_match import FirstMatch
from dbrules.statistics.patterns import Patterns

#: From this many patterns on, codes are counted feature by feature: the counters stay in cache.
_MANY = 20_000
#: From this share of the patterns on, one in so many, it is worth to know all that a rule covers.
_SHARE = 8
#: Codes that are kept by row as well: 400 MB.
_PLACES = 100_000_000
#: Bytes of what rules cover that are kept.
_MASKS = 1 << 26


@dataclass(frozen=True, eq=False)
class Codes:
    """The codes of patterns, twice: small sets of patterns are read by row, others by feature.

    ``by_feature``: shape (features, patterns). ``places``: the place of each code in a histogram,
    shape (patterns, features), None where that would take too much memory. ``starts``: where the
    codes of each feature begin in a histogram, and where the last ones end.
    """

    features: tuple[Feature, ...]
    by_feature: NDArray[np.uint8 | np.uint16]
    places: NDArray[np.int32] | None
    starts: NDArray[np.int64]
    #: which patterns rules cover, of the rules that were asked for last
    _masks: dict[Antecedent, NDArray[np.bool_]] = field(default_factory=dict, repr=False)

    def holds(self, literal: Literal, patterns: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Return of which patterns a literal holds."""
        return _among(self.by_feature[literal.feature].take(patterns), literal)

    def covers(self, antecedent: Antecedent, patterns: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Return which patterns an antecedent covers."""
        if len(patterns) * _SHARE >= self.by_feature.shape[1]:
            return self._mask(antecedent).take(patterns)
        covered = np.zeros(len(patterns), dtype=np.bool_)
        inside = np.arange(len(patterns))
        for literal in antecedent:
            inside = inside[self.holds(literal, patterns[inside])]
        covered[inside] = True
        return covered

    def first_match(
        self, antecedents: Sequence[Antecedent], patterns: NDArray[np.int32]
    ) -> NDArray[np.integer[Any]]:
        """Return which rule of a list captures each pattern: its place from the end, 0 for none."""
        known = self._first_match.of(tuple(antecedents))
        if known is not None:
            return known.take(patterns)
        places = np.zeros(len(patterns), dtype=np.int64)
        for place, antecedent in enumerate(reversed(antecedents), start=1):
            places[self.covers(antecedent, patterns)] = place
        return places

    @cached_property
    def _first_match(self) -> FirstMatch:
        return FirstMatch(self._mask, self.by_feature.shape[1])

    def _mask(self, antecedent: Antecedent) -> NDArray[np.bool_]:
        """Return which of all patterns an antecedent covers, kept for when it is asked again."""
        size = self.by_feature.shape[1]
        mask = self._masks.pop(antecedent, None)
        if mask is None:
            mask = np.ones(size, dtype=np.bool_)
            for literal in antecedent:
                mask &= _among(self.by_feature[literal.feature], literal)
            while len(self._masks) * size > _MASKS:
                del self._masks[next(iter(self._masks))]
        self._masks[antecedent] = mask
        return mask

    def histogram(
        self, patterns: NDArray[np.int32], units: NDArray[np.int64] | None
    ) -> NDArray[np.int64]:
        """Return the units of each code; ``units`` of each pattern, None for 1 each."""
        size = int(self.starts[-1])
        if self.places is not None and len(patterns) < _MANY:
            places = self.places.take(patterns, axis=0).ravel()
            weights = None if units is None else np.repeat(units, len(self.features))
            return np.bincount(places, weights, size).astype(np.int64, copy=False)
        parts = [
            np.bincount(self.by_feature[number].take(patterns), units, feature.size)
            for number, feature in enumerate(self.features)
        ]
        return np.concatenate(parts).astype(np.int64, copy=False)


def _among(codes: NDArray[np.uint8 | np.uint16], literal: Literal) -> NDArray[np.bool_]:
    """Return which codes of its feature a literal holds of."""
    _, first, end = literal
    if end == first + 1:
        held = codes == first
    elif first == 0:
        held = codes < end
    else:
        held = (codes >= first) & (codes < end)
    return np.asarray(held, dtype=np.bool_)


def coded(patterns: Patterns, features: Sequence[Feature]) -> Codes:
    """Return the codes of patterns."""
    by_feature = np.ascontiguousarray(patterns.codes.T)
    starts = np.cumsum([0, *(feature.size for feature in features)])
    places: NDArray[np.int32] | None = None
    if by_feature.size <= _PLACES:
        places = np.ascontiguousarray(patterns.codes + starts[:-1].astype(np.int32), np.int32)
    return Codes(tuple(features), by_feature, places, starts)


@dataclass(frozen=True, eq=False)
class Units:
    """The patterns that have rows of a class, ascending, and how many; ``units`` None: 1 each."""

    patterns: NDArray[np.int32]
    units: NDArray[np.int64] | None

    @cached_property
    def total(self) -> int:
        """All units."""
        return len(self.patterns) if self.units is None else int(self.units.sum())

    def pattern(self, unit: int) -> int:
        """Return the pattern of a unit, by its number."""
        if self.units is None:
            return int(self.patterns[unit])
        place = np.searchsorted(np.cumsum(self.units), unit, side="right")
        return int(self.patterns[place])

    def total_of(self, chosen: NDArray[np.bool_]) -> int:
        """Return the units of some of the patterns."""
        if self.units is None:
            return int(np.count_nonzero(chosen))
        return int(self.units[chosen].sum())

    def where(self, chosen: NDArray[np.bool_]) -> Units:
        """Return some of the patterns."""
        units = None if self.units is None else self.units[chosen]
        return Units(self.patterns[chosen], units)

    def split(self, draw: Draw, *, positive: bool) -> tuple[Units, Units]:
        """Return what is left by a draw, and what is drawn."""
        if self.units is None:
            chosen = np.zeros(len(self.patterns), dtype=np.bool_)
            chosen[draw.points(len(self.patterns), positive=positive)] = True
            return self.where(~chosen), self.where(chosen)
        ends = np.concatenate([[0], np.cumsum(self.units)])
        drawn = np.diff(draw.below(ends, positive=positive))
        return self._of(self.units - drawn), self._of(drawn)

    def _of(self, units: NDArray[np.int64]) -> Units:
        some = units > 0
        return units_of(self.patterns[some], units[some])


def units_of(patterns: NDArray[np.int32], units: NDArray[np.int64]) -> Units:
    """Return units, each above 0; counting is faster where all are 1."""
    return Units(patterns, None if bool((units == 1).all()) else units)
