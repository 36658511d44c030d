"""Seconds by the clock, and of CPU time, which other work on the machine changes less."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Spent:
    """Seconds by the clock and of CPU time, over all threads of the process."""

    clock: float
    cpu: float


def spent(work: Callable[[], object]) -> Spent:
    """Run once."""
    clock, cpu = time.perf_counter(), time.process_time()
    work()
    return Spent(time.perf_counter() - clock, time.process_time() - cpu)


def median(runs: Sequence[Spent]) -> Spent:
    """Return the medians."""
    return Spent(*(statistics.median(getattr(r, of) for r in runs) for of in ("clock", "cpu")))
