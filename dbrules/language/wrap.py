"""Write a rule over several lines where one would be too long to read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from dbrules.language.column import Value
from dbrules.language.condition import SETS, Condition
from dbrules.language.write import format_condition, format_identifier, format_label, format_value

#: A printed rule longer than this is written over several lines, so that its numbers stay in sight.
RULE_WIDTH: Final = 60
_INDENT = "    "


def wrap_rule(start: str, conditions: Iterable[Condition], label: Value, width: int) -> str:
    """Return ``IF … THEN label`` in lines of at most ``width`` characters where that can be.

    Breaks stand before AND and THEN, and between the values of a set longer than a line; a value
    is never broken. ``start`` is ``IF`` or ``ELSE IF``. The text parses like one line.

    >>> conditions = [Condition("job", "in", ("admin.", "retired")), Condition("age", ">=", 60)]
    >>> print(wrap_rule("ELSE IF", conditions, "yes", 40))
    ELSE IF job IN ('admin.', 'retired')
        AND age >= 60 THEN yes
    """
    line = start
    lines: list[str] = []
    for piece in _pieces(start, list(conditions), label, width):
        # a value may hold line breaks: what follows it stands on its last line
        if lines or line != start:
            taken = len(line.rpartition("\n")[2]) + 1 + len(piece.partition("\n")[0])
            if taken > width:
                lines.append(line)
                line = _INDENT + piece
                continue
        line = f"{line} {piece}"
    return "\n".join([*lines, line])


def _pieces(start: str, conditions: list[Condition], label: Value, width: int) -> Iterator[str]:
    """Yield what stays on one line."""
    for place, condition in enumerate(conditions):
        joined = "AND " if place else ""
        before = _INDENT if place else f"{start} "
        text = format_condition(condition)
        if condition.op in SETS and len(before + joined + text) > width:
            first, *others = (format_value(value) for value in condition.values)
            values = [f"{joined}{format_identifier(condition.feature)} {condition.op.upper()} "
                      f"({first}", *others]  # fmt: skip
            yield from (f"{value}," for value in values[:-1])
            yield f"{values[-1]})"
        else:
            yield joined + text
    yield f"THEN {format_label(label)}"
