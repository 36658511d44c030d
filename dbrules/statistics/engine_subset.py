"""Some rows in the engine, as sequential covering asks for them (``search/covering/subset``)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray
from sqlglot import exp

from dbrules.engine.statement import load, settings
from dbrules.search.covering.draw import Draw
from dbrules.search.covering.literal import Antecedent, Feature, Literal
from dbrules.search.covering.subset import Count
from dbrules.statistics.codes import pack
from dbrules.statistics.kept_cells import union_all
from dbrules.statistics.kept_codes import (
    KeptCodes,
    branches_of,
    code_of,
    covers,
    first_of,
    holds,
    lacks,
)

#: Rows of the positive class, and all others, in the order of counts.
_SIDES: Final = (1, 0)


class EngineSubset:
    """The rows of a kept table of which some conditions hold, of the positive class or not.

    ``positive``: 1 for rows of that class, else 0. Nothing is asked before a count is: then each
    question is one statement, and only class counts leave the engine.
    """

    def __init__(
        self, kept: KeptCodes, positive: exp.Expr, where: tuple[exp.Expr, ...] = ()
    ) -> None:
        self._kept, self._positive, self._where = kept, positive, where

    @property
    def features(self) -> tuple[Feature, ...]:
        """The features, in declared order."""
        return self._kept.features

    @cached_property
    def count(self) -> Count:
        """What there is."""
        if self.features and "histogram" in self.__dict__:
            positive, negative = self.histogram[:, : self.features[0].size].sum(axis=1).tolist()
            return Count(positive, negative)
        (counts,) = self._grid(exp.Literal.number(0), 1)
        return counts

    @cached_property
    def histogram(self) -> NDArray[np.int64]:
        """Positive and other units of each code, shape (2, codes of all features)."""
        ends = np.cumsum([0, *(feature.size for feature in self.features)])
        counts = np.zeros((2, int(ends[-1])), dtype=np.int64)
        codes = [code_of(place) for place in range(len(self.features))]
        for start, result in self._kept.count(self._positive, self._where, codes):
            starts = ends[start:][np.asarray(result["place"], dtype=np.int64)]
            cell = np.asarray(result["cell"], dtype=np.int64)
            counts[1 - np.asarray(result["label"], np.int64), starts + cell] = result["units"]
        return counts

    def meeting(self, *literals: Literal) -> EngineSubset:
        """Return the rows that each literal holds of."""
        subset = self
        for literal in literals:
            subset = subset._and(holds(literal))
        return subset

    def without(self, *antecedents: Antecedent) -> EngineSubset:
        """Return the rows that no antecedent covers."""
        subset = self
        for antecedent in antecedents:
            subset = subset._and(lacks(antecedent))
        return subset

    def without_positives(self, antecedent: Antecedent) -> EngineSubset:
        """Return the rows but the positive ones of which all literals hold."""
        other = exp.EQ(this=self._positive, expression=exp.Literal.number(0))
        return self._and(exp.or_(other, lacks(antecedent)))

    def path(self, antecedent: Antecedent) -> list[Count]:
        """Return what the first literal covers, the first two, …, all."""
        if not antecedent:
            return []
        fails = [exp.not_(holds(literal), copy=False) for literal in antecedent]
        # rows by the first literal that fails: up to a literal are covered those that fail later
        counts = self._grid(first_of(fails), len(fails) + 1)
        covered = np.array(counts)[::-1].cumsum(axis=0)[::-1][1:]
        return [Count(*row) for row in covered.tolist()]

    def captures(self, antecedents: Sequence[Antecedent]) -> list[Count]:
        """Return what each rule of a list captures."""
        counts: list[Count] = []
        most, where = branches_of(self._kept.engine), list(self._where)
        for start in range(0, len(antecedents), most):
            part = antecedents[start : start + most]
            number = first_of([covers(antecedent) for antecedent in part])
            counts += EngineSubset(self._kept, self._positive, tuple(where))._grid(
                number, len(part)
            )
            where += map(lacks, part)
        return counts

    def row(self, unit: int) -> tuple[int, ...]:
        """Return the codes of a positive unit, by its number in the canonical order of patterns."""
        name, kept = "patterns/unit", self._kept
        order = self._order()
        positive = exp.EQ(this=self._positive, expression=exp.Literal.number(1))
        statement = load(name).bind(
            repeat={"code": len(kept.codes), "order": len(order)},
            dataset=kept.select([self._units(), *order], (*self._where, positive)),
            settings=settings({"unit": unit}),
        )
        result = kept.engine.run(name, statement, {"unit": unit})
        return tuple(int(result[column][0]) for column in kept.codes[: len(self.features)])

    @contextmanager
    def split(self, draw: Draw) -> Iterator[tuple[EngineSubset, EngineSubset]]:
        """Yield the rows that are left after a draw, and those drawn, from a table until then."""
        kept = self._kept
        order = self._order()
        columns = [exp.alias_(self._positive, "positive"), self._units(), *order]
        statement = load("patterns/draw").bind(
            repeat={"code": len(kept.codes), "order": len(order)},
            dataset=kept.select(columns, self._where),
            settings=settings({"up": draw.share.numerator, "down": draw.share.denominator}),
            keys=_keys(draw),
        )
        with kept.engine.snapshot(statement) as table:
            left, drawn = (
                EngineSubset(
                    replace(kept, table=table, units=f"units_{part}", zeros=1),
                    exp.column("positive"),
                )
                for part in ("left", "drawn")
            )
            yield left, drawn

    def _units(self) -> exp.Expr:
        zeros = exp.Literal.number(self._kept.zeros)
        whole = exp.IntDiv(this=exp.column(self._kept.units), expression=zeros)
        return exp.alias_(whole, "units")

    def _order(self) -> list[exp.Expr]:
        """Return the columns by which patterns are in canonical order: few and fast to compare."""
        numbers = pack([feature.size for feature in self.features]).of_columns()
        return [exp.alias_(number, f"order_{place}") for place, number in enumerate(numbers)]

    def _and(self, condition: exp.Expr) -> EngineSubset:
        return EngineSubset(self._kept, self._positive, (*self._where, condition))

    def _grid(self, cell: exp.Expr, cells: int) -> list[Count]:
        """Return what is in each of the first so many cells, by one statement."""
        counts = np.zeros((cells + 1, 2), dtype=np.int64)
        for _, result in self._kept.count(self._positive, self._where, [cell]):
            place = np.asarray(result["cell"], dtype=np.int64)
            counts[place, 1 - np.asarray(result["label"], np.int64)] = result["units"]
        return [Count(*row) for row in counts[:cells].tolist()]


def _keys(draw: Draw) -> exp.Query:
    """Return the keys of a draw for the rows of the positive class and for all others."""
    queries = []
    for side, key in zip(_SIDES, draw.keys, strict=True):
        numbers = [
            exp.alias_(exp.cast(exp.Literal.number(number), "BIGINT"), name)
            for name, number in zip("abc", key, strict=True)
        ]
        queries.append(exp.select(exp.alias_(exp.Literal.number(side), "positive"), *numbers))
    return union_all(queries)
