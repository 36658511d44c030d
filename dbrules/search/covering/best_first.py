"""Best-first search for a rule."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from random import Random
from typing import Final

from dbrules.search.budget import Budget
from dbrules.search.covering.goal import Best, Candidate, Task
from dbrules.search.covering.limited import Limited
from dbrules.search.covering.literal import Antecedent
from dbrules.search.covering.node import Node
from dbrules.search.covering.options import Options
from dbrules.search.covering.promising import promising

#: The rules that are refined where no limit is given.
_MAX_NODES: Final = 200


def best_first(task: Task, options: Options, budget: Budget, generator: Random) -> Candidate | None:
    """Return the best rule seen while the best rule not yet refined is refined.

    Rules are left out whose bound (:func:`promising`) is not better than the best rule. The search
    ends at ``options.max_nodes`` rules, 200 where it is None; where it is 0, the best rule of all
    is found.
    Source: Fürnkranz, Gamberger and Lavrač (2012), Foundations of rule learning, section 6.3.
    """
    part = Limited(task, budget, Limited.nodes_of(options.max_nodes, _MAX_NODES))
    best, queue = Best(), _Queue()
    node: Node | None = Node.root(task)
    while node is not None and part.spend():
        node.offer(best)
        # a literal of a feature that has one is left for the rule without that one
        adds = node.refined.conditions > node.rule.conditions
        numbers, bounds = promising(node, best, adds, later=False)
        queue.push(node, zip(numbers.tolist(), bounds.tolist(), strict=True))
        node = queue.pop()
        while node is not None and not node.may_be_better(best):
            node = queue.pop()
    part.close()
    return best.found


class _Queue:
    """Refinements of rules, the best first, each once.

    A rule stands in the queue for the best of its refinements that are left.
    """

    def __init__(self) -> None:
        self._heap: list[tuple[tuple[object, ...], Node, Iterator[tuple[int, float]]]] = []
        self._seen: set[Antecedent] = set()

    def push(self, parent: Node, numbers: Iterator[tuple[int, float]]) -> None:
        """Add the refinements of a rule: numbers and bounds, from best to worst."""
        for number, bound in numbers:
            rule = parent.candidate(number)
            if rule.key not in self._seen:
                self._seen.add(rule.key)
                heapq.heappush(self._heap, (rule.rank, parent.child(number, rule, bound), numbers))
                return

    def pop(self) -> Node | None:
        """Return the best refinement that is left."""
        if not self._heap:
            return None
        _, node, numbers = heapq.heappop(self._heap)
        assert node.parent is not None
        self.push(node.parent, numbers)
        return node
