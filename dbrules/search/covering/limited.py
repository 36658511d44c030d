"""The nodes of one search: counted, told of, and ended at a limit."""

from __future__ import annotations

from dbrules.search.budget import Budget
from dbrules.search.covering.goal import Task


class Limited:
    """What one search may spend of the budget: at most ``nodes``, no limit where it is 0.

    A search that is ended by the limit says so of its task (``cut``).

    >>> Limited.nodes_of(None, default=1000), Limited.nodes_of(0, default=1000)
    (1000, None)
    """

    def __init__(self, task: Task, budget: Budget, nodes: int | None) -> None:
        self._task, self._budget, self._part = task, budget, budget.part(nodes)
        self._limit = nodes

    @staticmethod
    def nodes_of(max_nodes: int | None, default: int) -> int | None:
        """Return the limit that a setting means: None the default, 0 no limit."""
        return default if max_nodes is None else (max_nodes or None)

    def spend(self) -> bool:
        """Count a node; False where the search must end."""
        part, before = self._part, self._budget.nodes
        part.tell(lambda: told(self._task.rules, before + part.nodes))
        if part.spend():
            return True
        if self._limit is not None and part.nodes >= self._limit:
            self._task.cut = self._limit
        else:
            self._budget.spend(0)  # the limit of all searches together: it says which
        return False

    def close(self) -> None:
        """Count on the budget what was spent."""
        self._budget.add(self._part)


def told(rules: int, nodes: int) -> str:
    """Return the line that says how far covering is.

    >>> told(3, 12000)
    'covering: 3 rules, 12000 nodes'
    """
    return f"covering: {rules} rules, {nodes} nodes"
