"""A data frame as a table of a DuckDB database."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from dbrules.compile.relation import create_table
from dbrules.data.source import Source, table_name
from dbrules.engine.connect import open_connection
from dbrules.engine.duckdb import DuckDBEngine
from dbrules.errors import EngineError


def store_frame(frame: Any, connection: Any, name: str, *, replace: bool = False) -> None:
    """Create a table of a pandas frame's rows, by one statement.

    ``connection``: a DuckDB connection or the path of a database. Raises EngineError where the
    table is there and ``replace`` is not set, or nothing can be written.
    """
    own, opened = open_connection(None, connection, read_only=False)
    try:
        engine = DuckDBEngine(own)
        origin = Source("frame", "pandas DataFrame", frame)
        engine.register(origin)
        read = engine.relation(origin)
        try:
            query = exp.select("*").from_(read)
            engine.execute(
                "create table",
                create_table(table_name(name), query, engine.dialect, replace=replace),
            )
        except EngineError as error:
            if "already exists" in str(error):
                raise EngineError(
                    f"{name!r} already exists: drop it, choose another name, or pass replace=True "
                    "(--replace)"
                ) from None
            raise
        finally:
            own.unregister(read.name)
    finally:
        if opened:
            own.close()
