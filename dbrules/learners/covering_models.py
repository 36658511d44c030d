"""Lists and sets of the rules that covering found, counted on all rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dbrules.language.rule import Rule
from dbrules.language.rule_list import RuleList
from dbrules.language.rule_set import RuleSet
from dbrules.learners.captured import Captured, captured, covered
from dbrules.learners.dirichlet_list import dirichlet_list, dirichlet_outcomes, needed_default
from dbrules.learners.learner import Learned
from dbrules.learners.scales import Scaled
from dbrules.search.covering.literal import Antecedent
from dbrules.statistics.classes import ClassCounts
from dbrules.statistics.dataset import Dataset


@dataclass(frozen=True)
class Found:
    """A rule as it was found: for the class at a place."""

    antecedent: Antecedent
    label: int


def counted_list(
    dataset: Dataset, classes: ClassCounts, scaled: Scaled, found: Sequence[Found]
) -> Learned:
    """Return the list of the rules, each with its smoothed probabilities on all rows.

    Probabilities are (n + 1) / (N + K) of what a rule captures (Laplace); its label is the most
    probable class. Rules that capture no row are left out; a default that captures none answers by
    the classes of all rows. The objective is the share of rows whose answer is wrong.
    """
    conditions = [scaled.conditions(rule.antecedent) for rule in found]
    counts = captured(dataset, classes, conditions)
    kept = [place for place in range(len(found)) if counts.rows[place].any()]
    counts = _some(counts, [*kept, len(found)])
    alpha = (1.0,) * len(classes.target.classes)
    rules = dirichlet_list(
        dataset, classes, [conditions[place] for place in kept], counts.weights.tolist(), alpha,
        counts.behind(dataset),
    )  # fmt: skip
    rules = replace(rules, default=needed_default(classes, rules.default, alpha))
    places = [classes.target.index(outcome.label) for outcome in rules.outcomes]
    right = sum(row[place] for row, place in zip(counts.weights.tolist(), places, strict=True))
    total = float(classes.weights.sum())
    return _learned(scaled, rules, (total - right) / total)


def counted_set(
    dataset: Dataset, classes: ClassCounts, scaled: Scaled, found: Sequence[Found], resolution: str
) -> Learned:
    """Return the set of the rules, each with its smoothed probabilities on all rows it covers.

    As :func:`counted_list`; rules that cover no row, or that are there twice, are left out, and
    with resolution ``first`` also those that capture no row. Rows that no rule covers get the
    default.
    """
    listed = [scaled.conditions(rule.antecedent) for rule in found]
    conditions = list(dict.fromkeys(listed))
    if resolution == "first":
        reached = captured(dataset, classes, conditions)
        conditions = [c for place, c in enumerate(conditions) if reached.rows[place].any()]
    counts = covered(dataset, classes, conditions)
    kept = [place for place in range(len(conditions)) if counts.rows[place].any()]
    counts = _some(counts, [*kept, len(conditions)])
    alpha = (1.0,) * len(classes.target.classes)
    outcomes = dirichlet_outcomes(classes, counts.weights.tolist(), alpha, counts.behind(dataset))
    rules = tuple(
        Rule(conditions[place], outcome) for place, outcome in zip(kept, outcomes, strict=False)
    )
    features, default = dataset.roles.features, needed_default(classes, outcomes[-1], alpha)
    return _learned(scaled, RuleSet(classes.target, features, rules, default, resolution), None)


def _some(counts: Captured, places: Sequence[int]) -> Captured:
    return Captured(counts.weights[places], counts.rows[places])


def _learned(scaled: Scaled, rules: RuleList | RuleSet, objective: float | None) -> Learned:
    return Learned(
        rules, objective=objective, seen=scaled.found.seen,
        notes=tuple(scaled.found.notes), warnings=tuple(scaled.found.warnings),
    )  # fmt: skip
