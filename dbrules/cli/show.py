"""``dbrules show``: print a model."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Annotated

import typer

from dbrules.cli import options
from dbrules.cli.inputs import read_model
from dbrules.cli.output import print_json

if TYPE_CHECKING:
    from dbrules.model import Model

FORMATS = ("text", "markdown", "json")

EXAMPLES = """\
dbrules show bank.json --format markdown
"""


def show(
    model: options.Model,
    format: Annotated[
        str, typer.Option("--format", metavar="text|markdown|json", help="How to print it.")
    ] = "text",
    json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
) -> None:
    """Print the rules of MODEL with their counts."""
    chosen = options.choice("--format", format, FORMATS)
    fitted = read_model(model)
    if json or chosen == "json":
        print_json(fitted.to_json())
    elif chosen == "markdown":
        print(markdown(fitted))
    else:
        print(fitted)


def markdown(model: Model) -> str:
    """Return the rules as a Markdown table, one row per rule and the default last."""
    from dbrules.language.write import format_conditions, format_label

    rules, target = model.rules, model.rules.target
    lines = [
        f"**{_plain(target.name)}** by {model.learner}, {model.training.rows} rows",
        "",
        "| rule | if | then | probability | captured |",
        "|---:|---|---|---:|---:|",
    ]
    for number, outcome in enumerate(rules.outcomes, start=1):
        is_rule = number <= len(rules.rules)
        antecedent = (
            _code(format_conditions(rules.rules[number - 1].conditions)) if is_rule else "else"
        )
        share = outcome.probability[target.index(outcome.label)]
        lines.append(
            f"| {number} | {antecedent} | {_code(format_label(outcome.label))} "
            f"| {share:.4g} | {outcome.total:.15g} |"
        )
    return "\n".join([*lines, *(f"\n{_plain(note)}" for note in model.notes)])


def _code(text: str) -> str:
    """Return text as code in a table's cell, whatever bars, backticks or line breaks it has."""
    if text and not set(text) & set("`|\r\n\\"):
        return f"`{text}`"
    return f"<code>{_plain(text)}</code>"


def _plain(text: str) -> str:
    """Return text with all that Markdown would read as markup written as entities."""
    return "".join(
        f"&#{ord(c)};" if c in "`|\r\n\\*_[]~#$" else c for c in html.escape(text, quote=False)
    )
