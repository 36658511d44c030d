"""Write rule lists and sets as text that :mod:`dbrules.language.parse` reads back."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from dbrules.language.rule import Outcome, Target
from dbrules.language.wilson import wilson_interval
from dbrules.language.write import (
    Interval,
    Intervals,
    format_conditions,
    format_label,
    format_number,
)

if TYPE_CHECKING:
    from dbrules.language.rule_list import RuleList
    from dbrules.language.rule_set import RuleSet

#: What stands before the resolution of a rule set in its first line.
RESOLVED_BY: Final = "rule set, overlaps resolved by: "
#: Comments stand in one column unless a long rule would push them further out than this.
_COMMENT_COLUMN = 88


def format_rule_list(
    rule_list: RuleList | RuleSet, *, counts: bool = True, intervals: Intervals | None = None
) -> str:
    """Return a rule list or rule set as text that parses back to the same rules.

    With ``counts`` each line ends in a comment: the rule's number, the weight of its label of
    all weight captured (and the rows behind it where they differ), the probability of the label
    and the 95 % Wilson interval of that share. Rules that were never counted have no comment.
    ``intervals``, (rules + 1, classes, 2), are 95 % intervals of the probabilities to show
    instead, such as credible ones.

    >>> from dbrules.language.parse import parse_rule_list
    >>> print(format_rule_list(parse_rule_list("if age>=60 then yes else no")))
    IF age >= 60 THEN yes
    ELSE no
    """
    resolution = getattr(rule_list, "resolution", None)
    otherwise = "ELSE IF" if resolution is None else "IF"
    lines: list[str] = []
    for rule in rule_list.rules:
        start = otherwise if lines else "IF"
        label = format_label(rule.label)
        lines.append(f"{start} {format_conditions(rule.conditions)} THEN {label}")
    lines.append(f"ELSE {format_label(rule_list.default.label)}")
    if counts:
        outcomes = rule_list.outcomes
        given = [None] * len(outcomes) if intervals is None else intervals
        comments = [
            _comment(number, outcome, rule_list.target, row)
            for number, (outcome, row) in enumerate(zip(outcomes, given, strict=True), start=1)
        ]
        lines = _aligned(lines, comments)
    if resolution is not None:
        lines.insert(0, f"-- {resolution_line(resolution)}")
    return "\n".join(lines)


def resolution_line(resolution: str) -> str:
    """Return the line that says how a rule set resolves overlaps."""
    return f"{RESOLVED_BY}{resolution}"


def _comment(
    number: int, outcome: Outcome, target: Target, intervals: Sequence[Interval] | None
) -> str:
    place = target.index(outcome.label)
    total, share = outcome.total, outcome.probability[place]
    parts = []
    if total:
        parts.append(f"{format_number(outcome.counts[place])} of {format_number(total)}")
        if outcome.rows is not None and outcome.rows != total:
            parts[0] += f" (rows: {outcome.rows})"
    elif outcome.rows is not None:
        parts.append(f"0 (rows: {outcome.rows})")
    if total or share != 1:
        parts.append(f"probability {share:.4g}")
    if intervals is not None:
        lower, upper = intervals[place]
        parts.append(f"95 % from {lower:.3g} to {upper:.3g}")
    # the default of some learners answers with the share of all rows, not of those it captured
    elif total and math.isclose(share, outcome.counts[place] / total, rel_tol=1e-9):
        lower, upper = wilson_interval(outcome.counts[place], total)
        parts.append(f"95 % from {lower:.3g} to {upper:.3g}")
    return f"{number}: {', '.join(parts)}" if parts else ""


def _aligned(lines: list[str], comments: list[str]) -> list[str]:
    # a value may hold line breaks: only the last line of a rule is beside its comment
    widths = [len(line.rpartition("\n")[2]) for line in lines]
    column = max((width for width in widths if width <= _COMMENT_COLUMN), default=0)
    return [
        f"{line}{' ' * max(0, column - width)}  -- {comment}" if comment else line
        for line, width, comment in zip(lines, widths, comments, strict=True)
    ]
