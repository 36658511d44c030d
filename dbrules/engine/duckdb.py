"""DuckDB on the caller's connection."""

from __future__ import annotations

import re
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import duckdb
import numpy as np
from sqlglot import exp

from dbrules.compile.render import render
from dbrules.data.frame import odd_columns
from dbrules.data.source import Source
from dbrules.engine.encoding import decoder, encode
from dbrules.engine.journal import Journal, JournalEntry
from dbrules.engine.result import Result
from dbrules.errors import EngineError, InvalidData, InvalidQuery, UnknownTable
from dbrules.language.column import COLLATED, Column, ColumnType


class DuckDBEngine:
    """Runs statements on a DuckDB connection, or on the connection behind a relation.

    The connection is never closed and no transaction is opened on it (policy P12). Like any
    statement on a DuckDB connection, ours end a result that the caller has not fetched.
    """

    dialect = "duckdb"

    def __init__(self, connection: Any = None, relation: Any = None) -> None:
        self.connection = connection
        self.journal = Journal()
        self._relation = relation
        self._relation_name = _temporary_name()

    # -- running ---------------------------------------------------------------------------

    def run(self, name: str, query: exp.Expr, parameters: dict[str, Any] | None = None) -> Result:
        """Run a query and return its rows by column; EngineError names the statement."""
        started = time.perf_counter()
        sql = _text(query)
        result = _fetch(self._submit(name, sql))
        rows = len(next(iter(result.values()), ()))
        self._note(name, sql, parameters, rows, started)
        return result

    def execute(self, name: str, statement: exp.Expr) -> None:
        """Run a statement that returns nothing of interest."""
        started = time.perf_counter()
        sql = _text(statement)
        self._submit(name, sql)
        self._note(name, sql, None, 0, started)

    def _note(
        self, name: str, sql: str, parameters: dict[str, Any] | None, rows: int, started: float
    ) -> None:
        ms = (time.perf_counter() - started) * 1000
        self.journal.add(JournalEntry(name, sql, parameters or {}, rows, ms))

    def _submit(self, name: str, sql: str) -> Any:
        try:
            if self._relation is not None:
                return self._relation.query(self._relation_name, sql)
            return self.connection.execute(sql)
        except duckdb.Error as error:
            raise _translate(error, name, sql) from None
        except RuntimeError as error:
            if "interrupted" in str(error).lower():  # what DuckDB makes of Ctrl-C
                raise KeyboardInterrupt from None
            raise

    # -- sources ---------------------------------------------------------------------------

    def columns(self, source: Source) -> tuple[Column, ...]:
        """Return names and types; InvalidQuery for duplicate names, UnknownTable if missing."""
        if source.kind == "query":
            query: exp.Expr = exp.Var(this=source.text)  # bare: nesting renames duplicates
        else:
            query = exp.select("*").from_(self.relation(source))
        described = self._submit("describe", _text(exp.Describe(this=query))).fetchall()
        names = [str(row[0]) for row in described]
        folded = [name.casefold() for name in names]
        for name in names:
            if folded.count(name.casefold()) > 1:
                raise InvalidQuery(
                    f"{source} has several columns {name!r}: name each column once with AS "
                    "(upper and lower case count as the same)"
                )
        is_pandas = source.kind == "frame" and source.text.startswith("pandas")
        odd = odd_columns(source.frame) if is_pandas else {}
        types = [odd.get(name, str(row[1])) for name, row in zip(names, described, strict=True)]
        texts = [name for name, kind in zip(names, types, strict=True) if kind == "VARCHAR"]
        collated = self._collated(source, texts) if texts else set()
        return tuple(
            Column(name, ColumnType(kind + COLLATED if name in collated else kind))
            for name, kind in zip(names, types, strict=True)
        )

    def _collated(self, source: Source, names: list[str]) -> set[str]:
        """Return the text columns on which ``=`` overlooks case or accents; reads no row."""
        none = exp.select("*").from_(self.relation(source)).limit(0).subquery("nothing")
        probes = [exp.or_(_takes(name, "a", "A"), _takes(name, "é", "e")) for name in names]
        one = exp.select(exp.alias_(exp.Literal.number(1), "one")).subquery("single")
        query = exp.select(*probes).from_(one).join(none, on=exp.true(), join_type="left")
        answers = self._submit("describe", _text(query)).fetchall()[0]
        return {name for name, holds in zip(names, answers, strict=True) if holds}

    def is_stored(self, source: Source) -> bool:
        """Return True for base tables, files and frames; views and queries are snapshot."""
        if source.kind in ("file", "frame"):
            return True
        if source.kind != "table":
            return False
        table = source.relation
        where = [
            exp.EQ(
                this=exp.Lower(this=exp.column(name)),
                expression=exp.Literal.string(part.name.lower()),
            )
            for name, part in (
                ("table_name", table.this),
                ("table_schema", table.args.get("db")),
                ("table_catalog", table.args.get("catalog")),
            )
            if part is not None
        ]
        query = (
            exp.select("table_type")
            .from_(exp.table_("tables", db="information_schema"))
            .where(*where)
        )
        kinds = [row[0] for row in self._submit("describe", _text(query)).fetchall()]
        return bool(kinds) and all(kind != "VIEW" for kind in kinds)

    def qualified(self, table: exp.Table) -> exp.Table:
        """Return a table of the current schema by its full name, any other as it is.

        In the body of a view a bare name is looked up in the schema of the view first.
        """
        if table.args.get("db") is not None:
            return table
        name = exp.Literal.string(table.name.lower())
        query = (
            exp.select("table_catalog", "table_schema", "table_name")
            .from_(exp.table_("tables", db="information_schema"))
            .where(
                exp.EQ(this=exp.Lower(this=exp.column("table_name")), expression=name),
                exp.EQ(
                    this=exp.column("table_schema"),
                    expression=exp.Anonymous(this="CURRENT_SCHEMA"),
                ),
                exp.EQ(
                    this=exp.column("table_catalog"),
                    expression=exp.Anonymous(this="CURRENT_DATABASE"),
                ),
            )
        )
        found = self._submit("describe", _text(query)).fetchall()
        if len(found) != 1:
            return table
        catalog, schema, name_there = (exp.to_identifier(part, quoted=True) for part in found[0])
        return exp.Table(this=name_there, db=schema, catalog=catalog)

    def views(self) -> dict[str, str]:
        """Return the statement of every view by its name in lower case."""
        query = exp.select("view_name", "sql").from_(exp.Anonymous(this="DUCKDB_VIEWS"))
        found = self._submit("describe", _text(query)).fetchall()
        return {str(name).lower(): str(sql) for name, sql in found}

    def relation(self, source: Source) -> exp.Table | exp.Subquery:
        """Return the source as something to select from."""
        if source.kind in ("frame", "relation"):
            return exp.Table(this=exp.to_identifier(self._relation_name, quoted=True))
        return source.relation

    def register(self, source: Source) -> Any:
        """Make a frame readable on this engine's own connection; return its lazy relation."""
        try:
            self.connection.register(self._relation_name, source.frame)
            return self.connection.table(self._relation_name)
        except (duckdb.Error, ValueError, TypeError) as error:
            reason = str(error).splitlines()[0]
            raise InvalidData(
                f"the {source.text} cannot be read: {reason}; convert that column first"
            ) from None

    def close(self) -> None:
        """Drop the name under which older DuckDB keeps a queried relation."""
        if self._relation is not None:
            drop = exp.Drop(
                kind="VIEW",
                exists=True,
                temporary=False,
                tables=[exp.to_table(self._relation_name)],
            )
            self._submit("close", _text(drop))

    @contextmanager
    def snapshot(self, query: exp.Query) -> Iterator[exp.Table]:
        """Yield a temporary table of the query's rows, dropped at the end (policy P10)."""
        table = exp.Table(this=exp.to_identifier(_temporary_name(), quoted=True))
        create = exp.Create(
            this=table,
            kind="TABLE",
            expression=query,
            properties=exp.Properties(expressions=[exp.TemporaryProperty()]),
        )
        self.execute("snapshot", create)
        failed = True
        try:
            yield table.copy()
            failed = False
        finally:
            try:
                self._submit("drop", _text(exp.Drop(kind="TABLE", tables=[table])))
            except EngineError:
                if not failed:  # an aborted transaction of the caller drops it on rollback
                    raise

    def encode(self, column: Column) -> exp.Expr:
        """Return the expression that fetches the column exactly as NumPy can hold it."""
        return encode(column)

    def decoder(self, column: Column) -> Callable[[Any], Any]:
        """Return the function that turns fetched cells (no NULLs) into ordinals or levels."""
        return decoder(column)


