"""The antecedents that a search chooses from: mined, without those it can do without."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dbrules.data.coding import Coding
from dbrules.language.condition import Condition
from dbrules.search.antecedents import Antecedent, Antecedents, Progress, mine_antecedents
from dbrules.search.redundant import hull_of_families
from dbrules.search.screen import screen
from dbrules.search.statistics import Statistics
from dbrules.search.support import MinSupport

#: Numbers of patterns times antecedents that a search goes through for every prefix, at most.
_TABLE: Final = 100_000_000
#: Antecedents that are counted at most.
_MINED: Final = 3_000_000
#: So many antecedents are open to the search, however many patterns there are: none is left out.
_LEAST: Final = 300
#: Not more, however few the patterns are.
MAX_ANTECEDENTS: Final = 5000


@dataclass(frozen=True, eq=False)
class AntecedentPool:
    """Antecedents in canonical order, as numbers and as conditions.

    ``notes`` say which antecedents were left out, and why.
    """

    antecedents: tuple[Antecedent, ...]
    conditions: tuple[tuple[Condition, ...], ...]
    members: tuple[NDArray[np.bool_], ...]
    notes: tuple[str, ...]


def pool_antecedents(
    statistics: Statistics,
    codings: Sequence[Coding],
    nested: Sequence[bool],
    support: MinSupport,
    weight: float,
    *,
    max_conditions: int | None,
    cells: int,
    classes: Mapping[int, float] | None = None,
    max_antecedents: int = MAX_ANTECEDENTS,
    progress: Callable[[Progress], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> AntecedentPool:
    """Mine antecedents, and leave out what a list hardly needs.

    ``nested``: of which features the literals are thresholds; antecedents that differ only in
    thresholds of one direction are thinned to their hull (see
    :func:`~dbrules.search.redundant.hull_of_families`). ``cells``: how many patterns there are;
    where they and the antecedents are too many to search, the antecedents are screened. They are
    screened and thinned by what they say of the positive class, at its ``weight``, or of each of
    ``classes``, at theirs.
    """
    members = tuple(coding.members for coding in codings)
    mined = mine_antecedents(
        statistics, members, support, max_conditions=max_conditions,
        max_antecedents=_MINED, progress=progress, stop=stop,
    )  # fmt: skip
    notes = [] if mined.cut is None else [f"mining was cut: {mined.cut}"]
    kept = np.arange(len(mined))
    most = min(max_antecedents, max(_LEAST, _TABLE // max(1, cells)))
    classes = classes or {support.positive_class: weight}
    of_classes = [_against(mined, place) for place in classes]
    if any(nested) and len(mined) > _LEAST:
        families = _families(mined, codings, nested)
        hulls = [hull_of_families(families, counts[:, 0], counts[:, 1]) for counts in of_classes]
        kept = kept[np.logical_or.reduce(hulls)]
    share = most if len(kept) <= most else max(1, most // len(of_classes))
    screened = [
        screen(counts[kept], of_class, share)
        for counts, of_class in zip(of_classes, classes.values(), strict=True)
    ]
    left = kept[np.logical_or.reduce(screened)][:most]
    if len(left) < len(mined):
        thinned = len(left) == len(kept)
        how = "nested thresholds thinned" if thinned else "the best of each threshold"
        notes.append(f"{len(left)} of {len(mined)} antecedents searched, {how}")
    antecedents = tuple(_chosen(mined, left))
    conditions = tuple(
        tuple(codings[feature].literals[literal] for feature, literal in antecedent)
        for antecedent in antecedents
    )
    return AntecedentPool(antecedents, conditions, members, tuple(notes))


def _against(mined: Antecedents, place: int) -> NDArray[np.int64]:
    """Return the counts of one class and of all others; (antecedents, 2)."""
    counts = mined.counts[:, place]
    return np.stack([counts, mined.counts.sum(axis=1) - counts], axis=1)


def _chosen(mined: Antecedents, places: NDArray[np.intp]) -> Iterator[Antecedent]:
    """Yield the antecedents at ``places``, which rise."""
    start = 0
    for level in mined.levels:
        inside = places[(places >= start) & (places < start + len(level))] - start
        for items in level[inside].tolist():
            yield tuple((feature, literal) for feature, literal in items)
        start += len(level)


def _families(
    mined: Antecedents, codings: Sequence[Coding], nested: Sequence[bool]
) -> NDArray[np.int64]:
    """Return a number for each antecedent, equal where only thresholds differ."""
    kinds: dict[tuple[int, object], int] = {}
    kind_of = [
        np.array(
            [
                kinds.setdefault((feature, literal.op if nested[feature] else place), len(kinds))
                for place, literal in enumerate(coding.literals)
            ]
        )
        for feature, coding in enumerate(codings)
    ]
    starts = np.cumsum([0, *(len(kind) for kind in kind_of)])
    flat = np.concatenate(kind_of)
    families: list[NDArray[np.int64]] = []
    before = 0
    for level in mined.levels:
        of_items = flat[starts[level[:, :, 0]] + level[:, :, 1]]
        family = np.zeros(len(level), dtype=np.int64)
        for column in of_items.T:
            # renumbered after each condition, so that numbers stay small
            family = np.unique(family * len(kinds) + column, return_inverse=True)[1]
        families.append(family + before)
        before += len(level)
    return np.concatenate(families)
