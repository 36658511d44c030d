"""``dbrules show``: print a model."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Annotated

import typer

from dbrules.cli import options
from dbrules.cli.inputs import read_model
from dbrules.cli.output import print_json

if TYPE_CHECKING:
    from dbrules.falling import Falling
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
    from dbrules.language.listing import resolution_line
    from dbrules.language.rule_set import RuleSet
    from dbrules.model_text import rows_text, search_lines

    name = _plain(model.rules.target.name)
    head = [f"**{name}** by {model.learner}, {rows_text(model)}"]
    if isinstance(model.rules, RuleSet):
        head.append(_plain(resolution_line(model.rules.resolution)))
    head += [_plain(line) for line in search_lines(model)]
    table = _table(model) if model.falling is None else _falling_table(model, model.falling)
    return "\n\n".join([*head, "\n".join(table), *(_plain(note) for note in model.notes)])


def _table(model: Model) -> list[str]:
    target = model.rules.target
    lines = ["| rule | if | then | probability | captured |", "|---:|---|---|---:|---:|"]
    for start, outcome in zip(_starts(model), model.rules.outcomes, strict=True):
        share = outcome.probability[target.index(outcome.label)]
        lines.append(f"{start} {share:.4g} | {outcome.total:.15g} |")
    if model.posterior is None:
        return lines
    ends = [
        row[target.index(outcome.label)]
        for row, outcome in zip(model.posterior.intervals, model.rules.outcomes, strict=True)
    ]
    more = [" 95 % |", "---:|", *(f" {lower:.3g}–{upper:.3g} |" for lower, upper in ends)]
    return [line + cell for line, cell in zip(lines, more, strict=True)]


def _falling_table(model: Model, falling: Falling) -> list[str]:
    """Return the numbers that the printed list has, and the mark of the threshold as a row."""
    from dbrules.falling_text import falling_columns, risk_intervals, threshold_line

    rows = falling.rows(model.rule_list)
    credible = None if model.posterior is None else model.posterior.intervals
    (_, *headings), cells = falling_columns(rows, risk_intervals(model.rules.target, credible))
    lines = [
        f"| rule | if | then | {' | '.join(headings)} |",
        "|---:|---|---|" + "---:|" * len(headings),
    ]
    mark = f"| | *{_plain(threshold_line(falling, rows))}* | |" + " |" * len(headings)
    at = next((place for place, row in enumerate(rows) if not row.is_above), len(rows))
    for start, (_, *numbers) in zip(_starts(model), cells, strict=True):
        lines.append(f"{start} {' | '.join(numbers)} |")
    lines.insert(2 + at, mark)
    return lines


def _starts(model: Model) -> list[str]:
    """Return the cells that every table begins with: rule, if, then."""
    from dbrules.language.write import format_conditions, format_label

    antecedents = [_code(format_conditions(rule.conditions)) for rule in model.rules.rules]
    return [
        f"| {number} | {antecedent} | {_code(format_label(outcome.label))} |"
        for number, (antecedent, outcome) in enumerate(
            zip([*antecedents, "else"], model.rules.outcomes, strict=True), start=1
        )
    ]


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
