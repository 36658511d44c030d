"""What proves a falling rule list optimal, and what each bound buys.

    python examples/benchmarks/falling_proof.py BANK_FRL12.parquet [SECONDS]

What was tried, on the 262 antecedents of the bank table (14 449 cells), and what it bought:

- Bounds of the paper on prefixes (theorem 4.6), best first: w = 5 is proved by 57 000 nodes in
  35 s of CPU time. With dominance by captured rows it takes 8 300 nodes and 3.4 s; the
  equivalent-points bound on prefixes saves no node there and costs 1.6 s. At w = 7, with
  dominance, 68 000 nodes in 52 s leave a gap of 7.3 %.
- Sets of antecedents instead of lists: the loss depends only on the union of what is captured and
  on the number of rules. Taking or closing one antecedent at a time, the largest payer first, with
  cells merged that open antecedents do not tell apart: w = 5 in 600 nodes and 3 s.
- The chain bound over blocks of cells: w = 5 in 260 nodes. The bound at the root for w = 7, where
  the best union gains 11 714: 24 784 without it, 21 347 with one block, 20 995 to 19 949 with the
  best of many fixed partitions by one to five features, 19 225 with one grown to depth 5 (0.6 s),
  19 018 to depth 7. A gap of 4 % takes 770 nodes and 6 s at depth 5, 930 nodes at depth 7, 2 040
  at depth 3, 8 600 at depth 1 (some 50 s), and more than 12 000 with one block. The whole search
  with its proof takes 9 400 nodes and 45 s of CPU time at C = 1e-6, 12 300 and 52 s at 1e-3,
  30 200 and 90 s at 1e-2.
- Unions that gain more than the best list and cannot be put in a falling order are settled by
  trying every falling list with that union: this closes the last 0.001 % at w = 7.

Tried and left out, in prototypes that are not here: the optimum of each block by its own search
(a root bound of 16 700 with 215 blocks, but 84 s on a busy machine: too long for a node);
probing each antecedent in each block (46 s to close 71 of 254); a
demand that each antecedent taken keeps something of its own (no node fewer); sharing the cost of
cells among antecedents as a linear relaxation would (about 4 % of the bound); prefixes with
mixtures of the cap on proportions and merged cells (no end in 60 s at w = 5, permutations again);
matrix products by a threaded library for the sums (several times slower on a busy machine).
"""

from __future__ import annotations

import itertools
import sys
import time
from dataclasses import dataclass
from typing import Any
from unittest import mock

import numpy as np
from numpy.typing import NDArray
from watched import Watched, paper

from dbrules.search import union_bound, union_proof
from dbrules.search.branch_and_bound import BranchAndBound
from dbrules.search.budget import Budget
from dbrules.search.chain_bound import block_sums, chain_bounds, partition
from dbrules.search.incumbent import TOLERANCE, Incumbent
from dbrules.search.prefixes import Prefix, Prefixes

#: Splits in a row of the grown partitions that are compared.
DEPTHS = (0, 1, 3, 5, 7)
#: Fixed partitions that are compared, of each number of features.
FIXED = 60


class Undominated(BranchAndBound):
    """Branch and bound that compares no prefixes."""

    def _dominated(self, prefix: Prefix) -> bool:
        return False


class PaperBounds(Prefixes):
    """Prefixes with theorem 4.6 alone, without the equivalent-points bound."""

    def bound(self, prefix: Prefix) -> float:
        """Return the least loss that a list which begins with ``prefix`` can have."""
        p, n, least_p, least_n = (
            np.array([float(count)]) for count in (*prefix.left.totals, *prefix.least)
        )
        further = float(self._further(p, n, least_p, least_n)[0])
        return min(self.loss(prefix), prefix.loss + further)


class WithoutChain(union_bound.UnionBound):
    """The proof by unions with the equivalent-points bound and no other."""

    def _chained(self, cells: Any, *rest: Any) -> NDArray[np.bool_]:
        return np.zeros(len(cells.open), dtype=bool)


