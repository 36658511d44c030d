"""Statements of sql/: loading, checked headers, binding to a data set.

A file is a commented SELECT that runs by hand as it stands: its leading CTEs named in
``reads:`` hold a few example rows. Binding replaces exactly those CTEs, the body is never
edited. Header lines::

    -- counts/value_class: one line that says what it answers
    -- reads:   dataset(value ANY, label ANY, weight DECIMAL(38,12))
    -- returns: value ANY, label ANY, rows BIGINT

Where the number of columns depends on the data, the file shows two of a kind, ``code_0, code_1``,
and binding with ``repeat={"code": n}`` writes as many as there are: in the lists of SELECT, GROUP
BY and ORDER BY the item that names ``code_0`` is written for each, the one with ``code_1`` falls
away. Nothing else of the body changes.
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

    def bind(
        self, *, repeat: Mapping[str, int] | None = None, **relations: exp.Query
    ) -> exp.Select:
        """Return the statement over ``relations``, one query for each name in ``reads``.

        ``repeat`` says how many columns of a kind there are, one or more; without it the
        statement stands as in its file. Raises EngineError where a relation is missing or lacks a
        column.

        >>> query = exp.select("a AS code_0", "y AS label").from_("t")
        >>> tree = load("patterns/patterns_rows").bind(repeat={"code": 1}, dataset=query)
        >>> tree.named_selects
        ['code_0', 'label', 'units']
        """
        if set(relations) != set(self.reads):
            raise EngineError(
                f"statement {self.name} reads {sorted(self.reads)}, bound to {sorted(relations)}; "
                "give one query for each"
            )
        tree = _parse(self.text).copy()
        for kind, times in (repeat or {}).items():
            self._check_repeat(kind, times)
            _repeat(tree, kind, times)
        for cte in tree.ctes:
            if cte.alias in relations:
                query = relations[cte.alias]
                needed = _needed(self.reads[cte.alias], repeat or {})
                if query.named_selects and not set(needed) <= set(query.named_selects):
                    raise EngineError(
                        f"statement {self.name} needs {needed} "
                        f"of {cte.alias}, bound to {query.named_selects}; add what is missing"
                    )
                cte.set("this", query)
                # each use pushes its own filters and columns into the scan
                cte.set("materialized", False)
        return tree

    def _check_repeat(self, kind: str, times: int) -> None:
        shown = {f"{kind}_0", f"{kind}_1"}
        if times < 1 or not any(shown <= set(columns) for columns in self.reads.values()):
            raise EngineError(
                f"statement {self.name} cannot repeat {kind!r} {times} times: "
                f"its file must read {kind}_0 and {kind}_1, and one column is the least"
            )


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


def _needed(signature: Signature, repeat: Mapping[str, int]) -> list[str]:
    """Return the names a bound query must have, repeated columns as often as asked."""
    names: dict[str, None] = {}
    for name in signature:
        kind, _, number = name.rpartition("_")
        if kind in repeat and number in ("0", "1"):
            names |= {f"{kind}_{place}": None for place in range(repeat[kind])}
        elif name != "*":
            names[name] = None
    return list(names)


def _repeat(tree: exp.Select, kind: str, times: int) -> None:
    """Write the item of column ``kind_0`` for each of ``times`` columns, in every list."""
    for node in list(tree.find_all(exp.Select, exp.Group, exp.Order)):
        items: list[exp.Expr] = []
        for item in node.expressions:
            named = {column.name for column in item.find_all(exp.Column)}
            if f"{kind}_0" in named:
                items.extend(_renumber(item, kind, place) for place in range(times))
            elif f"{kind}_1" not in named:
                items.append(item)
        node.set("expressions", items)


def _renumber(item: exp.Expr, kind: str, place: int) -> exp.Expr:
    copy = item.copy()
    for name in copy.find_all(exp.Identifier):
        if name.name == f"{kind}_0":
            name.set("this", f"{kind}_{place}")
    return copy


def _signature(text: str) -> Signature:
    columns = re.findall(r"(\w+|\*)\s*([A-Z]+(?:\([^()]*\))?)?(?:,|$)", " ".join(text.split()))
    return dict(columns)


@cache
def _parse(text: str) -> exp.Select:
    tree = sqlglot.parse_one(text, read="duckdb")
    if not isinstance(tree, exp.Select):
        raise EngineError("a statement file must be one SELECT")
    return tree
