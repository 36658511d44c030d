"""A list counted from a neighbour has the counts of one that is counted from the start."""

from __future__ import annotations

import random

import numpy as np
import pytest
from array_rows import ArrayRows, random_rows
from falling_judge import every_list, pairs_of

from dbrules.search.bayes.falling_counts import CountedList, Scale, best_fit, count_list, recount

SCALE = Scale(1, 0.5)


class Watched(ArrayRows):
    captures = 0

    def capture(self, antecedent):
        Watched.captures += 1
        counts, rest = super().capture(antecedent)
        return counts, Watched(rest.held, rest.counts_of, rest.left)


def counted(rows, antecedents):
    return count_list(CountedList.empty(rows, SCALE), antecedents, SCALE)


@pytest.mark.parametrize("seed", range(3))
def test_lists_are_counted_alike_from_any_other(seed):
    rows = random_rows(seed, cells=6)
    lists = every_list(4)
    for antecedents in lists:
        base = counted(rows, antecedents)
        assert base.pairs == pairs_of(rows, antecedents, 1, 0.5)
        for other in random.Random(seed).sample(lists, 15):
            found = count_list(base, other, SCALE)
            exact = counted(rows, other)
            assert (found.antecedents, found.pairs) == (other, exact.pairs)
            assert found.fits == pytest.approx(exact.fits)
            assert [left.key for left in found.left] == [left.key for left in exact.left]


def test_only_what_changed_is_counted():
    rows = random_rows(1, cells=40, antecedents=9)
    base = counted(Watched(rows.held, rows.counts_of), (0, 1, 2, 3, 4, 5))
    for other, captures in [
        ((0, 1, 2, 3, 4, 5), 0),
        ((0, 1, 2, 3, 4), 0),
        ((0, 1, 2, 3, 4, 5, 6), 1),
        ((0, 1, 3, 2, 4, 5), 2),
        ((1, 0, 2, 3, 4, 5), 2),
        ((0, 1, 2, 4, 3, 5), 2),
    ]:
        Watched.captures = 0
        count_list(base, other, SCALE)
        assert Watched.captures == captures, other


def test_counting_stops_where_there_is_no_hope():
    rows = random_rows(1, cells=40, antecedents=9, rows=500)
    base = counted(Watched(rows.held, rows.counts_of), (0, 1, 2, 3))
    exact = counted(rows, (0, 4, 2, 3))
    fits = [0.0, *np.cumsum([best_fit(*pair) for pair in exact.pairs[:-1]])]
    assert exact.fits == pytest.approx(fits)
    assert max(np.diff(fits)) < -1
    for place in (2, 3, 4):
        Watched.captures = 0
        assert recount(base, (0, 4, 2, 3), SCALE, fits[place] + 1e-9) is None
        assert Watched.captures == place - 1
    assert recount(base, (0, 4, 2, 3), SCALE, fits[-1] - 1e-9) is not None


def test_any_place_can_be_that_of_the_positives():
    assert [Scale(place).pair((2, 3, 4)) for place in range(3)] == [(2, 7), (3, 6), (4, 5)]
