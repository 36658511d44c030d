"""Where a model came from: rows, objective, notes."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from dbrules.errors import InvalidModel

#: What JSON gives for each field of a training.
_KINDS: dict[str, type | tuple[type, ...]] = {
    "rows": int,
    "excluded_rows": int,
    "seconds": (int, float),
    "seed": int,
    "objective": (int, float, type(None)),
    "lower_bound": (int, float, type(None)),
    "sql_statements": int,
    "missing": dict,
    "notes": list,
}


@dataclass(frozen=True)
class Training:
    """Where a model came from.

    ``rows`` were learned from, ``excluded_rows`` had no target. ``objective`` is what the
    learner minimised (OneR: the share of weight it gets wrong), ``lower_bound`` what no list can
    beat where that is known. ``missing``: training rows without a value, per used column.
    """

    rows: int
    excluded_rows: int = 0
    seconds: float = field(default=0.0, compare=False)
    seed: int = 0
    objective: float | None = None
    lower_bound: float | None = None
    sql_statements: int = 0
    missing: dict[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return asdict(self) | {"notes": list(self.notes)}

    @classmethod
    def from_json(cls, document: dict[str, Any], where: str) -> Training:
        """Return what :meth:`to_json` wrote; InvalidModel names what does not fit.

        Keys that are not fields are left alone.
        """
        known = {name: value for name, value in document.items() if name in _KINDS}
        for name, value in known.items():
            if not isinstance(value, _KINDS[name]) or isinstance(value, bool):
                raise InvalidModel(
                    f"{where}: training.{name} cannot be {value!r}; save the model again"
                )
        if not all(isinstance(note, str) for note in known.get("notes", ())):
            raise InvalidModel(f"{where}: training.notes must be texts; save the model again")
        if not all(type(rows) is int for rows in known.get("missing", {}).values()):
            raise InvalidModel(f"{where}: training.missing must be counts; save the model again")
        if "rows" not in known:
            raise InvalidModel(f"{where}: training.rows is missing; save the model again")
        return cls(**known | {"notes": tuple(known.get("notes", ()))})
