"""``dbrules mine``: find frequent antecedents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from dbrules.cli import options
from dbrules.cli.copy_rows import ENDINGS, copy_rows, ending_of
from dbrules.cli.inputs import opened
from dbrules.cli.output import check_output, print_json, whole_file
from dbrules.errors import InvalidSetting, UnknownSetting, near

if TYPE_CHECKING:
    from dbrules.mined_patterns import MinedPatterns

#: Settings of dbrules.mine that --set gives.
_SETTINGS = (
    "bins", "max_antecedents", "max_conditions", "max_patterns", "min_support",
    "min_support_negative", "min_support_positive", "missing", "statistics",
)  # fmt: skip

#: Antecedents printed at most.
_SHOWN = 40

EXAMPLES = """\
dbrules mine bank.parquet --target y --positive yes --min-support 0.05 -o patterns.csv
dbrules mine bank --db bank.duckdb --target y --set min_support_positive=0.1 --table patterns
dbrules mine baskets.csv --min-support 0.2 --set max_conditions=null
"""


def mine(
    source: options.Source,
    target: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN", help="Column whose classes are counted apart; all rows alike without."
        ),
    ] = None,
    positive: Annotated[
        str | None,
        typer.Option(
            metavar="LABEL", help="Class of confidence and lift; without it the later of two."
        ),
    ] = None,
    min_support: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE", help="Least share of the rows; 0.1 where no minimum is given."
        ),
    ] = None,
    max_conditions: Annotated[
        int | None,
        typer.Option(metavar="N", help="Most conditions of an antecedent; 2 if not given."),
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="Further setting, may repeat: min_support_positive and min_support_negative "
            "(shares of a class, of which one must be met), bins as for fit, "
            "max_conditions=null for any number, max_antecedents, missing=drop, "
            "statistics=database.",
        ),
    ] = None,
    db: Annotated[
        str | None,
        typer.Option(
            "--db", metavar="PATH", help="DuckDB database to read; only --table writes to it."
        ),
    ] = None,
    features: Annotated[
        list[str] | None,
        typer.Option(metavar="A,B", help="Columns to mine, as for fit; all where not given."),
    ] = None,
    exclude: options.Exclude = None,
    weight: options.Weight = None,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE", help=f"File to write: {ENDINGS}."),
    ] = None,
    table: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Table to create in the database of --db."),
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace the table if it is there.")
    ] = False,
    json: options.Json = False,
) -> None:
    """Find the conjunctions of conditions that many rows of SOURCE meet, and count them.

    Prints the first 40, unless a file or a table is asked for. Where a limit cut the search, a
    warning on stderr says which lengths are missing.
    """
    from dbrules.mining import mine as mine_rows

    if output is not None:
        ending_of(output)
        check_output(output)
    if table is not None and db is None:
        raise InvalidSetting(f"--table {table!r} needs a database to create it in: add --db PATH")
    if replace and table is None:
        raise InvalidSetting("--replace is about a table: add --table NAME")
    if table is not None and replace:
        _refuse_source(table, source)
    roles = options.roles(positive, weight, features, exclude)
    chosen = _settings(set_ or (), min_support=min_support, max_conditions=max_conditions)
    with opened(source, db) as (data, connection):
        found = mine_rows(data, target, connection=connection, **roles, **chosen)
    if output is not None:
        with whole_file(output) as path:
            _write(found, path)
    if table is not None:
        found.create_table(db, table, replace=replace)
    if json:
        print_json(found.to_json())
    elif output is None and table is None:
        print(found.to_text(_SHOWN, more="-o FILE or --json has them all"))


def _refuse_source(table: str, source: str) -> None:
    """Raise InvalidSetting where the table would replace what is read."""
    from dbrules.data.source import source as read
    from dbrules.data.source import table_name, words

    name = table_name(table).name
    if name.lower() in {word.lower() for word in words(read(source))}:
        raise InvalidSetting(f"--table {table!r} would replace what is read: give it another name")


def _settings(texts: list[str] | tuple[str, ...], **given: Any) -> dict[str, Any]:
    """Return the settings of --set and of options; InvalidSetting for one that is given twice."""
    chosen = options.settings(texts)
    for name in chosen:
        if name not in _SETTINGS:
            raise UnknownSetting(
                f"--set {name!r} is no setting of mine{near(name, _SETTINGS)}; "
                f"it has {', '.join(_SETTINGS)}"
            )
    for name, value in given.items():
        if value is None:
            continue
        if name in chosen:
            option = name.replace("_", "-")
            raise InvalidSetting(f"{name} is given twice, as --{option} and by --set: give it once")
        chosen[name] = value
    return chosen


def _write(found: MinedPatterns, path: str) -> None:
    from dbrules.data.source import Source
    from dbrules.engine.connect import connect

    origin = Source("frame", "pandas DataFrame", found.to_frame())
    with connect(origin) as engine:
        copy_rows("mine", Source("table", engine.relation(origin).name), engine, path)
