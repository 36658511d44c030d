"""A rule (antecedent and outcome) and the target it speaks of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dbrules.errors import ColumnTypeError, InvalidCondition, UnknownClass
from dbrules.language.column import ColumnType, Value
from dbrules.language.condition import Condition


@dataclass(frozen=True, slots=True)
class Target:
    """The column to predict and its classes, in class order (smaller label first).

    ``cuts`` are set where a numeric target was cut into classes; the classes are then the
    texts of the intervals, and ``closed`` is ``left`` for ``[lower, upper)``. Classes, positive
    class and cuts are stored as values of their types; ColumnTypeError where one does not fit.
    """

    name: str
    type: ColumnType
    classes: tuple[Value, ...]
    positive: Value | None = None
    cuts: tuple[Value, ...] = ()
    closed: str = "left"

    def __post_init__(self) -> None:
        try:
            classes = tuple(_typed(self.class_type, label) for label in self.classes)
            cuts = tuple(_typed(self.type, cut) for cut in self.cuts)
            positive = self.class_type.coerce(self.positive)
        except ColumnTypeError as error:
            raise ColumnTypeError(f"target {self.name!r}: {error}") from None
        object.__setattr__(self, "classes", classes)
        object.__setattr__(self, "cuts", cuts)
        object.__setattr__(self, "positive", positive)

    @property
    def class_type(self) -> ColumnType:
        """The type of a predicted label: the target's own, or text for a cut target."""
        return ColumnType("VARCHAR") if self.cuts else self.type

    def index(self, label: Value) -> int:
        """Return the place of ``label`` in the class order; UnknownClass if there is none."""
        for place, known in enumerate(self.classes):
            if known == label and isinstance(known, bool) == isinstance(label, bool):
                return place
        raise UnknownClass(
            f"label {label!r} is not a class of {self.name!r}; classes are {list(self.classes)}"
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a rule answers: the label, a probability and a count for every class.

    ``counts`` are total weights per class (whole numbers stay int), ``rows`` the rows behind
    them where they differ from the weights. A hand-written rule has no counts (an empty tuple)
    and probability 1 for its label.
    """

    label: Value
    probability: tuple[float, ...] = ()
    counts: tuple[int | float, ...] = ()
    rows: int | None = None

    @property
    def total(self) -> int | float:
        """The weight of the training rows captured (0 where nothing was counted)."""
        return sum(self.counts)


@dataclass(frozen=True, slots=True)
class Rule:
    """``IF`` all ``conditions`` hold ``THEN`` ``outcome``."""

    conditions: tuple[Condition, ...]
    outcome: Outcome

    def __post_init__(self) -> None:
        if not self.conditions:
            raise InvalidCondition("a rule needs a condition; use the default for all other rows")

    @property
    def label(self) -> Value:
        """The label that the rule predicts."""
        return self.outcome.label

    @property
    def features(self) -> tuple[str, ...]:
        """The columns that the antecedent reads, each once, in order."""
        return tuple(dict.fromkeys(condition.feature for condition in self.conditions))

    def covers(self, row: Mapping[str, object]) -> bool | None:
        """Return the three-valued AND of the conditions; the rule fires only on True."""
        answer: bool | None = True
        for condition in self.conditions:
            holds = condition.covers(row)
            if holds is False:
                return False
            if holds is None:
                answer = None
        return answer


def _typed(column_type: ColumnType, value: object) -> Value:
    typed = column_type.coerce(value)
    if typed is None:
        raise ColumnTypeError("a class or cut is missing; leave out rows without a target")
    return typed
