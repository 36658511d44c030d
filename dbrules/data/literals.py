"""Literals: conditions on one column that together cover each of its values once."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise

from dbrules.language.column import ColumnType, Value
from dbrules.language.condition import (
    CLOSED_LEFT,
    CLOSED_RIGHT,
    EQ,
    GE,
    GT,
    IS_NOT_NULL,
    IS_NULL,
    LE,
    LT,
    Condition,
)


def interval_conditions(feature: str, cuts: Sequence[Value], closed: str) -> tuple[Condition, ...]:
    """Return one condition per bin, in order; the outermost are open-ended (policy P6).

    Without cuts the one bin is every value that is not missing.

    >>> for condition in interval_conditions("age", [18, 30], "left"):
    ...     print(condition.op, condition.value)
    < 18
    >=,< (18, 30)
    >= 30
    """
    if not cuts:
        return (Condition(feature, IS_NOT_NULL),)
    below, between, above = (LT, CLOSED_LEFT, GE) if closed == "left" else (LE, CLOSED_RIGHT, GT)
    return (
        Condition(feature, below, cuts[0]),
        *(Condition(feature, between, (lower, upper)) for lower, upper in pairwise(cuts)),
        Condition(feature, above, cuts[-1]),
    )


def missing_condition(feature: str) -> Condition:
    """Return the condition that only missing values meet."""
    return Condition(feature, IS_NULL)


def level_condition(feature: str, value: Value) -> Condition:
    """Return the condition that only the level ``value`` meets."""
    return Condition(feature, EQ, value)


def interval_labels(cuts: Sequence[Value], closed: str, column_type: ColumnType) -> tuple[str, ...]:
    """Return the class label of each interval of a numeric target that was cut, in order.

    >>> interval_labels([3152, 4548], "right", ColumnType("BIGINT"))
    ('<= 3152', '(3152, 4548]', '> 4548')
    """
    texts = [_text(cut, column_type) for cut in cuts]
    if not texts:
        return ("all",)
    below, opening, closing, above = (
        ("<", "[", ")", ">=") if closed == "left" else ("<=", "(", "]", ">")
    )
    return (
        f"{below} {texts[0]}",
        *(f"{opening}{lower}, {upper}{closing}" for lower, upper in pairwise(texts)),
        f"{above} {texts[-1]}",
    )


def _text(cut: Value, column_type: ColumnType) -> str:
    if isinstance(cut, float):
        return repr(cut).removesuffix(".0")
    if isinstance(cut, Decimal):
        return f"{cut:f}"
    if isinstance(cut, dt.datetime):
        # a bare midnight in a timestamp column reads better as its date
        midnight = cut.time() == dt.time() and column_type.kind == "timestamp"
        return cut.date().isoformat() if midnight else cut.isoformat(sep=" ")
    return cut.isoformat() if isinstance(cut, (dt.date, dt.time)) else str(cut)
