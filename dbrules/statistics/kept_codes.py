"""Coded patterns that stay in the engine, and the counts of some of them that are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from sqlglot import exp

from dbrules.compile.condition import reference
from dbrules.compile.dialects import dialect_named
from dbrules.compile.literal import integer
from dbrules.data.scale import Scale
from dbrules.engine.engine import Engine
from dbrules.engine.result import Result
from dbrules.engine.statement import load
from dbrules.language.column import Column
from dbrules.search.covering.literal import Antecedent, Feature, Literal
from dbrules.statistics.classes import ClassCounts
from dbrules.statistics.codes import Codes, code_expression
from dbrules.statistics.dataset import Dataset
from dbrules.statistics.kept import KeptPatterns, keep_patterns, keep_query
from dbrules.statistics.kept_cells import union_all
from dbrules.statistics.patterns import pattern_statement

#: Branches of one UNION ALL: engines take 200 to 600 and more.
_BRANCHES = 200
_BIGINT = exp.DataType.build("BIGINT")


@contextmanager
def keep_coded_patterns(
    dataset: Dataset, codings: Sequence[Codes], classes: ClassCounts
) -> Iterator[KeptPatterns]:
    """Yield the patterns of codings as a table that is dropped at the end; rows are read once.

    There is one ``code_0`` where there are no codings. Counts are those of
    :func:`~dbrules.statistics.coded_patterns.read_coded_patterns`, and errors too.
    """
    engine = dataset.engine
    codes: list[exp.Expr] = [code_expression(coding, engine) for coding in codings]
    codes = codes or [exp.Literal.number(0)]
    if dataset.roles.weight is None or not any(isinstance(c, Scale) for c in codings):
        with keep_patterns(dataset, codes, classes) as patterns:
            yield patterns
        return
    with keep_query(dataset, _regrouped(dataset, codings, classes), classes) as patterns:
        yield patterns


def _regrouped(dataset: Dataset, codings: Sequence[Codes], classes: ClassCounts) -> exp.Select:
    """Return the patterns by way of those of values, by which weights are rounded in memory."""
    engine, first, second = dataset.engine, [], []
    for place, coding in enumerate(codings):
        name = f"code_{place}"
        if isinstance(coding, Scale):
            column = coding.column
            first.append(engine.encode(column) if column.type.is_float else reference(column))
            value = replace(coding, column=Column(name, column.type))
            second.append(exp.alias_(code_expression(value, engine), name))
        else:
            first.append(code_expression(coding, engine))
            second.append(exp.column(name))
    _, query = pattern_statement(dataset, first, classes)
    columns = ["label", "rows", "units", "bad_weights"]
    coded = exp.select(*second, *columns).from_(query.subquery("by_value"))
    return load("patterns/regrouped").bind(repeat={"code": len(codings)}, dataset=coded)


@dataclass(frozen=True, eq=False)
class KeptCodes:
    """A temporary table with ``code_0``, …, as many as there are features, one at least.

    ``units``: the column that counts, so that ``zeros`` of it make a unit.
    """

    engine: Engine
    table: exp.Table
    features: tuple[Feature, ...]
    units: str
    zeros: int

    @property
    def codes(self) -> list[str]:
        """The code columns."""
        return [f"code_{place}" for place in range(max(1, len(self.features)))]

    def select(self, columns: Sequence[exp.Expr], where: Sequence[exp.Expr]) -> exp.Select:
        """Return the code columns and others of the rows of which all conditions hold."""
        query = exp.Select(expressions=[*map(exp.column, self.codes), *columns])
        query = query.from_(self.table.copy(), copy=False)
        return query.where(*(condition.copy() for condition in where), copy=False)

    def count(
        self, label: exp.Expr, where: Sequence[exp.Expr], cells: Sequence[exp.Expr]
    ) -> Iterator[tuple[int, Result]]:
        """Count the rows of which ``where`` holds by label and cell, by each of ``cells``.

        Yields where the places of a statement begin, and its ``place, cell, label, units``, with
        ``units`` in units; 200 groupings a statement. NULL is no cell.
        """
        for start in range(0, len(cells), _BRANCHES):
            yield start, self._ask(label, where, cells[start : start + _BRANCHES])

    def _ask(self, label: exp.Expr, where: Sequence[exp.Expr], cells: Sequence[exp.Expr]) -> Result:
        name = "patterns/histogram"
        counted = [exp.alias_(label, "label"), exp.alias_(exp.column(self.units), "units")]
        # nodes are made and not copied: there are many, for each statement of a search
        branches = [
            exp.Select(
                expressions=[
                    exp.alias_(exp.Literal.number(place), "place", copy=False),
                    exp.alias_(exp.Cast(this=cell, to=_BIGINT.copy()), "cell", copy=False),
                    exp.column("label"),
                    exp.column("units"),
                ]
            ).from_(exp.Table(this=exp.to_identifier("chosen")), copy=False)
            for place, cell in enumerate(cells)
        ]
        # the conditions are written once, and judged once where there are many branches
        dataset = union_all(branches).with_(
            "chosen",
            as_=self.select(counted, where),
            materialized=len(cells) > 1,
            copy=False,
        )
        result = self.engine.run(name, load(name).bind(dataset=dataset), {"groups": len(cells)})
        return {**result, "units": result["units"] // self.zeros}


def code_of(feature: int) -> exp.Expr:
    """Return the code of a feature."""
    return exp.column(f"code_{feature}")


def holds(literal: Literal) -> exp.Expr:
    """Return the condition that a literal holds.

    >>> holds(Literal(2, 1, 5)).sql("duckdb"), holds(Literal(2, 0, 5)).sql("duckdb")
    ('code_2 BETWEEN 1 AND 4', 'code_2 < 5')
    """
    feature, first, end = literal
    if end == first + 1:
        return exp.EQ(this=code_of(feature), expression=integer(first))
    if first == 0:
        return exp.LT(this=code_of(feature), expression=integer(end))
    return exp.Between(this=code_of(feature), low=integer(first), high=integer(end - 1))


def covers(antecedent: Antecedent) -> exp.Expr:
    """Return the condition that all literals hold."""
    if not antecedent:
        return exp.true()
    return exp.and_(*(holds(literal) for literal in antecedent), copy=False)


def lacks(antecedent: Antecedent) -> exp.Expr:
    """Return the condition that not all literals hold."""
    return exp.not_(covers(antecedent), copy=False)


def first_of(conditions: Sequence[exp.Expr]) -> exp.Expr:
    """Return the number of the first condition that holds, their number where none does."""
    last = exp.Literal.number(len(conditions))
    if not conditions:
        return last
    numbered = enumerate(conditions)
    ifs = [exp.If(this=held, true=exp.Literal.number(place)) for place, held in numbered]
    return exp.Case(ifs=ifs, default=last)


def branches_of(engine: Engine) -> int:
    """Return how many branches a CASE may have."""
    return dialect_named(engine.dialect).branches
