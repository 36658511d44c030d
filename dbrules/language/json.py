"""Rule lists and rule sets as plain dicts for JSON: numbers read back to the bit.

The dicts hold the keys ``kind``, ``target``, ``features``, ``rules`` and ``else`` of a model
file (and ``resolution`` for a rule set). Decimals, dates and infinities are texts, read by the
type of their column.
"""

from __future__ import annotations

from typing import Any

from dbrules.errors import DbrulesError, InvalidModel
from dbrules.language.column import ColumnType
from dbrules.language.condition import Condition
from dbrules.language.json_read import label_keys, member, read_parts
from dbrules.language.rule import Outcome, Target
from dbrules.language.rule_list import RuleList
from dbrules.language.rule_set import RuleSet


def rule_list_to_json(rule_list: RuleList) -> dict[str, Any]:
    """Return a rule list as a dict of plain JSON values.

    >>> from dbrules.language.parse import parse_rule_list
    >>> rule_list_to_json(parse_rule_list("IF 0.5 < x <= 1.5 THEN a ELSE b"))["rules"][0]["if"]
    [{'feature': 'x', 'op': '>,<=', 'value': [0.5, 1.5]}]
    """
    return {"kind": "rule_list", **_parts_to_json(rule_list)}


def rule_set_to_json(rule_set: RuleSet) -> dict[str, Any]:
    """Return a rule set as a dict of plain JSON values."""
    parts = _parts_to_json(rule_set)
    return {"kind": "rule_set", "resolution": rule_set.resolution, **parts}


def rule_list_from_json(document: dict[str, Any]) -> RuleList:
    """Return the rule list of a dict; keys it does not know are left alone.

    Raises InvalidModel, naming the place, where something is missing or of the wrong kind.
    """
    parts = read_parts(document, "rule_list")
    try:
        return RuleList(*parts)
    except DbrulesError as error:
        raise InvalidModel(f"the model does not fit together: {error}") from None


def rule_set_from_json(document: dict[str, Any]) -> RuleSet:
    """Return the rule set of a dict; raises InvalidModel like :func:`rule_list_from_json`."""
    parts = read_parts(document, "rule_set")
    resolution = member(document, "resolution", str, "")
    try:
        return RuleSet(*parts, resolution=resolution)
    except DbrulesError as error:
        raise InvalidModel(f"the model does not fit together: {error}") from None


def _parts_to_json(rules: RuleList | RuleSet) -> dict[str, Any]:
    return {
        "target": _target_to_json(rules.target),
        "features": [
            {"name": column.name, "type": column.type.name}
            | ({"trim": True} if column.trim else {})
            for column in rules.features
        ],
        **rules_to_json(rules),
    }


def rules_to_json(rules: RuleList | RuleSet) -> dict[str, Any]:
    """Return the keys ``rules`` and ``else`` of a rule list or rule set."""
    types = {column.name: column.type for column in rules.features}
    return {
        "rules": [
            {
                "if": [condition_to_json(c, types[c.feature]) for c in rule.conditions],
                **_outcome_to_json(rule.outcome, rules.target),
            }
            for rule in rules.rules
        ],
        "else": _outcome_to_json(rules.default, rules.target),
    }


def _target_to_json(target: Target) -> dict[str, Any]:
    label = target.class_type.to_json
    document: dict[str, Any] = {
        "name": target.name,
        "type": target.type.name,
        "classes": [label(known) for known in target.classes],
        "positive": None if target.positive is None else label(target.positive),
    }
    if target.cuts:
        document["cuts"] = [target.type.to_json(cut) for cut in target.cuts]
        document["closed"] = target.closed
    return document


def condition_to_json(condition: Condition, column_type: ColumnType) -> dict[str, Any]:
    """Return a condition on a column of that type as a dict of plain JSON values.

    >>> condition_to_json(Condition("age", "<", 18), ColumnType("INTEGER"))
    {'feature': 'age', 'op': '<', 'value': 18}
    """
    document: dict[str, Any] = {"feature": condition.feature, "op": condition.op}
    values = [column_type.to_json(value) for value in condition.values]
    if values:
        document["value"] = values if isinstance(condition.value, tuple) else values[0]
    return document


def _outcome_to_json(outcome: Outcome, target: Target) -> dict[str, Any]:
    keys = label_keys(target)
    document: dict[str, Any] = {
        "then": target.class_type.to_json(outcome.label),
        "probability": dict(zip(keys, outcome.probability, strict=True)),
        "counts": dict(zip(keys, outcome.counts, strict=True)),
    }
    if outcome.rows is not None:
        document["rows"] = outcome.rows
    return document
