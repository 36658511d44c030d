"""RIPPER (Cohen 1995): few rules, pruned on held-out rows and by description length."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final

from dbrules.language.write import format_label
from dbrules.learners.checks import check_count, check_number
from dbrules.learners.covering_learner import CoveringLearner
from dbrules.learners.covering_models import Found
from dbrules.learners.learner import Learned
from dbrules.learners.scales import Scaled
from dbrules.search.budget import INTERRUPTED, Budget
from dbrules.search.covering.classes import ascending
from dbrules.search.covering.draw import draws
from dbrules.search.ripper.grow import Growth
from dbrules.search.ripper.ranking import ranking_rules
from dbrules.search.ripper.ripper import Ripper as RipperSearch
from dbrules.search.ripper.rule_bits import possible_conditions
from dbrules.search.support import MinSupport
from dbrules.statistics.classes import ClassCounts
from dbrules.statistics.dataset import Dataset

#: What a rule must cover of its class, in weight (Cohen's program and Weka's JRip: two rows).
_MIN_WEIGHT: Final = 2.0


@dataclass(frozen=True)
class Ripper(CoveringLearner):
    """Rules for the rare classes first, each grown on a part of the rows and pruned on the rest.

    ``passes`` (k) of optimisation, in which every rule may be replaced or revised.
    ``prune_fraction``: the share of the rows that rules are pruned on, drawn anew for each rule.
    A rule covers two rows of its class or more, and ``min_support`` of all rows.

    ``ranking_rules``: at most so many rules at the end of a list that answer as the default does,
    but part its rows into more and less probable ones; 0 for the list of the paper.

    Cohen (1995), Fast effective rule induction, ICML; with ``ordered=False`` each class against
    all others, and votes.

    >>> rows = "SELECT i % 10 AS size, i % 3 = 0 AS ill, i % 10 < 4 AS y FROM range(60) AS r(i)"
    >>> [str(rule.conditions[0].value) for rule in Ripper().fit(rows, target="y").rules.rules]
    ['3']
    """

    name: ClassVar[str] = "ripper"

    passes: int = 2
    prune_fraction: float = 1 / 3
    ranking_rules: int = 3

    def __post_init__(self) -> None:
        super().__post_init__()
        check_number("passes", self.passes, least=0)
        check_count("passes", self.passes, least=0)
        check_number("prune_fraction", self.prune_fraction, least=0.001, most=0.5)
        check_number("ranking_rules", self.ranking_rules, least=0)
        check_count("ranking_rules", self.ranking_rules, least=0)

    def _learn(self, dataset: Dataset, classes: ClassCounts) -> Learned:
        budget = self._budget()
        with self._scaled(dataset, classes) as scaled:
            found = self._found(scaled, self._search(scaled, budget))
        learned = self._counted(dataset, classes, scaled, found, budget)
        return replace(self._told(learned, classes, scaled, found, budget), nodes=budget.nodes)

    # -- steps -----------------------------------------------------------------------------

    def _search(self, scaled: Scaled, budget: Budget) -> RipperSearch:
        share = MinSupport(self.min_support).overall or 0
        growth = Growth(
            scaled.rows.features, scaled.unit, _MIN_WEIGHT, self.max_conditions, budget,
            max(1, math.ceil(share * int(scaled.rows.totals.sum()))),
        )  # fmt: skip
        return RipperSearch(growth, draws(self.seed, self.prune_fraction), self.passes)

    def _found(self, scaled: Scaled, search: RipperSearch) -> list[Found]:
        """Return the rules, the rarest class first."""
        rows, found = scaled.rows, list[Found]()
        totals = rows.totals.tolist()
        order = ascending(totals)
        budget = search.growth.budget
        for place, label in enumerate(order[:-1] if self.ordered else order):
            if budget.limit is not None:
                break
            rest = sum(totals[other] for other in (order[place:] if self.ordered else order))
            rules = search.rules(rows.against(label), totals[label] / rest, self._left(found))
            found += [Found(rule, label) for rule in rules]
            if self.ordered:
                rows = rows.without(rules)
        if self.ordered and budget.limit is None:
            left = self._left(found)
            most = self.ranking_rules if left is None else min(left, self.ranking_rules)
            possible = possible_conditions(rows.features)
            rules = ranking_rules(rows.against(order[-1]), search.growth, possible, most)
            found += [Found(rule, order[-1]) for rule in rules]
        return found

    def _left(self, found: Sequence[Found]) -> int | None:
        return None if self.max_rules is None else self.max_rules - len(found)

    def _told(
        self, learned: Learned, classes: ClassCounts, scaled: Scaled, found: Sequence[Found],
        budget: Budget,
    ) -> Learned:  # fmt: skip
        """Add what kept classes, or the whole model, without a rule (policy P7)."""
        totals = scaled.rows.totals.tolist()
        wanted = ascending(totals)[:-1] if self.ordered else ascending(totals)
        bare = [label for label in wanted if label not in {rule.label for rule in found}]
        why = "none is right more often than wrong and pays for its description"
        if budget.limit == INTERRUPTED:
            why = "the search was interrupted"
        elif budget.limit is not None:
            why = f"the search ended at {budget.limit}: raise it"
        if not scaled.codings:
            why = "; ".join(scaled.found.notes)
        if not found and len(classes.target.classes) > 1:
            return replace(learned, warnings=(f"no rule found: {why}", *learned.warnings))
        names = [format_label(classes.target.classes[label]) for label in bare]
        notes: tuple[str, ...] = ()
        if self._left(found) == 0:
            notes = (f"the rules ended at max_rules={self.max_rules}",)
        elif names:
            notes = (f"no rule for {', '.join(names)}: {why}",)
        return replace(learned, notes=(*learned.notes, *notes))
