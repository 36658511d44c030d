"""Which antecedents hold of which cells, as a table that stays in the engine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from sqlglot import exp

from dbrules.engine.engine import Engine
from dbrules.engine.statement import load
from dbrules.statistics.kept_cells import BITS, KeptCells, union_all

#: Branches of one UNION ALL: engines take 200 to 600 and more.
_BRANCHES = 200


@contextmanager
def keep_holds(engine: Engine, cells: KeptCells, antecedents: int) -> Iterator[exp.Table]:
    """Yield a table of ``antecedent`` and ``cell``, a row where the one holds of the other.

    ``antecedents``: how many the cells were made for. The table is dropped at the end.
    """
    masks = range(max(1, -(-antecedents // BITS)))
    first, *rest = [_holds(cells, masks[start : start + _BRANCHES]) for start in masks[::_BRANCHES]]
    with engine.snapshot(first) as holds:
        for query in rest:
            engine.execute("patterns/holds", exp.Insert(this=holds.copy(), expression=query))
        yield holds


def _holds(cells: KeptCells, masks: Sequence[int]) -> exp.Select:
    """Return ``antecedent, cell`` of the antecedents of some masks."""
    branches = [
        exp.select(
            exp.alias_(exp.Literal.number(BITS * place), "first_antecedent"),
            "cell",
            exp.alias_(exp.column(f"mask_{place}"), "mask"),
        ).from_(cells.table.copy())
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
