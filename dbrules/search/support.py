"""How many rows an antecedent needs to be a candidate."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dbrules.errors import InvalidSetting

#: The setting behind each field.
_SETTINGS: Final = {
    "overall": "min_support",
    "positive": "min_support_positive",
    "negative": "min_support_negative",
    "any_class": "min_support_class",
    "rule": "min_support of a class",
}


@dataclass(frozen=True)
class MinSupport:
    """The least share of the rows, or of the rows of a class, that an antecedent captures.

    ``overall``: of all rows (Letham et al. 2015, Interpretable classifiers using rules and
    Bayesian analysis). ``positive`` and ``negative``: of the rows of class ``positive_class`` and
    of all other rows; where both are given one of them is enough (Chen & Rudin 2018, An
    optimization approach to learning falling rule lists; Yang et al. 2017, Scalable Bayesian rule
    lists). ``any_class``: of the rows of at least one class, whichever. ``rule``: the rows of at
    least one class that it captures, as a share of all rows: that of a rule for the class (Liu,
    Hsu & Ma 1998, Integrating classification and association rule mining); with ``any_class``,
    one class must have both. Where the overall share is given too, it is needed besides. Shares
    are inclusive, from 0 to 1, and meant as they are written: 0.1 is one tenth. An antecedent
    that captures nothing never has enough. Raises InvalidSetting.

    >>> either = MinSupport(positive=0.1, negative=0.1)
    >>> counts = np.array([[899, 9], [900, 9], [0, 10]])
    >>> either.met(counts, np.array([9000, 100])).tolist()
    [False, True, True]
    >>> print(either)
    min_support_positive 0.1 or min_support_negative 0.1
    """

    overall: Fraction | float | None = None
    positive: Fraction | float | None = None
    negative: Fraction | float | None = None
    positive_class: int = 1
    any_class: Fraction | float | None = None
    rule: Fraction | float | None = None

    def __post_init__(self) -> None:
        for name, setting in _SETTINGS.items():
            object.__setattr__(self, name, _share(setting, getattr(self, name)))

    def met(self, counts: NDArray[np.int64], totals: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Say of each entry whether it has enough; shape of ``counts`` without its last axis.

        ``counts``: class counts, shape (..., classes). ``totals``: those of all rows, (classes,).
        """
        captured, of = counts.sum(axis=-1), int(totals.sum())
        enough = np.asarray(captured >= _least(self.overall or Fraction(0), of))
        by_class = np.zeros_like(enough)
        of_any = self.any_class is not None or self.rule is not None
        if self.positive is None and self.negative is None and not of_any:
            return enough
        positives, of_positives = counts[..., self.positive_class], int(totals[self.positive_class])
        if self.positive is not None:
            by_class |= positives >= _least(self.positive, of_positives)
        if self.negative is not None:
            by_class |= captured - positives >= _least(self.negative, of - of_positives)
        if of_any:
            by_class |= (counts >= self.least_of_class(totals)).any(axis=-1)
        return np.asarray(enough & by_class)

    def least_of_class(self, totals: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return how much of each class is enough by ``any_class`` and ``rule``; (classes,)."""
        of_all = _least(self.rule or Fraction(0), int(totals.sum()))
        of_class = [_least(self.any_class or Fraction(0), number) for number in totals.tolist()]
        return np.maximum(np.array(of_class, dtype=np.int64), of_all)

    def __str__(self) -> str:
        texts = {
            name: f"{setting} {float(share):.12g}"
            for name, setting in _SETTINGS.items()
            if (share := getattr(self, name)) is not None
        }
        overall = texts.pop("overall", None)
        if not texts:
            return overall or "min_support 0"
        by_class = " or ".join(texts.values())
        if overall is None:
            return by_class
        return f"{overall} and {by_class}" if len(texts) == 1 else f"{overall} and ({by_class})"


def _share(setting: str, share: object) -> Fraction | None:
    """Return the fraction that a share is written as."""
    if share is None:
        return None
    value = share.item() if isinstance(share, np.generic) else share
    if isinstance(value, (int, float, Decimal, Fraction)) and not isinstance(value, bool):
        exact = Fraction(str(share)) if math.isfinite(value) else Fraction(-1)
        if 0 <= exact <= 1:
            return exact
    raise InvalidSetting(f"{setting} {share!r} is not a share: give a number from 0 to 1")


def _least(share: Fraction | float, total: int) -> int:
    """Return the least count that is ``share`` of ``total``, and at least one."""
    return max(1, math.ceil(share * total))
