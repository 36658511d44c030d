"""The best of all rules, by branch and bound."""

from __future__ import annotations

from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dbrules.search.budget import Budget
from dbrules.search.covering.beam import beam
from dbrules.search.covering.goal import Best, Candidate, Task
from dbrules.search.covering.limited import Limited
from dbrules.search.covering.node import Node
from dbrules.search.covering.options import Options
from dbrules.search.covering.promising import promising

#: The rules that are refined where no limit is given.
_MAX_NODES: Final = 500


def exhaustive(task: Task, options: Options, budget: Budget, generator: Random) -> Candidate | None:
    """Return the best rule that there is with at most ``max_conditions`` of the goal.

    Every set of conditions is looked at once, its literals added in canonical order, unless its
    bound (:func:`promising`) is not better than the best rule so far: that of a beam search, to
    begin with. The search ends at ``options.max_nodes`` rules, 500 where it is None, and is
    complete where it is 0. Webb (1995), OPUS: an efficient admissible algorithm for unordered
    search, JAIR 3.
    """
    best = Best()
    start = beam(task, options, budget, generator)
    if start is not None:
        best.offer(start)
    part = Limited(task, budget, Limited.nodes_of(options.max_nodes, _MAX_NODES))
    _visit(Node.root(task), best, part)
    part.close()
    return best.found


def _visit(node: Node, best: Best, budget: Limited) -> bool:
    """Look at a rule and its refinements; False where the budget is spent."""
    if not budget.spend():
        return False
    node.offer(best)
    numbers, bounds = promising(node, best, _follows(node), later=True)
    for number, bound in zip(numbers.tolist(), bounds.tolist(), strict=True):
        child = node.child(number, bound=bound)
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
