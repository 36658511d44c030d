"""Sequential covering: one learner, of any rule search with any quality."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar

from dbrules.errors import InvalidSetting
from dbrules.learners.checks import check_count, check_number, check_one_of
from dbrules.learners.covering_learner import CoveringLearner
from dbrules.learners.covering_models import Found
from dbrules.learners.learner import Learned
from dbrules.learners.scales import Scaled
from dbrules.search.budget import INTERRUPTED
from dbrules.search.covering.goal import Goal
from dbrules.search.covering.impurity import IMPURITIES
from dbrules.search.covering.options import Options
from dbrules.search.covering.quality import QUALITIES
from dbrules.search.covering.searches import SEARCHES
from dbrules.search.covering.separate_and_conquer import NO_RULE, Covering
from dbrules.search.support import MinSupport
from dbrules.statistics.classes import ClassCounts
from dbrules.statistics.dataset import Dataset


@dataclass(frozen=True)
class SequentialCovering(CoveringLearner):
    """Separate and conquer: one rule after the other, each for the rows that are left.

    ``search`` finds one rule: ``hill_climbing``, ``beam`` (of ``beam_width``), ``best_first`` and
    ``exhaustive`` (with at most ``max_nodes`` rules refined for each rule found: 200 for
    best_first and 500 for exhaustive unless told otherwise, 0 for no limit, with which both find
    the best rule there is; ``training.notes`` say for how many rules the search was ended),
    ``bottom_up`` and ``stochastic`` (with ``restarts``), or
    ``tree_path``, the purest path of a decision tree grown by ``impurity`` (``gini`` or
    ``error``), of which it follows ``beam_width``. ``quality`` is what a rule is chosen by:
    ``precision``, ``laplace``, ``m_estimate`` (with ``m``), ``entropy``, ``foil_gain``, ``wracc``
    or ``likelihood_ratio``.

    With ``ordered`` a list is learned: ``classes="each"`` takes the rarest class first, and the
    most frequent is the default; ``classes="any"`` takes the best rule of any class each time.
    Else a set is learned, with rules for every class, whose overlaps ``resolution`` resolves.

    A rule has more rows of its class than of any other, a higher quality than no condition at
    all, and at least ``min_quality``; captures
    at least ``min_support`` of all rows; and the likelihood ratio test finds what it says at the
    level of ``significance`` (None: no test). A class is done when at most the share
    ``uncovered`` of it is left. A rule has at most ``max_conditions``, 5 unless told otherwise.

    Fürnkranz (1999), Separate-and-conquer rule learning, Artificial Intelligence Review 13.

    >>> rows = "SELECT i % 10 AS size, i % 3 = 0 AS ill, i % 10 < 4 AS y FROM range(60) AS r(i)"
    >>> model = SequentialCovering().fit(rows, target="y")
    >>> [(c.feature, c.op, int(c.value)) for rule in model.rules.rules for c in rule.conditions]
    [('size', '<=', 3)]
    """

    name: ClassVar[str] = "covering"

    max_conditions: int | None = 5
    search: str = "beam"
    quality: str = "laplace"
    classes: str = "each"
    beam_width: int = 5
    m: float = 2.0
    impurity: str = "gini"
    restarts: int = 10
    max_nodes: int | None = None
    min_quality: float | None = None
    significance: float | None = 0.01
    uncovered: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_one_of("search", self.search, tuple(SEARCHES))
        check_one_of("quality", self.quality, tuple(QUALITIES))
        check_one_of("impurity", self.impurity, tuple(IMPURITIES))
        check_one_of("classes", self.classes, ("each", "any"))
        if self.classes == "any" and not self.ordered:
            raise InvalidSetting(
                "classes 'any' with ordered False: a set has rules for each class; give one of them"
            )
        for name in ("beam_width", "restarts"):
            check_number(name, getattr(self, name), least=1)
            check_count(name, getattr(self, name))
        check_count("max_nodes", self.max_nodes, least=0)
        check_number("m", self.m, least=0)
        check_number("uncovered", self.uncovered, least=0, most=1)
        if self.min_quality is not None:
            check_number("min_quality", self.min_quality)
        if self.significance is not None:
            check_number("significance", self.significance, above=0, most=1)

    def _learn(self, dataset: Dataset, classes: ClassCounts) -> Learned:
        budget = self._budget()
        with self._scaled(dataset, classes) as scaled:
            covering = Covering(
                self.search, self._goal(scaled, len(classes.target.classes)),
                Options(self.beam_width, self.restarts, self.max_nodes, self.impurity),
                budget, self.seed, self.max_rules, self.uncovered,
            )  # fmt: skip
            try:
                self._cover(covering, scaled)
            except KeyboardInterrupt:  # the rules so far are a model
                budget.limit = INTERRUPTED
        rules = covering.rules
        found = [Found(rule.antecedent, rule.label) for rule in rules]
        learned = self._counted(dataset, classes, scaled, found, budget)
        if not rules and len(classes.target.classes) > 1:
            why = "the search was interrupted"
            if budget.limit != INTERRUPTED:
                why = self._blocked(scaled, set(covering.ended.values()))
            learned = replace(learned, warnings=(f"no rule found: {why}", *learned.warnings))
        elif f"max_rules={self.max_rules}" in covering.ended.values():
            note = f"the rules ended at max_rules={self.max_rules}"
            learned = replace(learned, notes=(*learned.notes, note))
        if covering.cut:
            note = (
                f"search ended at max_nodes={covering.cut[0]} for {len(covering.cut)} rules: the "
                "best rule may have been missed (max_nodes=0: no limit)"
            )
            learned = replace(learned, notes=(*learned.notes, note))
        return replace(learned, nodes=budget.nodes)

    def _cover(self, covering: Covering, scaled: Scaled) -> None:
        if not self.ordered:
            covering.unordered(scaled.rows)
        elif self.classes == "any":
            covering.of_any_class(scaled.rows)
        else:
            covering.ordered(scaled.rows)

    def _goal(self, scaled: Scaled, classes: int) -> Goal:
        share = MinSupport(self.min_support).overall or 0
        least = max(1, math.ceil(share * int(scaled.rows.totals.sum())))
        return Goal(
            self.quality, scaled.unit, classes, self.m, least, self.max_conditions,
            self.min_quality, self.significance,
        )  # fmt: skip

    def _blocked(self, scaled: Scaled, ended: set[str]) -> str:
        """Return what kept the model without a rule (policy P7)."""
        if not scaled.codings:
            return "; ".join(scaled.found.notes)
        if not ended:
            return f"uncovered={self.uncovered:g} leaves no rows to cover: lower it"
        if ended == {NO_RULE}:
            needs = [
                f"{name}={value:g}"
                for name in ("min_support", "min_quality", "significance")
                if (value := getattr(self, name)) is not None
            ]
            limits = f" with {', '.join(needs)}" if needs else ""
            return (
                f"none that covers more rows of its class than of any other has a higher "
                f"{self.quality} than no condition at all{limits}: "
                "give another quality" + (" or lower limits" if needs else "")
            )
        return f"the search ended at {min(ended - {NO_RULE})}: raise it"
