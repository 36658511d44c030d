"""A falling list from its antecedents: counted on all rows, with its objective."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from dbrules.falling import Falling
from dbrules.language.condition import Condition
from dbrules.language.rule import Outcome, Rule
from dbrules.language.rule_list import RuleList
from dbrules.learners.captured import captured
from dbrules.learners.learner import Learned
from dbrules.metrics import whole
from dbrules.search.objectives import FallingObjective
from dbrules.statistics.classes import ClassCounts
from dbrules.statistics.dataset import Dataset


def falling_list(
    dataset: Dataset,
    classes: ClassCounts,
    antecedents: Sequence[tuple[Condition, ...]],
    falling: Falling,
    rule_cost: float,
    soft_penalty: float | None,
) -> Learned:
    """Return the list with what its rules capture, and the objective it has on all rows."""
    counts = captured(dataset, classes, antecedents)
    weighted = dataset.roles.weight is not None
    rows = counts.rows.sum(axis=1).tolist() if weighted else None
    outcomes = falling.outcomes(classes.target, counts.weights.tolist(), rows)
    rules = tuple(
        Rule(conditions, outcome)
        for conditions, outcome in zip(antecedents, outcomes, strict=False)
    )
    listed = RuleList(classes.target, dataset.roles.features, rules, outcomes[-1])
    assert classes.target.positive is not None
    place = classes.target.index(classes.target.positive)
    exact = [[Fraction(str(n)) for n in outcome.counts] for outcome in outcomes]
    unit = math.lcm(*(n.denominator for row in exact for n in row))
    both = [(int(row[place] * unit), int((sum(row) - row[place]) * unit)) for row in exact]
    objective = FallingObjective(
        Fraction(str(falling.positive_weight)), Fraction(str(rule_cost)),
        None if soft_penalty is None else Fraction(str(soft_penalty)),
        sum(p for p, _ in both), sum(n for _, n in both),
    )  # fmt: skip
    wrong = sum(
        (n if outcome.label == classes.target.positive else objective.weight * p)
        for outcome, (p, n) in zip(outcomes, both, strict=True)
    )
    notes: tuple[str, ...] = ()
    if not objective.permits(both):  # as it may where the list was found on a sample
        notes = (
            "the proportions rise on all rows, if not in the sample: the risk given is the least "
            "up to each rule",
        )
    if wrong != objective.errors(both):
        notes = (
            *notes,
            "answered by the falling risk, the weighted errors are "
            f"{float(wrong / objective.rows):.6g} of the rows; the objective counts "
            f"{float(objective.errors(both) / objective.rows):.6g}, by each rule's own share",
        )
    return Learned(listed, objective=float(objective.loss(both)), falling=falling, notes=notes)


def default_list(dataset: Dataset, classes: ClassCounts) -> Learned:
    """Return the list of a target of one class: its default."""
    weighted = dataset.roles.weight is not None
    rows = int(classes.rows.sum()) if weighted else None
    counts = tuple(whole(float(n)) for n in classes.weights)
    default = Outcome(classes.target.classes[0], (1.0,), counts, rows)
    return Learned(RuleList(classes.target, dataset.roles.features, (), default), objective=0.0)
