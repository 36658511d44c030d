"""``dbrules verify``: compare SQL and model row by row."""

from __future__ import annotations

import typer

from dbrules.cli import options
from dbrules.cli.inputs import opened, read_model, refuse_two_stdin
from dbrules.cli.output import print_json

EXAMPLES = """\
dbrules verify bank.json customers --db bank.duckdb && echo "safe to deploy"
"""


def verify(
    model: options.Model,
    source: options.Source,
    db: options.Database = None,
    json: options.Json = False,
) -> None:
    """Prove that MODEL and its SQL agree on SOURCE.

    Every distinct row is answered by the engine and by the rules; exit code 1 where they differ.
    """
    refuse_two_stdin(model, source)
    fitted = read_model(model)
    with opened(source, db) as (data, connection):
        verification = fitted.verify(data, connection=connection)
    if json:
        print_json(verification.to_json())
    else:
        print(verification)
    if not verification:
        raise typer.Exit(1)
