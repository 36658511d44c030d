"""The journal of statements."""

from __future__ import annotations

import logging

from dbrules.engine.journal import Journal, JournalEntry


def test_entries_are_kept_in_order_and_logged(caplog):
    journal = Journal()
    with caplog.at_level(logging.DEBUG, logger="dbrules"):
        journal.add(JournalEntry("counts/x", "SELECT 1", {"column": "a"}, 3, 1.25))
        journal.add(JournalEntry("counts/y", "SELECT 2", {}, 0, 0.5))
    assert [entry.name for entry in journal] == ["counts/x", "counts/y"]
    assert (len(journal), journal[1].sql, len(journal[:1])) == (2, "SELECT 2", 1)
    assert str(journal).splitlines()[0].split() == ["1.2", "ms", "3", "rows", "counts/x"]
    levels = [(record.levelname, record.getMessage()) for record in caplog.records]
    assert levels[:2] == [("INFO", "counts/x: 3 rows in 1.2 ms"), ("DEBUG", "SELECT 1")]
