"""Every group is answered once, by a grid that contains it and is small enough."""

from __future__ import annotations

import itertools
import math

from hypothesis import given
from hypothesis import strategies as st

from dbrules.statistics.cover import cover


@given(st.data())
def test_a_cover_answers_each_group_once(data):
    sizes = data.draw(st.lists(st.integers(1, 9), max_size=7))
    features = st.sampled_from(range(len(sizes))) if sizes else st.nothing()
    group = st.lists(features, unique=True, max_size=min(4, len(sizes))).map(tuple)
    groups = data.draw(st.lists(group, max_size=20))
    limit = data.draw(st.integers(1, 500))
    passes = cover(groups, sizes, limit)
    assert sorted(number for _, numbers in passes for number in numbers) == list(range(len(groups)))
    for chosen, numbers in passes:
        assert list(chosen) == sorted(set(chosen))
        assert all(set(groups[number]) <= set(chosen) for number in numbers)
        grid = math.prod(sizes[feature] for feature in chosen)
        assert grid <= limit or any(set(groups[number]) == set(chosen) for number in numbers)


def test_few_passes_answer_all_pairs():
    pairs = list(itertools.combinations(range(20), 2))
    assert len(cover(pairs, [5] * 20, 2**14)) <= 21
    assert len(cover(pairs, [5] * 20, 1)) == 190
