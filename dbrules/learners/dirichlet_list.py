"""A rule list whose probabilities are posterior means, from what its rules capture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from dbrules.language.condition import Condition
from dbrules.language.rule import Outcome, Rule
from dbrules.language.rule_list import RuleList
from dbrules.language.write import Interval
from dbrules.metrics import whole
from dbrules.special.beta_interval import beta_interval
from dbrules.statistics.classes import ClassCounts
from dbrules.statistics.dataset import Dataset


def dirichlet_list(
    dataset: Dataset,
    classes: ClassCounts,
    antecedents: Sequence[tuple[Condition, ...]],
    weights: Sequence[Sequence[float]],
    alpha: Sequence[float],
    rows: Sequence[int] | None = None,
) -> RuleList:
    """Return the list that answers each class with its posterior mean, (α + N) / Σ (α + N).

    ``weights``: what each rule and, last, the else captures of each class, (rules + 1, classes);
    ``rows``: the rows behind them, where weights count. ``alpha``: pseudocounts, (classes,). The
    label is the most probable class; of equal ones that of more weight in all, then the smaller.
    Letham et al. (2015), Interpretable classifiers using rules and Bayesian analysis, section 2.7.
    """
    outcomes = dirichlet_outcomes(classes, weights, alpha, rows)
    rules = tuple(Rule(c, outcome) for c, outcome in zip(antecedents, outcomes, strict=False))
    return RuleList(classes.target, dataset.roles.features, rules, outcomes[-1])


def dirichlet_outcomes(
    classes: ClassCounts,
    weights: Sequence[Sequence[float]],
    alpha: Sequence[float],
    rows: Sequence[int] | None = None,
) -> list[Outcome]:
    """Return what each rule and, last, the else answers; see :func:`dirichlet_list`."""
    outcomes = []
    for place, captured in enumerate(weights):
        shares = _means(captured, alpha)
        best = min(range(len(shares)), key=lambda c: (-shares[c], -float(classes.weights[c]), c))
        counts = tuple(whole(float(n)) for n in captured)
        behind = None if rows is None else int(rows[place])
        outcomes.append(Outcome(classes.target.classes[best], shares, counts, behind))
    return outcomes


def needed_default(classes: ClassCounts, default: Outcome, alpha: Sequence[float]) -> Outcome:
    """Return the default; one that no row needs answers by the classes of all rows."""
    if any(default.counts):
        return default
    (overall,) = dirichlet_outcomes(classes, [classes.weights.tolist()], alpha)
    return replace(default, label=overall.label, probability=overall.probability)


def credible_intervals(
    weights: Sequence[Sequence[float]], alpha: Sequence[float]
) -> tuple[tuple[Interval, ...], ...]:
    """Return the 95 % credible interval of each class probability, (rules + 1, classes, 2).

    The probability of one class of a Dirichlet distribution has a Beta distribution.
    """
    return tuple(
        tuple(
            beta_interval(a + n, math.fsum(alpha) - a + math.fsum(captured) - n)
            for a, n in zip(alpha, captured, strict=True)
        )
        for captured in weights
    )


def _means(captured: Sequence[float], alpha: Sequence[float]) -> tuple[float, ...]:
    parts = [n + a for n, a in zip(captured, alpha, strict=True)]
    return tuple(part / math.fsum(parts) for part in parts)
