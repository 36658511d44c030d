"""Two ways of doing a thing, measured in turn: A B A B …; only ratios of one run mean anything."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Paired:
    """Median seconds of both, and the median of the ratios of neighbouring rounds."""

    ours: float
    theirs: float
    ratio: float

    def line(self, what: str, bound: float | None = None) -> str:
        """Return one line of a report."""
        limit = "" if bound is None else f"  (at most {bound})"
        return (
            f"{what:58} {self.ratio:6.2f} ×{limit}  {self.ours:.3f} s against {self.theirs:.3f} s"
        )


def seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def paired(ours: Callable[[], object], theirs: Callable[[], object], rounds: int) -> Paired:
    """Run both once unmeasured, then ``rounds`` times in turn, taking turns at going first."""
    ours(), theirs()
    pairs = []
    for number in range(rounds):
        if number % 2:
            second, first = seconds(theirs), seconds(ours)
        else:
            first, second = seconds(ours), seconds(theirs)
        pairs.append((first, second))
    return Paired(
        statistics.median(first for first, _ in pairs),
        statistics.median(second for _, second in pairs),
        statistics.median(first / second for first, second in pairs),
    )
