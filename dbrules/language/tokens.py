"""Split rule text into tokens, by one regular expression."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NoReturn

from dbrules.errors import InvalidRuleText

#: Words of the grammar: names and labels only in quotes.
KEYWORDS: Final = (
    "IF", "THEN", "ELSE", "AND", "OR", "NOT", "IN", "IS", "NULL", "BETWEEN",
    "TRUE", "FALSE", "INFINITY", "NAN",
)  # fmt: skip
#: Words that make a value of the text after them, and are names elsewhere.
TEMPORAL: Final = ("DATE", "TIME", "TIMESTAMP", "TIMESTAMPTZ")

# a sign belongs to its number: the language has no arithmetic
_TOKEN = re.compile(
    r"""
    (?P<skip>   \s+ | --[^\n]* )
  | (?P<name>   "(?:[^"]|"")*" )
  | (?P<text>   '(?:[^']|'')*' )
  | (?P<number> [+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|infinity\b) )
  | (?P<word>   [^\W\d]\w* )
  | (?P<symbol> <= | >= | <> | != | == | [=<>(),;] )
    """,
    re.VERBOSE | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of rule text and where it starts (0-based offset)."""

    kind: str  #: word, name (in double quotes), text (in single quotes), number, symbol, end
    text: str  #: as written; names and texts without their quotes
    start: int

    def is_word(self, *words: str) -> bool:
        """True for an unquoted word among ``words`` (given in capitals), in any case."""
        return self.kind == "word" and self.text.upper() in words

    def is_symbol(self, *symbols: str) -> bool:
        """True for one of ``symbols``."""
        return self.kind == "symbol" and self.text in symbols

    def __str__(self) -> str:
        return "the end of the text" if self.kind == "end" else repr(self.text)


def place(text: str, start: int) -> str:
    r"""Return ``line 2, column 5`` for an offset.

    >>> place("ab\ncd", 4)
    'line 2, column 2'
    """
    line = text.count("\n", 0, start) + 1
    return f"line {line}, column {start - (text.rfind(chr(10), 0, start) + 1) + 1}"


def fail(text: str, start: int, what: str) -> NoReturn:
    """Raise InvalidRuleText for ``what`` (fault and remedy) at an offset."""
    raise InvalidRuleText(f"{place(text, start)}: {what}")


def tokenize(text: str) -> Iterator[Token]:
    """Yield the tokens of ``text``, comments and blanks left out, and last an ``end`` token.

    >>> [token.text for token in tokenize("IF age>=60 THEN yes -- 12 of 15")]
    ['IF', 'age', '>=', '60', 'THEN', 'yes', '']
    """
    start = 0
    while start < len(text):
        match = _TOKEN.match(text, start)
        if match is None:
            character = text[start]
            if character in "\"'":
                fail(text, start, f"a quote {character} is never closed; add the closing one")
            fail(text, start, f'unexpected character {character!r}; quote names as "a b"')
        kind, piece = match.lastgroup, match[0]
        if kind in ("name", "text"):
            quote = piece[0]
            piece = piece[1:-1].replace(quote * 2, quote)
        if kind != "skip":
            yield Token(kind or "", piece, start)
        start = match.end()
    yield Token("end", "", start)
