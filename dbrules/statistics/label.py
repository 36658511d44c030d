"""The label of a row as SQL: the number of its class."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from dbrules.compile.condition import condition
from dbrules.engine.engine import Engine
from dbrules.language.column import Column
from dbrules.language.condition import Condition


def class_number(parts: Sequence[Condition], target: Column, engine: Engine) -> exp.Case:
    """Return the place, from 0, of the condition that holds of the target; NULL for none."""
    return exp.Case(
        ifs=[
            exp.If(this=condition(part, target, engine.dialect), true=exp.Literal.number(place))
            for place, part in enumerate(parts)
        ]
    )
