"""Cuts that a user gives."""

from __future__ import annotations

import datetime as dt
import math
from decimal import Decimal
from itertools import pairwise
from typing import Any

from dbrules.errors import InvalidSetting


def check_cuts(cuts: tuple[Any, ...]) -> None:
    """Raise InvalidSetting unless own cuts are finite and strictly increasing."""
    for cut in cuts:
        number = isinstance(cut, (int, float, Decimal)) and not isinstance(cut, bool)
        if number and not math.isfinite(cut):
            raise InvalidSetting(
                f"bins: cut {cut} is not finite; leave it out, the outermost bins are open-ended"
            )
        if not number and not isinstance(cut, (str, dt.date, dt.time)):
            raise InvalidSetting(f"bins: cut {cut!r} is no number, date or time; give such values")
    for lower, upper in pairwise(cuts):
        if isinstance(lower, str) or isinstance(upper, str):
            continue  # ordered only once the column's type is known
        try:
            increasing = lower < upper
        except TypeError:
            raise InvalidSetting(
                f"bins: cuts {lower} and {upper} are of different kinds; give cuts of one kind"
            ) from None
        if not increasing:
            raise InvalidSetting(
                f"bins: cuts must increase, but {upper} follows {lower}; sort them, each once"
            )
