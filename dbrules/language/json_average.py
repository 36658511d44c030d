"""An average of rule lists as a plain dict for JSON, beside the list that is read.

The dict holds ``weights`` and ``lists``; each list has the keys ``rules`` and ``else`` of a model
file, whose target and features all of them share.
"""

from __future__ import annotations

from typing import Any

from dbrules.errors import DbrulesError, InvalidModel
from dbrules.language.json import rules_to_json
from dbrules.language.json_read import member, read_rules
from dbrules.language.rule_average import RuleAverage
from dbrules.language.rule_list import RuleList


def rule_average_to_json(average: RuleAverage) -> dict[str, Any]:
    """Return the weights and lists of an average as a dict of plain JSON values.

    >>> from dbrules.language.parse import parse_rule_list
    >>> average = RuleAverage((parse_rule_list("ELSE no"),), (1.0,))
    >>> document = rule_average_to_json(average)
    >>> document["weights"], document["lists"][0]["else"]["then"]
    ([1.0], 'no')
    """
    return {"weights": list(average.weights), "lists": [rules_to_json(p) for p in average.lists]}


def rule_average_from_json(parent: dict[str, Any], key: str, rule_list: RuleList) -> RuleAverage:
    """Return the average at ``parent[key]``, over the target and features of ``rule_list``.

    Raises InvalidModel, naming the place, where something is missing or of the wrong kind.
    """
    document = member(parent, key, dict, "")
    target, features = rule_list.target, rule_list.features
    lists = []
    for i, item in enumerate(member(document, "lists", list, key)):
        where = f"{key}.lists[{i}]"
        if not isinstance(item, dict):
            raise InvalidModel(
                f"{where}: expected an object, found {type(item).__name__}; save the model again"
            )
        rules, default = read_rules(item, target, features, where)
        try:
            lists.append(RuleList(target, features, rules, default))
        except DbrulesError as error:
            raise InvalidModel(f"{where} does not fit together: {error}") from None
    return RuleAverage(tuple(lists), _weights(document, key))


def _weights(document: dict[str, Any], where: str) -> tuple[float, ...]:
    weights = member(document, "weights", list, where)
    for i, weight in enumerate(weights):
        known = isinstance(weight, (int, float)) and not isinstance(weight, bool)
        if not known or not 0 < weight <= 1 + 1e-9:  # the sum is judged as a whole
            raise InvalidModel(
                f"{where}.weights[{i}]: {weight!r} is no number above 0 and up to 1; "
                "save the model again"
            )
    return tuple(map(float, weights))
