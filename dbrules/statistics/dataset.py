"""The data set of a fit: one source, its roles, and the projections statements are bound to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from sqlglot import exp

from dbrules.data.roles import Roles
from dbrules.data.source import Source
from dbrules.engine.engine import Engine
from dbrules.errors import InvalidData
from dbrules.language.column import Column

#: Weights are summed as decimals: the sum is exact, whatever the order of the rows.
WEIGHT_TYPE = "DECIMAL(38, 12)"


@dataclass(frozen=True)
class Dataset:
    """Rows that can be read again and again: a stored table, a file, or a snapshot.

    ``label`` is the expression of the target (its own encoding, or the class number where a
    numeric target is cut); ``extra`` are further columns a snapshot carries, by name.
    """

    engine: Engine
    relation: exp.Table | exp.Subquery
    roles: Roles
    label: exp.Expr
    extra: tuple[str, ...] = ()

    def project(self, column: Column | None) -> exp.Select:
        """Return ``value, label, weight`` for one column (without value for None).

        Rows of weight 0 are absent. ``weight`` is left out where there is no weight column.
        """
        projections = [exp.alias_(self.label.copy(), "label")]
        if column is not None:
            projections.insert(0, exp.alias_(self.engine.encode(column), "value"))
        query = exp.Select(expressions=projections).from_(self.relation.copy(), copy=False)
        query = with_weight(query, self.roles.weight)
        return query.select(*(exp.column(name, quoted=True) for name in self.extra), copy=False)

    def with_label(self, label: exp.Expr) -> Dataset:
        """Return the data set with another expression for the label."""
        return replace(self, label=label)


def unit_weight(query: exp.Select) -> exp.Select:
    """Return the query with ``weight`` 1 where it has none."""
    if "weight" in query.named_selects:
        return query
    return query.select(exp.alias_(exp.cast(exp.Literal.number(1), WEIGHT_TYPE), "weight"))


@contextmanager
def open_dataset(engine: Engine, source: Source, roles: Roles) -> Iterator[Dataset]:
    """Yield the data set; a query or view is read once into a snapshot (policy P10)."""
    label = engine.encode(roles.target)
    relation = engine.relation(source)
    if engine.is_stored(source):
        yield Dataset(engine, relation, roles, label)
        return
    needed = [roles.target, *roles.features]
    if roles.weight is not None:
        needed.append(roles.weight)
    names = dict.fromkeys(column.name for column in needed)
    query = exp.select(*(exp.column(name, quoted=True) for name in names)).from_(relation)
    with engine.snapshot(query) as table:
        yield Dataset(engine, table, roles, label)


def with_weight(query: exp.Select, column: Column | None) -> exp.Select:
    """Return the query with ``weight`` where there is a weight column; weight 0 is no row.

    What cannot be a decimal (NaN, infinity) turns NULL, and is kept to be reported.
    """
    if column is None:
        return query
    given = exp.column(column.name, quoted=True)
    exact = exp.TryCast(this=given, to=exp.DataType.build(WEIGHT_TYPE, "duckdb"))
    # the sign before the cast, which rounds: a negative weight must not become 0
    negative = exp.LT(this=given.copy(), expression=exp.Literal.number(0))
    weight = exp.Case(
        ifs=[exp.If(this=negative, true=exp.Neg(this=exp.Literal.number(1)))], default=exact
    )
    present = exp.NEQ(this=weight.copy(), expression=exp.Literal.number(0))
    missing = exp.Is(this=weight.copy(), expression=exp.null())
    return query.select(exp.alias_(weight, "weight")).where(
        exp.Or(this=present, expression=missing)
    )


def refuse_bad_weights(column: Column, counted: NDArray[np.int64]) -> None:
    """Raise InvalidData where a statement counted missing or negative weights."""
    bad = int(np.asarray(counted, dtype=np.int64).sum())
    if bad:
        raise InvalidData(
            f"weight {column.name!r} is missing, negative, not finite or above 1e25 in {bad} "
            f"row{'s' * (bad > 1)}: filter or mend them in the query"
        )
