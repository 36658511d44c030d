"""A model as text: where it came from in comments, then the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbrules.falling_text import falling_text, label_lines, risk_line
from dbrules.language.listing import format_rule_list
from dbrules.language.rule_average import RuleAverage
from dbrules.language.rule_list import RuleList
from dbrules.language.simplify import simplify
from dbrules.posterior_text import posterior_lines

if TYPE_CHECKING:
    from dbrules.model import Model
    from dbrules.training import Training


def model_text(model: Model) -> str:
    """Return a header of comments and the rules; the whole parses back to the same rules."""
    head = [f"{model.learner}: {rows_text(model)}", *search_lines(model), *model.notes]
    head += [finding.message for finding in simplify(model.rules).findings]
    # a line break in a column's name must not end the comment
    comments = [f"-- {' '.join(line.split())}" for line in head]
    falling = model.falling
    intervals = None if model.posterior is None else model.posterior.intervals
    if falling is None:
        rules = format_rule_list(model.rules, intervals=intervals)
    else:
        rules = falling_text(model.rule_list, falling, intervals)
    return "\n".join([*comments, rules])


def rows_text(model: Model) -> str:
    """Return the rows learned from, their weight where they have one, and those left out."""
    text = f"{model.training.rows} rows"
    if any(outcome.rows is not None for outcome in model.rules.outcomes):
        # rules of a set overlap: their weights do not add up to that of the rows
        listed = isinstance(model.rules, RuleList)
        weights = [outcome.total for outcome in model.rules.outcomes]
        weight = sum(weights if listed else model.training.class_counts.values())
        if weight:
            text += f" of weight {weight if isinstance(weight, int) else f'{weight:.6g}'}"
    if model.training.excluded_rows:
        text += f", {model.training.excluded_rows} left out (no target)"
    return text


def search_lines(model: Model) -> list[str]:
    """Return what answers, what the search reached, and how a falling list is to be read."""
    lines = [] if model.average is None else [average_line(model.average, model.rule_list)]
    found = search_line(model.training)
    if found and (model.falling is not None or model.training.proved is not None):
        lines.append(found)
    if model.posterior is not None:
        lines += posterior_lines(model.posterior, model.rule_list)
    if model.falling is not None:
        lines.append(risk_line(model.rules.target, model.falling))
        lines += label_lines(model.rule_list, model.falling)
    return lines


def average_line(average: RuleAverage, rules: RuleList) -> str:
    """Say that the answers are those of an average, and what ``rules`` are to it."""
    same = [
        weight
        for part, weight in zip(average.lists, average.weights, strict=True)
        if [rule.conditions for rule in part.rules] == [rule.conditions for rule in rules.rules]
    ]
    n = len(average.lists)
    text = f"answers average {n} rule list{'' if n == 1 else 's'}, "
    if not same:
        return text + "beside which this list is read"
    place = "the most probable" if max(same) == max(average.weights) else "one"
    return text + f"of which this is {place} (weight {max(same):.4g})"


def search_line(training: Training) -> str:
    """Return what the search reached and proved, as one line; empty without an objective."""
    if training.objective is None:
        return ""
    parts = [f"objective {training.objective:.6f}"]
    if training.lower_bound is not None:
        parts.append(f"lower bound {training.lower_bound:.6f}")
    if training.relative_gap is not None:
        parts.append(f"gap {_percent(training.relative_gap)}")
    if training.nodes is not None:
        parts.append(f"{training.nodes} nodes searched")
    if training.proved is not None:
        parts[-1] += ": proved optimal" if training.proved else ": not proved optimal"
    return ", ".join(parts)


def _percent(share: float) -> str:
    """Return a share in per cent; a small one is not shown as none.

    >>> _percent(0), _percent(1e-9), _percent(0.0412)
    ('0 %', 'below 0.01 %', '4.12 %')
    """
    if share == 0:
        return "0 %"
    return "below 0.01 %" if share < 1e-4 else f"{100 * share:.2f} %"