@dataclass(frozen=True, eq=False)
class Task:
    """The bank table at one weight, and the best list that is known: only the proof is missing."""

    seen: Watched

    def start(self, space: type[Prefixes] = Prefixes) -> tuple[Prefixes, Incumbent]:
        """Return what to search, and the best list as incumbent."""
        prefixes = space(self.seen.coverage.everything, self.seen.objective)
        incumbent = Incumbent(rows=self.seen.objective.rows)
        begun = prefixes.prefix(self.seen.found.antecedents)
        assert begun is not None
        incumbent.offer(begun, prefixes.loss(begun))
        return prefixes, incumbent

    def by_prefixes(
        self, name: str, seconds: float, space: type[Prefixes], tree: type[BranchAndBound]
    ) -> None:
        """Prove the best list by branch and bound over prefixes alone."""
        prefixes, incumbent = self.start(space)
        budget, started = Budget(max_seconds=seconds), time.process_time()
        search = tree(prefixes, incumbent)
        search.run(budget)
        report(name, budget, started, 1 - search.lower_bound / incumbent.loss)

    def by_unions(self, name: str, seconds: float, depth: int, goal: float = 0.0) -> None:
        """Prove a gap by unions; ``depth`` of the partition, -1: without the chain bound."""
        prefixes, incumbent = self.start()
        budget, started = Budget(max_seconds=seconds), time.process_time()
        kind = WithoutChain if depth < 0 else union_bound.UnionBound
        with (
            mock.patch.object(union_bound, "_DEPTH", max(0, depth)),
            mock.patch.object(union_proof, "UnionBound", kind),
            mock.patch.object(union_proof, "_GAPS", (goal,)),
        ):
            proof = union_proof.union_proof(prefixes, incumbent, self.seen.coverage.table)
            assert proof is not None
            lower = proof.run(budget, 0.0)
        report(name, budget, started, 1 - lower / incumbent.loss if lower else None)

    def root_bounds(self) -> None:
        """Print what all unions can gain at most, before anything is taken or closed."""
        table, weight = self.seen.coverage.table, self.seen.objective.weight
        covered = table.holds.any(axis=1)
        holds, codes = table.holds[covered], table.codes[covered]
        positives, negatives = table.counts[covered].T
        gains = (weight.numerator * positives - weight.denominator * negatives).astype(np.float64)
        best = weight * self.seen.objective.positives - self.seen.errors
        print(f"\nRoot, w = {weight}: the best known union gains {best}; bounds on any union")
        print(f"  equivalent points              {np.maximum(gains, 0).sum():8.0f}")
        rng = np.random.default_rng(0)
        for count in range(1, 6):
            ways = list(itertools.combinations(range(codes.shape[1]), count))
            some = rng.permutation(len(ways))[:FIXED]
            of_each = [chain(holds, gains, blocks(codes[:, ways[way]])) for way in some]
            print(
                f"  chain, blocks by {count} features    {min(of_each):8.0f}  best of {len(some)}"
            )
        for depth in DEPTHS:
            started = time.process_time()
            block = partition(holds, gains, codes, depth)
            seconds = time.process_time() - started
            print(
                f"  chain, grown to depth {depth}        {chain(holds, gains, block):8.0f}  "
                f"{block.max() + 1} blocks in {seconds:.1f} s"
            )


def blocks(codes: NDArray[Any]) -> NDArray[np.intp]:
    """Return a number for each cell, equal where the codes are."""
    numbers: NDArray[np.intp] = np.unique(codes, axis=0, return_inverse=True)[1].ravel()
    return numbers


def chain(holds: NDArray[np.bool_], gains: NDArray[np.float64], block: NDArray[np.intp]) -> float:
    """Return the sum of the chain bounds of a partition."""
    order = np.argsort(block, kind="stable")
    holds, gains, block = holds[order], gains[order], block[order]
    starts = np.flatnonzero(np.append(True, block[1:] != block[:-1]))
    payments = block_sums(np.maximum(-gains, 0), holds.astype(np.float64), starts.tolist())
    gaining = np.flatnonzero(gains > 0)
    return float(chain_bounds(payments, holds[gaining], gains[gaining], block[gaining]).sum())


def report(name: str, budget: Budget, started: float, gap: float | None) -> None:
    """Print nodes, seconds of CPU time since ``started``, and the gap reached, None for none."""
    taken = time.process_time() - started
    reached = "nothing proved"
    if gap is not None:
        reached = "proved" if gap <= TOLERANCE else f"gap {gap:.2%}"
    print(f"  {name:44} {budget.nodes:7} nodes {taken:6.1f} s  {reached}", flush=True)


def bounds(path: str, seconds: float) -> None:
    """Print what each bound needs for the proof at w = 5, and at w = 7 for a gap of 4 %."""
    task = Task(paper(path, 5, 1e-6, max_seconds=20))
    print(f"Proof at w = 5, C = 1e-6, from the best list on; CPU time, {seconds:.0f} s at most")
    task.by_prefixes("prefixes: theorem 4.6", seconds, PaperBounds, Undominated)
    task.by_prefixes("prefixes: and dominance", seconds, PaperBounds, BranchAndBound)
    task.by_prefixes("prefixes: and equivalent points", seconds, Prefixes, BranchAndBound)
    task.by_unions("unions: equivalent points", seconds, -1)
    task.by_unions("unions: and chain bound, one block", seconds, 0)
    task.by_unions("unions: and chain bound, grown to depth 5", seconds, 5)
    task = Task(paper(path, 7, 1e-6, max_seconds=20))
    task.root_bounds()
    print(f"\nGap of 4 % at w = 7, C = 1e-6, {seconds:.0f} s at most")
    task.by_prefixes("prefixes: and dominance", seconds, PaperBounds, BranchAndBound)
    for depth in DEPTHS:
        task.by_unions(f"unions: partition grown to depth {depth}", seconds, depth, 0.04)


def main() -> None:
    bounds(sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 60.0)


if __name__ == "__main__":
    main()
