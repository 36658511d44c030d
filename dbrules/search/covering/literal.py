"""Literals over codes: runs of the codes of one feature, and antecedents made of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias


@dataclass(frozen=True, slots=True)
class Feature:
    """The codes 0 to ``size - 1`` of one feature.

    The first ``steps`` are in value order: literals say ``<=`` or ``>=`` of them. Each further
    code but the last is a literal of its own: a level, a bin, or missing. The last code is of all
    other rows, which no literal holds of. ``values``: how many values the steps stand for, where
    they are more than ``steps``.

    >>> levels, numbers = Feature(size=4), Feature(size=11, steps=10)
    """

    size: int
    steps: int = 0
    values: int = 0


class Literal(NamedTuple):
    """The codes from ``first`` to ``end`` (exclusive) of the feature at a place.

    Literals order by feature, then by code.
    """

    feature: int
    first: int
    end: int


#: All of its literals hold of a row that it covers; they stand in the order they were added.
Antecedent: TypeAlias = tuple[Literal, ...]


def merged(antecedent: Sequence[Literal]) -> Antecedent:
    """Return one literal a feature, where the feature came first: the codes all its literals allow.

    >>> merged([Literal(0, 2, 9), Literal(1, 0, 1), Literal(0, 0, 5)])
    (Literal(feature=0, first=2, end=5), Literal(feature=1, first=0, end=1))
    """
    kept: dict[int, Literal] = {}
    for feature, first, end in antecedent:
        before = kept.get(feature, Literal(feature, first, end))
        kept[feature] = Literal(feature, max(first, before.first), min(end, before.end))
    return tuple(kept.values())


def conditions(antecedent: Sequence[Literal], features: Sequence[Feature]) -> int:
    """Return how many conditions an antecedent is written with.

    A run between two steps takes two, ``>=`` and ``<=``, unless it is of one value; a run to
    either end and a code of its own take one. This is the most that it can be.

    >>> conditions([Literal(0, 2, 9), Literal(0, 0, 5)], [Feature(11, 10)])
    2
    """
    return sum(
        1 + (first > 0 and end < features[feature].steps)
        for feature, first, end in merged(antecedent)
    )
