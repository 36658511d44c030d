"""A posterior over rule lists as plain JSON values: numbers read back to the bit."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from dbrules.errors import InvalidModel
from dbrules.language.column import Column, ColumnType
from dbrules.language.condition import Condition
from dbrules.language.json import condition_to_json
from dbrules.language.json_read import member, read_condition

if TYPE_CHECKING:
    from dbrules.posterior import Posterior

_REMEDY = "correct the file or save the model again"


def posterior_to_json(posterior: Posterior, features: Iterable[Column]) -> dict[str, Any]:
    """Return a posterior as a dict; an infinite R̂ is the text ``inf``, as JSON has no infinity."""
    types = {column.name: column.type for column in features}

    def conditions(antecedent: Iterable[Condition]) -> list[dict[str, Any]]:
        return [condition_to_json(c, types[c.feature]) for c in antecedent]

    return {
        "draws": posterior.draws,
        "chains": posterior.chains,
        "r_hat": "inf" if posterior.r_hat == math.inf else posterior.r_hat,
        "effective_sample_size": posterior.effective_sample_size,
        "log_posterior": posterior.log_posterior,
        "intervals": [[list(interval) for interval in row] for row in posterior.intervals],
        "lists": [
            {
                "rules": [conditions(antecedent) for antecedent in each.antecedents],
                "probability": each.probability,
            }
            for each in posterior.lists
        ],
        "inclusion": [
            {"if": conditions(antecedent), "probability": probability}
            for antecedent, probability in posterior.inclusion
        ],
    }


def posterior_parts(document: Any, features: Iterable[Column]) -> dict[str, Any]:
    """Return the fields of a posterior, a list as antecedents and probability.

    Raises InvalidModel, naming the place, where something is missing or of the wrong kind.
    """
    types = {column.name: column.type for column in features}
    top = _object(document, "posterior")
    return {
        "draws": member(top, "draws", int, "posterior"),
        "chains": member(top, "chains", int, "posterior"),
        "r_hat": math.inf if top.get("r_hat") == "inf" else _number_or_none(top, "r_hat"),
        "effective_sample_size": _number_or_none(top, "effective_sample_size"),
        "log_posterior": _number_or_none(top, "log_posterior"),
        "intervals": tuple(
            tuple(_interval(item, f"posterior.intervals[{i}][{j}]") for j, item in enumerate(row))
            for i, row in enumerate(_lists(top, "intervals", "posterior"))
        ),
        "lists": tuple(
            _list(_object(item, f"posterior.lists[{i}]"), f"posterior.lists[{i}]", types)
            for i, item in enumerate(member(top, "lists", list, "posterior"))
        ),
        "inclusion": tuple(
            _inclusion(
                _object(item, f"posterior.inclusion[{i}]"), f"posterior.inclusion[{i}]", types
            )
            for i, item in enumerate(member(top, "inclusion", list, "posterior"))
        ),
    }


def _list(
    document: dict[str, Any], where: str, types: dict[str, ColumnType]
) -> tuple[tuple[tuple[Condition, ...], ...], float]:
    antecedents = tuple(
        _antecedent(items, f"{where}.rules[{i}]", types)
        for i, items in enumerate(_lists(document, "rules", where))
    )
    return antecedents, _number(document.get("probability"), f"{where}.probability")


def _inclusion(
    document: dict[str, Any], where: str, types: dict[str, ColumnType]
) -> tuple[tuple[Condition, ...], float]:
    items = member(document, "if", list, where)
    probability = _number(document.get("probability"), f"{where}.probability")
    return _antecedent(items, f"{where}.if", types), probability


def _antecedent(
    items: list[Any], where: str, types: dict[str, ColumnType],
) -> tuple[Condition, ...]:  # fmt: skip
    if not items:
        raise InvalidModel(f"{where}: empty; a rule needs a condition")
    return tuple(
        read_condition(_object(item, f"{where}[{i}]"), f"{where}[{i}]", types)
        for i, item in enumerate(items)
    )


def _interval(item: Any, where: str) -> tuple[float, float]:
    if not isinstance(item, list) or len(item) != 2:
        raise InvalidModel(f"{where}: expected a list of lower and upper end; {_REMEDY}")
    return _number(item[0], where), _number(item[1], where)


def _number_or_none(document: dict[str, Any], key: str) -> float | None:
    if key in document and document[key] is None:
        return None
    return _number(document.get(key), f"posterior.{key}")


def _number(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise InvalidModel(f"{where}: {value!r} is no number; {_REMEDY}")
    try:
        return float(value)
    except OverflowError:
        raise InvalidModel(f"{where}: a number too large; {_REMEDY}") from None


def _lists(document: dict[str, Any], key: str, where: str) -> list[list[Any]]:
    """Return ``document[key]``, a list of lists."""
    items = member(document, key, list, where)
    for i, item in enumerate(items):
        if not isinstance(item, list):
            raise InvalidModel(f"{where}.{key}[{i}]: expected a list; {_REMEDY}")
    return items


def _object(item: Any, where: str) -> dict[str, Any]:
    if not isinstance(item, dict):
        raise InvalidModel(f"{where}: expected an object; {_REMEDY}")
    return item
