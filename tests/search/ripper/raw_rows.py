"""Random small tables as raw rows, and the same rows as codes: what judge and search are given."""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dbrules.search.covering.literal import Antecedent, Feature, Literal
from dbrules.statistics.coded_rows import coded
from dbrules.statistics.memory_rows import MemoryRows, MemorySubset
from dbrules.statistics.patterns import Patterns

#: A condition on raw values: the column's place, ``<=``, ``>=`` or ``=``, and the value.
Condition = tuple[int, str, object]
Rule = tuple[Condition, ...]
#: The values of a row, None where missing, and whether it is positive; of one unit of weight.
Row = tuple[tuple[object, ...], bool]

LEVELS = ("p", "q", "r")


@dataclass(frozen=True)
class Table:
    """Rows in canonical order, and the values that each column has, sorted; text is unordered."""

    rows: list[Row]
    values: list[list[object]]

    def is_text(self, column: int) -> bool:
        return isinstance(self.values[column][0], str)

    @property
    def features(self) -> tuple[Feature, ...]:
        return tuple(
            Feature(len(values) + 1, 0 if self.is_text(column) else len(values))
            for column, values in enumerate(self.values)
        )

    def subset(self) -> MemorySubset:
        """Return the rows as codes, those that are alike counted together."""
        codes = [
            [len(known) if value is None else known.index(value)
             for value, known in zip(values, self.values, strict=True)]
            for values, _ in self.rows
        ]  # fmt: skip
        distinct, place = np.unique(np.array(codes), axis=0, return_inverse=True)
        counts = np.zeros((len(distinct), 2), dtype=np.int64)
        np.add.at(counts, (place.ravel(), [int(not positive) for _, positive in self.rows]), 1)
        patterns = Patterns(np.asfortranarray(distinct.astype(np.uint8)), counts, Fraction(1))
        return MemoryRows(coded(patterns, self.features), counts).against(0)

    def rule(self, antecedent: Antecedent) -> Rule:
        """Return the conditions on raw values that an antecedent of codes stands for."""
        return tuple(self._condition(literal) for literal in antecedent)

    def _condition(self, literal: Literal) -> Condition:
        column, first, end = literal
        values = self.values[column]
        if self.is_text(column):
            assert end == first + 1
            return column, "=", values[first]
        assert (first == 0) != (end == len(values))
        return (column, "<=", values[end - 1]) if first == 0 else (column, ">=", values[first])


def random_table(seed: int, rows: int = 70, weights: int = 1) -> Table:
    """Return rows of two numbers with ties and a text, with gaps, that mostly follow two rules.

    Each row is there 1 to ``weights`` times.
    """
    rng = random.Random(f"raw {seed}")
    noise = rng.choice([0.0, 0.1, 0.3])
    found: list[Row] = []
    for _ in range(rows):
        values: tuple[object, ...] = (
            None if rng.random() < 0.1 else rng.randrange(rng.choice([4, 12])),
            None if rng.random() < 0.1 else rng.randrange(-3, 6) / 4,
            None if rng.random() < 0.15 else rng.choice(LEVELS),
        )
        a, b, s = values
        positive = (a is not None and 3 <= a <= 8 and s == "q") or (b is not None and b > 0.75)
        if rng.random() < noise:
            positive = rng.random() < 0.4
        found += [(values, positive)] * rng.randint(1, weights)
    known = [sorted({row[0][c] for row in found} - {None}) for c in range(3)]
    return Table(sorted(found, key=canonical), known)


def canonical(row: Row) -> list[tuple[bool, object]]:
    """Return the key of the order in which rows are drawn: by value, missing last."""
    return [(value is None, 0 if value is None else value) for value in row[0]]
