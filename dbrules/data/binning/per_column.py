"""The ``bins`` setting of a fit: one form for all columns, or one for each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from dbrules.data.binning.spec import Bins
from dbrules.data.roles import find_column
from dbrules.errors import ColumnTypeError
from dbrules.language.column import Column


def bins_of(setting: Any, column: Column) -> Bins | None:
    """Return how a column is cut, None where the setting does not say.

    A mapping gives the column's own form, by its name or without regard to case, else that of
    ``"*"``; anything else is the form of all columns.

    >>> from dbrules.language.column import ColumnType
    >>> age = Column("Age", ColumnType("INTEGER"))
    >>> bins_of({"*": "width:5", "age": [18, 30]}, age)
    Bins(method='cuts', k=None, closed='left', cuts=(18, 30), min_bucket=6)
    >>> bins_of(None, age) is None
    True
    """
    if isinstance(setting, Mapping):
        folded = {name.casefold(): name for name in setting}
        name = column.name if column.name in setting else folded.get(column.name.casefold(), "*")
        setting = setting.get(name)
    return None if setting is None else Bins.parse(setting)


def check_bins(setting: Any, columns: Iterable[Column]) -> None:
    """Raise UnknownColumn or ColumnTypeError for a column that is not there or has no order."""
    if not isinstance(setting, Mapping):
        return
    known = tuple(columns)
    for name in setting:
        if name == "*":
            continue
        column = find_column(known, name, "bins")
        if not column.type.is_ordered:
            raise ColumnTypeError(
                f"bins: column {column.name!r} is of type {column.type.name} and has no "
                "order to cut: leave it out of bins"
            )
