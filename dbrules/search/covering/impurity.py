"""How mixed the classes of rows are: what decision trees are grown by."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray


def gini(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the rows times their Gini index; ``counts`` of shape (classes, splits).

    Breiman, Friedman, Olshen and Stone (1984), Classification and regression trees, section 4.3.

    >>> gini(np.array([[2, 3], [2, 0]]))
    array([2., 0.])
    """
    total = counts.sum(axis=0)
    squares = (counts.astype(np.float64) ** 2).sum(axis=0)
    return np.asarray(total - squares / np.maximum(total, 1), dtype=np.float64)


def error(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the rows that are not of the most frequent class; ``counts`` (classes, splits).

    Breiman et al. (1984), section 4.1 (the resubstitution estimate).

    >>> error(np.array([[2, 3], [2, 0]]))
    array([2., 0.])
    """
    return np.asarray(counts.sum(axis=0) - counts.max(axis=0), dtype=np.float64)


#: The impurities by the name that the setting ``impurity`` gives.
IMPURITIES: Final[dict[str, Callable[[NDArray[np.int64]], NDArray[np.float64]]]] = {
    "gini": gini,
    "error": error,
}
