"""The search for an optimal falling rule list, and the proof that it is one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from dbrules.search.branch_and_bound import BranchAndBound
from dbrules.search.budget import Budget
from dbrules.search.incumbent import Incumbent, rounding
from dbrules.search.local_search import LocalSearch
from dbrules.search.monte_carlo import MonteCarlo
from dbrules.search.prefixes import Prefixes
from dbrules.search.statistics import Table
from dbrules.search.union_proof import union_proof

#: Nodes of each stage before the next one is tried.
_FIRST: Final = 400
#: Rounds of random changes in local search, and steps of it in all.
_ROUNDS: Final = 30
_LOCAL: Final = 600


@dataclass(frozen=True)
class FoundList:
    """A list, its loss per row, what no list can beat, and why the search ended.

    ``limit`` names the setting that ended the search before a proof; None where it ended itself.
    """

    antecedents: tuple[int, ...]
    objective: float
    lower_bound: float | None
    proved: bool
    nodes: int
    limit: str | None


def search_monte_carlo(
    prefixes: Prefixes, settings: MonteCarlo, budget: Budget, seed: int
) -> FoundList:
    """Return the best of the lists that Algorithm FRL grows; it proves nothing."""
    incumbent = _incumbent(prefixes)
    settings.search(prefixes, incumbent, budget, seed)
    return _found(prefixes, incumbent, None, budget)


def search_exact(
    prefixes: Prefixes,
    settings: MonteCarlo,
    budget: Budget,
    seed: int,
    *,
    table: Table | None = None,
    start: tuple[int, ...] = (),
) -> FoundList:
    """Return the best list and the least loss that any list could have.

    Random lists and local search give a good list early; then prefixes are searched best first;
    where that does not end soon, and ``table`` is given, the union bound proves ever smaller gaps.
    ``start``: antecedents of a list to begin with.
    """
    incumbent = _incumbent(prefixes)
    begun = prefixes.prefix(start)
    if begun is not None:
        incumbent.offer(begun, prefixes.loss(begun))
    # short searches end in a proof before random lists are worth their time
    tree = BranchAndBound(prefixes, incumbent)
    tree.dive()
    _stage(budget, _FIRST // 8, tree.run)
    if not tree.proved:
        settings.search(prefixes, incumbent, budget, seed)
        if prefixes.penalty is None:
            local = LocalSearch(prefixes, incumbent, seed)
            nodes = _LOCAL if budget.max_nodes is None else (budget.max_nodes - budget.nodes) // 2
            _stage(budget, min(_LOCAL, nodes), lambda part: local.run(part, _ROUNDS))
    _stage(budget, _FIRST, tree.run)
    lower = tree.lower_bound
    if not tree.proved and prefixes.penalty is None and table is not None:
        proof = union_proof(prefixes, incumbent, table)
        if proof is not None:
            lower = proof.run(budget, lower)
    if lower < incumbent.loss:
        tree.run(budget)
    return _found(prefixes, incumbent, max(lower, tree.lower_bound), budget)


def _stage(budget: Budget, nodes: int, run: Callable[[Budget], None]) -> None:
    """Run a stage on a part of the budget."""
    part = budget.part(nodes)
    run(part)
    budget.add(part)


def _incumbent(prefixes: Prefixes) -> Incumbent:
    incumbent = Incumbent(rows=prefixes.objective.rows)
    incumbent.offer(prefixes.root, prefixes.loss(prefixes.root))
    return incumbent


def _found(
    prefixes: Prefixes, incumbent: Incumbent, lower: float | None, budget: Budget
) -> FoundList:
    rows = prefixes.objective.rows
    loss = incumbent.loss
    proved = lower is not None and lower >= loss - rounding(loss)
    if lower is not None:
        lower = loss if proved else lower
    return FoundList(
        incumbent.antecedents, loss / rows, None if lower is None else lower / rows, proved,
        budget.nodes, None if proved else budget.limit,
    )  # fmt: skip
