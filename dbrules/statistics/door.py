"""Where the counts of a search come from: memory or the engine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from dbrules.data.coding import Coding
from dbrules.errors import InvalidSetting, near
from dbrules.statistics.classes import ClassCounts
from dbrules.statistics.database import DatabaseStatistics, database_statistics
from dbrules.statistics.dataset import Dataset
from dbrules.statistics.memory import MemoryStatistics
from dbrules.statistics.patterns import read_patterns

WHERE: Final = ("auto", "memory", "database")
#: Patterns that are fetched at most where nothing else is said: some 100 MB with 20 features.
MAX_PATTERNS: Final = 2_000_000


def check_where(where: object, max_patterns: object) -> None:
    """Raise InvalidSetting for a ``statistics`` or ``max_patterns`` that cannot be."""
    if where not in WHERE:
        raise InvalidSetting(
            f"statistics {where!r} is not known{near(str(where), WHERE)}: use {', '.join(WHERE)}"
        )
    if isinstance(max_patterns, bool) or not isinstance(max_patterns, int) or max_patterns < 1:
        raise InvalidSetting(
            f"max_patterns {max_patterns!r} is not a whole number of at least 1: give one"
        )


@contextmanager
def open_statistics(
    dataset: Dataset,
    codings: Sequence[Coding],
    classes: ClassCounts,
    where: str = "auto",
    max_patterns: int = MAX_PATTERNS,
) -> Iterator[MemoryStatistics | DatabaseStatistics]:
    """Yield the exact counts of the rows, by ``memory``, the ``database``, or as they are few.

    ``auto`` is memory where there are at most ``max_patterns`` patterns, else the database. The
    counts are the same. Raises InvalidData as
    :func:`~dbrules.statistics.patterns.read_patterns` does.
    """
    if where != "database":
        most = None if where == "memory" else max_patterns
        patterns = read_patterns(dataset, codings, classes, max_patterns=most)
        if patterns is not None:
            yield MemoryStatistics(patterns, [coding.size for coding in codings])
            return
    with database_statistics(dataset, codings, classes) as statistics:
        yield statistics
