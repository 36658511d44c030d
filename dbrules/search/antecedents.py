"""Frequent antecedents: level-wise mining over class counts (the Apriori property)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dbrules.search.candidates import Frequent
from dbrules.search.grouped_counts import GroupedCounts, Support
from dbrules.search.statistics import Statistics

#: Literals of an antecedent as (feature, literal of that feature), features increasing.
Antecedent = tuple[tuple[int, int], ...]

#: How many antecedents are counted at most where nothing else is said.
MAX_ANTECEDENTS: Final = 500_000
#: The largest code grid that is counted, in class counts: 64 MB.
MAX_GRID: Final = 1 << 23


@dataclass(frozen=True)
class Progress:
    """How far mining is: ``counted`` of at most ``candidates`` antecedents of one ``length``."""

    length: int
    counted: int
    candidates: int

    def __str__(self) -> str:
        return f"{self.counted} of at most {self.candidates} antecedents of length {self.length}"


@dataclass(frozen=True, eq=False)
class Antecedents:
    """Antecedents in canonical order: by length, then by feature and literal numbers.

    ``levels[k - 1]``: those of k conditions as numbers of features and literals, shape (n_k, k, 2).
    ``counts``: of each class, in units of weight, shape (n, classes). ``cut``: None where every
    frequent antecedent of the wanted lengths is here, else which lengths are missing and why.
    """

    levels: tuple[NDArray[np.int32], ...]
    counts: NDArray[np.int64]
    cut: str | None = None

    def __len__(self) -> int:
        return len(self.counts)

    def __iter__(self) -> Iterator[Antecedent]:
        for level in self.levels:
            for items in level.tolist():
                yield tuple((feature, literal) for feature, literal in items)

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of conditions of each antecedent; shape (n,)."""
        sizes = [len(level) for level in self.levels]
        return np.repeat(np.arange(1, len(sizes) + 1), sizes)


def mine_antecedents(
    statistics: Statistics,
    members: Sequence[NDArray[np.bool_]],
    support: Support,
    *,
    max_conditions: int | None = 2,
    max_antecedents: int = MAX_ANTECEDENTS,
    progress: Callable[[Progress], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> Antecedents:
    """Return every antecedent that meets ``support``, with its class counts.

    ``members``: for each feature which codes its literals hold of, shape (literals, codes). An
    antecedent has at most one literal a feature and at most ``max_conditions`` (None: any
    number). Every part of a frequent antecedent is frequent (Agrawal & Srikant 1994, "Fast
    Algorithms for Mining Association Rules", section 2.1), so each length is joined from the
    one before, and only features with candidates are asked for.

    A length is not begun, and ``cut`` says so, where its candidates and all counted before could
    be more than ``max_antecedents``, or where the codes of its features span more than
    ``MAX_GRID`` counts. The candidates of one and two conditions are known; of longer ones the
    joins are an upper bound. ``progress`` is called after each group of features. So is ``stop``,
    from two conditions on: where it says so, that length and longer ones are missing.
    """
    total = 0
    rows: list[NDArray[np.int32]] = []
    counts = [np.empty((0, len(statistics.totals)), dtype=np.int64)]
    cut = None
    grouped = GroupedCounts(statistics, members, support)
    frequent = Frequent(grouped.feature)
    while max_conditions is None or len(rows) < max_conditions:
        length = len(rows) + 1
        joins = frequent.joins if rows else len(grouped.feature)
        if not joins:
            break
        cut = _too_many(length, joins, total, max_antecedents)
        if cut is not None:
            break
        # all literals in use make the candidates of one and two conditions
        if length > 2:
            candidates = frequent.candidates()
            if not len(candidates):
                break
            groups, blocks = grouped.partition(candidates)
        else:
            groups = grouped.groups(length)
        cut = _too_wide(length, grouped.widest(groups))
        if cut is not None:
            break
        grouped.counted = _reporter(progress, length, joins, stop if length > 1 else None)
        try:
            if length > 2:
                found, of_each = grouped.frequent_among(candidates, groups, blocks)
                total += len(candidates)
            else:
                found, of_each = grouped.frequent_products(groups)
                total += joins
        except _Stopped:
            cut = f"length {length} and up: half of max_seconds was over"
            break
        if not len(found):
            break
        if length == 1:
            grouped.keep(found[:, 0])
        frequent.add(found)
        numbers = np.stack([grouped.feature[found], grouped.literal[found]], axis=2)
        rows.append(numbers.astype(np.int32))
        counts.append(of_each)
    return Antecedents(tuple(rows), np.concatenate(counts), cut)


def _too_many(length: int, joins: int, total: int, most: int) -> str | None:
    if total + joins <= most:
        return None
    return (
        f"length {length} and up: {joins} candidates and the {total} counted before are more "
        f"than max_antecedents {most}"
    )


def _too_wide(length: int, widest: int) -> str | None:
    if widest <= MAX_GRID:
        return None
    return (
        f"length {length} and up: the codes of {length} features span {widest} counts, more than "
        f"{MAX_GRID}"
    )


class _Stopped(Exception):
    """Counting ends before all groups of features are counted."""


def _reporter(
    progress: Callable[[Progress], None] | None, length: int, candidates: int,
    stop: Callable[[], bool] | None,
) -> Callable[[int], None]:  # fmt: skip
    counted = 0

    def report(more: int) -> None:
        nonlocal counted
        counted += more
        if stop is not None and stop():
            raise _Stopped
        if progress is not None:
            progress(Progress(length, counted, candidates))

    return report
