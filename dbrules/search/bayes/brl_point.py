"""The list that stands for a posterior over rule lists."""

from __future__ import annotations

import math
from collections.abc import Mapping

from dbrules.search.bayes.brl_posterior import BrlPosterior
from dbrules.search.captures import AntecedentList, Rows


def brl_point(
    posterior: BrlPosterior, rows: Rows, visits: Mapping[AntecedentList, int]
) -> AntecedentList:
    """Return BRL-point: the most probable list of typical length and typical antecedents.

    Typical are lists of as many rules as the mean over the draws, rounded down or up, whose
    antecedents have on average as many conditions as all antecedents of the draws, between the
    same roundings. Where no draw is typical in both, length alone decides. ``visits``: draws of
    each list, one at least. Letham et al. (2015), Interpretable classifiers using rules and
    Bayesian analysis, section 2.7.
    """
    draws = sum(visits.values())
    length = math.fsum(len(found) * number for found, number in visits.items()) / draws
    filled = {found: number for found, number in visits.items() if found}
    conditions = math.fsum(_mean(posterior, found) * n for found, n in filled.items())
    conditions /= max(1, sum(filled.values()))
    of_length = [found for found in visits if _is_near(len(found), length)]
    typical = [f for f in of_length if f and _is_near(_mean(posterior, f), conditions)]
    # the mean lies between the lengths of two draws, though none may be next to it
    among = typical or of_length or list(visits)
    return min(among, key=lambda found: (-posterior.of(rows, found), found))


def _mean(posterior: BrlPosterior, antecedents: AntecedentList) -> float:
    return sum(posterior.lengths[a] for a in antecedents) / len(antecedents)


def _is_near(value: float, mean: float) -> bool:
    return math.floor(mean) <= value <= math.ceil(mean)
