"""Draws of rule lists summed up: the most probable ones, their antecedents, their average."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Final

from dbrules.errors import InvalidSetting
from dbrules.language.condition import Condition
from dbrules.posterior import PosteriorList
from dbrules.search.captures import AntecedentList

#: Lists and antecedents that a model keeps of a posterior, at most.
_KEPT: Final = 100
#: Lists that are averaged, at most, and the share of the draws at which there are enough.
_AVERAGED: Final = 25
_ENOUGH: Final = 0.99
#: Classes of which averages are compared in SQL, at most.
_AVERAGED_CLASSES: Final = 50
#: Lists times pairs of classes that are compared, at most, and lists at least.
_COMPARED: Final = 1500
_LEAST: Final = 3

#: The conditions of each antecedent of a list.
Named = Callable[[AntecedentList], list[tuple[Condition, ...]]]


def probable_lists(visits: Mapping[AntecedentList, int], named: Named) -> tuple[PosteriorList, ...]:
    """Return the most probable lists; ``visits``: draws of each list, most of them first."""
    draws = sum(visits.values())
    return tuple(
        PosteriorList(tuple(named(antecedents)), number / draws)
        for antecedents, number in list(visits.items())[:_KEPT]
    )


def inclusion(
    visits: Mapping[AntecedentList, int], named: Named
) -> tuple[tuple[tuple[Condition, ...], float], ...]:
    """Return the antecedents that lists most probably have, with that probability."""
    draws = sum(visits.values())
    numbers: dict[int, int] = {}
    for antecedents, number in visits.items():
        for antecedent in antecedents:
            numbers[antecedent] = numbers.get(antecedent, 0) + number
    order = sorted(numbers, key=lambda antecedent: (-numbers[antecedent], antecedent))[:_KEPT]
    return tuple((named((a,))[0], numbers[a] / draws) for a in order)


def refuse_to_average(classes: int) -> None:
    """Raise InvalidSetting for more classes than an average can compare in SQL."""
    if classes > _AVERAGED_CLASSES:
        raise InvalidSetting(
            f"point 'average' compares each two of {classes} classes in SQL, more than "
            f"{_AVERAGED_CLASSES}: give point='map'"
        )


def averaged(
    visits: Mapping[AntecedentList, int], classes: int
) -> tuple[dict[AntecedentList, float], str]:
    """Return the lists to average with weights that add up to 1, and a note that says so.

    As many of the most probable lists as make up 99 % of the draws, 25 at most: SQL has a CASE for
    each, and more rank rows hardly better. Of many classes fewer lists: SQL compares each two.
    """
    most = max(_LEAST, min(_AVERAGED, _COMPARED // classes**2))
    draws, taken = sum(visits.values()), 0
    lists: dict[AntecedentList, int] = {}
    for antecedents, number in visits.items():
        if len(lists) == most or taken >= _ENOUGH * draws:
            break
        lists[antecedents] = number
        taken += number
    weights = {antecedents: number / taken for antecedents, number in lists.items()}
    assert math.isclose(math.fsum(weights.values()), 1)
    return weights, (
        f"averages the {len(lists)} most probable of {len(visits)} lists drawn, "
        f"{100 * taken / draws:.3g} % of the draws"
    )
