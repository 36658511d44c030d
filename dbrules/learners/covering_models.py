"""Lists and sets of the rules that covering found, counted on all rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dbrules.learners.captured import captured
from dbrules.learners.dirichlet_list import dirichlet_list
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
    probable class. Rules that capture no row are left out.
    """
    conditions = [scaled.conditions(rule.antecedent) for rule in found]
    counts = captured(dataset, classes, conditions)
    kept = [place for place in range(len(found)) if counts.rows[place].any()]
    chosen = [*kept, len(found)]
    weights = counts.weights[chosen].tolist()
    behind = None if dataset.roles.weight is None else counts.rows[chosen].sum(axis=1).tolist()
    alpha = (1.0,) * len(classes.target.classes)
    rules = dirichlet_list(
        dataset, classes, [conditions[place] for place in kept], weights, alpha, behind
    )
    places = [classes.target.index(outcome.label) for outcome in rules.outcomes]
    right = sum(row[place] for row, place in zip(weights, places, strict=True))
    total = float(classes.weights.sum())
    return Learned(
        rules, objective=(total - right) / total,
        missing={c.name: scaled.found.missing[c.name] for c in rules.used},
        notes=tuple(scaled.found.notes), warnings=tuple(scaled.found.warnings),
    )  # fmt: skip


def counted_set(
    dataset: Dataset, classes: ClassCounts, scaled: Scaled, found: Sequence[Found], resolution: str
) -> Learned:
    """Return the set of the rules."""
    raise NotImplementedError
