"""How much a search may spend: nodes, seconds, and who hears of its progress."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

#: Seconds between two reports of progress.
_EVERY: Final = 0.5
#: The limit of a search that the user ended.
INTERRUPTED: Final = "interrupted"


@dataclass
class Budget:
    """Nodes and seconds left to a search; both None: no limit.

    A limit on nodes gives the same answer on every machine, one on seconds does not. ``report``
    is called, at most twice a second, with a line that says how far the search is.

    >>> budget = Budget(max_nodes=2)
    >>> [budget.spend(), budget.spend(), budget.spend()], budget.limit
    ([True, True, False], 'max_nodes=2')
    """

    max_nodes: int | None = None
    max_seconds: float | None = None
    report: Callable[[str], None] | None = None
    nodes: int = 0
    limit: str | None = None
    _started: float = field(default_factory=time.monotonic)
    _reported: float = field(default_factory=time.monotonic)

    def spend(self, nodes: int = 1) -> bool:
        """Count nodes; False where the budget is spent already, ``limit`` then says which."""
        if self.max_nodes is not None and self.nodes >= self.max_nodes:
            self.limit = f"max_nodes={self.max_nodes}"
        elif self.max_seconds is not None and self.seconds >= self.max_seconds:
            self.limit = f"max_seconds={self.max_seconds:g}"
        else:
            self.nodes += nodes
            return True
        return False

    def part(self, nodes: int | None, seconds: float = 1.0) -> Budget:
        """Return a budget of at most ``nodes`` of those left, and a share of the seconds left."""
        left = None if self.max_nodes is None else self.max_nodes - self.nodes
        if nodes is not None:
            left = nodes if left is None else min(nodes, left)
        until = self.max_seconds
        if until is not None:
            until = self.seconds + seconds * (until - self.seconds)
        return Budget(left, until, self.report, _started=self._started, _reported=self._reported)

    def add(self, part: Budget) -> None:
        """Count what a part has spent."""
        self.nodes += part.nodes
        self._reported = part._reported

    @property
    def seconds(self) -> float:
        """Seconds since the budget was opened."""
        return time.monotonic() - self._started

    @property
    def half_over(self) -> bool:
        """Whether half of the seconds are over: what prepares a search must end then."""
        return self.max_seconds is not None and self.seconds >= self.max_seconds / 2

    def tell(self, line: Callable[[], str]) -> None:
        """Report a line now and then; it is made only where it is told."""
        if self.report is not None and time.monotonic() - self._reported >= _EVERY:
            self._reported = time.monotonic()
            self.report(line())
