"""What a statement returns: columns of cells."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

#: A result by column name: masked arrays where a cell may be NULL, else plain arrays.
Result = dict[str, NDArray[Any] | np.ma.MaskedArray[Any, Any]]


def plain(cells: Any) -> list[Any]:
    """Return a column as Python values with None for NULL.

    >>> plain(np.ma.MaskedArray([1, 2], mask=[False, True]))
    [1, None]
    """
    mask = np.ma.getmaskarray(cells)
    data = np.ma.getdata(cells).tolist()
    return [None if absent else cell for cell, absent in zip(data, mask.tolist(), strict=True)]
