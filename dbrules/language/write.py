"""Write values, labels and conditions as text that :mod:`dbrules.language.parse` reads back."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Final

from dbrules.language.column import Value
from dbrules.language.condition import CLOSED_LEFT, INTERVALS, NULL_TESTS, SETS, Condition
from dbrules.language.tokens import KEYWORDS, TEMPORAL

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


def format_number(count: float) -> str:
    """Return a count or weight as text: whole ones whole, others in six figures.

    >>> format_number(1234567), format_number(2.0), format_number(1 / 3)
    ('1234567', '2', '0.333333')
    """
    return str(int(count)) if count == int(count) else f"{count:.6g}"
