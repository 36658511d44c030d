"""What a scoring SELECT reads: a table by name, or a query."""

from __future__ import annotations

from sqlglot import exp, parse_one, tokenize
from sqlglot.errors import SqlglotError

from dbrules.compile.dialects import Dialect, traits_of
from dbrules.errors import InvalidQuery

_QUERY_WORDS = ("SELECT", "WITH", "FROM", "VALUES", "TABLE", "(", "PIVOT", "UNPIVOT")
#: What a query without a name of its own is called.
SOURCE = "source"


def source_of(over: str | exp.Expr, dialect: str | Dialect = "duckdb") -> exp.Expr:
    """Return what follows FROM: a table by name, or a query as a subquery called ``source``.

    >>> print(source_of("main.customers").sql(), source_of("my table").sql())
    main.customers "my table"
    """
    traits = traits_of(dialect)
    alias = exp.TableAlias(this=quoted(SOURCE))
    if isinstance(over, exp.Subquery) and over.alias:
        return over.copy()
    if isinstance(over, exp.Query):
        return exp.Subquery(this=over.copy(), alias=alias)
    if isinstance(over, exp.Expr):
        return over.copy()
    text = _query_text(over, traits)
    if text is None:
        return _table(over, traits)
    # a table whose name is the query itself: printed as it stands, and no optimiser looks inside;
    # the line breaks end a trailing comment
    return exp.Table(this=exp.Var(this=f"(\n{text}\n)"), alias=alias)


def star(source: exp.Expr, traits: Dialect) -> exp.Expr:
    """Return ``*``, or ``source.*`` where a bare star takes no company; names ``source`` then."""
    if traits.bare_star:
        return exp.Star()
    if not source.alias:
        source.set("alias", exp.TableAlias(this=quoted(SOURCE)))
    return exp.Column(this=exp.Star(), table=quoted(source.alias))


def _query_text(text: str, traits: Dialect) -> str | None:
    """Return ``text`` without its final semicolon if it is a query, None if it is a name."""
    try:
        tokens = tokenize(text, dialect=traits.name)
    except SqlglotError:
        return None
    if len(tokens) < 2 or tokens[0].text.upper() not in _QUERY_WORDS:
        return None
    for place, token in enumerate(tokens):
        if token.text == ";" and token.token_type.name == "SEMICOLON":
            if any(t.token_type.name != "SEMICOLON" for t in tokens[place:]):
                raise InvalidQuery("the query holds two statements: give one SELECT")
            return text[: token.start]
    return text


def _table(name: str, traits: Dialect) -> exp.Expr:
    try:
        parsed = parse_one(name, into=exp.Table, dialect=traits.name)
    except SqlglotError:
        parsed = None
    if isinstance(parsed, exp.Table):
        parts = [parsed.args.get(part) for part in ("this", "db", "catalog")]
        extra = {k for k, v in parsed.args.items() if v} - {"this", "db", "catalog"}
        if not extra and all(isinstance(p, exp.Identifier) for p in parts if p):
            return parsed
    return exp.Table(this=quoted(name))


def quoted(name: str) -> exp.Identifier:
    """Return a name exactly as it is, in quotes."""
    return exp.Identifier(this=name, quoted=True)
