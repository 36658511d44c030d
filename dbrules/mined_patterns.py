"""What mining found: frequent antecedents as text, a data frame, JSON and a SQL table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dbrules.compile.relation import create_table
from dbrules.compile.render import render
from dbrules.compile.select import class_text
from dbrules.compile.values import select_values
from dbrules.data.coding import Coding
from dbrules.data.source import table_name
from dbrules.engine.journal import Journal
from dbrules.errors import InvalidData, InvalidSetting, near
from dbrules.language.column import Column, ColumnType
from dbrules.language.condition import Condition
from dbrules.language.json import condition_to_json
from dbrules.language.json_read import label_keys
from dbrules.language.rule import Target
from dbrules.language.write import format_condition
from dbrules.search.antecedents import Antecedents
from dbrules.search.association.measures import tables_of
from dbrules.search.support import MinSupport

if TYPE_CHECKING:
    import pandas

FORMS = ("select", "table")
#: Antecedents that are printed.
_PRINTED = 20
_AND = " AND "


@dataclass(frozen=True, eq=False, repr=False)
class MinedPatterns:
    """Frequent antecedents in canonical order: by length, then by feature and literal.

    ``antecedents``: their numbers and class counts, in multiples of ``unit`` weight (a row where
    there are no weights); ``codings``: the features and literals that the numbers speak of.
    ``target``: None where there is none, then all rows are of one class. ``totals``: of all rows,
    shape (classes,). ``rows``: rows read, ``excluded_rows``: further ones without a target.
    """

    antecedents: Antecedents
    codings: tuple[Coding, ...]
    target: Target | None
    totals: NDArray[np.int64]
    unit: Fraction
    support: MinSupport
    rows: int
    excluded_rows: int
    notes: tuple[str, ...]
    journal: Journal

    def __len__(self) -> int:
        return len(self.antecedents)

    def __iter__(self) -> Iterator[tuple[Condition, ...]]:
        literals = [coding.literals for coding in self.codings]
        for items in self.antecedents:
            yield tuple(literals[feature][literal] for feature, literal in items)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self)} antecedents>"

    @property
    def cut(self) -> str | None:
        """Which lengths are missing and why; None where all that were asked for are here."""
        return self.antecedents.cut

    @cached_property
    def texts(self) -> list[str]:
        """Each antecedent as a rule's conditions read."""
        literals = [[format_condition(c) for c in coding.literals] for coding in self.codings]
        return [_AND.join(literals[f][i] for f, i in items) for items in self.antecedents]

    @cached_property
    def measures(self) -> dict[str, NDArray[Any]]:
        """Counts and shares by name, each of shape (n,).

        ``n_<class>``: weight of each class (``n`` without a target), whole numbers as integers.
        ``support``: share of all weight. With a positive class ``confidence``: its share of what
        the antecedent captures, and ``lift``: confidence over its share of all.
        """
        counts, total = self.antecedents.counts, int(self.totals.sum())
        captured = counts.sum(axis=1)
        names = _names(self.target)
        weights = counts if self.unit == 1 else counts / self.unit.denominator
        measures: dict[str, NDArray[Any]] = dict(zip(names, weights.T, strict=True))
        measures["support"] = captured / total
        if self.target is not None and self.target.positive is not None:
            positive = self.target.index(self.target.positive)
            of_class = np.full(len(counts), self.totals[positive])
            tables = tables_of(counts[:, positive], captured, of_class, total)
            measures |= {"confidence": tables.confidence, "lift": tables.lift}
        return measures

    def to_frame(self) -> pandas.DataFrame:
        """Return one row per antecedent: its text and the ``measures``."""
        import pandas

        return pandas.DataFrame(
            {"antecedent": pandas.Series(self.texts, dtype=str), **self.measures}
        )

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        literals = [
            [condition_to_json(c, coding.column.type) for c in coding.literals]
            for coding in self.codings
        ]
        target = self.target
        columns = {name: values.tolist() for name, values in self.measures.items()}
        keys = ["n"] if target is None else label_keys(target)
        counts = [columns.pop(name) for name in list(columns)[: len(keys)]]
        return {
            "rows": self.rows,
            "excluded_rows": self.excluded_rows,
            "target": None if target is None else target.name,
            "positive": None
            if target is None or target.positive is None
            else target.class_type.to_json(target.positive),
            "min_support": str(self.support),
            "cut": self.cut,
            "notes": list(self.notes),
            "antecedents": [
                {
                    "if": [literals[feature][literal] for feature, literal in items],
                    "counts": dict(zip(keys, (column[i] for column in counts), strict=True)),
                    **{name: column[i] for name, column in columns.items()},
                }
                for i, items in enumerate(self.antecedents)
            ],
        }

    # -- SQL --------------------------------------------------------------------------------

    def to_sql(
        self, *, dialect: str = "duckdb", form: str = "select", name: str | None = None
    ) -> str:
        """Return the rows of :meth:`to_frame` as SQL text.

        ``form``: ``select``, or ``table`` for a CREATE TABLE called ``name``. Raises InvalidData
        where nothing was found: no SQL has rows of values without a row.
        """
        if form not in FORMS:
            raise InvalidSetting(
                f"form {form!r} is not known{near(form, FORMS)}: use {', '.join(FORMS)}"
            )
        if not len(self):
            raise InvalidData(f"no antecedent has {self.support}: lower it to have rows for SQL")
        columns = [
            Column("antecedent", ColumnType("VARCHAR")),
            *(
                Column(measure, ColumnType("BIGINT" if values.dtype.kind == "i" else "DOUBLE"))
                for measure, values in self.measures.items()
            ),
        ]
        rows = zip(self.texts, *(v.tolist() for v in self.measures.values()), strict=True)
        query: Any = select_values("antecedents", columns, rows, dialect)
        if form == "table":
            if name is None:
                raise InvalidSetting("form 'table' needs the name of what to create: give name")
            query = create_table(table_name(name), query, dialect)
        return render(query, dialect)

    def create_table(self, connection: Any, name: str, *, replace: bool = False) -> None:
        """Create a table of the rows of :meth:`to_frame` in a DuckDB database.

        ``connection``: a DuckDB connection or the path of a database.
        """
        from dbrules.stored_frame import store_frame

        store_frame(self.to_frame(), connection, name, replace=replace)

    # -- text -------------------------------------------------------------------------------

    def __str__(self) -> str:
        return self.to_text(_PRINTED)

    def to_text(self, limit: int | None = None, more: str = "to_frame() has them all") -> str:
        """Return what was found as a table, the first ``limit`` antecedents of it.

        ``more`` says where the others are.
        """
        left_out = f", {self.excluded_rows} left out (no target)" if self.excluded_rows else ""
        plural = "s" * (len(self) != 1)
        head = f"{len(self)} antecedent{plural} in {self.rows} rows{left_out}: {self.support}"
        lines = [head, *([f"cut: {self.cut}"] if self.cut else []), *self.notes]
        # a line break in a column's name must not break the line
        lines = [f"-- {' '.join(line.split())}" for line in lines]
        if not len(self):
            return "\n".join(lines)
        shown = len(self) if limit is None else min(limit, len(self))
        columns = [
            [name, *(_number(value) for value in values[:shown].tolist())]
            for name, values in self.measures.items()
        ]
        widths = [max(map(len, column)) for column in columns]
        rows = zip(*columns, ["antecedent", *self.texts[:shown]], strict=True)
        for *cells, text in rows:
            padded = [cell.rjust(width) for cell, width in zip(cells, widths, strict=True)]
            lines.append("  ".join([*padded, text]))
        if shown < len(self):
            lines.append(f"-- and {len(self) - shown} more: {more}")
        return "\n".join(lines)


def _names(target: Target | None) -> list[str]:
    """Return the names of the counts; no two differ in upper and lower case only, as in SQL."""
    if target is None:
        return ["n"]
    names: dict[str, str] = {}
    for label in target.classes:
        name, number = f"n_{class_text(label)}", 2
        unique = name
        while unique.casefold() in names:
            unique, number = f"{name}_{number}", number + 1
        names[unique.casefold()] = unique
    return list(names.values())


def _number(value: int | float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.4f}"
