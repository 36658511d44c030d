"""Write conditions, rules and lists as text that :mod:`dbrules.language.parse` reads back."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from dbrules.language.column import Value
from dbrules.language.condition import CLOSED_LEFT, INTERVALS, NULL_TESTS, SETS, Condition
from dbrules.language.rule import Outcome, Target
from dbrules.language.tokens import KEYWORDS, TEMPORAL
from dbrules.language.wilson import wilson_interval

if TYPE_CHECKING:
    from dbrules.language.rule_list import RuleList
    from dbrules.language.rule_set import RuleSet

#: Lower and upper end.
Interval = tuple[float, float]
#: An interval for each rule, the default last, and class.
Intervals = Sequence[Sequence[Interval]]

#: Words that mean something in rule text or in SQL: quoted when written.
RESERVED: Final = frozenset((
    *KEYWORDS, *TEMPORAL,
    "ALL", "ALTER", "AS", "ASC", "BY", "CASE", "CAST", "COLUMN", "CREATE", "CROSS", "DEFAULT",
    "DELETE", "DESC", "DISTINCT", "DROP", "END", "EXCEPT", "EXISTS", "FOR", "FROM", "FULL",
    "GRANT", "GROUP", "HAVING", "INNER", "INSERT", "INTERSECT", "INTERVAL", "INTO", "JOIN",
    "LEFT", "LIKE", "LIMIT", "NATURAL", "OFFSET", "ON", "ORDER", "OUTER", "PRIMARY",
    "REFERENCES", "RIGHT", "ROW", "SELECT", "SET", "SOME", "TABLE", "TO", "UNION", "UNIQUE",
    "UPDATE", "USER", "USING", "VALUES", "VIEW", "WHEN", "WHERE", "WINDOW", "WITH",
))  # fmt: skip
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
#: What stands before the resolution of a rule set in its first line.
RESOLVED_BY: Final = "rule set, overlaps resolved by: "
#: Comments stand in one column unless a long rule would push them further out than this.
_COMMENT_COLUMN = 88


def _is_plain(name: str) -> bool:
    return _PLAIN.fullmatch(name) is not None and name.upper() not in RESERVED


def format_identifier(name: str) -> str:
    """Return a column name, quoted unless it is a plain word that SQL does not reserve.

    >>> print(format_identifier("age"), format_identifier("default"), format_identifier('a"b'))
    age "default" "a""b"
    """
    return name if _is_plain(name) else '"' + name.replace('"', '""') + '"'


def format_value(value: Value) -> str:
    """Return a value as a literal; a float has all the digits it needs to read back to the bit.

    >>> print(format_value("O'Brien"), format_value(True), format_value(0.1 + 0.2))
    'O''Brien' TRUE 0.30000000000000004
    >>> format_value(dt.date(2024, 2, 29))
    "DATE '2024-02-29'"
    """
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    if isinstance(value, (float, Decimal)) and math.isinf(value):
        return "INFINITY" if value > 0 else "-INFINITY"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, dt.datetime):
        word = "TIMESTAMP" if value.tzinfo is None else "TIMESTAMPTZ"
        return f"{word} '{value.isoformat(sep=' ')}'"
    word = "TIME" if isinstance(value, dt.time) else "DATE"
    return f"{word} '{value.isoformat()}'"


def format_label(label: Value) -> str:
    """Return a class label: a plain word stays bare, anything else is a literal.

    >>> print(format_label("yes"), format_label("a b"), format_label("null"), format_label(1))
    yes 'a b' 'null' 1
    """
    return label if isinstance(label, str) and _is_plain(label) else format_value(label)


def format_condition(condition: Condition) -> str:
    """Return one condition as text.

    >>> print(format_condition(Condition("age", ">=,<", (30, 60))))
    30 <= age < 60
    >>> print(format_condition(Condition("plan", "in", ("gold", "basic"))))
    plan IN ('basic', 'gold')
    """
    name = format_identifier(condition.feature)
    if condition.op in NULL_TESTS:
        return f"{name} {condition.op.upper()}"
    values = [format_value(value) for value in condition.values]
    if condition.op in SETS:
        return f"{name} {condition.op.upper()} ({', '.join(values)})"
    if condition.op in INTERVALS:
        below, above = ("<=", "<") if condition.op == CLOSED_LEFT else ("<", "<=")
        return f"{values[0]} {below} {name} {above} {values[1]}"
    return f"{name} {condition.op} {values[0]}"


def format_conditions(conditions: Iterable[Condition]) -> str:
    """Return conditions joined by AND, as a rule's antecedent reads."""
    return " AND ".join(format_condition(condition) for condition in conditions)


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


def format_number(count: float) -> str:
    """Return a count or weight as text: whole ones whole, others in six figures.

    >>> format_number(1234567), format_number(2.0), format_number(1 / 3)
    ('1234567', '2', '0.333333')
    """
    return str(int(count)) if count == int(count) else f"{count:.6g}"


def _aligned(lines: list[str], comments: list[str]) -> list[str]:
    # a value may hold line breaks: only the last line of a rule is beside its comment
    widths = [len(line.rpartition("\n")[2]) for line in lines]
    column = max((width for width in widths if width <= _COMMENT_COLUMN), default=0)
    return [
        f"{line}{' ' * max(0, column - width)}  -- {comment}" if comment else line
        for line, width, comment in zip(lines, widths, comments, strict=True)
    ]
