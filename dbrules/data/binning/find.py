"""Cut points of an ordered column, from its value x class counts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dbrules.data.binning.chimerge import chimerge
from dbrules.data.binning.holte import one_r
from dbrules.data.binning.mdlp import mdlp
from dbrules.data.binning.own_cuts import check_cuts
from dbrules.data.binning.placement import place_between, place_near
from dbrules.data.binning.quantile import quantile_places
from dbrules.data.binning.spec import Bins
from dbrules.data.binning.tree import tree
from dbrules.data.binning.width import equal_width
from dbrules.data.ordinal import Ordinal, to_ordinal
from dbrules.errors import ColumnTypeError
from dbrules.language.column import ColumnType, Value

#: Cuts of equal width and of quantiles move at most this share of the range, to be short.
_CLEANING = Fraction(1, 1_000_000)


def find_cuts(
    bins: Bins, values: NDArray[Any], counts: NDArray[Any], column_type: ColumnType
) -> tuple[Value, ...]:
    """Return the cuts of one column: typed values, strictly increasing.

    ``values`` are strictly increasing ordinals (see :mod:`dbrules.data.ordinal`), shape (n,),
    without NaN; ``counts`` weights of at least 0, shape (n, classes). Each cut parts the data
    (values without weight are no data); only the user's own cuts are taken as they are.
    Raises ColumnTypeError for a column without order or own cuts that do not fit its type, and
    InvalidSetting for own cuts that do not increase.

    >>> counts = np.repeat([[9, 0], [0, 9]], 3, axis=0)
    >>> find_cuts(Bins(), np.array([1, 2, 3, 11, 12, 13]), counts, ColumnType("INTEGER"))
    (7,)
    """
    if not column_type.is_ordered:
        raise ColumnTypeError(
            f"bins need an ordered column, not {column_type.name}: leave its bins setting out"
        )
    if bins.method == "cuts":
        return _own_cuts(bins, column_type)
    present = counts.any(axis=1)
    values, weights = values[present], counts.compress(present, axis=0).astype(np.float64)
    if len(values) < 2:
        return ()
    if bins.method in ("width", "quantile"):
        cuts: Iterable[Value | None] = _given_places(bins, values, weights, column_type)
    else:
        cuts = (
            place_between(_item(values[i - 1]), _item(values[i]), bins.closed, column_type)
            for i in _learned_splits(bins, weights)
        )
    return tuple(cut for cut in cuts if cut is not None)


def assign(values: ArrayLike, cuts: Sequence[Ordinal], closed: str) -> NDArray[np.intp]:
    """Return the bin (0 .. len(cuts)) of every ordinal; ``cuts`` are ordinals, increasing.

    >>> assign([4, 5, 6], [5], "left").tolist(), assign([4, 5, 6], [5], "right").tolist()
    ([0, 1, 1], [0, 0, 1])
    """
    array = np.asarray(values)
    edges: list[Any] = list(cuts)
    if array.dtype.kind in "iu":
        # on integers x < 27.2 is x < 28, and x <= 27.2 is x <= 27
        edges = [math.ceil(cut) if closed == "left" else math.floor(cut) for cut in edges]
        limits = np.iinfo(array.dtype)
        if edges and not (limits.min <= edges[0] and edges[-1] <= limits.max):
            array = array.astype(object)
    known = np.array(edges, dtype=array.dtype)
    if closed == "left":
        return np.searchsorted(known, array, side="right")
    return np.searchsorted(known, array, side="left")


def left_of(
    cuts: Sequence[Value], values: NDArray[Any], closed: str, column_type: ColumnType
) -> list[int]:
    """Return how many of ``values``, increasing ordinals, fall left of each of ``cuts``."""
    bins = assign(values, [to_ordinal(cut, column_type) for cut in cuts], closed)
    return [int(place) for place in np.searchsorted(bins, np.arange(len(cuts)), side="right")]


def _learned_splits(bins: Bins, weights: NDArray[np.float64]) -> list[int]:
    if bins.method == "mdlp":
        return mdlp(weights)
    if bins.method == "one_r":
        return one_r(weights, bins.min_bucket)
    if bins.method == "tree":
        assert bins.k is not None
        return sorted(tree(weights, bins.k, bins.min_bucket))
    return chimerge(weights, bins.k)


def _given_places(
    bins: Bins, values: NDArray[Any], weights: NDArray[np.float64], column_type: ColumnType
) -> list[Value | None]:
    """Place cuts of equal width or quantiles; those that part the data alike collapse."""
    finite = values if values.dtype == object else values[np.isfinite(values)]
    if len(finite) == 0:
        return []
    assert bins.k is not None
    lowest, highest = (_written(_item(finite[i]), column_type) for i in (0, -1))
    goals: list[Fraction | float]
    if bins.method == "width":
        goals = list(equal_width(lowest, highest, bins.k))
    else:
        goals = [
            _between(_item(values[below]), _item(values[above]), share, column_type)
            for below, above, share in quantile_places(weights.sum(axis=1), bins.k)
        ]
    cuts: dict[int, Value | None] = {}
    for goal in goals:
        right = _count_left(values, goal, bins.closed, column_type)
        if right in cuts or not 0 < right < len(values):
            continue
        low, high = _item(values[right - 1]), _item(values[right])
        if isinstance(goal, Fraction):
            reach = (highest - lowest) * _CLEANING
            cuts[right] = place_near(goal, reach, low, high, bins.closed, column_type)
        else:
            cuts[right] = place_between(low, high, bins.closed, column_type)
    return list(cuts.values())


def _count_left(
    values: NDArray[Any], goal: Fraction | float, closed: str, column_type: ColumnType
) -> int:
    """Return how many values fall left of a cut at ``goal``."""
    if column_type.is_float:
        edge: int | float = float(goal)
    else:
        edge = math.ceil(goal) if closed == "left" else math.floor(goal)
    key = np.array([edge], dtype=values.dtype)
    if closed == "left":
        return int(np.searchsorted(values, key, side="left")[0])
    return int(np.searchsorted(values, key, side="right")[0])


def _between(
    low: int | float, high: int | float, share: Fraction, column_type: ColumnType
) -> Fraction | float:
    """Return the point ``share`` of the way up; infinite where one of the two is.

    Between -inf and inf lies no point: it is inf, which parts the two in ``[lower, upper)``.
    """
    if low == high or share == 0:
        share = Fraction(0)
    elif high == math.inf:
        return math.inf
    if low == -math.inf or low == math.inf:
        return low
    lower = _written(low, column_type)
    return lower + (_written(high, column_type) - lower) * share if share else lower


def _written(ordinal: int | float, column_type: ColumnType) -> Fraction:
    """Return the decimal number that ``ordinal`` is written as: 0.1 is a tenth.

    Sums of such numbers are free of the noise that sums of floats have.
    """
    if column_type.kind == "real":
        return Fraction(str(np.float32(ordinal)))
    return Fraction(repr(ordinal)) if isinstance(ordinal, float) else Fraction(ordinal)


def _item(value: Any) -> Any:
    """Turn a NumPy scalar into Python's number."""
    return value.item() if isinstance(value, np.generic) else value


def _own_cuts(bins: Bins, column_type: ColumnType) -> tuple[Value, ...]:
    cuts = tuple(column_type.coerce(cut) for cut in bins.cuts)
    check_cuts(cuts)
    return tuple(cut for cut in cuts if cut is not None)
