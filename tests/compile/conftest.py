"""Lists that several compiler tests share."""

from __future__ import annotations

import datetime as dt
import math
from decimal import Decimal

import pytest

from dbrules.language.column import Column, ColumnType
from dbrules.language.condition import Condition
from dbrules.language.rule import Outcome, Rule, Target
from dbrules.language.rule_list import RuleList

CONDITIONS: dict[str, list[tuple[str, object]]] = {
    "INTEGER": [("<", 2.5), ("in", (1, 2)), ("not in", (3,)), ("<>", 4), ("<", math.inf)],
    "BIGINT": [("=", 2**60 + 1), (">=,<", (-5, 7))],
    "DOUBLE": [("<", 0.1 + 0.2), (">=", 5e-324), ("<=", 1e308), ("=", -0.0), (">", -math.inf),
               ("<", math.inf), ("is null", None), ("is not null", None), ("<>", 1.5)],
    "REAL": [("<=", 0.20000000298023224), (">,<=", (0.5, 1.5))],
    "DECIMAL(10,2)": [("<", Decimal("1.50")), (">=", Decimal("1.505"))],
    "DATE": [(">=", dt.date(2024, 2, 29))],
    "TIMESTAMP": [("<", dt.datetime(2024, 2, 29, 1, 2, 3, 5))],
    "TIMESTAMP WITH TIME ZONE": [("<", dt.datetime(2024, 2, 29, 1, 2, 3, 5, tzinfo=dt.UTC))],
    "TIME": [("<", dt.time(12, 30, 0, 5))],
    "BOOLEAN": [("=", True), ("<>", True), ("in", (True, False)), ("not in", (True,))],
    "VARCHAR": [("=", text) for text in ("O'Brien", "C:\\new", "50%", "", "NULL", " a", "é",
                                         "x\ny", "😀", "a;--", "{{ x }}")],
    "UUID": [("=", "00000000-0000-0000-0000-000000000001")],
}  # fmt: skip


@pytest.fixture
def everything() -> RuleList:
    """Every operator on every type, under hostile names."""
    classes = ("it's", "é")
    columns, rules = [], []
    for kind, conditions in CONDITIONS.items():
        columns.append(Column(f'{kind} "`]\\ x', ColumnType(kind), trim=kind == "VARCHAR"))
        for op, value in conditions:
            outcome = Outcome(classes[len(rules) % 2])
            rules.append(Rule((Condition(columns[-1].name, op, value),), outcome))
    # one rule on two columns at the end keeps all others from being merged
    rules.append(Rule((rules[0].conditions[0], rules[-1].conditions[0]), Outcome(classes[0])))
    target = Target("y", ColumnType("VARCHAR"), classes)
    return RuleList(target, tuple(columns), tuple(rules), Outcome(classes[1], (0.25, 0.75)))
