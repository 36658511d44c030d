"""Patterns of codes where ordered columns have a code a value: coded here, grouped there."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dbrules.data.coding import Coding
from dbrules.data.scale import Scale
from dbrules.engine.result import Result
from dbrules.statistics.classes import ClassCounts
from dbrules.statistics.codes import Codes, code_dtype, pack
from dbrules.statistics.counts import class_places
from dbrules.statistics.dataset import Dataset
from dbrules.statistics.patterns import (
    Patterns,
    fetch_patterns,
    grouped,
    units_per_weight,
    zeros_of,
)
from dbrules.statistics.scale_code import FEW


def read_coded_patterns(
    dataset: Dataset, codings: Sequence[Codes], classes: ClassCounts,
    *, max_patterns: int | None = None,
) -> Patterns | None:  # fmt: skip
    """Return the patterns of the rows that have a class; None where they are too many.

    One statement groups the rows by few levels, as codes, and by many levels and the values of
    ordered columns, as they are: a CASE of 1000 branches would cost more than the groups. At most
    ``max_patterns`` times the number of classes and one more are fetched. Raises InvalidData as
    ``read_patterns`` does.
    """
    by_name = [coding for coding in codings if _is_fetched(coding)]
    cases = [c for c in codings if isinstance(c, Coding) and not _is_fetched(c)]
    packing = pack([coding.size for coding in cases])
    numbers = packing.expressions(cases, dataset.engine)
    raw = [dataset.engine.encode(coding.column) for coding in by_name]
    result = fetch_patterns(dataset, [*numbers, *raw], classes, len(codings), max_patterns)
    if result is None:
        return None
    first = [np.asarray(result[f"code_{place}"], np.int64) for place in range(len(numbers))]
    by_case = iter(packing.unpack(first).T)
    by_value = iter(
        _coded(result[f"code_{place}"], coding, dataset)
        for place, coding in enumerate(by_name, start=len(numbers))
    )
    codes = [next(by_value) if _is_fetched(c) else next(by_case) for c in codings]
    patterns = _patterns(result, codes, [coding.size for coding in codings], classes)
    too_many = max_patterns is not None and len(patterns.counts) > max_patterns
    return None if too_many else patterns


def _is_fetched(coding: Codes) -> bool:
    """Return whether values are fetched as they are, and not as codes."""
    if isinstance(coding, Scale):
        return True
    return len(coding.cells) > FEW and not coding.column.type.is_ordered


def _coded(cells: Any, coding: Codes, dataset: Dataset) -> NDArray[np.int64]:
    """Return the codes of fetched cells."""
    absent = np.ma.getmaskarray(cells)
    codes = np.full(len(absent), _absent(coding), dtype=np.int64)
    values = dataset.engine.decoder(coding.column)(np.ma.getdata(cells)[~absent])
    if isinstance(coding, Scale):
        codes[~absent] = coding.codes(values)
        return codes
    level = {cell.value: code for code, cell in enumerate(coding.cells)}
    last = len(coding.cells)
    found = (level.get(value, last) for value in values.tolist())
    codes[~absent] = np.fromiter(found, np.int64, len(values))
    return codes


def _absent(coding: Codes) -> int:
    return coding.absent if isinstance(coding, Scale) else coding.code(None)


def _patterns(
    result: Result, codes: Sequence[NDArray[Any]], sizes: Sequence[int], classes: ClassCounts
) -> Patterns:
    """Add up what has the same codes; patterns stand in lexicographic order."""
    packing = pack(sizes)
    keys = []
    for group in packing.groups or [()]:
        key = np.zeros(len(result["label"]), dtype=np.int64)
        for feature in group:
            key *= sizes[feature]
            key += codes[feature]
        keys.append(key)
    order, new = grouped(keys)
    first, k = order[new], len(classes.rows)
    label = class_places(result["label"], classes)[order]
    place = (np.cumsum(new) - 1) * k + label
    units = np.asarray(result["units"], dtype=np.int64)[order]
    # sums of less than 2**53 are exact as doubles
    counts = np.bincount(place, units, len(first) * k).astype(np.int64).reshape(-1, k)
    dtype = code_dtype(sizes)
    kept = np.empty((len(sizes), len(first)), dtype=dtype)
    for feature, of_feature in enumerate(codes):
        kept[feature] = of_feature[first]
    scale = units_per_weight(classes)
    zeros = zeros_of(counts, scale)
    return Patterns(kept.T, counts // zeros, Fraction(zeros, scale))
