"""Patterns: the distinct coded rows with their class counts, by one aggregate query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlglot import exp

from dbrules.engine.result import Result
from dbrules.engine.statement import load, settings
from dbrules.errors import InvalidData
from dbrules.statistics.classes import ClassCounts
from dbrules.statistics.codes import Codes, Packing, pack
from dbrules.statistics.counts import class_places
from dbrules.statistics.dataset import Dataset, refuse_bad_weights

#: All counts total at most this and roundings: sums of them are exact in float64.
_MOST_UNITS = 1 << 52
#: Digits after the point that a weight has at most (see ``WEIGHT_TYPE``).
_MOST_DIGITS = 12


@dataclass(frozen=True, eq=False)
class Patterns:
    """Distinct coded rows in lexicographic order, with the count of each class.

    ``codes``: shape (cells, features), uint8 or uint16, each feature contiguous in memory.
    ``counts``: shape (cells, classes), int64, in units of weight. ``unit``: the largest power of
    ten, from 1 down to 1e-12, of which the weight of every cell and class is a multiple; 1
    without weights. Where counts would total more than 2**52 in that unit, it is the finest in
    which they do not, and each weight is rounded to it: sums stay exact as int64 and float64.
    """

    codes: NDArray[np.uint8 | np.uint16]
    counts: NDArray[np.int64]
    unit: Fraction

    @property
    def totals(self) -> NDArray[np.int64]:
        """Count of each class; shape (classes,)."""
        return np.asarray(self.counts.sum(axis=0), dtype=np.int64)


def read_patterns(
    dataset: Dataset,
    codings: Sequence[Codes],
    classes: ClassCounts,
    *,
    max_patterns: int | None = None,
) -> Patterns | None:
    """Return the patterns of the rows that have a class; None where they are too many.

    One statement reads the rows once; at most ``max_patterns`` times the number of classes and
    one more of its rows are fetched. Raises InvalidData where the table changed since the classes
    were counted, and for weights that are bad or too large to count exactly.
    """
    packing = pack([coding.size for coding in codings])
    numbers = packing.expressions(codings, dataset.engine)
    result = fetch_patterns(dataset, numbers, classes, len(codings), max_patterns)
    if result is None:
        return None
    scale = units_per_weight(classes)
    patterns = to_patterns(result, packing, classes, Fraction(1, scale))
    if max_patterns is not None and len(patterns.counts) > max_patterns:
        return None
    zeros = zeros_of(patterns.counts, scale)
    return Patterns(patterns.codes, patterns.counts // zeros, patterns.unit * zeros)


def fetch_patterns(
    dataset: Dataset, codes: Sequence[exp.Expr], classes: ClassCounts, features: int,
    max_patterns: int | None,
) -> Result | None:  # fmt: skip
    """Return the rows of :func:`pattern_statement`, checked; None where they are too many."""
    name, query = pattern_statement(dataset, codes, classes)
    most = None if max_patterns is None else max_patterns * len(classes.rows)
    if most is not None:
        query = exp.select("*").from_(query.subquery("patterns")).limit(most + 1)
    result = dataset.engine.run(name, query, {"features": features})
    if most is not None and len(result["label"]) > most:
        return None
    check_rows(dataset, classes, result)
    return result


def count_patterns(dataset: Dataset, codings: Sequence[Codes]) -> int:
    """Return how many patterns :func:`read_patterns` would return, without fetching them."""
    numbers = pack([coding.size for coding in codings]).expressions(codings, dataset.engine)
    name = "patterns/distinct"
    statement = load(name).bind(
        repeat={"code": len(numbers)}, dataset=_coded_rows(dataset, numbers)
    )
    result = dataset.engine.run(name, statement, {"features": len(codings)})
    return int(result["patterns"][0])


def pattern_statement(
    dataset: Dataset, codes: Sequence[exp.Expr], classes: ClassCounts
) -> tuple[str, exp.Select]:
    """Return the name and the query of the patterns, one column for each of ``codes``.

    It returns ``code_0``, …, ``label`` and ``units``, and with weights ``rows`` and
    ``bad_weights``; a unit is one of ``units_per_weight``.
    """
    relations: dict[str, exp.Query] = {"dataset": _coded_rows(dataset, codes)}
    name = "patterns/patterns_rows"
    if dataset.roles.weight is not None:
        name = "patterns/patterns"
        relations["settings"] = settings({"scale": units_per_weight(classes)})
    return name, load(name).bind(repeat={"code": len(codes)}, **relations)


def units_per_weight(classes: ClassCounts) -> int:
    """Return in how many units a weight of 1 is counted: 1 for whole weights, else 10**12.

    It is a smaller power of ten where the units of all rows would be more than 2**52. Raises
    InvalidData where even whole weights are.
    """
    total = Fraction(float(classes.weights.sum()))
    digits = 0 if classes.whole else _MOST_DIGITS
    while digits and total * 10**digits > _MOST_UNITS:
        digits -= 1
    if total * 10**digits > _MOST_UNITS:
        raise InvalidData(
            f"the weights total {float(total):.3g}, more than 2**52 that are counted exactly: "
            "divide them by a power of ten in the query"
        )
    return int(10**digits)


def check_rows(dataset: Dataset, classes: ClassCounts, result: Mapping[str, Any]) -> None:
    """Raise InvalidData where weights are bad, or the rows of the classes are not as they were."""
    if dataset.roles.weight is not None:
        refuse_bad_weights(dataset.roles.weight, result["bad_weights"])
    place = class_places(result["label"], classes)
    known = place >= 0
    rows = np.asarray(result["rows" if "rows" in result else "units"], dtype=np.int64)
    counted = np.bincount(place[known], rows[known], minlength=len(classes.rows))
    if not np.array_equal(counted, classes.rows) or not known.all():
        raise InvalidData(
            "the table changed while its patterns were counted: "
            "fit from a SELECT, which is read once"
        )


def to_patterns(
    result: Mapping[str, Any], packing: Packing, classes: ClassCounts, unit: Fraction
) -> Patterns:
    """Return what a statement gave, one row a pattern and class in any order, as patterns."""
    columns = range(max(1, len(packing.groups)))
    codes = [np.asarray(result[f"code_{place}"], dtype=np.int64) for place in columns]
    order, new = grouped(codes)
    counts = np.zeros((int(new.sum()), len(classes.rows)), dtype=np.int64)
    label = class_places(result["label"], classes)[order]
    counts[np.cumsum(new) - 1, label] = np.asarray(result["units"], dtype=np.int64)[order]
    return Patterns(packing.unpack([column[order[new]] for column in codes]), counts, unit)


def grouped(keys: Sequence[NDArray[np.int64]]) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Return the lexicographic order of rows by some keys, and where in it a new one begins."""
    order = np.argsort(keys[0], kind="stable") if len(keys) == 1 else np.lexsort(keys[::-1])
    new = np.zeros(len(order), dtype=np.bool_)
    new[:1] = True
    for key in keys:
        ordered = key[order]
        new[1:] |= ordered[1:] != ordered[:-1]
    return order, new


def _coded_rows(dataset: Dataset, codes: Sequence[exp.Expr]) -> exp.Select:
    columns = (exp.alias_(code, f"code_{place}", copy=False) for place, code in enumerate(codes))
    return dataset.project(None).select(*columns, copy=False)  # they can be long


def zeros_of(counts: NDArray[np.int64], scale: int) -> int:
    """Return the largest power of ten up to ``scale`` of which all counts are multiples."""
    shared = int(np.gcd.reduce(counts, axis=None)) if scale > 1 else 1
    power = 1
    while power < scale and shared % (10 * power) == 0:
        power *= 10
    return power
