"""Which rules of a set cover a row, as SQL: what each is worth there, and all of them as bits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce

from sqlglot import exp

from dbrules.compile.case import case_integers
from dbrules.compile.dialects import Dialect
from dbrules.compile.literal import integer
from dbrules.language.rule_list import RuleList
from dbrules.language.rule_set import RuleSet


def hit_case(rule_set: RuleSet, number: int, worth: int, dialect: str | Dialect) -> exp.Expr:
    """Return ``worth`` where rule ``number`` covers the row, else 0."""
    return case_integers(some_rules(rule_set, [number]), [worth, 0], dialect)


def hit_mask(rule_set: RuleSet, numbers: Iterable[int], dialect: str | Dialect) -> exp.Expr:
    """Return a BIGINT whose bits say which of at most 62 rules cover the row, the first lowest."""
    hits = [hit_case(rule_set, n, 1 << bit, dialect) for bit, n in enumerate(numbers)]
    first, *others = hits or [integer(0)]
    return chain([exp.cast(first, "BIGINT"), *others])


def some_rules(rule_set: RuleSet, numbers: Iterable[int]) -> RuleList:
    """Return some rules of a set as a list, in the order of ``numbers``."""
    rules = tuple(rule_set.rules[number - 1] for number in numbers)
    return RuleList(rule_set.target, rule_set.features, rules, rule_set.default)


def chain(terms: Sequence[exp.Expr]) -> exp.Expr:
    """Add up from the first to the last: addition of doubles has an order."""
    return reduce(lambda total, term: exp.Add(this=total, expression=term), terms)
