"""The forms of ``data``: a table name, a SELECT, a file, a frame or a relation."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal

from sqlglot import exp, tokenize
from sqlglot.errors import SqlglotError
from sqlglot.tokenizer_core import Token, TokenType

from dbrules.data.frame import check_frame
from dbrules.errors import InvalidQuery

SourceKind = Literal["table", "query", "file", "frame", "relation"]

_QUERY_WORDS = ("SELECT", "WITH", "FROM", "VALUES", "PIVOT", "UNPIVOT", "TABLE", "DESCRIBE",
                "SUMMARIZE", "SHOW", "(")  # fmt: skip
_READERS = {
    ".parquet": "READ_PARQUET",
    ".csv": "READ_CSV",
    ".tsv": "READ_CSV",
    ".csv.gz": "READ_CSV",
    ".tsv.gz": "READ_CSV",
    ".json": "READ_JSON",
    ".jsonl": "READ_JSON",
    ".ndjson": "READ_JSON",
    ".json.gz": "READ_JSON",
    ".jsonl.gz": "READ_JSON",
    ".ndjson.gz": "READ_JSON",
}
#: Types that the CSV reader may find. BOOLEAN is left out: it would turn Yes/No labels into TRUE.
_CSV_TYPES = ("BIGINT", "DOUBLE", "TIME", "DATE", "TIMESTAMP", "TIMESTAMPTZ", "VARCHAR")


@dataclass(frozen=True)
class Source:
    """Where rows come from. ``text`` is a table name, a path or one SELECT, verbatim."""

    kind: SourceKind
    text: str
    frame: Any = None

    def __str__(self) -> str:
        text = " ".join(self.text.split())
        return text if len(text) <= 60 else text[:57] + "..."

    @property
    def relation(self) -> exp.Table | exp.Subquery:
        """The source as something to select from (tables, queries and files)."""
        if self.kind == "table":
            return table_name(self.text)
        if self.kind == "query":
            return exp.Subquery(this=exp.Var(this=self.text))
        return exp.Table(this=_reader(self.text))


def source(data: object) -> Source:
    """Return the Source for any form of ``data`` that design allows.

    A trailing semicolon or comment does not matter; two statements, or something that is not
    a query, raise InvalidQuery and nothing is run.

    >>> source("SELECT a FROM t; -- all of it").text
    'SELECT a FROM t'
    >>> source("bank.parquet").kind, source('my."odd table"').kind
    ('file', 'table')
    """
    if isinstance(data, Source):
        return data
    if isinstance(data, str):
        return _text_source(data)
    if hasattr(data, "__fspath__"):
        return _text_source(str(data))
    module = type(data).__module__.partition(".")[0]
    if module in ("duckdb", "_duckdb") and type(data).__name__ == "DuckDBPyRelation":
        return Source("relation", "relation", data)
    if module in ("pandas", "pyarrow", "polars") and (
        hasattr(data, "columns") or hasattr(data, "schema")
    ):
        check_frame(data, module)
        return Source("frame", f"{module} {type(data).__name__}", data)
    raise InvalidQuery(
        f"data of type {type(data).__name__} cannot be read: give a table name, a SELECT, "
        "a file path, a pandas, Arrow or Polars frame, or a DuckDB relation"
    )


def is_file(text: str) -> bool:
    """Return True where text is a path by its ending, such as ``bank.csv.gz``.

    A query can end like one: ``SELECT * FROM archive.csv``.
    """
    is_query = " " in text and text.split()[0].upper() in _QUERY_WORDS
    return (
        not is_query
        and "\n" not in text
        and any(text.lower().endswith(ending) for ending in _READERS)
    )


def words(origin: Source) -> list[str]:
    """Return the names and other words of a table or query, without their quotes."""
    if origin.kind == "table":
        return [part.name for part in table_name(origin.text).parts]
    try:
        return [token.text for token in tokenize(origin.text, read="duckdb")]
    except SqlglotError:
        return re.findall(r"\w+", origin.text)


def table_name(text: str) -> exp.Table:
    """Return a table by its SQL name; a name that does not parse is taken as one identifier."""
    try:
        tokens = tokenize(text, read="duckdb")
    except SqlglotError:
        tokens = []
    names = tokens[::2]
    dots = tokens[1::2]
    if (
        not tokens
        or len(tokens) % 2 == 0
        or len(names) > 3
        or any(token.token_type is not TokenType.DOT for token in dots)
        or any(token.token_type in _NO_NAME for token in names)
    ):
        return exp.Table(this=exp.to_identifier(text, quoted=True))
    parts = [exp.to_identifier(token.text, quoted=True) for token in reversed(names)]
    return exp.Table(**dict(zip(("this", "db", "catalog"), parts, strict=False)))


_NO_NAME = frozenset({TokenType.STRING, TokenType.NUMBER, TokenType.DOT, TokenType.SEMICOLON,
                      TokenType.COMMA, TokenType.L_PAREN, TokenType.R_PAREN})  # fmt: skip


def _text_source(text: str) -> Source:
    text = text.strip()
    if is_file(text):
        return Source("file", text)
    try:
        tokens = tokenize(text, read="duckdb")
    except SqlglotError as error:
        if not text.upper().startswith(_QUERY_WORDS):
            return Source("table", text)
        reason = str(error).splitlines()[0]
        raise InvalidQuery(f"query {_short(text)!r} cannot be read: {reason}; mend it") from None
    if all(token.token_type is TokenType.SEMICOLON for token in tokens):
        raise InvalidQuery("data is empty: give a table name, a SELECT or a file path")
    while tokens[-1].token_type is TokenType.SEMICOLON:
        tokens.pop()
        text = text[: tokens[-1].end + 1]
    first = tokens[0].text.upper()
    is_word = tokens[0].token_type is not TokenType.L_PAREN
    is_name = len(tokens) == 1 or tokens[1].token_type is TokenType.DOT  # such as values.t
    if first not in _QUERY_WORDS or (is_word and is_name):
        if not is_name and (
            first in ("CREATE", "INSERT", "UPDATE", "DELETE", "DROP", "COPY", "ATTACH", "ALTER",
                      "PRAGMA", "SET", "CALL", "INSTALL", "LOAD", "BEGIN", "TRUNCATE", "MERGE")
            or any(token.token_type is TokenType.SEMICOLON for token in tokens)
        ):  # fmt: skip
            raise InvalidQuery(
                f"data {_short(text)!r} is not a SELECT: give a table name, a SELECT or a file"
            )
        return Source("table", text)
    return Source("query", _one_query(text, tokens))


def _one_query(text: str, tokens: list[Token]) -> str:
    if any(token.token_type is TokenType.SEMICOLON for token in tokens):
        raise InvalidQuery(
            f"data {_short(text)!r} holds more than one statement: give one SELECT (none was run)"
        )
    return text[tokens[0].start : tokens[-1].end + 1]


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."


def _reader(path: str) -> exp.Anonymous:
    ending = max((e for e in _READERS if path.lower().endswith(e)), key=len)
    reader = _READERS[ending]
    arguments: list[exp.Expr] = [exp.Literal.string(path)]
    if reader == "READ_CSV":
        types = exp.Array(expressions=[exp.Literal.string(name) for name in _CSV_TYPES])
        arguments.append(exp.PropertyEQ(this=exp.to_identifier("auto_type_candidates"),
                                        expression=types))  # fmt: skip
    return exp.Anonymous(this=reader, expressions=arguments)
