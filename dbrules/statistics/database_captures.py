"""What the rules of a list capture, counted by the engine (``search/captures``)."""

from __future__ import annotations

from functools import cached_property, lru_cache
from operator import sub
from typing import Final

from sqlglot import exp

from dbrules.engine.engine import Engine
from dbrules.engine.statement import load
from dbrules.search.captures import ClassTuple
from dbrules.statistics.kept_cells import SALTS, KeptCells

#: Bytes of answers that are kept, those used last.
_KEPT: Final = 1 << 26


class DatabaseCaptures:
    """Class counts of cells of patterns in a temporary table of the engine.

    What a set of antecedents leaves is asked for once, by one statement that scans the cells,
    whatever the order of the rules. What one rule captures is the difference of two answers: at
    200 antecedents that is several times cheaper than to count all of them in one statement, of
    which a random walk needs one.

    ``classes``: how many the cells count. ``zeros``: units of the cells that make one.
    """

    def __init__(self, engine: Engine, cells: KeptCells, classes: int, zeros: int) -> None:
        self._engine = engine
        self._cells = cells
        self._units = [f"units_{place}" for place in range(classes)]
        self._zeros = zeros
        self.nothing: ClassTuple = (0,) * classes
        self.left = lru_cache(maxsize=_KEPT // (2000 + 40 * classes))(self._ask)

    @cached_property
    def everything(self) -> DatabaseRows:
        """All rows, before the first rule."""
        return self.left(frozenset())

    def _ask(self, prefix: frozenset[int]) -> DatabaseRows:
        """Return the rows that a set of antecedents leaves."""
        name = "patterns/left"
        columns = [exp.column(column) for column in (*self._units, *SALTS)]
        statement = load(name).bind(
            repeat={"units": len(self._units)}, cells=self._cells.left(prefix, columns)
        )
        result = self._engine.run(name, statement, {"antecedents": sorted(prefix)})
        counts = tuple(int(result[column][0]) // self._zeros for column in self._units)
        key = tuple(int(result[column][0]) for column in ("cells", *SALTS))
        return DatabaseRows(self, prefix, counts, key)


class DatabaseRows:
    """The rows that a prefix leaves (see :class:`dbrules.search.captures.Rows`).

    ``key``: the number of cells and three sums of salts (``kept_cells``), which different rows
    share with a chance below 2**-77.
    """

    __slots__ = ("_prefix", "_table", "counts", "key")

    def __init__(
        self, table: DatabaseCaptures, prefix: frozenset[int], counts: ClassTuple,
        key: tuple[int, ...],
    ) -> None:  # fmt: skip
        self._table = table
        self._prefix = prefix
        self.counts = counts
        self.key = key

    @property
    def cells(self) -> None:
        """No cells leave the engine."""
        return None

    def count(self, antecedent: int) -> ClassTuple:
        """Return the class counts that a rule with ``antecedent`` captures."""
        return self.capture(antecedent)[0]

    def capture(self, antecedent: int) -> tuple[ClassTuple, DatabaseRows]:
        """Return the class counts that a rule with ``antecedent`` captures, and what it leaves."""
        left = self._table.left(self._prefix | {antecedent})
        if left.key == self.key:  # rules that capture nothing are no part of what is asked
            return self._table.nothing, self
        return tuple(map(sub, self.counts, left.counts)), left
