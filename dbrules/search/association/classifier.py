"""A list of class association rules: those that are right of rows which no rule before covers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from dbrules.search.antecedents import Antecedent
from dbrules.search.association.uncovered import Uncovered
from dbrules.search.budget import Budget


def covering_rules(
    rows: Uncovered,
    antecedents: Sequence[Antecedent],
    labels: Sequence[int],
    budget: Budget,
    most: int | None = None,
) -> list[int]:
    """Return the places of the rules of a classifier, at most so many; rules come best first.

    A rule is taken where it is right of a row that no rule taken before covers (Liu, Hsu and Ma
    1998, Integrating classification and association rule mining, KDD, figure 3, CBA-CB M1, lines
    2 to 10).
    """
    taken: list[int] = []
    for start in range(0, len(labels), rows.batch):
        batch = slice(start, start + rows.batch)
        if (most is not None and len(taken) >= most) or not budget.spend(rows.batch):
            break
        places, rows = rows.taking(antecedents[batch], labels[batch])
        taken += [start + place for place in places]
        budget.tell(partial(_progress, len(taken), min(batch.stop, len(labels))))
    return taken[:most]


def least_errors(captured: NDArray[np.int64], labels: Sequence[int]) -> int:
    """Return the length at which a list makes the fewest errors, the shortest of equal ones.

    ``captured``: units that each rule and, last, the default captures, shape (rules + 1, classes),
    of one rule at least; ``labels``: what the rules answer. The default after a rule answers the
    most frequent class of what is left (Liu, Hsu and Ma 1998, figure 3, lines 11 to 16).

    >>> least_errors(np.array([[5, 0], [1, 2], [0, 3]]), [0, 0])
    1
    """
    rules = captured[:-1]
    wrong = rules.sum(axis=1) - rules[np.arange(len(rules)), np.asarray(labels, dtype=np.intp)]
    left = np.cumsum(captured[:0:-1], axis=0)[::-1]
    errors = np.cumsum(wrong) + left.sum(axis=1) - left.max(axis=1)
    return int(np.argmin(errors)) + 1


def _progress(taken: int, asked: int) -> str:
    return f"covering: {taken} of {asked} rules taken"
