"""Falling rule lists with their posterior (Wang & Rudin 2015): MAP by annealing, then draws."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from dbrules.errors import InvalidSetting
from dbrules.falling import Falling
from dbrules.learners.bayesian import BayesianLearner, Pooled, without_rules
from dbrules.learners.captured import captured
from dbrules.learners.checks import check_count, check_number, check_one_of
from dbrules.learners.clause_weights import check_clause_weights, clause_weights
from dbrules.learners.draws import refuse_to_average
from dbrules.learners.falling_list import default_list, needed_positive
from dbrules.learners.falling_posterior import (
    annealing_diagnostics,
    falling_average,
    falling_posterior,
    risk_list,
    sampling_diagnostics,
)
from dbrules.learners.frl_bayes_search import FallingSearch
from dbrules.learners.learner import Learned
from dbrules.learners.pattern_learner import LARGEST, SMALLEST
from dbrules.search.bayes.falling_counts import Scale
from dbrules.search.bayes.falling_inner import peak
from dbrules.search.bayes.falling_lists import ListPrior
from dbrules.search.bayes.falling_posterior import FallingTarget
from dbrules.search.bayes.falling_prior import FallingPrior
from dbrules.search.support import MinSupport
from dbrules.statistics.classes import ClassCounts
from dbrules.statistics.dataset import Dataset

#: The least share of the rows that an antecedent captures, where nothing is said.
_MIN_SUPPORT: Final = 0.05


@dataclass(frozen=True)
class BayesianFallingRuleList(BayesianLearner):
    """Falling rule lists by their posterior: who is most at risk comes first.

    The odds of the positive class are K for the else and grow by a factor γ >= 1 with each rule
    above it. Each γ has a Gamma(``alpha``, ``beta``) prior above 1, K a Gamma(``alpha_last``,
    ``beta_last``) prior, the length of the list a Poisson prior of mean ``expected_length`` (λ).
    The next antecedent is drawn in proportion to its weight: 1, or the product of the
    ``clause_weights`` of its columns (a dict by name), and with ``expected_conditions`` (η) such
    that its number of conditions is a Poisson variable of that mean.

    The most probable list is found by annealing: ``iterations`` steps of each of ``chains``, at
    ``temperature``, one number or the first and the last of a geometric cooling, and then improved
    until no single change helps; γ and K are solved for exactly. Then ``draws`` are taken from the
    posterior by each chain (0: none): the model has ``posterior`` (lists and antecedents with
    their probability, 95 % credible intervals) and ``diagnostics``. ``point="average"`` answers by
    the average of the lists drawn, ``"map"`` by the most probable list.

    Antecedents capture ``min_support`` of all rows (a twentieth where no support is given), and
    ``min_support_positive`` of the positives or ``min_support_negative`` of the negatives. Wang
    and Rudin (2015), Falling rule lists, AISTATS.

    >>> rows = "SELECT i % 10 < 8 AS old, i % 3 = 0 AS ill, i % 10 < 4 AS y FROM range(60) AS r(i)"
    >>> model = BayesianFallingRuleList(iterations=500, draws=200).fit(rows, target="y")
    >>> [rule.features for rule in model.rules.rules]
    [('old',)]
    """

    name: ClassVar[str] = "frl_bayes"

    expected_length: float = 8.0
    chains: int = 2
    iterations: int = 5000
    expected_conditions: float | None = None
    clause_weights: Mapping[str, float] | None = None
    alpha: float = 1.0
    beta: float = 0.1
    alpha_last: float = 1.0
    beta_last: float = 0.1
    point: str = "map"
    draws: int = 1000
    temperature: float | tuple[float, float] = 1.0
    min_support_positive: float | None = None
    min_support_negative: float | None = None
    max_rules: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("alpha", "beta", "beta_last"):
            check_number(name, getattr(self, name), least=SMALLEST, most=LARGEST)
        # below 1 the density of K has no maximum
        check_number("alpha_last", self.alpha_last, least=1, most=LARGEST)
        if self.expected_conditions is not None:
            check_number(
                "expected_conditions", self.expected_conditions, least=SMALLEST, most=LARGEST
            )
        check_one_of("point", self.point, ("map", "average"))
        if self.draws is None:
            raise InvalidSetting("draws None is not a whole number of at least 0: give 0 or more")
        check_count("draws", self.draws, least=0)
        if self.point == "average" and not self.draws:
            raise InvalidSetting("point 'average' needs draws: give draws of 1 or more")
        check_count("max_rules", self.max_rules)
        self._check_temperature()
        check_clause_weights(self.clause_weights)
        self._support(0)

    def settings(self) -> dict[str, Any]:
        """Return the settings as plain JSON values."""
        settings = super().settings()
        if isinstance(self.temperature, tuple):
            settings["temperature"] = list(self.temperature)
        if self.clause_weights is not None:
            settings["clause_weights"] = dict(self.clause_weights)
        return settings

    def _learn(self, dataset: Dataset, classes: ClassCounts) -> Learned:
        if len(classes.target.classes) == 1:
            return default_list(dataset, classes)
        place = needed_positive(classes)
        if self.point == "average":
            refuse_to_average(len(classes.target.classes))
        support, budget = self._support(place), self._budget()
        with self._pooled(dataset, classes, support, budget) as pooled:
            judged = self._target(pooled, place)
            found = self._search().run(judged, budget)
            best, drawn = found.antecedents, found.drawn
            average, notes = None, pooled.notes
            if self.point == "average":
                average, note = falling_average(dataset, classes, pooled, drawn)
                notes = (*notes, note)
        conditions = pooled.conditions(best)
        counts = captured(dataset, classes, conditions)
        weights = counts.weights.tolist()
        behind = None if dataset.roles.weight is None else counts.rows.sum(axis=1).tolist()
        top = peak([_pair(row, place) for row in weights], judged.prior)
        rules = risk_list(dataset, classes, conditions, weights, top.logits, behind)
        diagnostics = annealing_diagnostics(found.annealed)
        if drawn.samples is not None:
            diagnostics = sampling_diagnostics(drawn.samples, annealing=diagnostics)
        log_posterior = judged.lists.log(best) + top.value
        learned = Learned(
            rules, objective=-log_posterior, falling=Falling(), average=average,
            posterior=falling_posterior(
                drawn, diagnostics, self.chains, place, rules, log_posterior, pooled
            ),
            diagnostics=diagnostics, seen=pooled.coded.features.seen,
            notes=(*notes, *self._cut(found.limit, pooled.coded.step)),
            warnings=pooled.coded.features.warnings,
        )  # fmt: skip
        why = (
            f"no falling list of {len(pooled.pool.antecedents)} antecedents is more probable "
            "at its best risks than the default alone: give more iterations, another "
            "min_support, or another prior of the risks"
        )
        return learned if rules.rules else without_rules(learned, pooled, support, why)

    # -- steps -----------------------------------------------------------------------------

    def _target(self, pooled: Pooled, place: int) -> FallingTarget:
        prior = FallingPrior(
            self.expected_length, self.alpha, self.beta, self.alpha_last, self.beta_last
        )
        weights = clause_weights(self.clause_weights, self.expected_conditions, pooled)
        lists = ListPrior(self.expected_length, weights, self.max_rules)
        return FallingTarget(pooled.rows, Scale(place, pooled.unit), prior, lists)

    def _search(self) -> FallingSearch:
        return FallingSearch(self.iterations, self.chains, self.temperature, self.draws, self.seed)

    def _support(self, place: int) -> MinSupport:
        positive, negative = self.min_support_positive, self.min_support_negative
        overall = self.min_support
        if overall is None and positive is None and negative is None:
            overall = _MIN_SUPPORT
        return MinSupport(overall, positive, negative, place)

    def _check_temperature(self) -> None:
        """Raise InvalidSetting for anything but a number above 0, or two that do not rise."""
        given = self.temperature
        if isinstance(given, (list, tuple)):
            object.__setattr__(self, "temperature", tuple(given))
            if len(given) != 2:
                raise InvalidSetting(
                    f"temperature {given!r} is not one number or two: give the first and the last"
                )
            for number in given:
                check_number("temperature", number, least=SMALLEST, most=LARGEST)
            if given[1] > given[0]:
                raise InvalidSetting(
                    f"temperature {given!r} rises: give the higher one first, a list cools down"
                )
        else:
            check_number("temperature", given, least=SMALLEST, most=LARGEST)


def _pair(weights: list[float], place: int) -> tuple[float, float]:
    return weights[place], math.fsum(w for c, w in enumerate(weights) if c != place)
