"""What training saw of each column: rows without a value, and levels."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from dbrules.language.column import Column, Value
from dbrules.statistics.counts import ValueCounts

#: Levels of one column up to which a model keeps them: it is read by people, too.
MOST_LEVELS: Final = 1000


@dataclass(frozen=True)
class Seen:
    """What training saw, by the names of columns; see :class:`dbrules.training.Training`.

    ``missing``: rows without a value. ``levels``: of a column that is not ordered, in value
    order; None where they are too many to keep.
    """

    missing: dict[str, int] = field(default_factory=dict)
    levels: dict[str, tuple[Value, ...] | None] = field(default_factory=dict)

    def add(self, counts: ValueCounts) -> None:
        """Keep what the counts of a column say."""
        name = counts.column.name
        self.missing[name] = int(counts.missing_rows.sum())
        if not counts.column.type.is_ordered:
            few = len(counts.values) <= MOST_LEVELS
            self.levels[name] = tuple(counts.values.tolist()) if few else None

    def of(self, used: Iterable[Column]) -> Seen:
        """Return what was seen of the columns ``used``."""
        names = {column.name for column in used}
        return Seen(
            {name: rows for name, rows in self.missing.items() if name in names},
            {name: levels for name, levels in self.levels.items() if name in names},
        )
