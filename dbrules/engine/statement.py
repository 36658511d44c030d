"""Statements of sql/: loading, checked headers, binding to a data set.

A file is a commented SELECT that runs by hand as it stands: its leading CTEs named in
``reads:`` hold a few example rows. Binding replaces exactly those CTEs, the body is never
edited. Header lines::

    -- counts/value_class: one line that says what it answers
    -- reads:   dataset(value ANY, label ANY, weight DECIMAL(38,12))
    -- returns: value ANY, label ANY, rows BIGINT
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import sqlglot
from sqlglot import exp

from dbrules.errors import EngineError

#: Columns of a relation as a header names them: name to SQL type (``ANY``: as bound).
Signature = dict[str, str]


@dataclass(frozen=True)
class Statement:
    """A statement file: what it reads, what it returns, and its tree."""

    name: str
    summary: str
    reads: dict[str, Signature]
    returns: Signature
    text: str

    def bind(self, **relations: exp.Query) -> exp.Select:
        """Return the statement over ``relations``, one query for each name in ``reads``.

        Raises EngineError where a relation is missing or lacks a column.
        """
        if set(relations) != set(self.reads):
            raise EngineError(
                f"statement {self.name} reads {sorted(self.reads)}, bound to {sorted(relations)}; "
                "give one query for each"
            )
        tree = _parse(self.text).copy()
        for cte in tree.ctes:
            if cte.alias in relations:
                query = relations[cte.alias]
                if query.named_selects and not set(self.reads[cte.alias]) - {"*"} <= set(
                    query.named_selects
                ):
                    raise EngineError(
                        f"statement {self.name} needs {list(self.reads[cte.alias])} "
                        f"of {cte.alias}, bound to {query.named_selects}; add what is missing"
                    )
                cte.set("this", query)
                # each use pushes its own filters and columns into the scan
                cte.set("materialized", False)
        return tree


def statement_folder() -> Path:
    """Return the folder of sql/: inside the wheel, or beside the package in a checkout."""
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "sql", package.parent / "sql"):
        if (folder / "counts").is_dir():
            return folder
    raise EngineError(f"no sql/ folder beside {package}: reinstall dbrules")


def statement_names() -> list[str]:
    """Return the names of all statement files, such as ``counts/value_class``."""
    folder = statement_folder()
    return sorted(p.relative_to(folder).with_suffix("").as_posix() for p in folder.rglob("*.sql"))


@cache
def load(name: str) -> Statement:
    """Return the statement file ``name``; EngineError where the header does not parse.

    >>> load("counts/value_class").returns["rows"]
    'BIGINT'
    """
    text = (statement_folder() / f"{name}.sql").read_text(encoding="utf-8")
    header = [line[3:] for line in text.splitlines() if line.startswith("-- ")]
    if not header or not header[0].startswith(f"{name}: "):
        raise EngineError(f"sql/{name}.sql: the first line must be '-- {name}: what it answers'")
    fields = dict(re.findall(r"^(\w+): +(.*(?:\n  .*)*)$", "\n".join(header[1:]), flags=re.M))
    if not {"reads", "returns"} <= set(fields):
        raise EngineError(f"sql/{name}.sql: the header needs lines 'reads:' and 'returns:'")
    reads = {
        relation: _signature(columns)
        for relation, columns in re.findall(
            r"(\w+)\(((?:[^()]|\([^()]*\))*)\)", fields["reads"].replace("\n", " ")
        )
    }
    summary = header[0].partition(": ")[2]
    return Statement(name, summary, reads, _signature(fields["returns"]), text)


def settings(values: Mapping[str, float | int]) -> exp.Select:
    """Return the one-row query that binds a statement's ``settings`` relation.

    >>> settings({"fraction": 0.3}).sql(dialect="duckdb")
    'SELECT CAST(0.3 AS DOUBLE) AS fraction'
    """
    return exp.select(
        *(
            exp.alias_(
                exp.cast(exp.Literal.number(repr(value)), "DOUBLE")
                if isinstance(value, float)
                else exp.Literal.number(value),
                name,
            )
            for name, value in values.items()
        )
    )


def _signature(text: str) -> Signature:
    columns = re.findall(r"(\w+|\*)\s*([A-Z]+(?:\([^()]*\))?)?(?:,|$)", " ".join(text.split()))
    return dict(columns)


@cache
def _parse(text: str) -> exp.Select:
    tree = sqlglot.parse_one(text, read="duckdb")
    if not isinstance(tree, exp.Select):
        raise EngineError("a statement file must be one SELECT")
    return tree
