"""Rows into a file, in the format that its ending says."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from dbrules.errors import InvalidSetting

if TYPE_CHECKING:
    from sqlglot import exp

    from dbrules.data.source import Source
    from dbrules.engine.duckdb import DuckDBEngine
    from dbrules.language.column import Column

#: What a user can choose, for help texts.
ENDINGS: Final = ".parquet, .csv, .json (an array) or .jsonl (an object a line)"
#: Format and its options of COPY, by the ending of the file.
_FORMATS: dict[str, tuple[str, str | None]] = {
    ".parquet": ("PARQUET", None),
    ".csv": ("CSV", "HEADER"),
    ".json": ("JSON", "ARRAY"),
    ".jsonl": ("JSON", None),
    ".ndjson": ("JSON", None),
}


def ending_of(path: str) -> str:
    """Return the ending of a file to write; InvalidSetting where it says no format."""
    ending = os.path.splitext(path)[1].lower()
    if ending not in _FORMATS:
        raise InvalidSetting(
            f"output {path!r} has no ending that says its format: "
            "use .parquet, .csv, .json or .jsonl"
        )
    return ending


def copy_rows(name: str, rows: Source, engine: DuckDBEngine, path: str) -> None:
    """Write rows as the ending of ``path`` says; EngineError, naming ``name``, where they fail."""
    from sqlglot import exp

    form, flag = _FORMATS[ending_of(path)]
    columns = [exp.Star()] if form != "JSON" else _for_json(engine.columns(rows))
    parameters = [exp.CopyParameter(this=exp.var("FORMAT"), expression=exp.var(form))]
    if flag is not None:
        parameters.append(exp.CopyParameter(this=exp.var(flag), expression=exp.true()))
    copy = exp.Copy(
        this=exp.Subquery(this=exp.select(*columns).from_(rows.relation)),
        kind=False,
        files=[exp.Literal.string(path)],
        params=parameters,
    )
    engine.execute(name, copy)


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
