"""Rows in memory: however codes are kept, the counts are the same."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest
from subset_walks import walk

from dbrules.search.covering.literal import Feature
from dbrules.statistics.coded_rows import coded
from dbrules.statistics.memory_rows import MemoryRows
from dbrules.statistics.patterns import Patterns

FEATURES = (Feature(6, 5), Feature(4), Feature(9, 7))


def rows_of(seed, whole):
    """Return rows of three classes; ``whole``: one row a pattern, as where all are distinct."""
    rng = np.random.default_rng(seed)
    codes = np.unique(
        np.stack([rng.integers(0, f.size, 150) for f in FEATURES], axis=1).astype(np.uint8), axis=0
    )
    counts = rng.integers(0, 4, (len(codes), 3))
    if whole:
        counts = np.eye(3, dtype=np.int64)[rng.integers(0, 3, len(codes))]
    patterns = Patterns(codes, counts, Fraction(1))
    return MemoryRows(coded(patterns, FEATURES), patterns.counts)


@pytest.mark.parametrize(
    ("constant", "value"),
    [("coded_rows._PLACES", 0), ("coded_rows._MANY", 0), ("coded_rows._SHARE", 10**6),
     ("coded_rows._MASKS", 0), ("first_match._BYTES", 0)],
)  # fmt: skip
@pytest.mark.parametrize("whole", [False, True])
def test_no_way_of_keeping_codes_changes_a_count(monkeypatch, constant, value, whole):
    for seed in range(4):
        plain = rows_of(seed, whole)
        for positive in range(3):
            monkeypatch.undo()
            subset = plain.against(positive)
            with monkeypatch.context() as patched:
                patched.setattr(f"dbrules.statistics.{constant}", value)
                other = rows_of(seed, whole).against(positive)
                for _ in range(3):
                    walk(subset, other, random.Random(seed), 3)
