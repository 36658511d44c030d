"""The journal: what was asked of the database, one entry a statement."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, overload

logger = logging.getLogger("dbrules")


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """One statement: its name, text, parameters, rows returned and wall time in ms."""

    name: str
    sql: str
    parameters: dict[str, Any]
    rows: int
    ms: float


@dataclass(slots=True)
class Journal(Sequence[JournalEntry]):
    """The statements of one fit or evaluation, in the order they ran."""

    entries: list[JournalEntry] = field(default_factory=list)

    def add(self, entry: JournalEntry) -> None:
        """Append an entry and log it (names at INFO, text at DEBUG)."""
        self.entries.append(entry)
        logger.info("%s: %d rows in %.1f ms", entry.name, entry.rows, entry.ms)
        logger.debug("%s", entry.sql)

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[JournalEntry]:
        return iter(self.entries)

    @overload
    def __getitem__(self, index: int) -> JournalEntry: ...
    @overload
    def __getitem__(self, index: slice) -> list[JournalEntry]: ...
    def __getitem__(self, index: int | slice) -> JournalEntry | list[JournalEntry]:
        return self.entries[index]

    def __str__(self) -> str:
        return "\n".join(f"{e.ms:9.1f} ms {e.rows:9d} rows  {e.name}" for e in self.entries)
