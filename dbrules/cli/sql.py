"""``dbrules sql``: print a model as SQL."""

from __future__ import annotations

from typing import Annotated

import typer

from dbrules.cli import options
from dbrules.cli.inputs import read_model
from dbrules.errors import InvalidSetting

FORMS = ("case", "select", "view", "table", "dbt")

EXAMPLES = """\
dbrules sql bank.json --over customers --dialect snowflake --as view --name scores
"""


def sql(
    model: options.Model,
    over: Annotated[
        str | None, typer.Option(metavar="TABLE", help="What to score: a table or a SELECT.")
    ] = None,
    dialect: Annotated[
        str, typer.Option(metavar="NAME", help="Whose SQL: duckdb, postgres, snowflake, …")
    ] = "duckdb",
    form: Annotated[
        str | None,
        typer.Option(
            "--as",
            metavar="case|select|view|table|dbt",
            help="case: the label as an expression (without --over). select: the rows of --over "
            "with label, probability and rule. view, table: the statement that creates --name. "
            "dbt: a model file.",
        ),
    ] = None,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="Name of the view or table to create.")
    ] = None,
    probabilities: options.Probabilities = False,
    reasons: options.Reasons = False,
) -> None:
    """Print MODEL as SQL; nothing is run."""
    shown = form or ("case" if over is None else "select")
    options.choice("--as", shown, FORMS)
    if shown == "case":
        given = {"--over": over, "--probabilities": probabilities, "--reasons": reasons}
        extra = [option for option, value in given.items() if value]
        if extra:
            raise InvalidSetting(f"{extra[0]} does not go with a bare CASE: use --as select")
    elif over is None:
        raise InvalidSetting(f"--as {shown} needs what to score: add --over TABLE")
    if shown in ("view", "table"):
        if name is None:
            raise InvalidSetting(f"--as {shown} needs a name for it: add --name NAME")
    elif name is not None:
        raise InvalidSetting(f"--name does not go with --as {shown}: use --as view or table")
    text = read_model(model).to_sql(
        over, dialect=dialect, form=shown, name=name, probabilities=probabilities, reasons=reasons
    )
    print(text.rstrip("\n"))
