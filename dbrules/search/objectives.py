"""The loss of falling rule lists, hard and soft (Chen & Rudin 2018, sections 2 and 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

Counts = Sequence[tuple[int, int]]


@dataclass(frozen=True)
class FallingObjective:
    """L(d) = R(d) + C m, and for soft lists C1 times what proportions rise.

    ``weight``: w, what a missed positive costs where a false alarm costs 1. ``rule_cost``: C of
    each of the m rules. ``soft_penalty``: C1, None where proportions must fall. ``positives`` and
    ``negatives``: of all rows, in units of weight. A rule answers the positive class where
    w n+ > n-, which is compared on whole numbers; R(d) is the weight of wrong answers over n.

    >>> objective = FallingObjective(Fraction(3), Fraction(1, 100), None, 10, 10)
    >>> objective.loss([(8, 2), (2, 8)])
    Fraction(41, 100)
    """

    weight: Fraction
    rule_cost: Fraction
    soft_penalty: Fraction | None
    positives: int
    negatives: int

    @classmethod
    def of(
        cls, weight: float, rule_cost: float, soft_penalty: float | None,
        positives: int, negatives: int,
    ) -> FallingObjective:  # fmt: skip
        """Return the objective of settings, which mean the decimals that they are written as.

        >>> FallingObjective.of(3, 0.1, None, 10, 10).rule_cost
        Fraction(1, 10)
        """
        penalty = None if soft_penalty is None else Fraction(str(soft_penalty))
        return cls(Fraction(str(weight)), Fraction(str(rule_cost)), penalty, positives, negatives)

    @property
    def rows(self) -> int:
        """The number of rows n, in units of weight."""
        return self.positives + self.negatives

    def answers_positive(self, positives: int, negatives: int) -> bool:
        """Say whether a rule with these counts answers the positive class: w n+ > n-."""
        return self.weight.numerator * positives > self.weight.denominator * negatives

    def errors(self, counts: Counts) -> Fraction:
        """Return the weighted errors of a list, n R(d); ``counts``: of each rule and the else."""
        wrong = Fraction(0)
        for positives, negatives in counts:
            positive = self.answers_positive(positives, negatives)
            wrong += negatives if positive else self.weight * positives
        return wrong

    def loss(self, counts: Counts) -> Fraction:
        """Return L(d), and the soft penalty where there is one."""
        loss = self.errors(counts) / self.rows + self.rule_cost * (len(counts) - 1)
        if self.soft_penalty is not None:
            loss += self.soft_penalty * rises(counts)
        return loss

    def permits(self, counts: Counts) -> bool:
        """Say whether the proportions of rules and else fall, or need not."""
        return self.soft_penalty is not None or not rises(counts)


def rises(counts: Counts) -> Fraction:
    """Return how far proportions rise above the least before them, over all rules and the else.

    What captures nothing has no proportion and rises nowhere.

    >>> rises([(1, 1), (1, 3), (1, 1)])
    Fraction(1, 4)
    """
    least, total = Fraction(1), Fraction(0)
    for positives, negatives in counts:
        if positives + negatives:
            share = Fraction(positives, positives + negatives)
            total += max(Fraction(0), share - least)
            least = min(least, share)
    return total
