"""The classes of a target, by one statement; numeric targets are cut into classes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dbrules.data.binning import Bins, find_cuts
from dbrules.data.literals import interval_conditions, interval_labels
from dbrules.engine.result import plain
from dbrules.engine.statement import load
from dbrules.errors import InvalidData, UnknownClass, near
from dbrules.language.column import Column, Value
from dbrules.language.condition import EQ, Condition, sort_key
from dbrules.language.rule import Target
from dbrules.language.write import format_value
from dbrules.statistics.dataset import Dataset, refuse_bad_weights
from dbrules.statistics.label import class_number, label_value

#: A numeric target with more values than this is cut into quantile classes.
MAX_NUMERIC_CLASSES = 20
#: Up to so many classes the engine numbers them: small integers group and travel faster.
_CODED_CLASSES = 16
#: More classes than this in text is an identifier, not a target.
MAX_CLASSES = 1000


@dataclass(frozen=True)
class ClassCounts:
    """The target and its totals.

    ``labels`` maps an encoded label to its place in class order; None where the data set's label
    is that place already. ``weights`` and ``rows``: per class, shape (k,). ``excluded_rows``:
    rows without a target. ``whole``: every weight is a whole number.
    """

    target: Target
    labels: dict[Any, int] | None
    weights: NDArray[np.float64]
    rows: NDArray[np.int64]
    excluded_rows: int
    whole: bool

    @property
    def majority(self) -> int:
        """The class of most weight, the smaller label on a tie (policy P5)."""
        return int(np.argmax(self.weights))


def class_counts(
    dataset: Dataset, bins: Bins | None, positive: object | None
) -> tuple[Dataset, ClassCounts]:
    """Ask for the classes; return the data set with its label, and the counts.

    ``bins`` cut a numeric target (None: quartiles where it has more than 20 values). Raises
    InvalidData for no rows, no target or bad weights, UnknownClass for a wrong ``positive``.
    """
    column = dataset.roles.target
    cells, rows, weights, whole = _ask(dataset)
    present = [i for i, cell in enumerate(cells) if cell is not None]
    weight = dataset.roles.weight
    weighed = "" if weight is None else f" of a weight {weight.name!r} above 0"
    if not rows.sum():
        raise InvalidData(f"the data has 0 rows{weighed}: give a query or table that returns some")
    if not present:
        raise InvalidData(
            f"target {column.name!r} is missing in all {rows.sum()} rows{weighed}: "
            "choose another target"
        )
    excluded = int(rows.sum() - rows[present].sum())
    cells = [cells[i] for i in present]
    rows, weights = rows[present], weights[present]
    values = _typed(dataset, column, cells)
    numeric = column.type.kind in ("integer", "decimal", "real", "double")
    if bins is not None or (numeric and len(values) > MAX_NUMERIC_CLASSES):
        return _cut(dataset, bins or Bins("quantile", k=4), positive, (cells, rows, weights),
                    excluded, whole)  # fmt: skip
    if len(values) > MAX_CLASSES:
        raise InvalidData(
            f"target {column.name!r} has {len(values)} classes: choose a target with fewer, "
            "or group them in the query"
        )
    order = sorted(range(len(values)), key=lambda i: sort_key(values[i]))
    classes = tuple(values[i] for i in order)
    target = Target(column.name, column.type, classes, _positive(column, classes, positive))
    counts = ClassCounts(target, None, weights[order], rows[order], excluded, whole)
    if len(classes) <= _CODED_CLASSES:
        parts = [Condition(column.name, EQ, label) for label in classes]
        return dataset.with_label(class_number(parts, column, dataset.engine)), counts
    labels = {cells[i]: place for place, i in enumerate(order)}
    return dataset, replace(counts, labels=labels)


def _ask(
    dataset: Dataset,
) -> tuple[list[Any], NDArray[np.int64], NDArray[np.float64], bool]:
    query = dataset.project(None)
    weight = dataset.roles.weight
    name = "profile/classes" if weight is None else "profile/weighted_classes"
    result = dataset.engine.run(name, load(name).bind(dataset=query))
    rows = np.asarray(result["rows"], dtype=np.int64)
    if weight is None:
        return plain(result["label"]), rows, rows.astype(np.float64), True
    refuse_bad_weights(weight, result["bad_weights"])
    whole = not np.ma.filled(result["fractions"], 0).astype(np.int64).sum()
    return plain(result["label"]), rows, np.asarray(result["weight"], dtype=np.float64), whole


def _typed(dataset: Dataset, column: Column, cells: list[Any]) -> list[Value]:
    if not column.type.is_ordered:
        return list(cells)
    ordinals = dataset.engine.decoder(column)(np.array(cells)).tolist()
    return [label_value(ordinal, column) for ordinal in ordinals]


def _cut(
    dataset: Dataset,
    bins: Bins,
    positive: object | None,
    counted: tuple[list[Any], NDArray[np.int64], NDArray[np.float64]],
    excluded: int,
    whole: bool,
) -> tuple[Dataset, ClassCounts]:
    column = dataset.roles.target
    cells, rows, weights = counted
    if not column.type.is_ordered:
        raise InvalidData(
            f"target {column.name!r} is of type {column.type.name} and has no order to cut: "
            "leave it out of bins"
        )
    ordinals = dataset.engine.decoder(column)(np.array(cells))
    order = np.argsort(ordinals, kind="stable")
    cuts = find_cuts(bins, ordinals[order], weights[order, np.newaxis], column.type)
    if not cuts:
        if len(cells) > 1:
            raise InvalidData(
                f"target {column.name!r}: all cuts coincide, most rows have one value; "
                f"give your own, as in bins={{{column.name!r}: [10]}}"
            )
        raise InvalidData(f"target {column.name!r} has one value only: choose another target")
    conditions = interval_conditions(column.name, cuts, bins.closed)
    classes = interval_labels(cuts, bins.closed, column.type)
    typed = _typed(dataset, column, cells)
    places = np.array(
        [next(i for i, part in enumerate(conditions) if part.covers({column.name: value}))
         for value in typed]
    )  # fmt: skip
    if len(set(places.tolist())) == 1 and len(classes) > 1:
        raise InvalidData(
            f"target {column.name!r}: all rows lie in one interval, {classes[places[0]]!r}: "
            f"give cuts between {format_value(min(typed))} and {format_value(max(typed))}"
        )
    chosen = _positive(Column(column.name, Target("", column.type, (), cuts=cuts).class_type),
                       classes, positive)  # fmt: skip
    target = Target(column.name, column.type, classes, chosen, cuts, bins.closed)
    k = len(classes)
    return dataset.with_label(class_number(conditions, column, dataset.engine)), ClassCounts(
        target,
        None,
        np.bincount(places, weights, minlength=k).astype(np.float64),
        np.bincount(places, rows, minlength=k).astype(np.int64),
        excluded,
        whole,
    )


def _positive(column: Column, classes: tuple[Value, ...], positive: object | None) -> Value | None:
    """Return the positive class: as given, else the later of two classes, else none."""
    if positive is None:
        return classes[1] if len(classes) == 2 else None
    for label in classes:
        if label == positive and isinstance(label, bool) == isinstance(positive, bool):
            return label
    texts = {str(label).casefold(): label for label in reversed(classes)}
    if column.type.kind != "text":
        found = texts.get(str(positive).casefold())
        if found is not None:
            return found
    listed = ", ".join(repr(label) for label in classes[:10])
    raise UnknownClass(
        f"positive class {positive!r} is not among the labels of {column.name!r}"
        f"{near(str(positive), [str(label) for label in classes])}: "
        f"give one of {listed}{', …' if len(classes) > 10 else ''}"
    )
