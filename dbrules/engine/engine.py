"""What dbrules asks of an engine: a dialect, column types, and statements to run."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Protocol

from sqlglot import exp

from dbrules.data.source import Source
from dbrules.engine.journal import Journal
from dbrules.engine.result import Result
from dbrules.language.column import Column


class Engine(Protocol):
    """An engine over one connection of the caller, which it never closes."""

    dialect: str
    journal: Journal

    def columns(self, source: Source) -> tuple[Column, ...]:
        """Return the columns of the source with their types, without reading rows."""

    def relation(self, source: Source) -> exp.Table | exp.Subquery:
        """Return the source as something to select from."""

    def is_stored(self, source: Source) -> bool:
        """Say whether reading the source twice gives the same rows (a table or file)."""

    def snapshot(self, query: exp.Query) -> AbstractContextManager[exp.Table]:
        """Keep the rows of a query in a temporary table until the context ends."""

    def run(self, name: str, query: exp.Expr, parameters: dict[str, Any] | None = None) -> Result:
        """Run a query and return all of its rows, by column."""

    def execute(self, name: str, statement: exp.Expr) -> None:
        """Run a statement that returns nothing."""

    def encode(self, column: Column) -> exp.Expr:
        """Return the expression that fetches a column exactly, missing as NULL."""

    def decoder(self, column: Column) -> Callable[[Any], Any]:
        """Return the function from a fetched array to ordinals or levels."""
