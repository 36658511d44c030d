"""Codings and statistics of a search that must fit: fewer cuts, or a sample, where they do not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from dbrules.data.binning.spec import Bins
from dbrules.data.thresholds import Thresholds
from dbrules.errors import InvalidData
from dbrules.language.column import Column
from dbrules.learners.codings import Codings, code_features
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

#: The note that says so.
_FEWER: Final = "no quantile cuts: with them there were more than {}"

#: For a number of quantiles, how to cut each column.
How = Callable[[int], Callable[[Column], Bins | Thresholds]]


@dataclass(frozen=True, eq=False)
class Coded:
    """What a search works on.

    ``features``: the codings, and which columns are not used. ``cells``: how many patterns there
    are. ``step``: one row in so many was taken, None for all. ``notes``: why there are fewer cuts.
    """

    statistics: Statistics
    features: Codings
    cells: int
    step: int | None = None
    notes: tuple[str, ...] = ()


@contextmanager
def coded_statistics(
    dataset: Dataset, classes: ClassCounts, support: MinSupport, how: How, *,
    missing_level: bool, where: str, max_patterns: int, seed: int,
) -> Iterator[Coded]:  # fmt: skip
    """Yield statistics from memory, or the engine where ``where`` is ``database``.

    ``how`` says, for a number of quantiles, how to cut a column. With ``auto``, patterns beyond
    ``max_patterns`` are first coded with fewer quantile cuts, and then sampled. Raises InvalidData
    where no feature has a value.
    """
    first: Codings | None = None
    notes: tuple[str, ...] = ()
    for quantiles in _QUANTILES:
        features = code_features(
            dataset, classes, support, how(quantiles), missing_level=missing_level
        )
        codings, sizes = features.codings, _sizes(features)
        if features.warnings and not codings and not features.notes:
            raise InvalidData(f"{features.warnings[0]}; no feature is left: give one with values")
        if quantiles and sum(len(coding.literals) for coding in codings) > _LITERALS:
            notes = (_FEWER.format(f"{_LITERALS} conditions on single columns"),)
            continue
        if where == "database":
            cells = count_patterns(dataset, codings)
            with database_statistics(dataset, codings, classes) as statistics:
                yield Coded(statistics, features, cells, None, notes)
            return
        if first is not None and sizes == _sizes(first):
            break  # bins that do not depend on quantiles: there would be as many patterns
        most = None if where == "memory" else max_patterns
        patterns = read_patterns(dataset, codings, classes, max_patterns=most)
        if patterns is not None:
            memory = MemoryStatistics(patterns, sizes)
            yield Coded(memory, features, len(patterns.counts), None, notes)
            return
        first = first or features
        notes = (_FEWER.format(f"max_patterns {max_patterns} patterns"),)
    assert first is not None
    sample = sample_patterns(dataset, first.codings, classes, max_patterns=max_patterns, seed=seed)
    yield Coded(
        MemoryStatistics(sample.patterns, _sizes(first)), first, len(sample.patterns.counts),
        sample.step,
    )  # fmt: skip


def _sizes(features: Codings) -> list[int]:
    return [coding.size for coding in features.codings]
