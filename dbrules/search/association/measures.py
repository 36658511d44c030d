"""How interesting rules are: measures of the 2 x 2 table of an antecedent and a class."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class RuleTables:
    """The tables of rules ``antecedent => class``, as weights; arrays of shape (n,).

    ``hits``: rows with the antecedent and the class; ``covered``: with the antecedent;
    ``of_class``: with the class; ``total``: all rows. Measures of a rule that covers nothing are
    NaN, but for both supports. Sources: Agrawal and Srikant (1994), Fast algorithms for mining
    association rules, section 1.1 (support, confidence); Brin, Motwani, Ullman and Tsur
    (1997), Dynamic itemset counting and implication rules for market basket data, section 3
    (conviction; lift is its "interest"); Brin, Motwani and Silverstein (1997), Beyond market
    baskets, section 3 (chi-square); Piatetsky-Shapiro (1991) (leverage).

    >>> table = RuleTables(np.array([30.0]), np.array([40.0]), np.array([50.0]), 100.0)
    >>> [float(m[0]) for m in (table.support, table.confidence, table.lift, table.conviction)]
    [0.3, 0.75, 1.5, 2.0]
    """

    hits: NDArray[np.float64]
    covered: NDArray[np.float64]
    of_class: NDArray[np.float64]
    total: float

    @property
    def support(self) -> NDArray[np.float64]:
        """The share of all rows that have the antecedent and the class."""
        return self.hits / self.total

    @property
    def antecedent_support(self) -> NDArray[np.float64]:
        """The share of all rows that have the antecedent."""
        return self.covered / self.total

    @property
    def confidence(self) -> NDArray[np.float64]:
        """The share of the class in the rows that have the antecedent."""
        with np.errstate(invalid="ignore"):
            return self.hits / self.covered

    @property
    def lift(self) -> NDArray[np.float64]:
        """How many times the share of the class in all rows the confidence is."""
        with np.errstate(invalid="ignore"):
            return self.confidence / (self.of_class / self.total)

    @property
    def leverage(self) -> NDArray[np.float64]:
        """By how much the support is above that of an antecedent independent of the class."""
        expected = self.antecedent_support * (self.of_class / self.total)
        return np.where(self.covered > 0, self.support - expected, np.nan)

    @property
    def conviction(self) -> NDArray[np.float64]:
        """How many times more often independence would be wrong; infinite at confidence 1."""
        others = (self.total - self.of_class) / self.total
        with np.errstate(divide="ignore", invalid="ignore"):
            finite = others * (self.covered / (self.covered - self.hits))
        of_none = np.where(self.covered > 0, np.inf, np.nan)
        return np.where(self.covered > self.hits, finite, of_none)

    @property
    def chi_square(self) -> NDArray[np.float64]:
        """Pearson's statistic of the table, 1 degree of freedom; 0 where a margin is empty."""
        margins = [self.covered, self.total - self.covered,
                   self.of_class, self.total - self.of_class]  # fmt: skip
        product = np.prod([margin / self.total for margin in margins], axis=0)
        distance = self.support - self.antecedent_support * (self.of_class / self.total)
        with np.errstate(divide="ignore", invalid="ignore"):
            statistic = self.total * distance**2 / product
        return np.where(self.covered > 0, np.where(product > 0, statistic, 0.0), np.nan)

    @property
    def p(self) -> NDArray[np.float64]:
        """The probability of a statistic at least as large if class and antecedent had no bond."""
        return np.array([math.erfc(math.sqrt(value / 2)) for value in self.chi_square.tolist()])


def tables_of(
    hits: NDArray[np.int64], covered: NDArray[np.int64], of_class: NDArray[np.int64], total: int,
    unit: float = 1.0,
) -> RuleTables:  # fmt: skip
    """Return the tables of counts of which one is ``unit`` of weight."""
    weights = [np.asarray(counts * unit, dtype=np.float64) for counts in (hits, covered, of_class)]
    return RuleTables(weights[0], weights[1], weights[2], total * unit)
