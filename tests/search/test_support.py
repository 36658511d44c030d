from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbrules.errors import InvalidSetting
from dbrules.search.support import MinSupport

SHARES = st.none() | st.decimals(0, 1, places=3) | st.floats(0, 1)
COUNTS = st.integers(0, 50) | st.integers(0, 2**51)


def enough(count, share, total):
    return count > 0 and count >= Fraction(str(share)) * total


@given(SHARES, SHARES, SHARES, st.integers(0, 2), st.lists(COUNTS, min_size=6, max_size=6))
def test_agrees_with_fractions(overall, positive, negative, chosen, numbers):
    counts, rest = numbers[:3], numbers[3:]
    totals = [a + b for a, b in zip(counts, rest, strict=True)]
    others, other_totals = sum(counts) - counts[chosen], sum(totals) - totals[chosen]
    expected = enough(sum(counts), 0 if overall is None else overall, sum(totals))
    if positive is not None or negative is not None:
        expected = expected and (
            (positive is not None and enough(counts[chosen], positive, totals[chosen]))
            or (negative is not None and enough(others, negative, other_totals))
        )
    support = MinSupport(overall, positive, negative, positive_class=chosen)
    assert support.met(np.array(counts), np.array(totals)).tolist() == expected


@given(SHARES, SHARES, SHARES, st.lists(COUNTS, min_size=6, max_size=6))
def test_what_captures_less_meets_no_more(overall, positive, negative, numbers):
    small, more, rest = (np.array(numbers[i : i + 2]) for i in (0, 2, 4))
    totals = small + more + rest
    less, larger = MinSupport(overall, positive, negative).met(np.stack([small, small + more]),
                                                               totals)  # fmt: skip
    assert larger or not less


@pytest.mark.parametrize("share", [0.1, Decimal("0.1"), Fraction(1, 10), np.float32(0.1)])
def test_a_share_is_inclusive_and_means_what_is_written(share):
    # 0.1 as a double is more than a tenth: 3 of 30 would be too few
    support = MinSupport(share)
    assert support == MinSupport(Fraction(1, 10))
    assert support.met(np.array([[3, 0], [2, 0]]), np.array([10, 20])).tolist() == [True, False]


def test_positives_or_negatives_are_enough():
    totals = np.array([39922, 5289])  # bank marketing, no and yes
    counts = np.array([[3992, 528], [3993, 528], [3992, 529]])
    assert MinSupport(positive=0.1, negative=0.1).met(counts, totals).tolist() == [
        False, True, True]  # fmt: skip
    assert MinSupport(positive=0.1).met(counts, totals).tolist() == [False, False, True]
    assert MinSupport(negative=0.1).met(counts, totals).tolist() == [False, True, False]
    first = MinSupport(positive=0.1, positive_class=0)
    assert first.met(counts, totals).tolist() == [False, True, False]


def test_of_no_rows_no_share_is_enough():
    counts = np.array([[0, 0], [0, 1]])
    for support in (MinSupport(), MinSupport(0)):
        assert support.met(counts, np.array([5, 5])).tolist() == [False, True]
    # no negatives at all: capturing none of them is no support
    assert MinSupport(negative=0.1).met(counts, np.array([0, 5])).tolist() == [False, False]


def test_shape_is_that_of_the_counts():
    counts = np.ones((2, 3, 4, 2), dtype=np.int64)
    assert MinSupport(0.5, positive=0.1).met(counts, np.array([2, 2])).shape == (2, 3, 4)


@pytest.mark.parametrize(
    ("support", "text"),
    [
        (MinSupport(), "min_support 0"),
        (MinSupport(0.05), "min_support 0.05"),
        (MinSupport(0.05, 0.1), "min_support 0.05 and min_support_positive 0.1"),
        (MinSupport(0.05, 0.1, 1e-3),
         "min_support 0.05 and (min_support_positive 0.1 or min_support_negative 0.001)"),
    ],
)  # fmt: skip
def test_it_says_which_settings_it_is(support, text):
    assert str(support) == text


@pytest.mark.parametrize("share", [-0.1, 1.5, 5, True, "0.1", float("nan"), float("inf"), [0.1]])
@pytest.mark.parametrize(
    ("field", "setting"),
    [("overall", "min_support"), ("positive", "min_support_positive"),
     ("negative", "min_support_negative")],
)  # fmt: skip
def test_what_is_no_share_is_refused(field, setting, share):
    with pytest.raises(InvalidSetting, match=f"^{setting} .* from 0 to 1$"):
        MinSupport(**{field: share})