def _fetch(cursor: Any) -> Result:
    """Fetch by column; decimals too wide for a double are rounded once, in Python."""
    described = [(str(column[0]), str(column[1])) for column in cursor.description]
    wide = [name for name, kind in described if kind.upper().startswith("DECIMAL(38")]
    if not wide:
        fetched: Result = cursor.fetchnumpy()
        return fetched
    columns = list(zip(*cursor.fetchall(), strict=True)) or [()] * len(described)
    result: Result = {}
    for (name, _), cells in zip(described, columns, strict=True):
        if name in wide:
            result[name] = np.array([float(cell) for cell in cells], dtype=np.float64)
        else:
            mask = np.array([cell is None for cell in cells], dtype=bool)
            data = np.array(cells, dtype=object)
            result[name] = np.ma.MaskedArray(data, mask=mask)
    return result


def _takes(name: str, one: str, other: str) -> exp.EQ:
    """Return whether ``one`` equals ``other`` by the collation of a column."""
    empty = exp.Coalesce(this=exp.column(name, quoted=True), expressions=[exp.Literal.string("")])
    text = exp.DPipe(this=empty, expression=exp.Literal.string(one))
    return exp.EQ(this=text, expression=exp.Literal.string(other))


def _text(tree: exp.Expr) -> str:
    return render(tree, "duckdb", pretty=False)


def _temporary_name() -> str:
    return f"dbrules_{uuid.uuid4().hex[:16]}"


def _translate(error: duckdb.Error, name: str, sql: str) -> Exception:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    message = lines[0].partition("Error: ")[2] or lines[0] if lines else type(error).__name__
    message = message.rstrip("!.")
    hints = (line for line in lines[1:] if line.startswith("Did you mean"))
    hint = next(
        (f" ({line})" for line in hints if '"pg_' not in line and "duckdb_" not in line), ""
    )
    variable = re.match(r'Python Object "(.*?)" of type', message)
    if variable:  # DuckDB also looks for tables among the variables of the calling code
        return UnknownTable(
            f"Table with name {variable[1]} does not exist; "
            "name a table or file of the connection you give"
        )
    if isinstance(error, (duckdb.CatalogException, duckdb.IOException)) and name == "describe":
        return UnknownTable(f"{message}{hint}; name a table or file of the connection you give")
    if name == "describe" and isinstance(error, duckdb.ProgrammingError):
        return InvalidQuery(f"the query does not run: {message}; mend the SELECT")
    if name == "snapshot":  # it only reads what the caller's query gives
        return EngineError(f"the query fails while its rows are read: {message}; mend the SELECT")
    short = sql if len(sql) <= 300 else sql[:297] + "..."
    return EngineError(f"statement {name} failed: {message}; it was: {' '.join(short.split())}")
