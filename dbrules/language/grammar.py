"""The grammar of rule text: from tokens to conditions and rules whose values have no type yet.

Grammar (keywords in any case; blanks, line breaks and ``-- comments`` are free)::

    list       = { ["ELSE"] "IF" conditions "THEN" label } "ELSE" label [";"]
    conditions = condition { "AND" condition }
    condition  = name ("=" | "<>" | "<" | "<=" | ">" | ">=") value
               | name ["NOT"] "IN" "(" value { "," value } ")"
               | name "IS" ["NOT"] "NULL"
               | name "BETWEEN" value "AND" value
               | value ("<" | "<=") name [("<" | "<=") value]
    value      = number | 'text' | TRUE | FALSE | [-]INFINITY
               | (DATE | TIME | TIMESTAMP | TIMESTAMPTZ) 'text'
    label      = value | word
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import NoReturn

from dbrules.language.column import Value
from dbrules.language.condition import (
    CLOSED_LEFT,
    CLOSED_RIGHT,
    EQ,
    GE,
    GT,
    IN,
    IS_NOT_NULL,
    IS_NULL,
    LE,
    LT,
    NE,
    NOT_IN,
)
from dbrules.language.tokens import KEYWORDS, TEMPORAL, Token, fail, tokenize

_COMPARISONS = {"=": EQ, "==": EQ, "<>": NE, "!=": NE, "<": LT, "<=": LE, ">": GT, ">=": GE}
_MIRRORED = {LT: GT, LE: GE, GT: LT, GE: LE, EQ: EQ, NE: NE}


class Number(str):
    """A number as written: its value depends on the column's type."""

    __slots__ = ()

    def untyped(self) -> int | float:
        """Return an int for digits alone, a float for a point or exponent."""
        return int(self) if self.lstrip("+-").isdecimal() else float(self)


@dataclass(frozen=True, slots=True)
class Literal:
    """A value and the offset where it stands."""

    value: Value | Number
    start: int


@dataclass(frozen=True, slots=True)
class ParsedCondition:
    """A condition as written, values not yet of the column's type."""

    feature: Token
    op: str
    literals: tuple[Literal, ...] = ()


@dataclass(frozen=True, slots=True)
class ParsedRules:
    """The rules and the default of a text."""

    rules: tuple[tuple[tuple[ParsedCondition, ...], Literal], ...]
    default: Literal

    @property
    def labels(self) -> tuple[Literal, ...]:
        """All labels, the default's last."""
        return (*(label for _, label in self.rules), self.default)


