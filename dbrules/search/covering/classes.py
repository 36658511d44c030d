"""The order in which covering takes the classes."""

from __future__ import annotations

from collections.abc import Sequence


def ascending(totals: Sequence[int]) -> list[int]:
    """Return the places of the classes that have rows, the rarest first.

    Of equally many the smaller label comes later: the last class is the default (policy P5).

    >>> ascending([7, 2, 0, 7])
    [1, 3, 0]
    """
    present = [place for place, total in enumerate(totals) if total > 0]
    return sorted(present, key=lambda place: (totals[place], -place))
