"""Which refinements of a rule are worth refining: a bound on all that they can become."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dbrules.search.covering.goal import Best
from dbrules.search.covering.node import Node, Refined
from dbrules.search.covering.quality import Weights


def promising(
    node: Node, best: Best, follows: NDArray[np.bool_], *, later: bool
) -> tuple[NDArray[np.intp], Weights]:
    """Return the refinements that may have refinements better than the best, and their bounds.

    ``follows``: the refinements to look at, which add a condition each. The numbers stand from
    best to worst value. ``later``: only literals after the last one are added to them.

    No optimum is lost. A refinement is left out where another is never worse, whatever is added
    to both (:func:`_undominated`). Of the others, a rule keeps no more positives than it has; and
    conditions together exclude no more negatives than the sum of what each alone excludes, each
    on one side of one feature. Every quality rises with the positives and falls with the
    negatives, where it is above that of the rule that covers everything. Webb (1995), OPUS: an
    efficient admissible algorithm for unordered search, JAIR 3, section 4 (optimistic pruning).
    """
    task, limit = node.task, node.task.goal.max_conditions
    refined = node.refined
    follows = follows & (refined.n < node.rule.count.negative)  # else the rule itself is better
    alone = task.values(refined.p, np.zeros_like(refined.n))
    follows &= best.beatable(alone, refined.p, refined.conditions + 1)
    some = np.flatnonzero(follows)
    if not len(some):
        return some, alone[:0]
    few = refined.where(some)
    sides = _sides(node, few)
    most = limit or 2 * (len(task.features) + len(node.rule.antecedent))
    room = most - few.conditions
    kept = _undominated(node, best, few, sides) & (room > 0)
    least = np.maximum(few.n - _excluded(node, few, sides, room, later=later), 0)
    bound = task.values(few.p, least)
    left = np.flatnonzero(kept & best.beatable(bound, few.p, few.conditions + 1))
    if len(left):
        left = left[task.admissible(few.p[left], least[left], bound[left])]
    # the order of the places is that of the numbers
    left = left[np.lexsort((few.conditions[left], -few.p[left], -few.step[left]))]
    return some[left], bound[left]


def _sides(node: Node, refined: Refined) -> NDArray[np.intp]:
    """Return of each refinement the side of the feature it bounds, in canonical order.

    Two a feature: ``<=`` and all codes of their own, then ``>=``.
    """
    literals, place = node.task.refinements, refined.place
    feature = literals.feature[place]
    above = (literals.first[place] > 0) & (literals.end[place] == node.task.steps[feature])
    sides: NDArray[np.intp] = 2 * feature + above
    return sides


def _undominated(
    node: Node, best: Best, refined: Refined, sides: NDArray[np.intp]
) -> NDArray[np.bool_]:
    """Say which thresholds no other one of the same side makes needless.

    The rows of the thresholds of one side are nested. One with the same positives and fewer
    negatives is never worse, nor is one with more positives and the same negatives: what is left
    are boundary points. Fayyad and Irani (1992), On the handling of continuous-valued attributes
    in decision tree generation, Machine Learning 8, theorem 1.
    """
    task = node.task
    literals = task.refinements
    ordered = literals.end[refined.place] <= task.steps[literals.feature[refined.place]]
    kept = np.ones(len(sides), dtype=np.bool_)
    tighter = _tighter_is_safe(node, best)
    for above in (0, 1):
        at = np.flatnonzero(ordered & (sides % 2 == above))
        if above:  # from the tightest to the loosest
            at = at[::-1]
        p, n, same = refined.p[at], refined.n[at], sides[at][1:] == sides[at][:-1]
        kept[at[:-1][same & (n[1:] == n[:-1])]] = False
        if tighter:
            kept[at[1:][same & (p[1:] == p[:-1])]] = False
    return kept


def _tighter_is_safe(node: Node, best: Best) -> bool:
    """Say whether fewer negatives never keep the goal from admitting a better rule."""
    task, goal = node.task, node.task.goal
    if task.majority is not None and not task.majority.sees_all:
        return False
    if goal.least <= 1:
        return True
    p = np.array([goal.least - 1])  # that few positives, and no negatives, are too few rows
    return not best.beatable(task.values(p, np.zeros_like(p)), p, np.zeros_like(p))[0]


def _excluded(
    node: Node, refined: Refined, sides: NDArray[np.intp], room: NDArray[np.int64], *, later: bool
) -> NDArray[np.int64]:
    """Return the most negatives that the further conditions of each refinement can exclude."""
    of_side = np.zeros(2 * len(node.task.features), dtype=np.int64)
    np.maximum.at(of_side, sides, node.rule.count.negative - refined.n)
    present = np.flatnonzero(of_side)
    if not len(present):
        return np.zeros(len(sides), dtype=np.int64)
    number = np.arange(len(present))
    others = number > number[:, None] if later else number != number[:, None]
    most = np.sort(np.where(others, of_side[present], 0), axis=1)[:, ::-1].cumsum(axis=1)
    excluded: NDArray[np.int64] = most[
        np.searchsorted(present, sides), np.clip(room, 1, len(present)) - 1
    ]
    return excluded
