"""From the ``connection`` argument to an engine."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import duckdb

from dbrules.data.source import Source
from dbrules.engine.duckdb import DuckDBEngine
from dbrules.errors import EngineError, InvalidQuery, UnknownTable


@contextmanager
def connect(source: Source, connection: Any = None) -> Iterator[DuckDBEngine]:
    """Yield an engine that can read ``source``; only what was opened here is closed.

    ``connection`` is a DuckDB connection, the path of a DuckDB database (opened read-only), or
    None: files and frames are then read in memory, tables from DuckDB's default connection. A
    relation brings its own connection, a frame is read in memory whatever the connection.
    """
    if source.kind == "relation":
        engine = DuckDBEngine(relation=source.frame)
        try:
            yield engine
        finally:
            engine.close()
        return
    own, opened = open_connection(source, connection)
    try:
        engine = DuckDBEngine(own)
        if source.kind == "frame":
            engine.register(source)
        yield engine
    finally:
        if opened:
            own.close()


def open_connection(
    source: Source | None, connection: Any = None, *, read_only: bool = True
) -> tuple[Any, bool]:
    """Return a DuckDB connection and whether it was opened here (and is ours to close)."""
    if source is not None and source.kind == "frame":
        return duckdb.connect(), True
    if connection is None:
        if source is not None and source.kind == "file":
            return duckdb.connect(), True
        return duckdb.default_connection(), False
    if isinstance(connection, (str, os.PathLike)):
        return _open_path(os.fspath(connection), read_only=read_only), True
    if isinstance(connection, duckdb.DuckDBPyConnection):
        return connection, False
    raise InvalidQuery(
        f"connection of type {type(connection).__name__} is not supported: "
        "give a DuckDB connection or the path of a DuckDB database"
    )


def _open_path(path: str, *, read_only: bool) -> Any:
    if path != ":memory:" and not os.path.exists(path):
        raise UnknownTable(f"database {path!r} does not exist: give the path of a DuckDB file")
    try:
        return duckdb.connect(path, read_only=read_only and path != ":memory:")
    except duckdb.ConnectionException as error:
        if not read_only:
            raise EngineError(
                f"database {path!r} is open in this process with other settings: "
                "close it, or give that connection"
            ) from error
        # this process has the file open for writing: share that
        return duckdb.connect(path)
    except duckdb.Error as error:
        reason = str(error).splitlines()[0]
        raise UnknownTable(f"database {path!r} cannot be opened: {reason}; check it") from None
