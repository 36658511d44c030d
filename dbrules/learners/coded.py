"""Codings and statistics of a search that must fit: fewer cuts, or a sample, where they do not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from dbrules.data.binning.spec import Bins
from dbrules.data.coding import Coding
from dbrules.data.thresholds import Thresholds
from dbrules.language.column import Column
from dbrules.learners.codings import code_features
from dbrules.search.statistics import Statistics
from dbrules.search.support import MinSupport
from dbrules.statistics.classes import ClassCounts
from dbrules.statistics.database import database_statistics
from dbrules.statistics.dataset import Dataset
from dbrules.statistics.memory import MemoryStatistics
from dbrules.statistics.patterns import count_patterns, read_patterns
from dbrules.statistics.sample import sample_patterns

#: Quantile cuts of an ordered column: as many as the patterns allow.
_QUANTILES: Final = (10, 0)
#: Literals of all columns up to which all pairs of them are counted.
_LITERALS: Final = 2400

How = Callable[[Column, int], Bins | Thresholds]


@dataclass(frozen=True, eq=False)
class Coded:
    """What a search works on.

    ``cells``: how many patterns there are. ``step``: one row in so many was taken, None for all.
    ``missing``: rows without a value, per feature; ``notes``: features that are not used.
    """

    statistics: Statistics
    codings: tuple[Coding, ...]
    cells: int
    step: int | None
    missing: dict[str, int]
    notes: tuple[str, ...]


@contextmanager
def coded_statistics(
    dataset: Dataset, classes: ClassCounts, support: MinSupport, how: How, *,
    missing_level: bool, where: str, max_patterns: int, seed: int,
) -> Iterator[Coded]:  # fmt: skip
    """Yield statistics from memory, or the engine where ``where`` is ``database``.

    ``how`` says how to cut a column, given a number of quantiles. With ``auto``, patterns beyond
    ``max_patterns`` are first coded with fewer quantile cuts, and then sampled.
    """
    first = None
    for quantiles in _QUANTILES:
        coded = code_features(
            dataset, classes, support, lambda column, q=quantiles: how(column, q),  # type: ignore[misc]
            missing_level=missing_level,
        )  # fmt: skip
        sizes = [coding.size for coding in coded.codings]
        many = sum(len(coding.literals) for coding in coded.codings) > _LITERALS
        if many and quantiles:
            continue
        if where == "database":
            cells = count_patterns(dataset, coded.codings)
            with database_statistics(dataset, coded.codings, classes) as statistics:
                yield Coded(statistics, coded.codings, cells, None, coded.missing, coded.notes)
            return
        most = None if where == "memory" else max_patterns
        patterns = read_patterns(dataset, coded.codings, classes, max_patterns=most)
        if patterns is not None:
            yield Coded(
                MemoryStatistics(patterns, sizes), coded.codings, len(patterns.counts), None,
                coded.missing, coded.notes,
            )  # fmt: skip
            return
        if first is not None and sizes == [coding.size for coding in first.codings]:
            break
        first = first or coded
    assert first is not None
    sample = sample_patterns(dataset, first.codings, classes, max_patterns=max_patterns, seed=seed)
    yield Coded(
        MemoryStatistics(sample.patterns, [coding.size for coding in first.codings]),
        first.codings, len(sample.patterns.counts), sample.step, first.missing, first.notes,
    )  # fmt: skip
