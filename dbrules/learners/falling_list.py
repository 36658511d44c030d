"""A falling list from its antecedents: counted on all rows, with its objective."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from dbrules.errors import InvalidSetting
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
    *,
    sampled: bool = False,
) -> Learned:
    """Return the list with what its rules capture, and the objective it has on all rows.

    ``sampled``: it was found on a sample; where on all rows it is better without its last rules,
    or falls only without them, they are left out.
    """
    counts = captured(dataset, classes, antecedents)
    weights, rows = counts.weights.tolist(), counts.rows.sum(axis=1).tolist()
    assert classes.target.positive is not None
    place = classes.target.index(classes.target.positive)
    exact = [[Fraction(str(whole(n))) for n in of_rule] for of_rule in weights]
    unit = math.lcm(*(n.denominator for row in exact for n in row))
    both = [(int(row[place] * unit), int((sum(row) - row[place]) * unit)) for row in exact]
    objective = FallingObjective.of(
        falling.positive_weight, rule_cost, soft_penalty,
        sum(p for p, _ in both), sum(n for _, n in both),
    )  # fmt: skip
    notes: tuple[str, ...] = ()
    if sampled:
        lengths = [k for k in range(len(both)) if objective.permits(_first(both, k))]
        best = min(lengths, key=lambda k: (objective.loss(_first(both, k)), k))
        if best < len(antecedents):
            notes = (f"{len(antecedents) - best} last rules of the sample's list are left out",)
        weights = [*weights[:best], [sum(column) for column in zip(*weights[best:], strict=True)]]
        rows, both = [*rows[:best], sum(rows[best:])], _first(both, best)
        antecedents = antecedents[:best]
    weighted = dataset.roles.weight is not None
    outcomes = falling.outcomes(classes.target, weights, rows if weighted else None)
    rules = tuple(
        Rule(conditions, outcome)
        for conditions, outcome in zip(antecedents, outcomes, strict=False)
    )
    wrong = sum(
        (n if outcome.label == classes.target.positive else objective.weight * p)
        for outcome, (p, n) in zip(outcomes, both, strict=True)
    )
    if wrong != objective.errors(both):
        notes = (
            *notes,
            "answered by the falling risk, the weighted errors are "
            f"{float(wrong / objective.rows):.6g} of the rows; the objective counts "
            f"{float(objective.errors(both) / objective.rows):.6g}, by each rule's own share",
        )
    return Learned(
        RuleList(classes.target, dataset.roles.features, rules, outcomes[-1]),
        objective=float(objective.loss(both)), falling=falling, notes=notes,
    )  # fmt: skip


def _first(counts: Sequence[tuple[int, int]], length: int) -> list[tuple[int, int]]:
    """Return the counts of the first rules, with all that they leave for the else."""
    left = counts[length:]
    return [*counts[:length], (sum(p for p, _ in left), sum(n for _, n in left))]


def needed_positive(classes: ClassCounts) -> int:
    """Return the place of the positive class; InvalidSetting where none was named."""
    target = classes.target
    if target.positive is not None:
        return target.index(target.positive)
    listed = ", ".join(repr(label) for label in target.classes[:10])
    listed += ", …" if len(target.classes) > 10 else ""
    raise InvalidSetting(
        f"target {target.name!r} has {len(target.classes)} classes and a falling list "
        f"needs a positive one: give positive, one of {listed}"
    )


def default_list(dataset: Dataset, classes: ClassCounts) -> Learned:
    """Return the list of a target of one class: its default."""
    weighted = dataset.roles.weight is not None
    rows = int(classes.rows.sum()) if weighted else None
    counts = tuple(whole(float(n)) for n in classes.weights)
    default = Outcome(classes.target.classes[0], (1.0,), counts, rows)
    return Learned(RuleList(classes.target, dataset.roles.features, (), default), objective=0.0)
