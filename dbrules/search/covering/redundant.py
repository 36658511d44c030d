"""Conditions that say nothing after the others."""

from __future__ import annotations

from dbrules.search.covering.literal import Antecedent, Feature, Literal, merged
from dbrules.search.covering.subset import Subset


def without_redundant(subset: Subset, antecedent: Antecedent) -> Antecedent:
    """Return an antecedent of the same rows of a subset that no condition can be dropped from.

    Conditions are dropped from the first to the last.
    """
    literals = [part for literal in antecedent for part in _sides(literal, subset.features)]
    covered = subset.path(antecedent)[-1] if antecedent else subset.count
    number = 0
    while number < len(literals) and len(literals) > 1:
        others = tuple(literals[:number] + literals[number + 1 :])
        if subset.path(others)[-1] == covered:
            literals = list(others)
        else:
            number += 1
    return merged(literals)


def _sides(literal: Literal, features: tuple[Feature, ...]) -> tuple[Literal, ...]:
    """Return the ``>=`` and the ``<=`` of a run between two steps, any other literal as it is."""
    feature, first, end = literal
    steps = features[feature].steps
    if first > 0 and end < steps:
        return Literal(feature, first, steps), Literal(feature, 0, end)
    return (literal,)
