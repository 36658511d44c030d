"""A falling rule list in the form of its paper: risk, positives and negatives beside each rule."""

from __future__ import annotations

import math
from collections.abc import Sequence

from dbrules.falling import Falling, FallingRow, positive_place
from dbrules.language.rule import Target
from dbrules.language.rule_list import RuleList
from dbrules.language.wrap import RULE_WIDTH, wrap_rule
from dbrules.language.write import Interval, Intervals, format_label, format_number

#: Nothing was captured.
_NOTHING = "-"


def falling_text(rules: RuleList, falling: Falling, intervals: Intervals | None = None) -> str:
    """Return the list as text that parses back, numbers in comments under headings.

    Columns: the rule's number, its risk (the falling probability of the positive class), the
    share found where that differs, positives (+) and negatives (−) captured, the rows behind them
    where weights count, the 95 % Wilson interval of the share. A line marks where the risk falls
    to the threshold. Source of the form: Chen and Rudin (2018), tables 2 to 9. ``intervals``,
    (rules + 1, classes, 2), are 95 % intervals of the probabilities to show instead, such as
    credible ones: that of the positive class is then the interval of the risk.
    """
    rows = falling.rows(rules)
    headings, cells = falling_columns(rows, risk_intervals(rules.target, intervals))
    widths = [max(map(len, column)) for column in zip(headings, *cells, strict=True)]
    texts = [_rule_text(row) for row in rows]
    ends = [len(text.rpartition("\n")[2]) for text in texts]
    start = max((end for end in ends if end <= RULE_WIDTH), default=0)
    lines = ["--" + " " * (start + 2) + _row(headings, widths)]
    marked = False
    for row, text, end, numbers in zip(rows, texts, ends, cells, strict=True):
        if not row.is_above and not marked:
            lines.append(f"-- {threshold_line(falling, rows)}")
            marked = True
        lines.append(f"{text}{' ' * max(0, start - end)}  -- {_row(numbers, widths)}")
    if not marked:
        lines.append(f"-- {threshold_line(falling, rows)}")
    return "\n".join(lines)


def risk_intervals(target: Target, intervals: Intervals | None) -> list[Interval] | None:
    """Return those of the positive class, of ``intervals`` (rules + 1, classes, 2)."""
    place = positive_place(target)
    return None if intervals is None else [row[place] for row in intervals]


def falling_columns(
    rows: Sequence[FallingRow], intervals: Sequence[Interval] | None = None
) -> tuple[list[str], list[list[str]]]:
    """Return headings and, per rule, the numbers under them as text.

    ``intervals``: one of each risk, to show instead of the Wilson interval of the share found.
    """
    digits = _digits(rows)
    # an ulp apart is the same share
    differs = any(
        row.empirical is not None and not math.isclose(row.risk, row.empirical, rel_tol=1e-9)
        for row in rows
    )
    weighted = any(row.outcome.rows is not None for row in rows)
    headings = ["", "risk", *["empirical"] * differs, "+", "−", *["rows"] * weighted, "95 %"]
    shown = [(row.lower, row.upper) for row in rows] if intervals is None else intervals
    cells = []
    for row, (lower, upper) in zip(rows, shown, strict=True):
        share = _NOTHING if row.empirical is None else f"{row.empirical:.{digits}f}"
        interval = (
            _NOTHING
            if lower is None or upper is None
            else f"{lower:.{digits - 1}f}–{upper:.{digits - 1}f}"
        )
        behind = _NOTHING if row.outcome.rows is None else str(row.outcome.rows)
        cells.append(
            [str(row.number), f"{row.risk:.{digits}f}", *[share] * differs,
             format_number(row.positives), format_number(row.negatives), *[behind] * weighted,
             interval]
        )  # fmt: skip
    return headings, cells


def risk_line(target: Target, falling: Falling) -> str:
    """Say whose probability the risk is, and from where on it answers the positive class."""
    assert target.positive is not None
    positive = format_label(target.positive)
    return (
        f"risk: probability that {target.name} is {positive}; the answer is {positive} above "
        f"{falling.threshold:.4g} (positive weight {falling.positive_weight:.6g})"
    )


def threshold_line(falling: Falling, rows: Sequence[FallingRow]) -> str:
    """Say what the mark of the threshold says: the rules below it are at or below it."""
    if rows[-1].is_above:
        return f"threshold {falling.threshold:.4g}: every risk is above it"
    return f"threshold {falling.threshold:.4g}: from here on the risk is not above it"


def label_lines(rules: RuleList, falling: Falling) -> list[str]:
    """Name rules whose label is not what the threshold asks for, as after a recount."""
    positive = rules.target.positive
    return [
        f"rule {row.number} answers {format_label(row.outcome.label)} at a risk "
        f"{'above' if row.is_above else 'not above'} the threshold"
        for row in falling.rows(rules)
        if (row.outcome.label == positive) != row.is_above
    ]


def _rule_text(row: FallingRow) -> str:
    label = row.outcome.label
    if not row.conditions:
        return f"ELSE {format_label(label)}"
    return wrap_rule("IF" if row.number == 1 else "ELSE IF", row.conditions, label, RULE_WIDTH)


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(cell.rjust(width) for cell, width in zip(cells, widths, strict=True))


def _digits(rows: Sequence[FallingRow]) -> int:
    """Return decimals that show two figures of the smallest risk, four at least."""
    found = [row.risk for row in rows] + [row.empirical or 0 for row in rows]
    least = min((risk for risk in found if risk > 0), default=1)
    return min(max(4, 1 - math.floor(math.log10(least))), 12)
