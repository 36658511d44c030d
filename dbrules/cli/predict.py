"""``dbrules predict``: score rows."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from dbrules.cli import options
from dbrules.cli.inputs import opened, read_model, refuse_two_stdin
from dbrules.cli.output import check_output, whole_file
from dbrules.errors import InvalidSetting

if TYPE_CHECKING:
    from sqlglot import exp

    from dbrules.data.source import Source
    from dbrules.engine.duckdb import DuckDBEngine
    from dbrules.language.column import Column
    from dbrules.model import Model

#: Format and its options of COPY, by the ending of the file.
_FORMATS: dict[str, tuple[str, str | None]] = {
    ".parquet": ("PARQUET", None),
    ".csv": ("CSV", "HEADER"),
    ".json": ("JSON", "ARRAY"),
    ".jsonl": ("JSON", None),
    ".ndjson": ("JSON", None),
}

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
            help="File to write: .parquet, .csv, .json (an array) or .jsonl (an object a line); "
            "without it CSV is printed. JSON has null for NaN and infinities.",
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
        _ending(output)
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
                _copy(scored, engine, path)
        else:
            # by way of a file: rows that fail half-way leave nothing on stdout either
            with tempfile.TemporaryDirectory(prefix="dbrules-") as folder:
                path = os.path.join(folder, "predicted.csv")
                _copy(scored, engine, path)
                sys.stdout.flush()
                with open(path, "rb") as file:
                    shutil.copyfileobj(file, sys.stdout.buffer)
                sys.stdout.buffer.flush()
    for note in notes:
        print(f"dbrules: note: {' '.join(note.split())}", file=sys.stderr)


def _ending(path: str) -> str:
    ending = os.path.splitext(path)[1].lower()
    if ending not in _FORMATS:
        raise InvalidSetting(
            f"output {path!r} has no ending that says its format: "
            "use .parquet, .csv, .json or .jsonl"
        )
    return ending


def _scored(
    model: Model, origin: Source, engine: DuckDBEngine, *, probabilities: bool, reasons: bool
) -> Source:
    """Return the rows that Model.predict gives, as a query that COPY can hold."""
    from dbrules.check import bind
    from dbrules.data.source import Source

    rules, columns = bind(model.rules, engine.columns(origin))
    query = replace(model, rules=rules).to_sql(
        origin.text,
        form="select",
        columns=columns,
        probabilities=probabilities,
        reasons=reasons,
    )
    return Source("query", query)


def _copy(scored: Source, engine: DuckDBEngine, path: str) -> None:
    """Write rows as the ending of ``path`` says; EngineError where their query fails."""
    from sqlglot import exp

    form, flag = _FORMATS[_ending(path)]
    columns = [exp.Star()] if form != "JSON" else _for_json(engine.columns(scored))
    parameters = [exp.CopyParameter(this=exp.var("FORMAT"), expression=exp.var(form))]
    if flag is not None:
        parameters.append(exp.CopyParameter(this=exp.var(flag), expression=exp.true()))
    copy = exp.Copy(
        this=exp.Subquery(this=exp.select(*columns).from_(scored.relation)),
        kind=False,
        files=[exp.Literal.string(path)],
        params=parameters,
    )
    engine.execute("predict", copy)


def _for_json(columns: Iterable[Column]) -> list[exp.Expr]:
    """Return the columns with NULL for what JSON has no number for."""
    from sqlglot import exp

    selected: list[exp.Expr] = []
    for column in columns:
        name = exp.column(column.name, quoted=True)
        if column.type.is_float:
            finite = exp.Anonymous(this="ISFINITE", expressions=[name])
            case = exp.Case(ifs=[exp.If(this=finite, true=name.copy())])
            selected.append(exp.alias_(case, column.name, quoted=True))
        else:
            selected.append(name)
    return selected
