"""Cells that stay in the engine: patterns that no antecedent tells apart are one cell."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
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
#: Branches of one UNION ALL: engines take 200 to 600 and more.
_BRANCHES = 200
#: The largest prime below 2**31: a product of two numbers below it is within a BIGINT.
_PRIME: Final = 2**31 - 1
#: Bits of the number of a cell; a sum of 2**32 salts is within a BIGINT.
_NUMBER_BITS = 32
#: Salts of a cell.
SALTS: Final = 3


@dataclass(frozen=True)
class KeptCells:
    """Two temporary tables of cells, numbered from 1.

    ``cells``: ``cell``, ``positives``, ``negatives``, counted as in the table of patterns, and
    ``salt_0``, …. ``holds``: ``antecedent`` and ``cell``, a row where the one holds of the other.
    """

    cells: exp.Table
    holds: exp.Table


@contextmanager
def keep_cells(
    engine: Engine,
    patterns: KeptPatterns,
    members: Sequence[NDArray[np.bool_]],
    antecedents: Sequence[Antecedent],
    positive: exp.Expr,
) -> Iterator[KeptCells]:
    """Yield the cells of patterns as tables that are dropped at the end.

    ``members``: for each feature which codes its literals hold of, shape (literals, codes).
    ``positive``: the condition on ``label`` that a row is of the positive class.
    """
    masks = _masks(members, antecedents)
    is_positive = _case(positive, 1)
    rows = exp.select(
        *(exp.alias_(mask, f"mask_{place}", copy=False) for place, mask in enumerate(masks)),
        exp.alias_(is_positive, "positive"),
        "units",
    ).from_(patterns.table.copy())
    cells = load("patterns/cells").bind(repeat={"mask": len(masks)}, dataset=rows)
    salts = [exp.alias_(salt, f"salt_{place}") for place, salt in enumerate(_salts())]
    with engine.snapshot(exp.select("*", *salts).from_(cells.subquery("numbered"))) as table:
        first, *rest = [
            _holds(table, range(start, min(start + _BRANCHES, len(masks))))
            for start in range(0, len(masks), _BRANCHES)
        ]
        with engine.snapshot(first) as holds:
            for query in rest:
                engine.execute("patterns/holds", exp.Insert(this=holds.copy(), expression=query))
            yield KeptCells(table, holds)


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


def _holds(cells: exp.Table, masks: Sequence[int]) -> exp.Select:
    """Return ``antecedent, cell`` of the antecedents of some masks."""
    branches = [
        exp.select(
            exp.alias_(exp.Literal.number(BITS * place), "first_antecedent"),
            "cell",
            exp.alias_(exp.column(f"mask_{place}"), "mask"),
        ).from_(cells.copy())
        for place in masks
    ]
    bits = [
        exp.select(
            exp.alias_(exp.Literal.number(number), "number"),
            exp.alias_(exp.cast(exp.Literal.number(1 << number), "BIGINT"), "bit"),
        )
        for number in range(BITS)
    ]
    return load("patterns/holds").bind(masks=union_all(branches), bits=union_all(bits))


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
    return [_salt([draw.randrange(_PRIME) for _ in range(_NUMBER_BITS)]) for _ in range(SALTS)]


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
