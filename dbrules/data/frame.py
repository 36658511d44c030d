"""What is wrong with a frame: names that clash, cells of no one type."""

from __future__ import annotations

import datetime as dt
import uuid
from decimal import Decimal
from typing import Any

from dbrules.errors import InvalidQuery

_FAMILIES: dict[type, str] = {
    bool: "boolean",
    **dict.fromkeys((int, float, Decimal), "number"),
    **dict.fromkeys((str, uuid.UUID), "text"),
    **dict.fromkeys((dt.date, dt.datetime), "date"),
    **dict.fromkeys((dt.time, dt.timedelta, bytes, bytearray), "other"),
    **dict.fromkeys((list, tuple, dict, set), "nested"),
}


def check_frame(frame: Any, module: str) -> None:
    """Raise InvalidQuery for a frame without columns or with two of one name."""
    names = list(frame.schema.names) if module == "pyarrow" else list(frame.columns)
    folded = [str(name).casefold() for name in names]
    for name in names:
        if folded.count(str(name).casefold()) > 1:
            raise InvalidQuery(
                f"the frame has several columns {str(name)!r}: rename all but one "
                "(upper and lower case count as the same)"
            )
    if not names:
        raise InvalidQuery("the frame has no columns: give one with a target and features")


def odd_columns(frame: Any) -> dict[str, str]:
    """Return the columns of a pandas frame whose objects have no one SQL type, and a name for it.

    DuckDB would write such objects as text: ``1`` and ``'1'`` would become one level, and an
    object of a class its address.
    """
    odd = {}
    for place, name in enumerate(frame.columns):
        column = frame.iloc[:, place]
        if column.dtype != object:
            continue
        # a float among texts is most often their NaN
        kinds = {type(cell) for cell in column if not (isinstance(cell, float) and cell != cell)}
        kinds.discard(type(None))
        families = {_family(kind) for kind in kinds} - {"missing"}
        if len(families) > 1 or "unknown" in families:
            odd[str(name)] = f"MIXED({', '.join(sorted(kind.__name__ for kind in kinds))})"
    return odd


def _family(kind: type) -> str:
    if kind.__name__ in ("NAType", "NaTType"):
        return "missing"
    if kind.__module__ == "numpy":
        numbers = ("int", "uint", "float")
        name = kind.__name__
        known = {"bool": "boolean", "bool_": "boolean", "str_": "text", "ndarray": "nested",
                 "datetime64": "date"}  # fmt: skip
        return "number" if name.startswith(numbers) else known.get(name, "unknown")
    return next((_FAMILIES[base] for base in kind.__mro__ if base in _FAMILIES), "unknown")
