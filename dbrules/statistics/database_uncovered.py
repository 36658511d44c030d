"""What the rules of a list leave, asked of the engine (``search/association/uncovered``)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

import numpy as np
from numpy.typing import NDArray
from sqlglot import exp

from dbrules.engine.engine import Engine
from dbrules.engine.statement import load
from dbrules.search.antecedents import Antecedent
from dbrules.statistics.classes import ClassCounts
from dbrules.statistics.counts import class_places
from dbrules.statistics.kept_cells import code_is_among, label_is

Rule = tuple[Antecedent, int]


class DatabaseUncovered:
    """Patterns in a temporary table, but those of some rules; only counts leave the engine.

    ``table``: ``code_0``, …, ``label``, ``units``. ``members``: for each feature which codes its
    literals hold of, shape (literals, codes). ``tables`` ends with the tables that are made.
    """

    #: Rules of one statement, which reads the patterns once for all of them.
    batch = 100

    def __init__(
        self, engine: Engine, table: exp.Table, members: Sequence[NDArray[np.bool_]],
        classes: ClassCounts, tables: ExitStack,
    ) -> None:  # fmt: skip
        self._engine = engine
        self._table = table
        self._members = members
        self._classes = classes
        self._tables = tables

    def taking(
        self, antecedents: Sequence[Antecedent], labels: Sequence[int]
    ) -> tuple[list[int], DatabaseUncovered]:
        """Take every rule, in order, that is right of a row which none taken before covers.

        Statements speak of all rules at once. Where all that could be taken stand in a list, a
        rule that is right of a row it captures there is taken for sure: with fewer rules before
        it, it captures that row too. Where only rules that are taken for sure stand before a
        rule, and it is right of no row that they leave, it is not taken. The first rule that is
        open is decided in each round, and nearly always most are.
        """
        rules = list(zip(antecedents, labels, strict=True))
        sure: list[int] = []
        pending = list(range(len(rules)))
        while pending:
            right = self._right(rules, pending, sure)
            pending = [place for place, is_right in zip(pending, right, strict=True) if is_right]
            if not pending:
                break
            possible = sorted([*sure, *pending])
            hits = self._captures(rules, possible)
            sure = [place for place in possible if place in hits]
            pending = [place for place in possible if place not in hits]
        return sure, self._without([antecedents[place] for place in sure])

    def _right(
        self, rules: Sequence[Rule], asked: Sequence[int], sure: Sequence[int]
    ) -> list[bool]:
        """Say of each rule asked for whether it is right of rows that no sure one before covers."""
        columns = []
        for n, place in enumerate(asked):
            antecedent, label = rules[place]
            held: list[exp.Expr] = [self._holds(antecedent), label_is(label, self._classes)]
            if sure:
                before = exp.GT(this=exp.column("first_rule"), expression=_number(place))
                held.append(before)
            right = _case([(exp.and_(*held, copy=False), exp.column("units"))], _number(0))
            columns.append(exp.alias_(right, f"right_{n}", copy=False))
        rows = exp.Select(expressions=columns)
        source: exp.Expr = self._table.copy()
        if sure:
            first = exp.alias_(self._first(rules, sure), "first_rule", copy=False)
            source = exp.Select(expressions=[exp.Star(), first]).from_(source, copy=False)
            source = source.subquery("numbered", copy=False)
        name = "patterns/right"
        repeat = {"right": len(columns)}
        statement = load(name).bind(repeat=repeat, dataset=rows.from_(source, copy=False))
        result = self._engine.run(name, statement, {"rules": len(columns)})
        return [int(result[f"right_{n}"][0]) > 0 for n in range(len(columns))]

    def _captures(self, rules: Sequence[Rule], listed: Sequence[int]) -> set[int]:
        """Return which rules of a list are right of a row that they capture."""
        columns = {
            "place": _number(0), "cell": self._first(rules, listed),
            "label": exp.column("label"), "units": exp.column("units"),
        }  # fmt: skip
        named = [exp.alias_(value, name, copy=False) for name, value in columns.items()]
        name = "patterns/histogram"
        query = exp.Select(expressions=named).from_(self._table.copy(), copy=False)
        statement = load(name).bind(dataset=query)
        result = self._engine.run(name, statement, {"rules": len(listed)})
        label = class_places(result["label"], self._classes).tolist()
        captured = set(zip(np.asarray(result["cell"]).tolist(), label, strict=True))
        return {place for place in listed if (place, rules[place][1]) in captured}

    def _without(self, antecedents: Sequence[Antecedent]) -> DatabaseUncovered:
        if not antecedents:
            return self
        query = exp.Select(expressions=[exp.Star()]).from_(self._table.copy(), copy=False)
        holds = [self._holds(antecedent) for antecedent in antecedents]
        query = query.where(exp.not_(exp.or_(*holds, copy=False), copy=False), copy=False)
        left = self._tables.enter_context(self._engine.snapshot(query))
        return DatabaseUncovered(self._engine, left, self._members, self._classes, self._tables)

    def _first(self, rules: Sequence[Rule], listed: Sequence[int]) -> exp.Expr:
        """Return the place of the first rule that covers a pattern; one beyond all for none."""
        return _case([(self._holds(rules[n][0]), _number(n)) for n in listed], _number(len(rules)))

    def _holds(self, antecedent: Antecedent) -> exp.Expr:
        held = (code_is_among(f, self._members[f][number].tolist()) for f, number in antecedent)
        return exp.and_(*held, copy=False)


def _case(branches: Sequence[tuple[exp.Expr, exp.Expr]], default: exp.Expr) -> exp.Case:
    return exp.Case(
        ifs=[exp.If(this=condition, true=value) for condition, value in branches], default=default
    )


def _number(number: int) -> exp.Expr:
    return exp.Literal.number(number)
