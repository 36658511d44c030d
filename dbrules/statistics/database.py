"""Statistics answered by the engine, for data that must not leave it even as codes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from sqlglot import exp

from dbrules.data.coding import Coding
from dbrules.engine.statement import load
from dbrules.search.antecedents import Antecedent
from dbrules.statistics.classes import ClassCounts
from dbrules.statistics.codes import code_expression
from dbrules.statistics.counts import class_places
from dbrules.statistics.database_captures import DatabaseCaptures, DatabaseRows
from dbrules.statistics.database_coverage import DatabaseCoverage
from dbrules.statistics.database_uncovered import DatabaseUncovered
from dbrules.statistics.dataset import Dataset
from dbrules.statistics.kept import KeptPatterns, keep_patterns
from dbrules.statistics.kept_cells import KeptCells, keep_cells, label_is, union_all
from dbrules.statistics.kept_holds import keep_holds

#: Branches of one UNION ALL: engines take 200 to 600 and more.
_BRANCHES = 200
_BIGINT = exp.DataType.build("BIGINT")


class DatabaseStatistics:
    """The door to counts (``search/statistics``) over a table of patterns in the engine.

    What leaves the engine are the class counts asked for. Made by :func:`database_statistics`,
    which ends with ``tables``.
    """

    def __init__(
        self,
        dataset: Dataset,
        codings: Sequence[Coding],
        classes: ClassCounts,
        patterns: KeptPatterns,
        tables: ExitStack,
    ) -> None:
        self.patterns = patterns
        self._tables = tables
        self._engine = dataset.engine
        self._sizes = tuple(coding.size for coding in codings)
        self._classes = classes

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many codes each feature has."""
        return self._sizes

    @property
    def totals(self) -> NDArray[np.int64]:
        """Count of each class; shape (classes,)."""
        return self.patterns.totals

    @property
    def unit(self) -> Fraction:
        """The weight of one unit of counts."""
        return self.patterns.unit

    def histograms(self, groups: Sequence[tuple[int, ...]]) -> list[NDArray[np.int64]]:
        """Return the class counts over the code grid of each group, 200 groups a statement."""
        answers: list[NDArray[np.int64]] = []
        for first in range(0, len(groups), _BRANCHES):
            answers += self._ask(groups[first : first + _BRANCHES])
        return answers

    def coverage(
        self,
        members: Sequence[NDArray[np.bool_]],
        antecedents: Sequence[Antecedent],
        positive: int,
    ) -> DatabaseCoverage:
        """Return what prefixes of ``antecedents`` leave, from tables kept as long as the patterns.

        ``members``: for each feature which codes its literals hold of, shape (literals, codes).
        ``positive``: the place of the positive class.
        """
        label = label_is(positive, self._classes)
        number = len(antecedents)
        cells = self._keep_cells(members, antecedents, [label, exp.not_(label)])
        holds = self._tables.enter_context(keep_holds(self._engine, cells, number))
        return DatabaseCoverage(self._engine, cells, holds, number, self.patterns.zeros)

    def captures(
        self, members: Sequence[NDArray[np.bool_]], antecedents: Sequence[Antecedent]
    ) -> DatabaseRows:
        """Return all rows, of which rules with ``antecedents`` capture some.

        What rules leave is counted from a table that is kept as long as the patterns.
        """
        labels = [label_is(place, self._classes) for place in range(len(self.totals))]
        cells = self._keep_cells(members, antecedents, labels)
        return DatabaseCaptures(self._engine, cells, len(labels), self.patterns.zeros).everything

    def uncovered(self, members: Sequence[NDArray[np.bool_]]) -> DatabaseUncovered:
        """Return all rows, of which rules cover some; ``members`` as in :meth:`coverage`."""
        return DatabaseUncovered(
            self._engine, self.patterns.table, members, self._classes, self._tables
        )

    def _keep_cells(
        self,
        members: Sequence[NDArray[np.bool_]],
        antecedents: Sequence[Antecedent],
        labels: Sequence[exp.Expr],
    ) -> KeptCells:
        return self._tables.enter_context(
            keep_cells(self._engine, self.patterns, members, antecedents, labels)
        )

    def _ask(self, groups: Sequence[tuple[int, ...]]) -> list[NDArray[np.int64]]:
        name = "patterns/histogram"
        branches = [self._branch(place, group) for place, group in enumerate(groups)]
        statement = load(name).bind(dataset=union_all(branches))
        result = self._engine.run(name, statement, {"groups": len(groups)})
        k = len(self.totals)
        shapes = [(*(self._sizes[feature] for feature in group), k) for group in groups]
        ends = np.cumsum([math.prod(shape) for shape in shapes])
        counts = np.zeros(ends[-1], dtype=np.int64)
        starts = np.concatenate([[0], ends[:-1]])
        cell = np.asarray(result["cell"], dtype=np.int64)
        index = starts[result["place"]] + cell * k + class_places(result["label"], self._classes)
        counts[index] = np.asarray(result["units"], dtype=np.int64) // self.patterns.zeros
        parts = np.split(counts, ends[:-1])
        return [part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)]

    def _branch(self, place: int, group: tuple[int, ...]) -> exp.Select:
        """Return ``place, cell, label, units`` of all patterns, for one group of features."""
        cell: exp.Expr = exp.Literal.number(0)
        step = math.prod(self._sizes[feature] for feature in group)
        for feature in group:
            step //= self._sizes[feature]
            code = exp.Cast(this=exp.column(f"code_{feature}"), to=_BIGINT.copy())
            term = exp.Mul(this=code, expression=exp.Literal.number(step))
            cell = exp.Add(this=cell, expression=term)
        columns = {
            "place": exp.Literal.number(place),
            "cell": cell,
            "label": exp.column("label"),
            "units": exp.column("units"),
        }
        query = exp.Select(
            expressions=[exp.alias_(value, name, copy=False) for name, value in columns.items()]
        )
        return query.from_(self.patterns.table.copy(), copy=False)


@contextmanager
def database_statistics(
    dataset: Dataset, codings: Sequence[Coding], classes: ClassCounts
) -> Iterator[DatabaseStatistics]:
    """Yield statistics over a temporary table of small integers, dropped at the end.

    The rows are read once, by the statement that makes the table. Raises InvalidData where the
    table changed since the classes were counted, and for weights that are bad or too large.
    """
    codes: list[exp.Expr] = [code_expression(coding, dataset.engine) for coding in codings]
    codes = codes or [exp.Literal.number(0)]
    with keep_patterns(dataset, codes, classes) as patterns, ExitStack() as tables:
        yield DatabaseStatistics(dataset, codings, classes, patterns, tables)
