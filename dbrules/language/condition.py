"""A condition on one column, with SQL's three-valued logic."""

from __future__ import annotations

import datetime as dt
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Final

from dbrules.errors import ColumnTypeError, InvalidCondition, UnknownColumn, near
from dbrules.language.column import Column, Value
from dbrules.language.column import is_missing as is_missing

EQ: Final = "="
NE: Final = "<>"
IN: Final = "in"
NOT_IN: Final = "not in"
LT: Final = "<"
LE: Final = "<="
GT: Final = ">"
GE: Final = ">="
CLOSED_LEFT: Final = ">=,<"  #: lower <= x < upper, value is (lower, upper)
CLOSED_RIGHT: Final = ">,<="  #: lower < x <= upper, value is (lower, upper)
IS_NULL: Final = "is null"
IS_NOT_NULL: Final = "is not null"

_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    EQ: operator.eq,
    NE: operator.ne,
    LT: operator.lt,
    LE: operator.le,
    GT: operator.gt,
    GE: operator.ge,
}
INTERVALS: Final = (CLOSED_LEFT, CLOSED_RIGHT)
SETS: Final = (IN, NOT_IN)
NULL_TESTS: Final = (IS_NULL, IS_NOT_NULL)
OPS: Final = (*_COMPARE, *SETS, *INTERVALS, *NULL_TESTS)


def sort_key(value: Value) -> tuple[str, Any]:
    """Order values of one kind by size and mixed kinds by kind, so that sorting never fails."""
    if isinstance(value, (bool, int, float, Decimal)):
        return ("number", value)
    if isinstance(value, dt.datetime):
        return ("datetime" if value.tzinfo is None else "datetime tz", value)
    return (type(value).__name__, value)


@dataclass(frozen=True, slots=True)
class Condition:
    """``feature op value``; ``value`` is None for null tests, a tuple for sets and intervals.

    >>> Condition("age", ">=,<", (18, 30)).covers({"age": 18})
    True
    >>> Condition("age", "<>", 18).covers({"age": float("nan")}) is None
    True
    """

    feature: str
    op: str
    value: Value | tuple[Value, ...] | None = None

    def __post_init__(self) -> None:
        where = f"condition on {self.feature!r}"
        if self.op not in OPS:
            raise InvalidCondition(f"{where}: unknown operator {self.op!r}; use one of {OPS}")
        if self.op in NULL_TESTS:
            if self.value is not None:
                raise InvalidCondition(f"{where}: {self.op} takes no value; leave it out")
            return
        if self.op in SETS or self.op in INTERVALS:
            values: tuple[Any, ...] = (
                tuple(self.value) if isinstance(self.value, (tuple, list)) else ()
            )
        else:
            values = (self.value,)
        if not values or any(is_missing(v) or isinstance(v, (tuple, list)) for v in values):
            raise InvalidCondition(
                f"{where}: {self.op} needs values that are not missing; use IS NULL for missing"
            )
        if self.op in SETS:
            values = tuple(sorted(set(values), key=sort_key))
            object.__setattr__(self, "value", values)
        if self.op in INTERVALS:
            object.__setattr__(self, "value", values)
            if len(values) != 2 or not _less(values[0], values[1], where):
                raise InvalidCondition(f"{where}: interval {values} is empty; give lower < upper")

    @property
    def values(self) -> tuple[Value, ...]:
        """The values the condition speaks of: none for null tests, two for intervals."""
        if self.value is None:
            return ()
        return self.value if isinstance(self.value, tuple) else (self.value,)

    def typed(self, column: Column) -> Condition:
        """Return the condition with its values as values of ``column``.

        Raises ColumnTypeError, naming the column, where a value cannot be of its type.

        >>> from dbrules.language.column import ColumnType
        >>> Condition("price", "<", 1.1).typed(Column("price", ColumnType("DECIMAL(4,2)"))).value
        Decimal('1.1')
        """
        if self.value is None:
            return self
        try:
            values: Any = tuple(column.type.coerce(value) for value in self.values)
        except ColumnTypeError as error:
            raise ColumnTypeError(f"condition on {self.feature!r}: {error}") from None
        if all(new is old for new, old in zip(values, self.values, strict=True)):
            return self
        return replace(self, value=values if isinstance(self.value, tuple) else values[0])

    def covers(self, row: Mapping[str, object]) -> bool | None:
        """Return True, False or None (unknown), as SQL would for this row (policy P2)."""
        try:
            value = row[self.feature]
        except KeyError:
            raise UnknownColumn(
                f"the row has no value for {self.feature!r}{near(self.feature, row)}; "
                "give None where it is missing"
            ) from None
        if self.op in NULL_TESTS:
            return is_missing(value) == (self.op == IS_NULL)
        if is_missing(value):
            return None
        try:
            return self._holds(value)
        except TypeError:
            raise ColumnTypeError(
                f"cannot compare {value!r} of {self.feature!r} with {self.value!r}: "
                "give a value of the column's type"
            ) from None

    def _holds(self, value: Any) -> bool:
        bound: Any = self.value
        if self.op == IN:
            return value in bound
        if self.op == NOT_IN:
            return value not in bound
        if self.op == CLOSED_LEFT:
            return bool(bound[0] <= value < bound[1])
        if self.op == CLOSED_RIGHT:
            return bool(bound[0] < value <= bound[1])
        return bool(_COMPARE[self.op](value, bound))


def _less(lower: Any, upper: Any, where: str) -> bool:
    try:
        return bool(lower < upper)
    except TypeError:
        raise InvalidCondition(
            f"{where}: {lower!r} and {upper!r} are of different kinds; give two of one kind"
        ) from None
