"""The rule searches by name: each returns one rule, for one of the classes it may be for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Final, TypeAlias

from dbrules.search.budget import Budget
from dbrules.search.covering.beam import beam, hill_climbing
from dbrules.search.covering.best_first import best_first
from dbrules.search.covering.bottom_up import bottom_up
from dbrules.search.covering.exhaustive import exhaustive
from dbrules.search.covering.goal import Candidate, Task
from dbrules.search.covering.options import Options
from dbrules.search.covering.stochastic import stochastic
from dbrules.search.covering.tree_path import tree_path

#: Returns the rule, and the number of the task whose class it is for.
Search: TypeAlias = Callable[
    [Sequence[Task], Options, Budget, Random], tuple[int, Candidate] | None
]
_OneClass: TypeAlias = Callable[[Task, Options, Budget, Random], Candidate | None]


def _for_each(search: _OneClass) -> Search:
    """Return the search for the best rule of all tasks; of equal ones that of the first task."""

    def for_each(
        tasks: Sequence[Task], options: Options, budget: Budget, generator: Random
    ) -> tuple[int, Candidate] | None:
        found = [search(task, options, budget, generator) for task in tasks]
        rules = [(number, rule) for number, rule in enumerate(found) if rule is not None]
        return min(rules, key=lambda pair: (pair[1].rank[:3], pair[0]), default=None)

    return for_each


#: The searches by the name that the setting ``search`` gives.
SEARCHES: Final[dict[str, Search]] = {
    "hill_climbing": _for_each(hill_climbing),
    "beam": _for_each(beam),
    "best_first": _for_each(best_first),
    "exhaustive": _for_each(exhaustive),
    "bottom_up": _for_each(bottom_up),
    "stochastic": _for_each(stochastic),
    "tree_path": tree_path,
}
#: Those whose rules stand as they were found; from others, conditions that say nothing are dropped.
VERBATIM: Final = frozenset({"tree_path"})
