"""Best-first search for a rule."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from random import Random
from typing import Final

from dbrules.search.budget import Budget
from dbrules.search.covering.goal import Best, Candidate, Task
from dbrules.search.covering.literal import Antecedent
from dbrules.search.covering.node import Node
from dbrules.search.covering.options import Options

#: The rules that are refined where no limit is given.
_MAX_NODES: Final = 1000


def best_first(task: Task, options: Options, budget: Budget, generator: Random) -> Candidate | None:
    """Return the best rule seen while the best rule not yet refined is refined.

    Rules are left out whose positives alone are not better than the best rule: without a limit
    the best rule of all is found. The limit is ``options.max_nodes`` rules, 1000 where it is None.
    Source: Fürnkranz, Gamberger and Lavrač (2012), Foundations of rule learning, section 6.3.
    """
    part = budget.part(_MAX_NODES if options.max_nodes is None else options.max_nodes)
    best, queue = Best(), _Queue()
    node: Node | None = Node.root(task)
    while node is not None and part.spend():
        node.offer(best)
        numbers = node.refined.order[node.beatable(best)[node.refined.order]]
        queue.push(node, iter(numbers.tolist()))
        node = queue.pop()
        while node is not None and not node.may_be_better(best):
            node = queue.pop()
    budget.add(part)
    return best.found


class _Queue:
    """Refinements of rules, the best first, each once.

    A rule stands in the queue for the best of its refinements that are left.
    """

    def __init__(self) -> None:
        self._heap: list[tuple[tuple[object, ...], Node, Iterator[int]]] = []
        self._seen: set[Antecedent] = set()

    def push(self, parent: Node, numbers: Iterator[int]) -> None:
        """Add the refinements of a rule, by their numbers from best to worst."""
        for number in numbers:
            rule = parent.candidate(number)
            if rule.key not in self._seen:
                self._seen.add(rule.key)
                heapq.heappush(self._heap, (rule.rank, parent.child(number, rule), numbers))
                return

    def pop(self) -> Node | None:
        """Return the best refinement that is left."""
        if not self._heap:
            return None
        _, node, numbers = heapq.heappop(self._heap)
        assert node.parent is not None
        self.push(node.parent, numbers)
        return node
