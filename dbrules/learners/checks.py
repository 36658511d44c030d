"""Settings checked one by one: an error names the setting, what it is, and what to give."""

from __future__ import annotations

import math
from collections.abc import Sequence

from dbrules.errors import InvalidSetting, near


def check_count(name: str, value: object, least: int = 1) -> None:
    """Raise InvalidSetting for anything but a whole number of at least ``least``, or None.

    >>> check_count("max_rules", 3)
    """
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise InvalidSetting(
            f"{name} {value!r} is not a whole number of at least {least}: give {least} or more"
        )


def check_number(
    name: str, value: object, *, above: float | None = None, least: float = -math.inf,
    most: float = math.inf,
) -> None:  # fmt: skip
    """Raise InvalidSetting for anything but a finite number in the interval.

    >>> check_number("curiosity", 0.8, least=0, most=1)
    """
    if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value):
        enough = value >= least if above is None else value > above
        if enough and value <= most:
            return
    lower = f"above {above:g}" if above is not None else f"of at least {least:g}"
    upper = "" if most == math.inf else f" and at most {most:g}"
    raise InvalidSetting(f"{name} {value!r} is not a number {lower}{upper}: give one")


def check_one_of(name: str, value: object, allowed: Sequence[str]) -> None:
    """Raise InvalidSetting for a value that is none of ``allowed``, naming the nearest."""
    if value not in allowed:
        raise InvalidSetting(
            f"{name} {value!r} is not known{near(str(value), allowed)}: give {' or '.join(allowed)}"
        )
