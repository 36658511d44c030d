"""Class association rules: all that hold often enough, as a set, or a classifier of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Final

import numpy as np

from dbrules.data.binning import Bins
from dbrules.errors import InvalidSetting
from dbrules.language.rule_list import RuleList
from dbrules.language.rule_set import RESOLUTIONS, RuleSet
from dbrules.learners.association_models import ClassRule, classifier_list, rule_set
from dbrules.learners.checks import check_count, check_number, check_one_of
from dbrules.learners.coded import Coded, coded_statistics
from dbrules.learners.falling_list import default_list
from dbrules.learners.learner import Learned
from dbrules.learners.search_learner import SearchLearner
from dbrules.search.antecedents import Antecedents, mine_antecedents
from dbrules.search.association.class_rules import (
    ClassRules,
    Interest,
    find_rules,
    without_redundant,
)
from dbrules.search.association.classifier import covering_rules
from dbrules.search.budget import Budget
from dbrules.search.support import MinSupport
from dbrules.statistics.classes import ClassCounts
from dbrules.statistics.dataset import Dataset

#: A warning joins at most so many notes on columns.
_NOTES_MOST: Final = 3


@dataclass(frozen=True)
class AssociationRules(SearchLearner):
    """Rules ``antecedent => class`` that hold often enough; two classes or many.

    A rule has at most ``max_conditions``; it covers rows of its class that are ``min_support`` of
    all rows and ``min_support_class`` of its class; it has at least ``min_confidence``,
    ``min_lift`` and ``min_conviction``, and the chi-square test of independence a p-value of at
    most ``significance``. Limits are inclusive, None asks for nothing. Ordered columns are cut by
    MDLP unless ``bins`` says otherwise. At most ``max_antecedents`` are counted: what is missing
    then, a warning says.

    With ``classifier="cba"`` the model is a rule list: the rules by confidence, support and
    length, of which each one is taken that is right of a row that none before covers, up to where
    the errors are fewest. ``max_rules`` are taken at most. With ``None`` it is a rule set of all
    rules in that order, or the first ``max_rules``, whose overlaps ``resolution`` resolves;
    ``to_frame()`` has their measures. ``redundant="drop"`` leaves out of a set every rule of
    which a more general one, for the same class, has at least the confidence; a classifier has
    none of them anyway. ``alpha``: pseudocount of each class in the probabilities.

    Liu, Hsu and Ma (1998), Integrating classification and association rule mining, KDD; Agrawal
    and Srikant (1994), Fast algorithms for mining association rules, VLDB.

    >>> rows = "SELECT i % 10 < 4 AS old, i % 3 = 0 AS ill, i % 10 < 4 AS y FROM range(60) AS r(i)"
    >>> model = AssociationRules(classifier=None, min_confidence=0.9).fit(rows, target="y")
    >>> model.to_frame()[["antecedent", "label", "support", "confidence"]].values.tolist()[:2]
    [['old = FALSE', False, 0.6, 1.0], ['old = TRUE', True, 0.4, 1.0]]
    """

    name: ClassVar[str] = "rules"

    max_conditions: int | None = 3
    min_support: float | None = 0.01
    min_support_class: float | None = None
    min_confidence: float | None = 0.5
    min_lift: float | None = None
    min_conviction: float | None = None
    significance: float | None = None
    redundant: str = "drop"
    classifier: str | None = "cba"
    resolution: str = "best"
    max_rules: int | None = None
    max_antecedents: int = 1_000_000
    alpha: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("min_support", "min_support_class", "min_confidence", "significance"):
            if getattr(self, name) is not None:
                check_number(name, getattr(self, name), least=0, most=1)
        for name in ("min_lift", "min_conviction"):
            if getattr(self, name) is not None:
                check_number(name, getattr(self, name), least=0)
        check_one_of("redundant", self.redundant, ("drop", "keep"))
        if self.classifier is not None and self.classifier != "cba":
            raise InvalidSetting(
                f"classifier {self.classifier!r} is not known: give 'cba', or None (null on the "
                "command line) for a rule set"
            )
        check_one_of("resolution", self.resolution, RESOLUTIONS)
        check_count("max_rules", self.max_rules)
        check_number("max_antecedents", self.max_antecedents, least=1)
        check_count("max_antecedents", self.max_antecedents)
        check_number("alpha", self.alpha, least=1e-9, most=1e9)

    def _learn(self, dataset: Dataset, classes: ClassCounts) -> Learned:
        if len(classes.target.classes) == 1:
            return default_list(dataset, classes)
        budget = self._budget()
        interest = self._interest()
        with coded_statistics(
            dataset, classes, interest.support, lambda _: self._bins_for,
            missing_level=self.missing == "level", where=self.statistics,
            max_patterns=self.max_patterns, seed=self.seed,
        ) as coded:  # fmt: skip
            mined = self._mined(coded, interest.support, budget)
            unit = float(coded.statistics.unit)
            found = find_rules(mined, coded.statistics.totals, interest, unit)
            drop = self.classifier is None and self.redundant == "drop"
            kept = without_redundant(found, mined) if drop else found
            chosen = self._chosen(coded, mined, kept, budget)
        exact = coded.step is None and dataset.roles.weight is None
        rules = _class_rules(coded, mined, chosen, exact)
        model, wrong = self._model(dataset, classes, rules)
        warnings = coded.features.warnings
        if mined.cut is not None:
            warnings = (f"mining was cut: {mined.cut}; raise min_support", *warnings)
        if not len(found):
            warnings = (f"no rule found: {self._blocked(coded, mined, interest)}", *warnings)
        searched = f"{len(found)} rules of {len(mined)} antecedents have what was asked for"
        if len(kept) < len(found):
            searched += f", {len(found) - len(kept)} redundant ones are left out"
        return Learned(
            model, objective=wrong, seen=coded.features.seen,
            notes=(*coded.features.notes, *coded.notes, searched,
                   *self._cut(budget.limit, coded.step)),
            warnings=warnings,
        )  # fmt: skip

    # -- steps -----------------------------------------------------------------------------

    def _default_bins(self) -> Bins:
        return Bins("mdlp")

    def _interest(self) -> Interest:
        return Interest(
            MinSupport(rule=self.min_support or 0, any_class=self.min_support_class),
            _written(self.min_confidence), _written(self.min_lift),
            _written(self.min_conviction), self.significance,
        )  # fmt: skip

    def _mined(self, coded: Coded, support: MinSupport, budget: Budget) -> Antecedents:
        return mine_antecedents(
            coded.statistics, [coding.members for coding in coded.features.codings], support,
            max_conditions=self.max_conditions, max_antecedents=self.max_antecedents,
            progress=lambda done: budget.tell(lambda: f"mining: {done}"),
            stop=lambda: budget.half_over,
        )  # fmt: skip

    def _chosen(
        self, coded: Coded, mined: Antecedents, found: ClassRules, budget: Budget
    ) -> ClassRules:
        """Return the rules of the model, in order; a set has redundant ones only where kept."""
        if self.classifier is None:
            return found.where(np.arange(len(found))[: self.max_rules])
        # one rule for an antecedent, as the authors have; redundant ones are right of no row
        # that the more general one leaves, and need not be asked for
        rules = without_redundant(found.first_of_antecedents(), mined)
        items = list(mined)
        antecedents = [items[n] for n in rules.antecedents.tolist()]
        rows = coded.statistics.uncovered([coding.members for coding in coded.features.codings])
        taken = covering_rules(rows, antecedents, rules.labels.tolist(), budget, self.max_rules)
        return rules.where(np.array(taken, dtype=np.intp))

    def _model(
        self, dataset: Dataset, classes: ClassCounts, rules: Sequence[ClassRule]
    ) -> tuple[RuleList | RuleSet, float | None]:
        if self.classifier is None:
            return rule_set(dataset, classes, rules, self.alpha, self.resolution), None
        return classifier_list(dataset, classes, rules, self.alpha)

    def _blocked(self, coded: Coded, mined: Antecedents, interest: Interest) -> str:
        """Say which limit kept the model without a rule (policy P7)."""
        if not coded.features.codings:
            notes = coded.features.notes
            told, more = "; ".join(notes[:_NOTES_MOST]), len(notes) - _NOTES_MOST
            if more <= 0:
                return told
            others = f"and {more} more note{'' if more == 1 else 's'}"
            return f"no column has a condition at {interest.support}: {told}; {others}"
        if not len(mined):
            return f"no antecedent has {interest.support}"
        limits = ("min_confidence", "min_lift", "min_conviction", "significance")
        given = [f"{n} {getattr(self, n):g}" for n in limits if getattr(self, n) is not None]
        return f"none of {len(mined)} antecedents has {' and '.join(given)} for a class"


def _class_rules(
    coded: Coded, mined: Antecedents, chosen: ClassRules, exact: bool
) -> list[ClassRule]:
    """Return the rules with their conditions, values of their columns' types.

    ``exact``: what was mined are the numbers of all rows.
    """
    codings = coded.features.codings
    literals = [[c.typed(coding.column) for c in coding.literals] for coding in codings]
    items = list(mined)
    return [
        ClassRule(
            tuple(literals[feature][literal] for feature, literal in items[place]), label,
            tuple(mined.counts[place].tolist()) if exact else None,
        )
        for place, label in zip(chosen.antecedents.tolist(), chosen.labels.tolist(), strict=True)
    ]  # fmt: skip


def _written(number: float | None) -> Fraction | None:
    """Return the fraction that a number is written as."""
    return None if number is None else Fraction(str(number))
