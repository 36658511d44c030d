"""Random search for a rule, with restarts."""

from __future__ import annotations

from random import Random

import numpy as np

from dbrules.search.budget import Budget
from dbrules.search.covering.goal import Best, Candidate, Task
from dbrules.search.covering.node import Node
from dbrules.search.covering.options import Options


def stochastic(task: Task, options: Options, budget: Budget, generator: Random) -> Candidate | None:
    """Return the best rule seen while refinements are drawn, ``options.restarts`` times.

    A refinement is drawn with a probability in proportion to how much better it is than the rule
    refined; where none is better, the next restart begins. Source: Fürnkranz (1999),
    Separate-and-conquer rule learning, Artificial Intelligence Review 13, section 4.1.4
    (stochastic search).
    """
    best, root = Best(), Node.root(task)
    for _ in range(options.restarts):
        node: Node | None = root
        while node is not None:
            if not budget.spend():
                return best.found
            node.offer(best)
            node = _drawn(node, generator)
    return best.found


def _drawn(node: Node, generator: Random) -> Node | None:
    """Return a better refinement, drawn."""
    refined = node.refined
    before = 0.0 if node.task.is_gain else node.rule.value
    ends = np.cumsum(np.maximum(refined.step - before, 0.0))
    if not len(ends) or ends[-1] <= 0:
        return None
    number = int(np.searchsorted(ends, generator.random() * ends[-1], side="right"))
    return node.child(min(number, len(ends) - 1))
