"""The best of all rules, by branch and bound."""

from __future__ import annotations

from random import Random

import numpy as np
from numpy.typing import NDArray

from dbrules.search.budget import Budget
from dbrules.search.covering.beam import beam
from dbrules.search.covering.goal import Best, Candidate, Task
from dbrules.search.covering.node import Node
from dbrules.search.covering.options import Options


def exhaustive(task: Task, options: Options, budget: Budget, generator: Random) -> Candidate | None:
    """Return the best rule that there is with at most ``max_conditions`` of the goal.

    Every set of conditions is looked at once, its literals added in canonical order, unless its
    positives alone are not better than the best rule so far: that of a beam search, to begin
    with. ``options.max_nodes`` ends the search early. Webb (1995), OPUS: an efficient admissible
    algorithm for unordered search, JAIR 3.
    """
    best = Best()
    start = beam(task, options, budget, generator)
    if start is not None:
        best.offer(start)
    part = budget.part(options.max_nodes)
    _visit(Node.root(task), best, part)
    budget.add(part)
    return best.found


def _visit(node: Node, best: Best, budget: Budget) -> bool:
    """Look at a rule and its refinements; False where the budget is spent."""
    if not budget.spend():
        return False
    node.offer(best)
    refined, limit = node.refined, node.task.goal.max_conditions
    further = _follows(node)
    if limit is not None:
        further &= refined.conditions < limit
    order = np.lexsort((refined.place, -refined.p, -refined.value))
    for number in order[(further & node.beatable(best))[order]].tolist():
        child = node.child(number)
        if child.may_be_better(best) and not _visit(child, best, budget):
            return False
    return True


def _follows(node: Node) -> NDArray[np.bool_]:
    """Say which refinements add a literal that follows the last one.

    It is of a later feature, or it is the ``>=`` to the ``<=`` of the same feature.
    """
    literals, place = node.task.refinements, node.refined.place
    if node.parent is None:
        return np.ones(len(place), dtype=np.bool_)
    feature, first, _ = literals[node.place]
    of_feature = literals.feature[place]
    follows: NDArray[np.bool_] = of_feature > feature
    if first == 0 and node.task.features[feature].steps > 0:
        follows |= (of_feature == feature) & (literals.first[place] > 0)
    return follows
