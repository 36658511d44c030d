"""A sample of the rows as patterns, for a search where all patterns are too many.

Which rows? No engine numbers them, and a hash of the content puts all equal rows on one side:
patterns would be kept or lost whole, and with a large one the class shares of the sample would
leap. So the rows of a class are lined up in the order of a seeded hash of their codes, equal rows
side by side, and every n-th unit of weight is taken, as in the validation split (and by its
statement). A pattern of weight w gives w / n units, rounded up or down: large patterns keep their
share, small ones are kept with a probability of w / n, and classes keep their shares to one unit.
It is a systematic sample with probability proportional to size (Madow 1949, Annals of Mathematical
Statistics 20) of the distinct pairs of pattern and class, and equally one of rows. md5 and sums of
decimals make it the same for every engine, thread count and row order.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sqlglot import exp

from dbrules.engine.statement import load, settings
from dbrules.statistics.classes import ClassCounts
from dbrules.statistics.codes import Codes, pack
from dbrules.statistics.dataset import WEIGHT_TYPE, Dataset
from dbrules.statistics.kept import KeptPatterns, keep_patterns
from dbrules.statistics.patterns import Patterns, to_patterns
from dbrules.statistics.row_key import row_key


@dataclass(frozen=True, eq=False)
class Sample:
    """Patterns of a sample; ``step``: one unit of weight in so many was taken.

    The counts are ``step`` times what was taken: they estimate those of all rows, on which a list
    that was found here is counted in the end.
    """

    patterns: Patterns
    step: int


def sample_patterns(
    dataset: Dataset,
    codings: Sequence[Codes],
    classes: ClassCounts,
    *,
    max_patterns: int,
    seed: int,
) -> Sample:
    """Return a sample of at most ``max_patterns`` patterns (two a class, where that is more).

    All rows are coded and read once, into a temporary table of patterns that is dropped again.
    A class of less weight than ``step`` may have no row in it. Raises InvalidData as
    :func:`read_patterns` does.
    """
    packing = pack([coding.size for coding in codings])
    numbers = packing.expressions(codings, dataset.engine)
    with keep_patterns(dataset, numbers, classes) as kept:
        total, k = int(kept.totals.sum()), len(classes.rows)
        # a class gives at most one unit more than its share
        step = -(-total // max(k, max_patterns - k))
        query = _taken(kept, len(numbers), step, seed)
        result = dataset.engine.run("split/held_out", query, {"step": step, "seed": seed})
    patterns = to_patterns(result, packing, classes, kept.unit)
    counts = patterns.counts * np.int64(step)
    return Sample(Patterns(patterns.codes, counts, kept.unit), step)


def _taken(kept: KeptPatterns, columns: int, step: int, seed: int) -> exp.Select:
    """Return ``code_0``, …, ``label`` and the ``units`` taken, where there are any."""
    codes = [exp.column(f"code_{place}") for place in range(columns)]
    units = exp.cast(exp.column("units"), WEIGHT_TYPE)
    rows = (
        exp.select(*codes, "label")
        .select(
            exp.alias_(row_key((code.copy() for code in codes), seed), "row_key"),
            exp.alias_(units, "weight"),
            exp.alias_(units.copy(), "units"),
        )
        .from_(kept.table.copy())
        .where(exp.GT(this=exp.column("units"), expression=exp.Literal.number(0)))
    )
    split = load("split/held_out").bind(
        dataset=rows,
        settings=settings(
            {"fraction": 1 / (step * kept.zeros), "start": random.Random(seed).random()}
        ),
    )
    whole = exp.Floor(this=exp.Add(this=exp.column("held_out"), expression=exp.Literal.number(0.5)))
    taken = exp.GT(this=exp.column("held_out"), expression=exp.Literal.number(0))
    return (
        exp.select(*(code.copy() for code in codes), "label")
        .select(exp.alias_(exp.cast(whole, "BIGINT"), "units"))
        .from_(split.subquery("divided"))
        .where(taken)
    )
