"""Write rule lists and sets as text that :mod:`dbrules.language.parse` reads back."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from dbrules.language.rule import Outcome
from dbrules.language.wilson import wilson_interval
from dbrules.language.wrap import RULE_WIDTH, wrap_rule
from dbrules.language.write import (
    Interval,
    Intervals,
    format_label,
    format_number,
)

if TYPE_CHECKING:
    from dbrules.language.rule_list import RuleList
    from dbrules.language.rule_set import RuleSet

#: What stands before the resolution of a rule set in its first line.
RESOLVED_BY: Final = "rule set, overlaps resolved by: "


def format_rule_list(
    rule_list: RuleList | RuleSet, *, counts: bool = True, intervals: Intervals | None = None
) -> str:
    """Return a rule list or rule set as text that parses back to the same rules.

    A rule longer than ``RULE_WIDTH`` takes several lines, as
    :func:`~dbrules.language.wrap.wrap_rule` breaks them. With ``counts`` each rule ends in a
    comment: its number, the weight of its label of all weight captured (and the rows behind it
    where they differ), and the probability of the label. Where every rule answers with its share
    of what it captured, the 95 % Wilson interval of the share follows; where one does not, as
    with pseudocounts, no line has it. Rules that were never counted have no comment.
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
        lines.append(wrap_rule(start, rule.conditions, rule.label, RULE_WIDTH))
    lines.append(f"ELSE {format_label(rule_list.default.label)}")
    if counts:
        outcomes = rule_list.outcomes
        places = [rule_list.target.index(outcome.label) for outcome in outcomes]
        ends = (
            _share_intervals(outcomes, places)
            if intervals is None
            else [row[place] for row, place in zip(intervals, places, strict=True)]
        )
        comments = [
            _comment(number, *said)
            for number, said in enumerate(zip(outcomes, places, ends, strict=True), start=1)
        ]
        lines = _aligned(lines, comments)
    if resolution is not None:
        lines.insert(0, f"-- {resolution_line(resolution)}")
    return "\n".join(lines)


def resolution_line(resolution: str) -> str:
    """Return the line that says how a rule set resolves overlaps."""
    return f"{RESOLVED_BY}{resolution}"


def _share_intervals(outcomes: Sequence[Outcome], places: Sequence[int]) -> list[Interval | None]:
    """Return the Wilson interval of the share captured, where every rule answers with its share.

    Shown on the rules alone whose probability happens to be the share, it would look like chance.
    """
    is_share = [
        not outcome.total
        or _equal(outcome.probability[place], outcome.counts[place], outcome.total)
        for outcome, place in zip(outcomes, places, strict=True)
    ]
    # the default of some learners answers with the share of all rows, not of those it captured
    captured = [outcome for outcome in outcomes if outcome.total]
    of_all = sum(outcome.counts[places[-1]] for outcome in captured)
    everything = sum(outcome.total for outcome in captured)
    default = is_share[-1] or _equal(outcomes[-1].probability[places[-1]], of_all, everything)
    if not (default and all(is_share[:-1])):
        return [None] * len(outcomes)
    return [
        wilson_interval(outcome.counts[place], outcome.total) if outcome.total and shown else None
        for outcome, place, shown in zip(outcomes, places, is_share, strict=True)
    ]


def _equal(probability: float, part: float, whole: float) -> bool:
    return math.isclose(probability, part / whole, rel_tol=1e-9)


def _comment(number: int, outcome: Outcome, place: int, interval: Interval | None) -> str:
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
    if interval is not None:
        lower, upper = interval
        parts.append(f"95 % from {lower:.3g} to {upper:.3g}")
    return f"{number}: {', '.join(parts)}" if parts else ""


def _aligned(lines: list[str], comments: list[str]) -> list[str]:
    # a rule of several lines has its comment beside the last one
    widths = [len(line.rpartition("\n")[2]) for line in lines]
    column = max((width for width in widths if width <= RULE_WIDTH), default=0)
    return [
        f"{line}{' ' * max(0, column - width)}  -- {comment}" if comment else line
        for line, width, comment in zip(lines, widths, comments, strict=True)
    ]
