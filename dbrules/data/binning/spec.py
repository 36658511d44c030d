"""The setting that says how a column is cut."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final, Literal, Self

from dbrules.data.binning.own_cuts import check_cuts
from dbrules.errors import InvalidSetting, near

METHODS: Final = ("mdlp", "tree", "one_r", "chimerge", "width", "quantile", "cuts")
#: How many bins where the setting does not say.
_DEFAULT_K: Final = {"width": 5, "quantile": 4, "tree": 8}
_DEFAULT_BUCKET: Final = 6
_MAX_K: Final = 10_000
_CLOSED: Final = ("left", "right")

Closed = Literal["left", "right"]


@dataclass(frozen=True, slots=True)
class Bins:
    """How to cut an ordered column.

    ``method`` is ``mdlp``, ``tree``, ``one_r``, ``chimerge``, ``width``, ``quantile`` or
    ``cuts``; ``k`` the number of bins (``width``, ``quantile``) or their maximum (``tree``,
    ``chimerge``); ``closed`` is ``left`` for ``[lower, upper)`` and ``right`` for
    ``(lower, upper]``; ``cuts`` are the user's own; ``min_bucket`` is the least weight of a
    majority (``one_r``) or of a bin (``tree``).
    Raises InvalidSetting where these do not fit together.

    >>> Bins.parse("quantile:4:right")
    Bins(method='quantile', k=4, closed='right', cuts=(), min_bucket=6)
    >>> Bins.parse([18, 30, 60]).to_setting()
    [18, 30, 60]
    """

    method: str = "mdlp"
    k: int | None = None
    closed: Closed = "left"
    cuts: tuple[Any, ...] = ()
    min_bucket: int = _DEFAULT_BUCKET

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise InvalidSetting(
                f"bins: unknown method {self.method!r}{near(str(self.method), METHODS)}; "
                f"use one of {', '.join(METHODS)} or a list of cuts"
            )
        if self.closed not in _CLOSED:
            raise InvalidSetting(
                f"bins: closed={self.closed!r}{near(str(self.closed), _CLOSED)}; "
                "use 'left' for [lower, upper) or 'right' for (lower, upper]"
            )
        if self.k is None:
            object.__setattr__(self, "k", _DEFAULT_K.get(self.method))
        elif self.method not in (*_DEFAULT_K, "chimerge"):
            raise InvalidSetting(f"bins: {self.method} takes no k; leave it out")
        elif not _is_whole(self.k) or not 2 <= self.k <= _MAX_K:
            raise InvalidSetting(f"bins: k={self.k!r}; give a whole number from 2 to {_MAX_K}")
        if not _is_whole(self.min_bucket) or self.min_bucket < 1:
            raise InvalidSetting(
                f"bins: min_bucket={self.min_bucket!r}; give a whole number of at least 1"
            )
        object.__setattr__(self, "cuts", tuple(_plain(cut) for cut in self.cuts))
        if bool(self.cuts) != (self.method == "cuts"):
            raise InvalidSetting(
                "bins: give at least one cut" if self.method == "cuts"
                else f"bins: {self.method} finds its own cuts; leave cuts out"
            )  # fmt: skip
        check_cuts(self.cuts)

    @classmethod
    def parse(cls, spec: object) -> Self:
        """Read a setting: a Bins, ``"width:5:right"``, a mapping of the fields, or own cuts.

        After the method's name stand, in any order, a number (``min_bucket`` of ``one_r``, else
        ``k``) and ``left`` or ``right``. Raises InvalidSetting.
        """
        if isinstance(spec, cls):
            return spec
        if isinstance(spec, str):
            return cls(**_read_text(spec))
        if isinstance(spec, Mapping):
            return cls(**_read_mapping(spec))
        if hasattr(spec, "tolist"):  # NumPy arrays, pandas columns
            spec = spec.tolist()
        if isinstance(spec, (list, tuple, range)):
            return cls(method="cuts", cuts=tuple(spec))
        raise InvalidSetting(
            f"bins: cannot read {spec!r}; give a method such as 'mdlp' or 'width:5', or cuts"
        )

    def to_setting(self) -> str | list[Any] | dict[str, Any]:
        """Return the setting as plain JSON that :meth:`parse` reads back.

        Dates, times and decimals become text; the column's type makes them typed again.
        """
        if self.method == "cuts":
            cuts = [_to_json(cut) for cut in self.cuts]
            if self.closed == "left":
                return cuts
            return {"method": "cuts", "cuts": cuts, "closed": self.closed}
        is_default = self.min_bucket == _DEFAULT_BUCKET
        if self.method == "tree" and not is_default:  # text has room for one number
            fields = {"method": "tree", "k": self.k, "min_bucket": self.min_bucket}
            return fields if self.closed == "left" else {**fields, "closed": self.closed}
        number = self.min_bucket if self.method == "one_r" else self.k
        parts = [self.method]
        if number is not None and not (self.method == "one_r" and is_default):
            parts.append(str(number))
        if self.closed != "left":
            parts.append(self.closed)
        return ":".join(parts)


def _read_text(spec: str) -> dict[str, Any]:
    method, *parts = (part.strip() for part in spec.split(":"))
    fields: dict[str, Any] = {"method": method}
    for part in parts:
        value: str | int = part
        if part in _CLOSED:
            name = "closed"
        elif part.isdecimal():
            name, value = "min_bucket" if method == "one_r" else "k", int(part)
        else:
            raise InvalidSetting(
                f"bins: {part!r} in {spec!r} is neither a whole number nor left or right"
                f"{near(part, _CLOSED)}; write for example 'width:5:right'"
            )
        if name in fields:
            raise InvalidSetting(f"bins: {spec!r} gives {name} twice; give it once")
        fields[name] = value
    return fields


def _read_mapping(spec: Mapping[Any, Any]) -> dict[str, Any]:
    known = tuple(Bins.__dataclass_fields__)
    for name in spec:
        if name not in known:
            raise InvalidSetting(
                f"bins: unknown key {name!r}{near(str(name), known)}; use {', '.join(known)}"
            )
    fields = dict(spec)
    if "cuts" in fields:
        cuts = fields["cuts"]
        if isinstance(cuts, str) or not hasattr(cuts, "__iter__"):
            raise InvalidSetting(f"bins: cuts={cuts!r}; give a list of cuts")
        fields["cuts"] = tuple(cuts)
        fields.setdefault("method", "cuts" if fields["cuts"] else "mdlp")
    return fields


def _is_whole(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool)


def _plain(cut: Any) -> Any:
    """Turn NumPy scalars into Python's."""
    return cut.item() if hasattr(cut, "item") else cut


def _to_json(cut: Any) -> int | float | str:
    if isinstance(cut, (int, float, str)):
        return cut
    return str(cut) if isinstance(cut, Decimal) else str(cut.isoformat())
