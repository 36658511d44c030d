"""The label of a row: the number of its class as SQL, and its value in Python."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from dbrules.compile.condition import condition
from dbrules.data.ordinal import to_value
from dbrules.engine.engine import Engine
from dbrules.errors import InvalidData
from dbrules.language.column import Column, Value
from dbrules.language.condition import Condition


def class_number(parts: Sequence[Condition], target: Column, engine: Engine) -> exp.Case:
    """Return the place, from 0, of the condition that holds of the target; NULL for none."""
    return exp.Case(
        ifs=[
            exp.If(this=condition(part, target, engine.dialect), true=exp.Literal.number(place))
            for place, part in enumerate(parts)
        ]
    )


def label_value(ordinal: int | float, column: Column) -> Value:
    """Return a target's value; InvalidData for a date or time that Python cannot hold."""
    try:
        return to_value(ordinal, column.type)
    except OverflowError as error:
        raise InvalidData(
            f"target {column.name!r} has a {column.type.name} out of range ({error}): "
            "filter it, or cast the target to text in the query"
        ) from None
