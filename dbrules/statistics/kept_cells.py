"""Cells that stay in the engine: patterns that no antecedent tells apart are one cell."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce
from itertools import groupby
from typing import Final

import numpy as np
from numpy.typing import NDArray
from sqlglot import exp

from dbrules.compile.literal import literal
from dbrules.engine.engine import Engine
from dbrules.engine.statement import load
from dbrules.language.column import ColumnType
from dbrules.search.antecedents import Antecedent
from dbrules.statistics.classes import ClassCounts
from dbrules.statistics.kept import KeptPatterns

#: Antecedents in one mask: twice the sum of their bits is within a signed BIGINT.
BITS: Final = 62
#: The largest prime below 2**31: a product of two numbers below it is within a BIGINT.
_PRIME: Final = 2**31 - 1
#: Bits of the number of a cell; a sum of 2**32 salts is within a BIGINT.
_NUMBER_BITS = 32
#: Columns of the salts of a cell.
SALTS: Final = ("salt_0", "salt_1", "salt_2")


@dataclass(frozen=True)
class KeptCells:
    """A temporary table of cells, numbered from 1.

    ``cell``, ``mask_0``, … with a bit for each antecedent that holds, ``units_0``, … of each class,
    counted as in the table of patterns, and ``SALTS``.
    """

    table: exp.Table

    def left(self, prefix: Iterable[int], columns: Sequence[exp.Expr]) -> exp.Select:
        """Return columns of the cells that no antecedent of a prefix holds of."""
        query = exp.select(*columns).from_(self.table.copy(), copy=False)
        return query.where(*(_lacks(number) for number in sorted(prefix)), copy=False)


@contextmanager
def keep_cells(
    engine: Engine,
    patterns: KeptPatterns,
    members: Sequence[NDArray[np.bool_]],
    antecedents: Sequence[Antecedent],
    classes: Sequence[exp.Expr],
) -> Iterator[KeptCells]:
    """Yield the cells of patterns as a table that is dropped at the end.

    ``members``: for each feature which codes its literals hold of, shape (literals, codes).
    ``classes``: the conditions on ``label`` that a row is of each class, of one at least.
    """
    masks = _masks(members, antecedents)
    units = [exp.Case(ifs=[exp.If(this=condition, true=exp.column("units"))], default=_zero())
             for condition in classes]  # fmt: skip
    rows = exp.select(
        *(exp.alias_(mask, f"mask_{place}", copy=False) for place, mask in enumerate(masks)),
        *(exp.alias_(count, f"units_{place}", copy=False) for place, count in enumerate(units)),
    ).from_(patterns.table.copy())
    repeat = {"mask": len(masks), "units": len(units)}
    cells = load("patterns/cells").bind(repeat=repeat, dataset=rows)
    salts = [exp.alias_(salt, name) for name, salt in zip(SALTS, _salts(), strict=True)]
    with engine.snapshot(exp.select("*", *salts).from_(cells.subquery("numbered"))) as table:
        yield KeptCells(table)


def label_is(place: int, classes: ClassCounts) -> exp.Expr:
    """Return the condition that ``label`` is the class at ``place``."""
    label: exp.Expr = exp.column("label")
    if classes.labels is None:
        return exp.EQ(this=label, expression=exp.Literal.number(place))
    (cell,) = (cell for cell, number in classes.labels.items() if number == place)
    kind = ColumnType("VARCHAR" if isinstance(cell, str) else "BIGINT")
    if isinstance(cell, float):  # as which decimals and single floats are fetched, too
        kind = ColumnType("DOUBLE")
        label = exp.cast(label, "DOUBLE")
    return exp.EQ(this=label, expression=literal(cell, kind))


def code_is_among(feature: int, held: Sequence[bool]) -> exp.Expr:
    """Return the condition that the code of a feature is one for which ``held`` is true.

    >>> code_is_among(3, [True, False, False, True, True, True, False, True]).sql("duckdb")
    'code_3 IN (0, 7) OR code_3 BETWEEN 3 AND 5'
    """
    code = exp.column(f"code_{feature}")
    single: list[exp.Expr] = []
    parts: list[exp.Expr] = []
    for among, group in groupby(range(len(held)), lambda number: bool(held[number])):
        numbers = [exp.Literal.number(number) for number in group]
        if among and len(numbers) > 1:
            parts.append(exp.Between(this=code.copy(), low=numbers[0], high=numbers[-1]))
        elif among:
            single.append(numbers[0])
    if single:
        parts.insert(0, exp.In(this=code, expressions=single))
    return exp.or_(*parts, copy=False) if parts else exp.false()


def _masks(
    members: Sequence[NDArray[np.bool_]], antecedents: Sequence[Antecedent]
) -> list[exp.Expr]:
    """Return the masks of a pattern, one at least: bit k of mask j is antecedent 62 j + k."""
    masks: list[exp.Expr] = []
    for place, antecedent in enumerate(antecedents):
        if place % BITS == 0:
            masks.append(_zero())
        literals = (code_is_among(f, members[f][number].tolist()) for f, number in antecedent)
        holds = exp.and_(*literals, copy=False) if antecedent else exp.true()
        masks[-1] = exp.Add(this=masks[-1], expression=_case(holds, 1 << place % BITS))
    return masks or [_zero()]


def _lacks(antecedent: int) -> exp.Expr:
    """Return the condition that an antecedent does not hold of a cell, its bit read by %."""
    mask, bit = exp.column(f"mask_{antecedent // BITS}"), 1 << antecedent % BITS
    low = exp.Mod(this=mask, expression=exp.Literal.number(2 * bit))
    return exp.LT(this=low, expression=exp.Literal.number(bit))


def union_all(queries: Sequence[exp.Select]) -> exp.Query:
    """Return the rows of all queries, of one at least."""
    return exp.union(*queries, distinct=False, copy=False) if queries[1:] else queries[0]


def _salts() -> list[exp.Expr]:
    """Return numbers of which sums over cells tell sets of cells apart.

    A salt is the product, modulo a prime p, of a random factor for each bit that is set in the
    number of the cell. Sums over two different sets are two different polynomials in the factors,
    with a monomial a cell and of degree 32 at most. In random factors they have the same value
    with a chance of at most 32 / p (Schwartz 1980, Journal of the ACM 27, lemma 1): below 2**-25,
    and below 2**-77 for three salts, whatever the sets.
    """
    draw = random.Random(0)
    return [_salt([draw.randrange(_PRIME) for _ in range(_NUMBER_BITS)]) for _ in SALTS]


def _salt(factors: Sequence[int]) -> exp.Expr:
    def times(product: exp.Expr, bit: int) -> exp.Expr:
        low = exp.Mod(this=exp.column("cell"), expression=exp.Literal.number(2 << bit))
        is_set = exp.GTE(this=low, expression=exp.Literal.number(1 << bit))
        factor = _case(is_set, factors[bit], 1)
        product = exp.paren(exp.Mul(this=product, expression=factor), copy=False)
        return exp.Mod(this=product, expression=exp.Literal.number(_PRIME))

    one: exp.Expr = exp.cast(exp.Literal.number(1), "BIGINT")
    return reduce(times, range(len(factors)), one)


def _case(condition: exp.Expr, value: int, default: int = 0) -> exp.Case:
    return exp.Case(
        ifs=[exp.If(this=condition, true=exp.Literal.number(value))],
        default=exp.Literal.number(default),
    )


def _zero() -> exp.Expr:
    return exp.cast(exp.Literal.number(0), "BIGINT")
