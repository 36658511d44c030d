"""What all learners share that search: their limits, and where they count."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from dbrules.errors import InvalidSetting
from dbrules.learners.checks import check_count, check_number, check_one_of
from dbrules.learners.learner import Learner
from dbrules.search.budget import INTERRUPTED, Budget
from dbrules.statistics.door import check_where

_LOG = logging.getLogger("dbrules.search")


@dataclass(frozen=True)
class SearchLearner(Learner):
    """The settings that are the same for every search.

    Antecedents have at most ``max_conditions`` and capture ``min_support`` of all rows.
    ``missing="level"`` makes a condition of NULL and NaN. The search ends at ``max_seconds``.
    ``statistics``: counts in ``memory`` or by the ``database``; ``auto`` is memory, and a sample
    of the rows where their patterns are more than ``max_patterns``; the rules that are found are
    always counted on all rows. ``progress`` is called with a line now and then.
    """

    max_conditions: int | None = None
    min_support: float | None = None
    max_seconds: float | None = None
    missing: str = "level"
    statistics: str = "auto"
    max_patterns: int = 200_000
    progress: Callable[[str], None] | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_count("max_conditions", self.max_conditions)
        check_one_of("missing", self.missing, ("level", "drop"))
        if self.max_seconds is not None:
            check_number("max_seconds", self.max_seconds, above=0)
        if self.progress is not None and not callable(self.progress):
            raise InvalidSetting(
                f"progress {self.progress!r} is not a function: give one that takes a line of text"
            )
        check_where(self.statistics, self.max_patterns)

    def settings(self) -> dict[str, Any]:
        """Return the settings as plain JSON values."""
        return {k: v for k, v in super().settings().items() if k != "progress"}

    def _tell(self, line: str) -> None:
        _LOG.info(line)
        if self.progress is not None:
            self.progress(line)

    def _budget(self) -> Budget:
        return Budget(None, self.max_seconds, self._tell)

    def _cut(self, limit: str | None, step: int | None) -> tuple[str, ...]:
        """Return notes on what the search did not look at: its limit, and the rows in a sample."""
        notes: tuple[str, ...] = ()
        if limit == INTERRUPTED:
            notes = ("cut: the search was interrupted, this is the best list so far",)
        elif limit is not None:
            # parts of a search have a part of the seconds: what was given is what the user knows
            own = limit if self.max_seconds is None else f"max_seconds={self.max_seconds:g}"
            notes = (f"cut: the search ended at {own if 'seconds' in limit else limit}",)
        if step is not None:
            notes = (
                *notes,
                f"searched on 1 in {step} rows, because all have more patterns than "
                f"max_patterns {self.max_patterns}; counted on all of them",
            )
        return notes
