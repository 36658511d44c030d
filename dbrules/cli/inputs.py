"""What a verb reads: the SOURCE and MODEL arguments, stdin, the database."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from dbrules.errors import DbrulesError, InvalidModel, InvalidQuery, InvalidSetting, UnknownTable

if TYPE_CHECKING:
    from dbrules.model import Model

STDIN = "-"
_HEAD = 1 << 16
#: A word of SQL where a query would go on; a CSV header ``from,to`` has a comma there.
_QUERY = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:\s|--[^\n]*\n|/\*.*?\*/|\()*"
    rb"""(?:SELECT|WITH|FROM|VALUES)(?=[\s(*'"/\[-])""",
    re.IGNORECASE | re.DOTALL,
)


@contextmanager
def opened(source: str, database: str | None) -> Iterator[tuple[str, Any]]:
    """Yield SOURCE as text of ``data`` and a connection that can read it, closed at the end.

    Data on stdin goes to a temporary file, which is removed at the end; errors name it stdin.
    """
    from dbrules.data.source import is_file
    from dbrules.engine.connect import open_connection

    if database is not None and is_file(database):
        raise InvalidSetting(f"--db {database!r} is a data file, not a database: give it as SOURCE")
    connection, _ = open_connection(None, ":memory:" if database is None else database)
    try:
        # a table is never a Python variable of ours that happens to have its name
        connection.execute("SET python_enable_replacements = false")
        if source == STDIN:
            with _stdin() as text:
                yield text, connection
        else:
            if database is None:
                _refuse_table(source)
            yield source, connection
    except BaseException:
        # a statement that a signal broke off still runs, and close() would wait for it
        connection.interrupt()
        raise
    finally:
        connection.close()


def read_model(argument: str) -> Model:
    """Return the model of a file, or of the JSON on stdin for ``-``."""
    import dbrules.model

    if argument != STDIN:
        return dbrules.model.load(argument)
    try:
        document = json.loads(sys.stdin.buffer.read())
    except (ValueError, RecursionError) as error:
        reason = str(error).splitlines()[0]
        raise InvalidModel(
            f"the model on stdin is not whole JSON: {reason}; pipe the output of fit --json"
        ) from None
    return dbrules.model.Model.from_json(document, "the model on stdin")


def refuse_two_stdin(model: str, source: str) -> None:
    """Raise InvalidSetting where both MODEL and SOURCE would read stdin."""
    if model == source == STDIN:
        raise InvalidSetting("MODEL and SOURCE are both -, stdin: give a file for one of them")


@contextmanager
def _stdin() -> Iterator[str]:
    stream = sys.stdin.buffer
    head = stream.read(_HEAD)
    if not head.strip():
        raise InvalidQuery("stdin is empty: pipe a SELECT, or data as CSV, JSON or Parquet")
    if _QUERY.match(head):
        try:
            yield (head + stream.read()).decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise InvalidQuery(
                f"the query on stdin is not UTF-8 at byte {error.start}: convert it"
            ) from None
        return
    with tempfile.TemporaryDirectory(prefix="dbrules-") as folder:
        path = os.path.join(folder, f"stdin{_ending(head)}")
        with open(path, "wb") as file:
            file.write(head)
            shutil.copyfileobj(stream, file)
        try:
            yield path
        except DbrulesError as error:  # what the user piped has no path
            raise type(error)(str(error).replace(path, "stdin")) from None


def _ending(head: bytes) -> str:
    if head.startswith(b"PAR1"):
        return ".parquet"
    if head.startswith(b"\x1f\x8b"):
        try:
            inside = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(head, 1024)
        except zlib.error as error:
            raise InvalidQuery(f"stdin is not whole gzip: {error}; compress it again") from None
        return _ending(inside) + ".gz"
    if head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith((b"{", b"[")):
        return ".json"
    return ".csv"


def _refuse_table(text: str) -> None:
    from dbrules.data.source import source

    if source(text).kind != "table":
        return
    if os.path.isfile(text):
        raise InvalidQuery(
            f"file {text!r} has no ending that says its format: name it .parquet, .csv or .json, "
            f"or pipe it with - as SOURCE; a DuckDB database goes into --db"
        )
    raise UnknownTable(
        f"table {text!r} needs a database: add --db PATH, or give a file or a SELECT"
    )
