"""Where a model came from: rows, objective, notes."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from typing import Any

from dbrules.errors import InvalidModel
from dbrules.language.column import Value

#: What JSON gives for each field of a training.
_KINDS: dict[str, tuple[type, ...]] = {
    "rows": (int,),
    "excluded_rows": (int,),
    "seconds": (int, float),
    "seed": (int,),
    "objective": (int, float, type(None)),
    "lower_bound": (int, float, type(None)),
    "proved": (bool, type(None)),
    "nodes": (int, type(None)),
    "sql_statements": (int,),
    "missing": (dict,),
    "notes": (list,),
    "class_counts": (dict,),
    "levels": (dict,),
}


@dataclass(frozen=True)
class Training:
    """Where a model came from.

    ``rows`` were learned from, ``excluded_rows`` had no target. ``objective`` is what the
    learner minimised (OneR: the share of weight it gets wrong), ``lower_bound`` what no list can
    beat where that is known, ``proved`` whether the search showed that none does (None: it does
    not try), ``nodes`` what it looked at to do so. ``missing``: training rows without a value,
    per used column. ``class_counts``: weight of each class in all rows, by its text; of a rule
    set only, whose rules overlap, and empty where it is not known. ``levels``: what training
    saw of each used column that is not ordered, None where that is too much to keep.
    """

    rows: int
    excluded_rows: int = 0
    seconds: float = field(default=0.0, compare=False)
    seed: int = 0
    objective: float | None = None
    lower_bound: float | None = None
    proved: bool | None = None
    nodes: int | None = None
    sql_statements: int = 0
    missing: dict[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    class_counts: dict[str, int | float] = field(default_factory=dict)
    levels: dict[str, tuple[Value, ...] | None] = field(default_factory=dict)

    @property
    def gap(self) -> float | None:
        """How much better a list could be: objective − lower bound; None where not known."""
        if self.objective is None or self.lower_bound is None:
            return None
        return max(0.0, self.objective - self.lower_bound)

    @property
    def relative_gap(self) -> float | None:
        """The gap as a share of the objective, as MIP solvers state it.

        >>> Training(rows=9, objective=0.5, lower_bound=0.49).relative_gap
        0.020000000000000018
        """
        if self.gap is None or self.objective is None:
            return None
        if self.gap == 0:
            return 0.0
        return self.gap / abs(self.objective) if self.objective else math.inf

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON values; ``class_counts`` and ``levels`` only where there are some."""
        document = asdict(self) | {"notes": list(self.notes)}
        # levels are texts and booleans, which JSON has
        document["levels"] = {
            name: None if seen is None else list(seen) for name, seen in self.levels.items()
        }
        for name in ("class_counts", "levels"):
            if not document[name]:
                del document[name]
        return document

    @classmethod
    def from_json(cls, document: dict[str, Any], where: str) -> Training:
        """Return what :meth:`to_json` wrote; InvalidModel names what does not fit.

        Keys that are not fields are left alone.
        """
        known = {name: value for name, value in document.items() if name in _KINDS}
        for name, value in known.items():
            kinds = _KINDS[name]
            # bool is an int to Python, not to JSON
            if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
                raise InvalidModel(
                    f"{where}: training.{name} cannot be {value!r}; save the model again"
                )
        if not all(isinstance(note, str) for note in known.get("notes", ())):
            raise InvalidModel(f"{where}: training.notes must be texts; save the model again")
        if not all(type(rows) is int for rows in known.get("missing", {}).values()):
            raise InvalidModel(f"{where}: training.missing must be counts; save the model again")
        for number in known.get("class_counts", {}).values():
            if type(number) not in (int, float) or not 0 <= number < math.inf:
                raise InvalidModel(
                    f"{where}: training.class_counts must be weights; save the model again"
                )
        for seen in known.get("levels", {}).values():
            if seen is not None and not _are_levels(seen):
                raise InvalidModel(
                    f"{where}: training.levels must be lists of texts or booleans; "
                    "save the model again"
                )
        if "rows" not in known:
            raise InvalidModel(f"{where}: training.rows is missing; save the model again")
        levels = {
            name: None if seen is None else tuple(seen)
            for name, seen in known.get("levels", {}).items()
        }
        return cls(**known | {"notes": tuple(known.get("notes", ())), "levels": levels})


def _are_levels(seen: object) -> bool:
    return isinstance(seen, list) and all(isinstance(level, (str, bool)) for level in seen)


class Trained:
    """What the training says, asked of the model that it made."""

    training: Training

    @property
    def notes(self) -> tuple[str, ...]:
        """What the fit left out, and other things worth knowing."""
        return self.training.notes

    @property
    def objective(self) -> float | None:
        """What the learner minimised, as reached on the training rows."""
        return self.training.objective

    @property
    def lower_bound(self) -> float | None:
        """What no list can beat, where the search knows."""
        return self.training.lower_bound

    @property
    def gap(self) -> float | None:
        """Objective − lower bound, None where either is not known; 0 is a proof."""
        return self.training.gap

    @property
    def proved(self) -> bool | None:
        """Whether the list was proved to be the best; None where the learner does not try."""
        return self.training.proved
