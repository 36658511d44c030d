"""Roles of columns: target, weight, features."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dbrules.errors import ColumnTypeError, InvalidSetting, UnknownColumn, near
from dbrules.language.column import Column


@dataclass(frozen=True)
class Roles:
    """Which column plays which part; ``notes`` name the columns that can play none."""

    target: Column
    weight: Column | None
    features: tuple[Column, ...]
    notes: tuple[str, ...] = ()


def assign_roles(
    columns: Sequence[Column],
    target: str,
    *,
    features: Iterable[str] | None = None,
    exclude: Iterable[str] | str | None = (),
    weight: str | None = None,
) -> Roles:
    """Return the roles; UnknownColumn names the near match of a column that is not there.

    Names match exactly, else without regard to case where only one column fits.
    """
    target_column = find_column(columns, target, "target")
    weight_column = find_weight(columns, weight)
    if target_column.type.kind == "other":
        raise ColumnTypeError(
            f"target {target!r} is of type {target_column.type.name}: "
            "cast it to text, a number or a boolean in the query"
        )
    taken = {target_column.name}
    if weight_column is not None:
        if weight_column == target_column:
            raise InvalidSetting(f"column {target!r} is both target and weight: name two columns")
        taken.add(weight_column.name)
    usable, notes = _features(columns, taken, features, exclude)
    return Roles(target_column, weight_column, usable, notes)


def assign_features(
    columns: Sequence[Column],
    *,
    features: Iterable[str] | None = None,
    exclude: Iterable[str] | str | None = (),
    weight: str | None = None,
) -> tuple[Column | None, tuple[Column, ...], tuple[str, ...]]:
    """Return weight, features and notes of data without a target; raises as assign_roles does."""
    weight_column = find_weight(columns, weight)
    taken = set() if weight_column is None else {weight_column.name}
    return weight_column, *_features(columns, taken, features, exclude)


def _features(
    columns: Sequence[Column],
    taken: set[str],
    features: Iterable[str] | None,
    exclude: Iterable[str] | str | None,
) -> tuple[tuple[Column, ...], tuple[str, ...]]:
    """Return the features, and notes that name the columns that can be none."""
    excluded = _names("exclude", () if exclude is None else exclude)
    left_out = {find_column(columns, name, "exclude").name for name in excluded} | taken
    if features is None:
        chosen = [column for column in columns if column.name not in left_out]
    else:
        names = _names("features", features)
        found = (find_column(columns, name, "features") for name in names)
        chosen = list(dict.fromkeys(found))
        clash = [column.name for column in chosen if column.name in left_out - set(excluded)]
        if clash:
            raise InvalidSetting(
                f"feature {clash[0]!r} is the target or the weight: leave it out of features"
            )
        chosen = [column for column in chosen if column.name not in left_out]
    usable = tuple(column for column in chosen if column.type.kind != "other")
    notes = tuple(
        f"{column.name}: type {column.type.name} not supported, not used"
        for column in chosen
        if column.type.kind == "other"
    )
    return usable, notes


def _names(role: str, given: Iterable[str] | str) -> list[str]:
    if isinstance(given, str):
        return [given]
    if not isinstance(given, Iterable):
        raise InvalidSetting(f"{role} {given!r} is no list of names: give names of columns")
    return list(given)


def find_weight(columns: Sequence[Column], name: str | None) -> Column | None:
    """Return the weight column, None where no name is given; ColumnTypeError if not numeric."""
    if name is None:
        return None
    column = find_column(columns, name, "weight")
    if column.type.kind not in ("integer", "decimal", "real", "double"):
        raise ColumnTypeError(
            f"weight {name!r} is of type {column.type.name}: give a numeric column"
        )
    return column


def find_column(columns: Sequence[Column], name: str, role: str) -> Column:
    """Return the column of that name, or without regard to case where that is clear."""
    for column in columns:
        if column.name == name:
            return column
    folded = [column for column in columns if column.name.casefold() == str(name).casefold()]
    if len(folded) == 1:
        return folded[0]
    known = [column.name for column in columns]
    listed = ", ".join(known[:10]) + (", …" if len(known) > 10 else "")
    raise UnknownColumn(
        f"{role} {name!r} is not a column{near(str(name), known)}; columns are {listed}"
    )
