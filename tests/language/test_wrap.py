"""A wrapped rule reads back and keeps its width where it can."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from dbrules.language.condition import Condition
from dbrules.language.listing import format_rule_list
from dbrules.language.parse import parse_rule_list
from dbrules.language.wrap import wrap_rule
from dbrules.language.write import format_conditions, format_label


@settings(max_examples=50, deadline=None)
@given(data=st.data(), width=st.integers(1, 90))
def test_wrapped_rules_read_back(data: Any, width: int, rule_lists: Any) -> None:
    rules = data.draw(rule_lists)
    lines = [wrap_rule("IF", rule.conditions, rule.label, width) for rule in rules.rules]
    text = "\n".join([*lines, f"ELSE {format_label(rules.default.label)}"])
    back = parse_rule_list(text, target=rules.target, features=rules.features)
    assert format_rule_list(back, counts=False) == format_rule_list(rules, counts=False)


@given(
    values=st.lists(st.integers(0, 999).map("level {}".format), min_size=1, max_size=40),
    more=st.integers(0, 6),
    width=st.integers(30, 90),
)
def test_no_line_is_wider_than_asked(values: list[str], more: int, width: int) -> None:
    conditions = [Condition("job", "in", values)]
    conditions += [Condition(f"n{i}", ">=,<", (i, 100 + i)) for i in range(more)]
    text = wrap_rule("ELSE IF", conditions, "yes", width)
    assert all(len(line) <= width for line in text.splitlines())
    assert " ".join(text.split()) == f"ELSE IF {format_conditions(conditions)} THEN yes"


def test_a_rule_that_fits_stays_on_its_line() -> None:
    conditions = [Condition("age", "<", 30), Condition("job", "in", ("a", "b"))]
    text = "IF age < 30 AND job IN ('a', 'b') THEN yes"
    assert wrap_rule("IF", conditions, "yes", len(text)) == text
    assert wrap_rule("IF", conditions, "yes", len(text) - 1) == (
        "IF age < 30 AND job IN ('a', 'b')\n    THEN yes"
    )
    assert wrap_rule("IF", conditions, "yes", 20) == (
        "IF age < 30\n    AND job IN ('a',\n    'b') THEN yes"
    )
