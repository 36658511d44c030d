"""Pearson's chi-square test of independence for a table of counts."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dbrules.data.binning.chi_square_tail import log_tail


@dataclass(frozen=True, slots=True)
class ChiSquare:
    """The test's outcome; ``log_p`` still tells apart what ``p`` rounds to 0."""

    statistic: float
    df: int
    log_p: float

    @property
    def p(self) -> float:
        """The probability of a statistic at least as large under independence."""
        return math.exp(self.log_p)


def chi_square(table: ArrayLike) -> ChiSquare:
    """Test a table of weights, shape (levels, classes), for independence.

    Rows and columns without weight are dropped, and no continuity correction is made. A table
    of fewer than two rows or columns has 0 degrees of freedom and p = 1.
    Source: Pearson (1900), Philosophical Magazine 50.

    >>> test = chi_square([[10, 20], [30, 5]])
    >>> round(test.statistic, 4), test.df, f"{test.p:.3g}"
    (18.7262, 1, '1.51e-05')
    """
    counts = np.asarray(table, dtype=np.float64)
    counts = counts[counts.sum(axis=1) > 0][:, counts.sum(axis=0) > 0]
    df = max(0, counts.shape[0] - 1) * max(0, counts.shape[1] - 1)
    if df == 0:
        return ChiSquare(statistic=0.0, df=0, log_p=0.0)
    rows, columns = counts.sum(axis=1, keepdims=True), counts.sum(axis=0, keepdims=True)
    expected = rows * (columns / counts.sum())
    statistic = float(((counts - expected) ** 2 / expected).sum())
    return ChiSquare(statistic, df, log_tail(statistic, df))
