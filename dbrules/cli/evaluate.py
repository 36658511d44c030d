"""``dbrules evaluate``: metrics of a model on labelled rows."""

from __future__ import annotations

from dbrules.cli import options
from dbrules.cli.inputs import opened, read_model, refuse_two_stdin
from dbrules.cli.output import print_json

EXAMPLES = """\
dbrules evaluate bank.json "SELECT * FROM bank_2026" --db bank.duckdb
dbrules evaluate bank.json test.csv --json
"""


def evaluate(
    model: options.Model,
    source: options.Source,
    db: options.Database = None,
    weight: options.Weight = None,
    json: options.Json = False,
) -> None:
    """Print how well MODEL does on SOURCE.

    Accuracy, log loss, Brier score, AUROC, and one row per class and per rule. SOURCE needs the
    target and the columns that rules use, no others.
    """
    refuse_two_stdin(model, source)
    fitted = read_model(model)
    with opened(source, db) as (data, connection):
        evaluation = fitted.evaluate(data, connection=connection, weight=weight)
    if json:
        print_json(evaluation.to_json())
    else:
        print(evaluation)
