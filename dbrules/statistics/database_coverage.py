"""What prefixes of rules leave, counted by the engine (``search/remaining``)."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray
from sqlglot import exp

from dbrules.engine.engine import Engine
from dbrules.engine.statement import load, settings
from dbrules.statistics.kept_cells import SALTS, KeptCells

#: Bytes of answers that are kept, those used last.
_KEPT: Final = 1 << 26
#: Units of the positive class and of all others, the two classes of the cells.
_COUNTS: Final = tuple(
    exp.alias_(exp.column(f"units_{place}"), name)
    for place, name in enumerate(("positives", "negatives"))
)


@dataclass(frozen=True, eq=False)
class _Answer:
    """What a set of antecedents leaves; counts shared by all that ask."""

    counts: NDArray[np.int64]
    totals: tuple[int, int]
    key: tuple[int, ...]


class DatabaseCoverage:
    """Which antecedents hold of which cells of patterns, in temporary tables of the engine.

    A set of antecedents is asked about once, by one statement, whatever the order of its rules:
    permutations of a prefix leave the same rows. Made by ``DatabaseStatistics.coverage``.
    """

    def __init__(
        self, engine: Engine, cells: KeptCells, holds: exp.Table, antecedents: int, zeros: int
    ) -> None:
        self._engine = engine
        self._cells = cells
        self._holds = holds
        self._antecedents = antecedents
        self._zeros = zeros
        kept = _KEPT // (1000 + 16 * antecedents)
        self.answer = lru_cache(maxsize=kept)(self._ask)
        self.wrong = lru_cache(maxsize=kept)(self._ask_wrong)

    @property
    def table(self) -> None:
        """No cells leave the engine."""
        return None

    @cached_property
    def everything(self) -> DatabaseRemaining:
        """All rows, before the first rule."""
        return DatabaseRemaining(self, frozenset())

    def _ask(self, prefix: frozenset[int]) -> _Answer:
        """Return counts, totals and key of what a set of antecedents leaves."""
        name = "patterns/remaining"
        columns = [exp.column("cell"), *_COUNTS, *map(exp.column, SALTS)]
        holds = exp.select("antecedent", "cell").from_(self._holds.copy())
        statement = load(name).bind(cells=self._cells.left(prefix, columns), holds=holds)
        result = self._engine.run(name, statement, {"antecedents": sorted(prefix)})
        units = np.stack([result["positives"], result["negatives"]], axis=1).astype(np.int64)
        units //= self._zeros
        antecedent = np.ma.filled(np.ma.asarray(result["antecedent"], dtype=np.int64), -1)
        counts = np.zeros((self._antecedents, 2), dtype=np.int64)
        counts[antecedent[antecedent >= 0]] = units[antecedent >= 0]
        counts.flags.writeable = False
        (row,) = np.flatnonzero(antecedent < 0)
        positives, negatives = units[row].tolist()
        key = tuple(int(result[column][row]) for column in ("cells", *SALTS))
        return _Answer(counts, (positives, negatives), key)

    def _ask_wrong(self, prefix: frozenset[int], weight: int, unit: int) -> tuple[int, int]:
        """Return the positives and negatives that get a wrong answer in any case."""
        name = "patterns/inseparable"
        prices = {"weight": weight, "unit": unit}
        cells = self._cells.left(prefix, _COUNTS)
        statement = load(name).bind(cells=cells, settings=settings(prices))
        result = self._engine.run(name, statement, {"antecedents": sorted(prefix), **prices})
        positives, negatives = (int(result[name][0]) for name in ("positives", "negatives"))
        return positives // self._zeros, negatives // self._zeros


class DatabaseRemaining:
    """The rows that a prefix leaves (see :class:`dbrules.search.remaining.Remaining`).

    Counts, totals and key come from one statement, when the first of them is needed.
    """

    def __init__(self, coverage: DatabaseCoverage, prefix: frozenset[int]) -> None:
        self._coverage = coverage
        self._prefix = prefix

    @property
    def totals(self) -> tuple[int, int]:
        """Positives and negatives among the rows."""
        return self._answer.totals

    @property
    def counts(self) -> NDArray[np.int64]:
        """Positives and negatives of each antecedent among the rows; (antecedents, 2)."""
        return self._answer.counts

    @property
    def key(self) -> Hashable:
        """Equal for equal rows only: the number of cells and three sums of salts.

        Different rows have one key with a chance below 2**-77: the salts (``kept_cells``) are
        products of random factors, of which sums are polynomials.
        """
        return self._answer.key

    def inseparable(self, weight: int, unit: int) -> int:
        """Return what the rows cost at least: the cheaper answer in each cell.

        ``weight`` and ``unit`` are below 10**19.
        """
        positives, negatives = self._coverage.wrong(self._prefix, weight, unit)
        return weight * positives + unit * negatives

    def without(self, antecedent: int) -> DatabaseRemaining:
        """Return what is left when a rule with ``antecedent`` comes next; asks nothing."""
        return DatabaseRemaining(self._coverage, self._prefix | {antecedent})

    @cached_property
    def _answer(self) -> _Answer:
        return self._coverage.answer(self._prefix)