class Parser:
    """Recursive descent over the tokens of one text; each method reads one thing."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = list(tokenize(text))
        self.at = 0

    @property
    def token(self) -> Token:
        """The next token."""
        return self.tokens[self.at]

    def take(self) -> Token:
        """Return the next token and step over it."""
        token = self.token
        self.at = min(self.at + 1, len(self.tokens) - 1)
        return token

    def takes(self, *words: str) -> bool:
        """Step over the next token if it is one of ``words``."""
        if self.token.is_word(*words):
            self.take()
            return True
        return False

    def fail(self, what: str) -> NoReturn:
        """Raise InvalidRuleText at the next token."""
        fail(self.text, self.token.start, what)

    def need(self, word: str, after: str) -> None:
        """Step over ``word`` or fail."""
        if not self.takes(word):
            self.fail(f"expected {word} after {after}, found {self.token}; write {word} here")

    def rules(self) -> ParsedRules:
        """Read a whole list, default included."""
        rules = []
        while True:
            otherwise = self.takes("ELSE")
            if self.takes("IF"):
                conditions = self.conditions()
                self.need("THEN", "the conditions")
                rules.append((conditions, self.label()))
            elif otherwise:
                default = self.label()
                self.end("the default; ELSE and its label stand last")
                return ParsedRules(tuple(rules), default)
            elif self.token.kind == "end" or self.token.is_symbol(";"):
                self.fail("the list ends without a default; add a last line such as: ELSE no")
            else:
                self.fail(f"expected IF or ELSE, found {self.token}; start each rule with IF")

    def only_conditions(self) -> tuple[ParsedCondition, ...]:
        """Read a text of conditions alone."""
        conditions = self.conditions()
        self.end("the conditions; join conditions by AND")
        return conditions

    def end(self, after: str) -> None:
        """Require the end of the text."""
        if self.token.is_symbol(";"):
            self.take()
        if self.token.kind != "end":
            self.fail(f"unexpected {self.token} after {after}")

    def conditions(self) -> tuple[ParsedCondition, ...]:
        """Read conditions joined by AND."""
        conditions = list(self.condition())
        while self.takes("AND"):
            conditions += self.condition()
        if self.token.is_word("OR"):
            self.fail("OR is not part of the language; write one rule for each alternative")
        return tuple(conditions)

    def condition(self) -> list[ParsedCondition]:
        """Read one condition (two for BETWEEN)."""
        if self.at_value():
            return self.value_first()
        name = self.name()
        if self.token.kind == "symbol" and self.token.text in _COMPARISONS:
            return [ParsedCondition(name, _COMPARISONS[self.take().text], (self.value(),))]
        if self.takes("IS"):
            op = IS_NOT_NULL if self.takes("NOT") else IS_NULL
            self.need("NULL", "IS")
            return [ParsedCondition(name, op)]
        if self.takes("BETWEEN"):
            lower = self.value()
            self.need("AND", "the lower bound of BETWEEN")
            return [ParsedCondition(name, GE, (lower,)), ParsedCondition(name, LE, (self.value(),))]
        op = NOT_IN if self.takes("NOT") else IN
        if not self.takes("IN"):
            self.fail(
                f"expected a comparison after {name}, found {self.token}; "
                "write =, <>, <, <=, >, >=, IN (...), IS NULL or IS NOT NULL"
            )
        return [ParsedCondition(name, op, self.value_list())]

    def value_first(self) -> list[ParsedCondition]:
        """Read ``30 <= age`` or ``30 <= age < 60``."""
        lower, first = self.value(), self.comparison()
        name = self.name()
        if not (self.token.kind == "symbol" and self.token.text in _COMPARISONS):
            return [ParsedCondition(name, _MIRRORED[first], (lower,))]
        start, second = self.token.start, self.comparison()
        upper = self.value()
        if (first, second) in ((GT, GE), (GE, GT), (GT, GT), (GE, GE)):
            # 60 > age >= 30 is 30 <= age < 60
            first, second = _MIRRORED[second], _MIRRORED[first]
            lower, upper = upper, lower
        if (first, second) == (LE, LT):
            return [ParsedCondition(name, CLOSED_LEFT, (lower, upper))]
        if (first, second) == (LT, LE):
            return [ParsedCondition(name, CLOSED_RIGHT, (lower, upper))]
        if first == second and first in (LT, LE):
            return [
                ParsedCondition(name, _MIRRORED[first], (lower,)),
                ParsedCondition(name, second, (upper,)),
            ]
        fail(self.text, start, f"{first} and {second} make no interval; write 30 <= age < 60")

    def comparison(self) -> str:
        """Read a comparison operator."""
        if self.token.kind == "symbol" and self.token.text in _COMPARISONS:
            return _COMPARISONS[self.take().text]
        return self.fail(
            f"expected a comparison after a value, found {self.token}; write 30 <= age < 60"
        )

    def name(self) -> Token:
        """Read a column name."""
        token = self.token
        if token.kind == "name" or (token.kind == "word" and not token.is_word(*KEYWORDS)):
            return self.take()
        if token.kind == "word" and self.tokens[self.at + 1].kind in ("symbol", "word"):
            hint = f'write "{token.text}" in double quotes if it is a column'
        else:
            hint = "put names that are no plain word in double quotes"
        return self.fail(f"expected a column name, found {token}; {hint}")

    def at_value(self) -> bool:
        """True where the next token starts a value."""
        token = self.token
        return (
            token.kind in ("number", "text")
            or token.is_word("TRUE", "FALSE")
            or (token.is_word(*TEMPORAL) and self.tokens[self.at + 1].kind == "text")
        )

    def value(self) -> Literal:
        """Read a value."""
        if not self.at_value():
            if self.token.is_word("NULL", "NAN"):
                self.fail("a comparison with a missing value is never true; write IS NULL")
            hint = "write a number, a text in single quotes, TRUE or FALSE"
            if self.token.kind == "word" and not self.token.is_word(*KEYWORDS):
                hint = f"write text in single quotes: '{self.token.text}'"
            self.fail(f"expected a value, found {self.token}; {hint}")
        token = self.take()
        if token.kind == "number":
            infinite = token.text.lower().lstrip("+-") == "infinity"
            return Literal(float(token.text) if infinite else Number(token.text), token.start)
        if token.kind == "text":
            return Literal(token.text, token.start)
        if token.is_word("TRUE", "FALSE"):
            return Literal(token.is_word("TRUE"), token.start)
        moment = self.temporal(token.text.upper(), self.take().text, token.start)
        return Literal(moment, token.start)

    def temporal(self, word: str, written: str, start: int) -> Value:
        """Return the date or time that ``word`` and its text stand for."""
        try:
            if word == "DATE":
                return dt.date.fromisoformat(written)
            if word == "TIME":
                return dt.time.fromisoformat(written)
            moment = dt.datetime.fromisoformat(written)
        except ValueError:
            fail(self.text, start, f"{written!r} is no {word}; write it as 2024-02-29 13:05:00")
        if word == "TIMESTAMPTZ":
            return moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)
        if moment.tzinfo:
            fail(self.text, start, f"{written!r} has a time zone; write TIMESTAMPTZ before it")
        return moment

    def value_list(self) -> tuple[Literal, ...]:
        """Read values in parentheses."""
        if not self.token.is_symbol("("):
            self.fail(f"expected ( after IN, found {self.token}; write IN ('a', 'b')")
        self.take()
        values = [self.value()]
        while self.token.is_symbol(","):
            self.take()
            values.append(self.value())
        if not self.token.is_symbol(")"):
            self.fail(f"expected , or ) in the list of values, found {self.token}; close it by )")
        self.take()
        return tuple(values)

    def label(self) -> Literal:
        """Read a class label."""
        token = self.token
        if self.at_value():
            return self.value()
        if token.kind == "word" and not token.is_word(*KEYWORDS):
            return Literal(self.take().text, token.start)
        return self.fail(f"expected a label, found {token}; write yes, 'a text' or a number")
