"""Errors and warnings of dbrules.

Every message is one line: what is wrong, where, and the remedy. Each error is also the
builtin error a caller would expect (``except LookupError`` works for an unknown column).
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class DbrulesError(Exception):
    """Base of all errors raised on purpose by dbrules."""


class DbrulesWarning(UserWarning):
    """The fit went on, but not with everything that was asked for."""


class UnknownColumn(DbrulesError, LookupError):
    """A column that the data does not have."""


class UnknownTable(DbrulesError, LookupError):
    """A table or file that the engine cannot find."""


class UnknownClass(DbrulesError, LookupError):
    """A positive class that the target never takes, or an unseen level where that is refused."""


class UnknownSetting(DbrulesError, TypeError):
    """A setting or learner that does not exist."""


class InvalidSetting(DbrulesError, ValueError):
    """A setting with a value it cannot take."""


class InvalidQuery(DbrulesError, ValueError):
    """A data argument that is not one readable SELECT, table or file."""


class InvalidCondition(DbrulesError, ValueError):
    """A condition that cannot be built, such as an empty interval."""


class InvalidRuleText(DbrulesError, ValueError):
    """Rule text that does not parse."""


class InvalidData(DbrulesError, ValueError):
    """Data that cannot be learned from: no rows, no target, bad weights, duplicate names."""


class ColumnTypeError(DbrulesError, TypeError):
    """A column or value of a type that does not fit."""


class InvalidModel(DbrulesError, ValueError):
    """A model file that is broken or of a newer version."""


class EngineError(DbrulesError, RuntimeError):
    """A statement failed in the database; names the statement."""


def near(name: str, known: Iterable[str]) -> str:
    """Return ``" (did you mean …?)"`` for the nearest known name, or an empty string.

    >>> near("agee", ["age", "income"])
    " (did you mean 'age'?)"
    >>> near("zzz", ["age"])
    ''
    """
    names = sorted(set(known))
    folded = {candidate.casefold(): candidate for candidate in reversed(names)}
    close = difflib.get_close_matches(name.casefold(), list(folded), n=1, cutoff=0.5)
    return f" (did you mean {folded[close[0]]!r}?)" if close else ""
