"""Lists and sets of class association rules, counted on all rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from dbrules.language.condition import Condition
from dbrules.language.rule import Rule
from dbrules.language.rule_list import RuleList
from dbrules.language.rule_set import RuleSet
from dbrules.learners.captured import Captured, captured, covered
from dbrules.learners.dirichlet_list import dirichlet_list, dirichlet_outcomes, needed_default
from dbrules.search.association.classifier import least_errors
from dbrules.statistics.classes import ClassCounts
from dbrules.statistics.dataset import Dataset
from dbrules.statistics.patterns import units_per_weight


@dataclass(frozen=True)
class ClassRule:
    """``conditions`` imply the class at place ``label``.

    ``rows`` of each class that it covers, where all rows were counted, and by number.
    """

    conditions: tuple[Condition, ...]
    label: int
    rows: tuple[int, ...] | None = None


def classifier_list(
    dataset: Dataset, classes: ClassCounts, rules: Sequence[ClassRule], alpha: float
) -> tuple[RuleList, float]:
    """Return the list of rules up to where it makes the fewest errors, and their share.

    The end is found by the classes of the rules, as Liu, Hsu and Ma (1998) do. A rule then
    answers the most probable class of the rows that it captures, which can be another one where
    rules before it took rows; such a list makes no more errors.
    """
    conditions = [rule.conditions for rule in rules]
    counts = captured(dataset, classes, conditions)
    length = 0
    if rules:
        units = np.rint(counts.weights * units_per_weight(classes)).astype(np.int64)
        length = least_errors(units, [rule.label for rule in rules])
    rest = [np.concatenate([of[:length], of[length:].sum(axis=0, keepdims=True)])
            for of in (counts.weights, counts.rows)]  # fmt: skip
    weights = rest[0].tolist()
    smoothing = (alpha,) * len(classes.target.classes)
    behind = Captured(rest[0], rest[1]).behind(dataset)
    found = dirichlet_list(dataset, classes, conditions[:length], weights, smoothing, behind)
    found = replace(found, default=needed_default(classes, found.default, smoothing))
    answers = [classes.target.index(outcome.label) for outcome in found.outcomes]
    right = sum(row[place] for row, place in zip(weights, answers, strict=True))
    total = float(classes.weights.sum())
    return found, max(0.0, total - right) / total


def rule_set(
    dataset: Dataset, classes: ClassCounts, rules: Sequence[ClassRule], alpha: float,
    resolution: str,
) -> RuleSet:  # fmt: skip
    """Return the set of all rules, each with its own class and the counts of all it covers.

    Rows that no rule covers get the default; where there are none, it answers by the classes of
    all rows.
    """
    known = {rule.conditions: rule.rows for rule in rules}
    listed = list(known)
    if None in known.values():
        counts = covered(dataset, classes, listed)
    else:  # only what none covers is not known, which is what the default of a list captures
        default = captured(dataset, classes, listed).rows[-1]
        rows = np.array([*known.values(), default], dtype=np.int64)
        counts = Captured(rows.astype(np.float64), rows)
    smoothing = (alpha,) * len(classes.target.classes)
    outcomes = dirichlet_outcomes(
        classes, counts.weights.tolist(), smoothing, counts.behind(dataset)
    )
    place = {conditions: n for n, conditions in enumerate(listed)}
    made = tuple(
        Rule(rule.conditions, replace(outcomes[place[rule.conditions]],
                                      label=classes.target.classes[rule.label]))
        for rule in rules
    )  # fmt: skip
    default = needed_default(classes, outcomes[-1], smoothing)
    return RuleSet(classes.target, dataset.roles.features, made, default, resolution)
