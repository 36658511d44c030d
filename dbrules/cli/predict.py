"""``dbrules predict``: score rows."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from typing import TYPE_CHECKING, Annotated

import typer

from dbrules.cli import options
from dbrules.cli.copy_rows import ENDINGS, copy_rows, ending_of
from dbrules.cli.inputs import opened, read_model, refuse_two_stdin
from dbrules.cli.output import check_output, whole_file
from dbrules.errors import InvalidSetting

if TYPE_CHECKING:
    from dbrules.data.source import Source
    from dbrules.engine.duckdb import DuckDBEngine
    from dbrules.model import Model

EXAMPLES = """\
dbrules predict bank.json customers.parquet -o scores.parquet
dbrules predict bank.json "FROM customers" --db bank.duckdb | head
"""


def predict(
    model: options.Model,
    source: options.Source,
    db: options.Database = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help=f"File to write: {ENDINGS}; without it CSV is printed. JSON has null for NaN "
            "and infinities.",
        ),
    ] = None,
    probabilities: options.Probabilities = False,
    reasons: options.Reasons = False,
) -> None:
    """Score the rows of SOURCE by MODEL.

    To the columns of SOURCE come the predicted label, its probability and the number of the
    rule that answered. Notes on missing and unseen values go to stderr.
    """
    from dbrules.data.source import source as as_source
    from dbrules.engine.duckdb import DuckDBEngine

    refuse_two_stdin(model, source)
    if output is not None:
        ending_of(output)
        check_output(output)
        for read in (model, source):
            if os.path.exists(read) and os.path.realpath(read) == os.path.realpath(output):
                raise InvalidSetting(
                    f"output {output!r} is what is read: give another file, so that it stays"
                )
    fitted = read_model(model)
    with opened(source, db) as (data, connection):
        notes = fitted.check(data, connection=connection)
        engine, origin = DuckDBEngine(connection), as_source(data)
        scored = _scored(fitted, origin, engine, probabilities=probabilities, reasons=reasons)
        if output is not None:
            with whole_file(output) as path:
                copy_rows("predict", scored, engine, path)
        else:
            # by way of a file: rows that fail half-way leave nothing on stdout either
            with tempfile.TemporaryDirectory(prefix="dbrules-") as folder:
                path = os.path.join(folder, "predicted.csv")
                copy_rows("predict", scored, engine, path)
                sys.stdout.flush()
                with open(path, "rb") as file:
                    shutil.copyfileobj(file, sys.stdout.buffer)
                sys.stdout.buffer.flush()
    for note in notes:
        print(f"dbrules: note: {' '.join(note.split())}", file=sys.stderr)


def _scored(
    model: Model, origin: Source, engine: DuckDBEngine, *, probabilities: bool, reasons: bool
) -> Source:
    """Return the rows that Model.predict gives, as a query that COPY can hold."""
    from dbrules import scoring
    from dbrules.check import bind
    from dbrules.data.source import Source

    answers, columns = bind(model.answers, engine.columns(origin))
    query = scoring.to_sql(
        answers, origin.text, dialect=engine.dialect, form="select", name=None, columns=columns,
        probabilities=probabilities, reasons=reasons,
    )  # fmt: skip
    return Source("query", query)
