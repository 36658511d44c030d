"""Rows of NumPy arrays: the plain form of what searches over lists ask for."""

from __future__ import annotations

import numpy as np


class ArrayRows:
    """``held``: which antecedents hold in which cell, (cells, antecedents) of booleans.

    ``counts_of``: whole numbers of each class in each cell, (cells, classes).
    """

    def __init__(self, held, counts_of, left=None):
        self.held = np.asarray(held, bool)
        self.counts_of = np.asarray(counts_of, np.int64)
        self.left = np.ones(len(self.held), bool) if left is None else left
        self.counts = tuple(self.counts_of[self.left].sum(axis=0).tolist())

    @property
    def key(self):
        return self.left.tobytes()

    def count(self, antecedent):
        return self.capture(antecedent)[0]

    def capture(self, antecedent):
        captured = self.left & self.held[:, antecedent]
        rest = ArrayRows(self.held, self.counts_of, self.left & ~captured)
        return tuple(self.counts_of[captured].sum(axis=0).tolist()), rest


def random_rows(seed, cells=12, antecedents=4, rows=60):
    """Return rows whose first antecedents say something about the class."""
    rng = np.random.default_rng(seed)
    held = rng.random((cells, antecedents)) < rng.uniform(0.2, 0.6, antecedents)
    share = 1 / (1 + np.exp(-(held @ rng.normal(1, 1.5, antecedents) - 1)))
    total = rng.multinomial(rows, np.full(cells, 1 / cells))
    positives = rng.binomial(total, share)
    return ArrayRows(held, np.stack([total - positives, positives], axis=1))
