"""Falling rule lists by optimisation (Chen & Rudin 2018), proved optimal where that is possible."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Final

from dbrules.falling import Falling
from dbrules.learners.antecedent_pool import AntecedentPool
from dbrules.learners.checks import check_count, check_number, check_one_of
from dbrules.learners.coded import Coded
from dbrules.learners.falling_list import default_list, falling_list, needed_positive
from dbrules.learners.falling_notes import searched, without_rules
from dbrules.learners.falling_settings import SearchSettings
from dbrules.learners.learner import Learned
from dbrules.learners.pattern_learner import LARGEST, PatternLearner
from dbrules.search.budget import Budget
from dbrules.search.falling_search import FoundList
from dbrules.search.objectives import FallingObjective
from dbrules.search.support import MinSupport
from dbrules.statistics.classes import ClassCounts
from dbrules.statistics.dataset import Dataset

#: The least share of the positives, or of the negatives, that an antecedent captures.
_MIN_SUPPORT: Final = 0.1


@dataclass(frozen=True)
class FallingRuleList(PatternLearner):
    """Rules in order of falling risk: who is most at risk comes first.

    Minimises the weighted share of wrong answers plus ``rule_cost`` (C) for each rule, over lists
    whose proportion of positives never rises from rule to rule. ``positive_weight`` (w) is what a
    missed positive costs where a false alarm costs 1; ``"balanced"`` is the number of negatives
    for each positive. ``soft_penalty`` (C1) lets proportions rise, at this cost for a rise by 1.

    ``search="exact"`` proves the list optimal or says what is left: the model has ``objective``,
    ``lower_bound``, ``gap`` and ``proved``. It ends at ``max_nodes`` (about 3000 where neither
    limit is given, so that equal data give equal lists) or ``max_seconds``.
    ``search="monte_carlo"`` is Algorithm FRL: ``restarts`` (T) lists grown at random with
    ``curiosity`` (λ) and ``termination_probability``.

    Antecedents have at most ``max_conditions``, and capture ``min_support_positive`` of the
    positives or ``min_support_negative`` of the negatives (a tenth where no support is given) and
    ``min_support`` of all rows. Without ``bins``, ordered columns get thresholds ``x < c`` and
    ``x >= c``. ``missing="level"`` makes a condition of NULL and NaN. ``statistics``: counts in
    ``memory`` or by the ``database``; ``auto`` is memory, and a sample of the rows where their
    patterns are more than ``max_patterns``; the final list is always counted on all rows.
    ``progress`` is called with a line now and then.

    Chen and Rudin (2018), An optimization approach to learning falling rule lists, AISTATS.

    >>> rows = "SELECT i % 10 < 8 AS old, i % 3 = 0 AS ill, i % 10 < 4 AS y FROM range(60) AS r(i)"
    >>> model = FallingRuleList(positive_weight=2).fit(rows, target="y")
    >>> model.proved, [rule.features for rule in model.rules.rules]
    (True, [('old',)])
    """

    name: ClassVar[str] = "frl"

    positive_weight: float | str = 1
    rule_cost: float = 0.002
    soft_penalty: float | None = None
    search: str = "exact"
    min_support_positive: float | None = None
    min_support_negative: float | None = None
    max_rules: int | None = None
    restarts: int | None = None
    curiosity: float = 0.8
    termination_probability: float = 0.01
    max_nodes: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.positive_weight != "balanced":
            if isinstance(self.positive_weight, str):
                check_one_of("positive_weight", self.positive_weight, ("balanced",))
            check_number("positive_weight", self.positive_weight, above=0, most=LARGEST)
        check_number("rule_cost", self.rule_cost, least=0, most=LARGEST)
        if self.soft_penalty is not None:
            check_number("soft_penalty", self.soft_penalty, least=0, most=LARGEST)
        check_one_of("search", self.search, ("exact", "monte_carlo"))
        for name in ("max_rules", "restarts", "max_nodes"):
            check_count(name, getattr(self, name))
        check_number("curiosity", self.curiosity, least=0, most=1)
        check_number("termination_probability", self.termination_probability, least=0, most=1)
        self._support(0)

    def _learn(self, dataset: Dataset, classes: ClassCounts) -> Learned:
        if len(classes.target.classes) == 1:
            return default_list(dataset, classes)
        place = needed_positive(classes)
        falling = Falling(self._weight(classes, place))
        support = self._support(place)
        budget = Budget(self.max_nodes, self.max_seconds, self._tell)
        weight = float(falling.positive_weight)
        with self._coded(dataset, classes, support, budget, weight) as (coded, pool):
            found = self._search(coded, pool, place, falling, budget)
        learned = falling_list(
            dataset, classes, [pool.conditions[number] for number in found.antecedents], falling,
            self.rule_cost, self.soft_penalty, sampled=coded.step is not None,
        )  # fmt: skip
        learned = replace(
            learned, seen=coded.features.seen, warnings=coded.features.warnings,
            notes=(*coded.features.notes, *coded.notes, *pool.notes, *learned.notes),
        )  # fmt: skip
        if not found.antecedents:
            learned = without_rules(
                learned, coded.features, len(pool.antecedents), support, falling, self.rule_cost,
                proved=found.proved,
            )  # fmt: skip
        elif not learned.rules.rules:
            why = (
                "no rule found: on all rows the list of the sample is not better than its "
                "default: raise max_patterns"
            )
            learned = replace(learned, warnings=(why, *learned.warnings))
        return searched(
            learned, found, exact=self.search == "exact", step=coded.step,
            max_patterns=self.max_patterns,
        )  # fmt: skip

    # -- steps -----------------------------------------------------------------------------

    def _search(
        self, coded: Coded, pool: AntecedentPool, place: int, falling: Falling, budget: Budget
    ) -> FoundList:
        if not pool.antecedents:
            # with none to choose from the default is optimal, unless mining was cut, as notes say
            return FoundList((), 0.0, None, not pool.notes, 0, None)
        coverage = coded.statistics.coverage(pool.members, pool.antecedents, place)
        positives, negatives = coverage.everything.totals
        objective = FallingObjective.of(
            falling.positive_weight, self.rule_cost, self.soft_penalty, positives, negatives
        )
        settings = SearchSettings(
            exact=self.search == "exact", restarts=self.restarts, curiosity=self.curiosity,
            termination_probability=self.termination_probability, max_rules=self.max_rules,
            seed=self.seed,
        )  # fmt: skip
        return settings.run(coverage, objective, budget, len(pool.antecedents), coded.cells)

    def _weight(self, classes: ClassCounts, place: int) -> float:
        if not isinstance(self.positive_weight, str):
            return self.positive_weight
        positives = float(classes.weights[place])
        return float(f"{(float(classes.weights.sum()) - positives) / positives:.3g}")

    def _support(self, place: int) -> MinSupport:
        positive, negative = self.min_support_positive, self.min_support_negative
        if self.min_support is None and positive is None and negative is None:
            positive = negative = _MIN_SUPPORT
        return MinSupport(self.min_support, positive, negative, place)
