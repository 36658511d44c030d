"""What a model keeps of annealed and drawn falling lists: risks, intervals, averages."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dbrules.diagnostics import Diagnostics, Moves
from dbrules.falling import Falling
from dbrules.language.condition import Condition
from dbrules.language.rule import Rule
from dbrules.language.rule_average import RuleAverage
from dbrules.language.rule_list import RuleList
from dbrules.language.write import Interval
from dbrules.learners.bayesian import Pooled
from dbrules.learners.draws import averaged, inclusion, probable_lists
from dbrules.posterior import Posterior
from dbrules.search.bayes.annealing import Annealed
from dbrules.search.bayes.falling_sampler import FallingSamples
from dbrules.search.captures import AntecedentList, captured_by
from dbrules.statistics.classes import ClassCounts
from dbrules.statistics.dataset import Dataset


@dataclass(frozen=True, eq=False)
class FallingDrawn:
    """Draws of lists, and of the risks of the list shown; None where none were taken."""

    samples: FallingSamples | None
    risks: FallingSamples | None

    @cached_property
    def lists(self) -> dict[AntecedentList, int]:
        """How many draws each list is, most of them first."""
        samples = self.samples
        return {} if samples is None else {each.antecedents: each.draws for each in samples.lists}

    @property
    def limit(self) -> str | None:
        """What cut the draws short."""
        return next((s.limit for s in (self.risks, self.samples) if s and s.limit), None)


def risk_list(
    dataset: Dataset,
    classes: ClassCounts,
    antecedents: Sequence[tuple[Condition, ...]],
    weights: Sequence[Sequence[float]],
    logits: Sequence[float],
    rows: Sequence[int] | None = None,
) -> RuleList:
    """Return the list whose rules, and last the else, have these log odds of a positive.

    ``weights``: what each captures of each class, (rules + 1, classes).
    """
    risks = [1 / (1 + math.exp(-r)) if r > -700 else 0.0 for r in logits]
    outcomes = Falling().outcomes(classes.target, weights, rows, risks)
    rules = tuple(Rule(c, outcome) for c, outcome in zip(antecedents, outcomes, strict=False))
    return RuleList(classes.target, dataset.roles.features, rules, outcomes[-1])


def falling_average(
    dataset: Dataset, classes: ClassCounts, pooled: Pooled, drawn: FallingDrawn
) -> tuple[RuleAverage | None, str]:
    """Return the average of the lists drawn, each at the mean risks of its draws, and a note."""
    if drawn.samples is None or not drawn.lists:
        return None, "answers by the list: it was cut before there were lists to average"
    means = {each.antecedents: each.probabilities for each in drawn.samples.lists}
    weights, note = averaged(drawn.lists, len(classes.target.classes))
    lists = []
    for antecedents in weights:
        counts = [[n * pooled.unit for n in row] for row in captured_by(pooled.rows, antecedents)]
        falling = np.minimum.accumulate(means[antecedents]).tolist()  # sums may round upwards
        outcomes = Falling().outcomes(classes.target, counts, None, falling)
        conditions = pooled.conditions(antecedents)
        rules = tuple(Rule(c, outcome) for c, outcome in zip(conditions, outcomes, strict=False))
        lists.append(RuleList(classes.target, dataset.roles.features, rules, outcomes[-1]))
    return RuleAverage(tuple(lists), tuple(weights.values())), note


def falling_posterior(
    drawn: FallingDrawn, diagnostics: Diagnostics, chains: int, place: int, rules: RuleList,
    log_posterior: float, pooled: Pooled,
) -> Posterior | None:  # fmt: skip
    """Return what the draws say; None where there are none of lists or of risks."""
    if not drawn.lists or drawn.risks is None or not len(drawn.risks.kept):
        return None
    ends = np.quantile(drawn.risks.kept, (0.025, 0.975), axis=0).T.tolist()
    return Posterior(
        sum(drawn.lists.values()), chains, diagnostics.r_hat, diagnostics.effective_sample_size,
        log_posterior,
        tuple(
            _of_classes(outcome.probability, place, (low, high))
            for outcome, (low, high) in zip(rules.outcomes, ends, strict=True)
        ),
        probable_lists(drawn.lists, pooled.conditions),
        inclusion(drawn.lists, pooled.conditions),
    )  # fmt: skip


def annealing_diagnostics(found: Annealed) -> Diagnostics:
    """Return how the annealing went."""
    return Diagnostics(
        [chain.log_posterior for chain in found.chains],
        moves=_moves([(chain.proposed, chain.accepted) for chain in found.chains]),
    )


def sampling_diagnostics(samples: FallingSamples, annealing: Diagnostics) -> Diagnostics:
    """Return how the draws were taken, and how the list they begin with was found."""
    return Diagnostics(
        [chain.log_posterior for chain in samples.chains],
        moves=_moves([(chain.proposed, chain.accepted) for chain in samples.chains]),
        further={"length": [chain.lengths for chain in samples.chains]},
        annealing=annealing,
    )


def _moves(chains: Sequence[tuple[dict[str, int], dict[str, int]]]) -> list[Moves]:
    return [
        Moves(number, move, proposed[move], accepted[move])
        for number, (proposed, accepted) in enumerate(chains, start=1)
        for move in proposed
    ]


def _of_classes(
    probability: tuple[float, ...], place: int, interval: Interval
) -> tuple[Interval, ...]:
    """Return the interval of each class: the others share what the positive one leaves."""
    low, high = interval
    rest = 1 - probability[place]
    return tuple(
        (low, high)
        if c == place
        else ((1 - high) * (share / rest), (1 - low) * (share / rest))
        if rest
        else (0.0, 1 - low)
        for c, share in enumerate(probability)
    )
