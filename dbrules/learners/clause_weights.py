"""How probable each antecedent is before the data are seen: w of Wang and Rudin (2015)."""

from __future__ import annotations

import math
from collections.abc import Mapping

from dbrules.errors import InvalidSetting, near
from dbrules.learners.bayesian import Pooled
from dbrules.learners.checks import check_number
from dbrules.learners.pattern_learner import LARGEST, SMALLEST


def check_clause_weights(given: object) -> None:
    """Raise InvalidSetting for anything but a dict of numbers above 0 by column, or None."""
    if given is None:
        return
    if not isinstance(given, Mapping):
        raise InvalidSetting(
            f"clause_weights {given!r} is not a dict: give a number above 0 "
            "for each column that has one"
        )
    for column, weight in given.items():
        if not isinstance(column, str):
            raise InvalidSetting(
                f"clause_weights names {column!r}, which is not a text: give column names"
            )
        check_number(f"clause_weights[{column!r}]", weight, least=SMALLEST, most=LARGEST)


def clause_weights(
    given: Mapping[str, float] | None, expected_conditions: float | None, pooled: Pooled
) -> list[float]:
    """Return the weight of each antecedent: the product of those of its columns, 1 unless given.

    With ``expected_conditions`` (η) all antecedents of c conditions together have the weight that
    c has as a Poisson variable of that mean, shared as they share without it. InvalidSetting for
    a column that is no feature.
    """
    given = dict(given or {})
    features = [coding.column.name for coding in pooled.coded.features.codings]
    known = [*features, *pooled.coded.features.seen.missing]
    for name in given:
        if name not in known:
            raise InvalidSetting(
                f"clause_weights names {name!r}, which is not a feature{near(name, known)}: "
                "give columns that rules can read"
            )
    weights = [
        math.prod(given.get(features[feature], 1.0) for feature, _ in antecedent)
        for antecedent in pooled.pool.antecedents
    ]
    if expected_conditions is None:
        return weights
    lengths = pooled.lengths
    of_length = {
        size: expected_conditions**size / math.factorial(size) / lengths.count(size)
        for size in set(lengths)
    }
    return [w * of_length[size] for w, size in zip(weights, lengths, strict=True)]
