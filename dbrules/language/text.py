"""The text form of rules: what :mod:`write` and :mod:`listing` print, :mod:`parse` reads back."""

from __future__ import annotations

from dbrules.language.listing import format_rule_list
from dbrules.language.parse import parse_conditions, parse_rule_list, parse_rule_set
from dbrules.language.write import (
    format_condition,
    format_conditions,
    format_identifier,
    format_label,
    format_value,
)

__all__ = [
    "format_condition",
    "format_conditions",
    "format_identifier",
    "format_label",
    "format_rule_list",
    "format_value",
    "parse_conditions",
    "parse_rule_list",
    "parse_rule_set",
]
