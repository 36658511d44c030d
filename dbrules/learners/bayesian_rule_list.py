"""Bayesian rule lists: the posterior over lists, by random walks or by bounded search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final

from dbrules.diagnostics import Diagnostics, Moves
from dbrules.errors import InvalidSetting, near
from dbrules.language.rule_average import RuleAverage
from dbrules.learners.bayesian import BayesianLearner, Pooled, without_rules
from dbrules.learners.brl_search import BrlSearch
from dbrules.learners.captured import captured
from dbrules.learners.checks import check_count, check_number, check_one_of
from dbrules.learners.dirichlet_list import credible_intervals, dirichlet_list
from dbrules.learners.draws import averaged, inclusion, probable_lists, refuse_to_average
from dbrules.learners.falling_list import default_list
from dbrules.learners.learner import Learned
from dbrules.learners.pattern_learner import LARGEST, SMALLEST
from dbrules.posterior import Posterior
from dbrules.search.bayes.brl_exact import BestList
from dbrules.search.bayes.brl_posterior import BrlPosterior, BrlPrior
from dbrules.search.bayes.brl_walks import Walked
from dbrules.search.captures import captured_by
from dbrules.search.support import MinSupport
from dbrules.statistics.classes import ClassCounts
from dbrules.statistics.dataset import Dataset

#: The least share of the rows that an antecedent captures, where nothing is said.
_MIN_SUPPORT: Final = 0.1


@dataclass(frozen=True)
class BayesianRuleList(BayesianLearner):
    """Rule lists by their posterior probability; two classes or many.

    A list is the more probable the better its rules part the classes, and the nearer its length is
    to ``expected_length`` (λ) and that of its antecedents to ``expected_conditions`` (η).
    ``alpha``: pseudocount of each class in each rule, one number or a dict by label. ``chains``
    walk over lists for ``iterations`` (the first half is warm-up); the model has ``posterior``
    (lists and antecedents with their probability, 95 % credible intervals) and ``diagnostics``.

    ``point``: which list answers. ``"map"``: the most probable that was met, improved until no
    single change helps. ``"brl_point"``: the most probable of typical length. ``"average"``: the
    average of the lists drawn; the most probable is shown. ``search="exact"`` bounds what any
    list could have of which each rule captures a row (one that does not says nothing):
    ``objective`` (minus the log posterior), ``lower_bound``, ``gap``, ``proved``; it ends at
    ``max_nodes`` prefixes (by size where neither limit is given) or ``max_seconds``.

    Antecedents capture ``min_support`` of all rows (a tenth where neither is given), or
    ``min_support_class`` of the rows of some class, or both. Letham, Rudin, McCormick and Madigan
    (2015), Interpretable classifiers using rules and Bayesian analysis, Annals of Applied
    Statistics 9; Yang, Rudin and Seltzer (2017), Scalable Bayesian rule lists, ICML.

    >>> rows = "SELECT i % 10 < 8 AS old, i % 3 = 0 AS ill, i % 10 < 4 AS y FROM range(60) AS r(i)"
    >>> model = BayesianRuleList(iterations=500, search="exact").fit(rows, target="y")
    >>> model.proved, [rule.features for rule in model.rules.rules]
    (True, [('old',)])
    """

    name: ClassVar[str] = "brl"

    expected_conditions: float = 1.0
    alpha: float | Mapping[Any, float] = 1.0
    point: str = "map"
    search: str = "mcmc"
    temperature: float = 1.0
    min_support_class: float | None = None
    max_rules: int | None = None
    max_nodes: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_number("expected_conditions", self.expected_conditions, least=SMALLEST, most=LARGEST)
        check_number("temperature", self.temperature, least=SMALLEST, most=LARGEST)
        check_one_of("point", self.point, ("map", "brl_point", "average"))
        check_one_of("search", self.search, ("mcmc", "exact"))
        for name in ("max_rules", "max_nodes"):
            check_count(name, getattr(self, name))
        of_labels = self.alpha.values() if isinstance(self.alpha, Mapping) else (self.alpha,)
        for number in of_labels:
            check_number("alpha", number, least=SMALLEST, most=LARGEST)
        if self.search != "exact" and self.max_nodes is not None:
            raise InvalidSetting(
                f"max_nodes {self.max_nodes} is a limit of search='exact': give that, or iterations"
            )
        if self.search == "exact" and self.point != "map":
            raise InvalidSetting(
                f"point {self.point!r} is not what search='exact' looks for: give point='map', "
                "or search='mcmc'"
            )
        self._support()

    def settings(self) -> dict[str, Any]:
        """Return the settings as plain JSON values."""
        settings = super().settings()
        if isinstance(self.alpha, Mapping):
            settings["alpha"] = {str(label): number for label, number in self.alpha.items()}
        return settings

    def _learn(self, dataset: Dataset, classes: ClassCounts) -> Learned:
        if len(classes.target.classes) == 1:
            return default_list(dataset, classes)
        if self.point == "average":
            refuse_to_average(len(classes.target.classes))
        alpha = self._alpha(classes)
        prior = BrlPrior(self.expected_length, self.expected_conditions, alpha)
        budget = self._budget()
        with self._pooled(dataset, classes, self._support(), budget) as pooled:
            posterior = BrlPosterior(prior, pooled.lengths, pooled.unit, self.max_rules)
            found = self._search().run(posterior, pooled.rows, budget)
            walked, best = found.walked, found.antecedents
            average = None
            notes: tuple[str, ...] = ()
            if self.temperature != 1:
                notes = (
                    f"draws are of the posterior to the power {1 / self.temperature:.3g}, at "
                    f"temperature {self.temperature:g}",
                )
            if self.point == "average":
                average, note = self._average(dataset, classes, pooled, walked, alpha)
                notes = (*notes, note)
        conditions = pooled.conditions(best)
        counts = captured(dataset, classes, conditions)
        weights = counts.weights.tolist()
        behind = counts.behind(dataset)
        rules = dirichlet_list(dataset, classes, conditions, weights, alpha, behind)
        whole = BrlPosterior(prior, pooled.lengths, 1.0, self.max_rules)
        log_posterior = whole.list_prior(best) + whole.likelihood(map(tuple, weights))
        diagnostics = self._diagnostics(walked)
        learned = Learned(
            rules, objective=-log_posterior, seen=pooled.coded.features.seen,
            notes=(*pooled.notes, *notes, *self._cut(found.limit, pooled.coded.step)),
            warnings=pooled.coded.features.warnings, average=average, diagnostics=diagnostics,
            posterior=Posterior(
                walked.draws, self.chains, diagnostics.r_hat, diagnostics.effective_sample_size,
                log_posterior, credible_intervals(weights, alpha),
                probable_lists(walked.visits, pooled.conditions),
                inclusion(walked.visits, pooled.conditions),
            ),
        )  # fmt: skip
        return self._told(learned, found.bounded, pooled)

    # -- steps -----------------------------------------------------------------------------

    def _search(self) -> BrlSearch:
        return BrlSearch(
            self.point, self.search == "exact", self.chains, self.iterations, self.temperature,
            self.seed, self.max_nodes,
        )  # fmt: skip

    def _average(
        self, dataset: Dataset, classes: ClassCounts, pooled: Pooled, walked: Walked,
        alpha: tuple[float, ...],
    ) -> tuple[RuleAverage, str]:  # fmt: skip
        weights, note = averaged(walked.visits, len(classes.target.classes))
        lists = []
        for antecedents in weights:
            counts = [[n * pooled.unit for n in c] for c in captured_by(pooled.rows, antecedents)]
            lists.append(
                dirichlet_list(dataset, classes, pooled.conditions(antecedents), counts, alpha)
            )
        return RuleAverage(tuple(lists), tuple(weights.values())), note

    def _diagnostics(self, walked: Walked) -> Diagnostics:
        moves = tuple(Moves(chain + 1, kind, n, done) for chain, kind, n, done in walked.moves)
        return Diagnostics(walked.traces, walked.warm_up, moves)

    def _told(self, learned: Learned, found: BestList | None, pooled: Pooled) -> Learned:
        """Add what an exact search found out, and what kept the list without a rule."""
        if found is not None:
            exact = pooled.coded.step is None
            proved = found.proved and exact
            lower = learned.objective if proved else -found.upper_bound if exact else None
            learned = replace(learned, lower_bound=lower, proved=proved, nodes=found.nodes)
        why = (
            f"no list of {len(pooled.pool.antecedents)} antecedents is more probable than the "
            "default alone: give a larger expected_length or another min_support"
        )
        if learned.rules.rules:
            return learned
        return without_rules(learned, pooled, self._support(), why)

    def _support(self) -> MinSupport:
        overall, of_class = self.min_support, self.min_support_class
        if overall is None and of_class is None:
            overall = _MIN_SUPPORT
        return MinSupport(overall, any_class=of_class)

    def _alpha(self, classes: ClassCounts) -> tuple[float, ...]:
        if not isinstance(self.alpha, Mapping):
            return (float(self.alpha),) * len(classes.target.classes)
        given = {str(label): number for label, number in self.alpha.items()}
        labels = [str(label) for label in classes.target.classes]
        for label in given:
            if label not in labels:
                raise InvalidSetting(
                    f"alpha names {label!r}, which is not a class of {classes.target.name!r}"
                    f"{near(label, labels)}: give some of {', '.join(labels)}"
                )
        return tuple(float(given.get(label, 1.0)) for label in labels)
