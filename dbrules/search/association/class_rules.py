"""Class association rules: which antecedents imply which classes, and in what order."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dbrules.search.antecedents import Antecedents
from dbrules.search.association.measures import tables_of
from dbrules.search.association.redundancy import best_general
from dbrules.search.association.shares import at_least, ranks
from dbrules.search.support import MinSupport


@dataclass(frozen=True)
class Interest:
    """What a rule must have: ``None`` asks for nothing.

    ``support``: the rows of its class that it covers. ``confidence``, ``lift``, ``conviction``:
    the least, inclusive, as they are written. ``significance``: the largest p-value of the
    chi-square test of independence.
    """

    support: MinSupport
    confidence: Fraction | None = None
    lift: Fraction | None = None
    conviction: Fraction | None = None
    significance: float | None = None

    def least_confidence(self, of_class: int, total: int) -> Fraction:
        """Return the confidence that confidence, lift and conviction ask of a rule for a class.

        For one class, each of the three grows with the other two.
        """
        share, least = Fraction(of_class, total), [Fraction(0)]
        if self.confidence is not None:
            least.append(self.confidence)
        if self.lift is not None:
            least.append(self.lift * share)
        if self.conviction:
            least.append(1 - (1 - share) / self.conviction)
        return max(least)


@dataclass(frozen=True, eq=False)
class ClassRules:
    """Rules ``antecedent => class`` in order of precedence; arrays of shape (n,).

    ``antecedents``: places among those mined; ``labels``: places of classes; ``hits``: units of
    the class that a rule covers; ``covered``: of all classes.
    """

    antecedents: NDArray[np.int64]
    labels: NDArray[np.int64]
    hits: NDArray[np.int64]
    covered: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.antecedents)

    def where(self, chosen: NDArray[np.bool_] | NDArray[np.intp]) -> ClassRules:
        """Return some of the rules."""
        return ClassRules(
            self.antecedents[chosen], self.labels[chosen], self.hits[chosen], self.covered[chosen]
        )

    def first_of_antecedents(self) -> ClassRules:
        """Return of the rules with the same antecedent the first."""
        return self.where(np.sort(np.unique(self.antecedents, return_index=True)[1]))


def find_rules(
    mined: Antecedents, totals: NDArray[np.int64], interest: Interest, unit: float = 1.0
) -> ClassRules:
    """Return all rules of interest, in order of precedence.

    ``totals``: units of each class in all rows; ``unit``: the weight of one. The order is that of
    Liu, Hsu and Ma (1998), Integrating classification and association rule mining, KDD, section
    3.2: higher confidence (as fractions), then higher support, then, where they leave it to
    chance, fewer conditions, then the canonical order of antecedents and the larger class.
    """
    total, least = int(totals.sum()), interest.support.least_of_class(totals)
    parts: list[tuple[NDArray[np.intp], int]] = []
    sums = mined.counts.sum(axis=1)
    for label, of_class in enumerate(totals.tolist()):
        chosen = np.flatnonzero(mined.counts[:, label] >= least[label])
        share = interest.least_confidence(of_class, total)
        enough = at_least(mined.counts[chosen, label], sums[chosen], share)
        parts.append((chosen[enough], label))
    antecedents = np.concatenate([chosen for chosen, _ in parts])
    labels = np.concatenate([np.full(len(chosen), label) for chosen, label in parts])
    rules = ClassRules(antecedents, labels, mined.counts[antecedents, labels], sums[antecedents])
    if interest.significance is not None:
        tables = tables_of(rules.hits, rules.covered, totals[labels], total, unit)
        rules = rules.where(tables.p <= interest.significance)
    rank = ranks(rules.hits, rules.covered)
    larger = np.argsort(np.argsort(-totals, kind="stable"))[rules.labels]
    lengths = mined.lengths[rules.antecedents]
    return rules.where(np.lexsort((larger, rules.antecedents, lengths, -rules.hits, -rank)))


def without_redundant(rules: ClassRules, mined: Antecedents) -> ClassRules:
    """Return the rules of which none that is more general has at least the same confidence.

    More general is a rule for the same class whose conditions are some of its own.
    """
    rank = ranks(rules.hits, rules.covered)
    table = np.zeros(mined.counts.shape, dtype=np.int64)
    table[rules.antecedents, rules.labels] = rank
    return rules.where(best_general(mined, table)[rules.antecedents, rules.labels] < rank)
