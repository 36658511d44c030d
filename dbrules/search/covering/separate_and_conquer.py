"""Separate and conquer: one rule after the other, each for what those before it leave."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final, NamedTuple

from dbrules.search.budget import Budget
from dbrules.search.covering.classes import ascending
from dbrules.search.covering.goal import Goal, Task
from dbrules.search.covering.limited import told
from dbrules.search.covering.literal import Antecedent
from dbrules.search.covering.majority import Majority
from dbrules.search.covering.options import Options
from dbrules.search.covering.redundant import without_redundant
from dbrules.search.covering.refinements import Refinements
from dbrules.search.covering.searches import SEARCHES, VERBATIM
from dbrules.search.covering.subset import Rows, Subset

#: Why a class gets no more rules: the goal admits none.
NO_RULE: Final = "no rule"


class LabelledRule(NamedTuple):
    """A rule for the class at a place."""

    antecedent: Antecedent
    label: int


@dataclass
class Covering:
    """Rules that cover the rows one after the other.

    ``search``: a name of SEARCHES. ``max_rules``: of all classes together. ``uncovered``: a class
    is done when at most this share of its units is not covered. ``ended``: why there are no more
    rules for a class, for those that are not done. ``cut``: of each search that was ended before
    it was complete, the nodes at which it was.

    Every rule covers a row that no rule before it covers, and more rows of its class than of any
    other. Fürnkranz (1999), Separate-and-conquer rule learning, Artificial Intelligence Review 13,
    figure 1.
    """

    search: str
    goal: Goal
    options: Options
    budget: Budget
    seed: int = 0
    max_rules: int | None = None
    uncovered: float = 0.0
    rules: list[LabelledRule] = field(default_factory=list)
    ended: dict[int, str] = field(default_factory=dict)
    cut: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._generator = Random(f"covering {self.seed}")

    def ordered(self, rows: Rows) -> list[LabelledRule]:
        """Return a list of rules, the rarest class first; the most frequent is the default.

        Each class is told from those after it, on the rows that the rules so far leave.
        Cohen (1995), Fast effective rule induction, ICML, section 2.1.
        """
        literals = Refinements(rows.features)
        for label in ascending(rows.totals.tolist())[:-1]:
            left, found = rows.against(label), list[Antecedent]()
            enough = self.uncovered * left.count.positive
            while left.count.positive > enough:
                rule = self._rule({label: left}, literals, rows, found)
                if rule is None:
                    break
                found.append(rule.antecedent)
                left = left.without(rule.antecedent)
            rows = rows.without(found)
        return self.rules

    def unordered(self, rows: Rows) -> list[LabelledRule]:
        """Return a set of rules for all classes, each told from all others on all rows.

        A rule takes only the rows of its class from those that the next one is learned on.
        Clark and Boswell (1991), Rule induction with CN2: some recent improvements, EWSL,
        section 3.
        """
        literals = Refinements(rows.features)
        for label in ascending(rows.totals.tolist()):
            left = rows.against(label)
            enough = self.uncovered * left.count.positive
            while left.count.positive > enough:
                rule = self._rule({label: left}, literals, rows, None)
                if rule is None:
                    break
                left = left.without_positives(rule.antecedent)
        return self.rules

    def of_any_class(self, rows: Rows) -> list[LabelledRule]:
        """Return a list of rules, each for whichever class has the best one.

        Each class is told from all others on the rows that the rules so far leave. Clark and
        Niblett (1989), The CN2 induction algorithm, section 3; Molnar (2019), Interpretable
        machine learning, section 4.5.2.
        """
        literals, totals = Refinements(rows.features), rows.totals.tolist()
        enough = self.uncovered * sum(totals)
        while sum(left := rows.totals.tolist()) > enough and sum(n > 0 for n in left) > 1:
            labels = sorted(
                (label for label, units in enumerate(left) if units),
                key=lambda label: (-totals[label], label),
            )
            views = {label: rows.against(label) for label in labels}
            rule = self._rule(views, literals, rows, [])
            if rule is None:
                break
            rows = rows.without([rule.antecedent])
        return self.rules

    def _rule(
        self, views: Mapping[int, Subset], literals: Refinements,
        rows: Rows, before: Sequence[Antecedent] | None,
    ) -> LabelledRule | None:  # fmt: skip
        """Add a rule for one of the classes; it is for ``rows``, what ``before`` captures apart.

        Before None: for all rows that it covers.
        """
        labels = list(views)
        if len(self.rules) == self.max_rules:
            self._end(labels, f"max_rules={self.max_rules}")
            return None
        tasks = [
            Task(view, self.goal, literals, Majority(rows, label, before), len(self.rules))
            for label, view in views.items()
        ]
        found = SEARCHES[self.search](tasks, self.options, self.budget, self._generator)
        self.cut += [task.cut for task in tasks if task.cut is not None][:1]
        if found is None:
            in_time = self.budget.spend(0)
            self._end(labels, NO_RULE if in_time else str(self.budget.limit))
            return None
        label, antecedent = labels[found[0]], found[1].antecedent
        if self.search not in VERBATIM:
            antecedent = without_redundant(views[label], antecedent)
        rule = LabelledRule(antecedent, label)
        self.rules.append(rule)
        self.budget.tell(lambda: told(len(self.rules), self.budget.nodes))
        return rule

    def _end(self, labels: Sequence[int], why: str) -> None:
        self.ended.update(dict.fromkeys(labels, why))
