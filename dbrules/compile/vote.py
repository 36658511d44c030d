"""The vote of a rule set as SQL: which rules cover the row, what each label got, who won.

Every rule is a CASE that is worth something where it covers the row and 0 elsewhere, and the
votes of a label are the sum of them, in whole numbers. The label of most votes is told by
comparisons, as averages do it. Where a subquery can hold columns, it says once which rules cover
the row (``hit_1``, …, 0 or 1), and sums and answers are made of those; the whole as one
expression has the conditions of each rule as often as they are asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from sqlglot import exp

from dbrules.compile.case import (
    as_double,
    case_answers,
    case_numbers,
    flat_case,
    rule_texts,
    text,
)
from dbrules.compile.dialects import Dialect, traits_of
from dbrules.compile.hit import chain, hit_case, some_rules
from dbrules.compile.literal import double, integer, typed_literal
from dbrules.compile.source import quoted, star
from dbrules.language.rule_set import RuleSet

T = TypeVar("T", int, str)
#: Sums of whole numbers up to this need no wider type than an integer literal has.
_INTEGER_MOST = 2**31 - 1


@dataclass(frozen=True)
class Held:
    """Columns of a vote: hits by number of the rule; votes and voters by place of the class."""

    hits: Mapping[int, str]
    votes: Mapping[int, str]
    voters: Mapping[int, str]


def vote_label(rule_set: RuleSet, dialect: str | Dialect = "duckdb") -> exp.Expr:
    """Return the label of most votes as one expression, of the target's own type.

    DuckDB takes expressions 1000 deep, and so fewer rules of one label than that.

    >>> from dbrules.language.parse import parse_rule_set
    >>> rules = parse_rule_set("IF a = 1 THEN x IF b = 1 THEN x ELSE y", resolution="majority")
    >>> print(vote_label(rules).sql("duckdb"))  # doctest: +NORMALIZE_WHITESPACE
    CASE WHEN CASE WHEN "a" = 1 THEN 1 ELSE 0 END + CASE WHEN "b" = 1 THEN 1 ELSE 0 END > 0
    THEN 'x' ELSE 'y' END
    """
    return _Vote(rule_set, traits_of(dialect), None).label()


def vote_values(
    rule_set: RuleSet,
    dialect: str | Dialect = "duckdb",
    held: Held | None = None,
    *,
    probabilities: bool = False,
    reasons: bool = False,
) -> list[exp.Expr]:
    """Return label, its probability, those of all classes if asked, rule number and its text.

    ``held`` names the columns of :func:`vote_columns`; without it each value is one expression.
    """
    vote = _Vote(rule_set, traits_of(dialect), held)
    k = len(rule_set.target.classes)
    numbers = range(1, len(rule_set.rules) + 2)
    values = [vote.label(), vote.probability()]
    if probabilities:
        values += [vote.class_probability(place) for place in range(k)]
    values.append(vote.first_voter(numbers, integer))
    if reasons:
        values.append(vote.first_voter(rule_texts(rule_set), lambda t: text(t, vote.traits)))
    return values


def vote_columns(
    rule_set: RuleSet,
    source: exp.Expr,
    columns: Iterable[str],
    dialect: str | Dialect = "duckdb",
) -> tuple[Held, exp.Expr]:
    """Return the columns of a vote and the subquery that has them beside all of ``source``.

    ``columns`` are the names that ``source`` has; those of the new columns begin like none.
    """
    traits = traits_of(dialect)
    known = tuple(columns)
    hit, votes, voters = (unused_prefix(word, known) for word in ("hit", "votes", "voters"))
    numbers = range(1, len(rule_set.rules) + 1)
    places = [place for place in rule_set.tie_order if rule_set.voters(place)]
    held = Held(
        {number: f"{hit}_{number}" for number in numbers},
        {place: f"{votes}_{place + 1}" for place in places},
        {place: f"{voters}_{place + 1}" for place in places},
    )
    hits = [exp.alias_(hit_case(rule_set, n, 1, traits), held.hits[n], quoted=True)
            for n in numbers]  # fmt: skip
    vote = _Vote(rule_set, traits, held)
    sums = [exp.alias_(vote.sum_of_votes(p), held.votes[p], quoted=True) for p in places]
    if rule_set.resolution != "majority":
        sums += [exp.alias_(vote.count_of_voters(p), held.voters[p], quoted=True) for p in places]
    else:
        held = Held(held.hits, held.votes, held.votes)
    return held, _beside(_beside(source, hits, "hits", traits), sums, "votes", traits)


def unused_prefix(prefix: str, columns: Iterable[str]) -> str:
    """Return the prefix, with underscores until no name begins like it in any case."""
    known = [name.casefold() for name in columns]
    while any(name.startswith(prefix) for name in known):
        prefix += "_"
    return prefix


@dataclass(frozen=True)
class _Vote:
    """The parts of the answer, over columns where ``held`` names them."""

    rule_set: RuleSet
    traits: Dialect
    held: Held | None

    def label(self) -> exp.Expr:
        target = self.rule_set.target
        return self._by_most(
            lambda place: typed_literal(target.classes[place], target.class_type, self.traits),
            typed_literal(self.rule_set.default.label, target.class_type, self.traits),
        )

    def probability(self) -> exp.Expr:
        default = self.rule_set.default
        share = default.probability[self.rule_set.target.index(default.label)]
        return self._by_most(lambda place: self._mean(place, place), self._double(share))

    def class_probability(self, place: int) -> exp.Expr:
        share = self.rule_set.default.probability[place]
        return self._by_most(lambda winner: self._mean(winner, place), self._double(share))

    def first_voter(self, answers: Sequence[T], to_sql: Callable[[T], exp.Expr]) -> exp.Expr:
        """Return the answer of the best rule of those that voted for the winner."""
        return self._by_most(lambda place: self._best(place, answers, to_sql), to_sql(answers[-1]))

    def sum_of_votes(self, place: int) -> exp.Expr:
        """Return the votes of a class, added up from its rules."""
        rules = self.rule_set
        votes = {number: rules.vote(number) for number in rules.voters(place)}
        terms = [self._worth(number, vote) for number, vote in votes.items()]
        if sum(votes.values()) > _INTEGER_MOST:
            terms[0] = exp.cast(terms[0], "BIGINT")
        return chain(terms)

    def count_of_voters(self, place: int) -> exp.Expr:
        """Return how many rules voted for a class."""
        return chain([self._worth(number, 1) for number in self.rule_set.voters(place)])

    def _by_most(self, answer: Callable[[int], exp.Expr], otherwise: exp.Expr) -> exp.Expr:
        """Return ``answer`` for the class of most votes, ``otherwise`` where there are none.

        Whoever comes before in the order of ties has already lost to some class after it, so that
        a class needs to be compared with those after it only.
        """
        rules = self.rule_set
        votes = {place: self._votes(place) for place in rules.tie_order if rules.voters(place)}
        order = list(votes)
        whens = []
        for rank, place in enumerate(order, start=1):
            wins: list[exp.Expr] = [exp.GT(this=votes[place].copy(), expression=integer(0))]
            wins += [
                exp.GTE(this=votes[place].copy(), expression=votes[other].copy())
                for other in order[rank:]
            ]
            whens.append(exp.If(this=exp.and_(*wins, copy=False), true=answer(place)))
        while whens and whens[-1].args["true"] == otherwise:
            whens.pop()
        return flat_case(whens, otherwise, self.traits)

    def _votes(self, place: int) -> exp.Expr:
        if self.held is None:
            return self.sum_of_votes(place)
        return exp.column(self.held.votes[place], quoted=True)

    def _mean(self, winner: int, place: int) -> exp.Expr:
        """Return the mean probability of a class over the voters of the winner."""
        numbers = self.rule_set.voters(winner)
        shares = [self.rule_set.outcomes[n - 1].probability[place] for n in numbers]
        if len(numbers) == 1:
            return self._double(shares[0])
        total = chain([self._share(n, share) for n, share in zip(numbers, shares, strict=True)])
        voters = (
            exp.Paren(this=self.count_of_voters(winner))
            if self.held is None
            else exp.column(self.held.voters[winner], quoted=True)
        )
        return exp.Div(this=exp.Paren(this=total), expression=voters, typed=True)

    def _best(self, place: int, answers: Sequence[T], to_sql: Callable[[T], exp.Expr]) -> exp.Expr:
        """Return the answer of the first rule by quality that covers the row and voted so."""
        rules = self.rule_set
        *numbers, last = (n for n in rules.by_quality if rules.place(n) == place)
        if self.held is None:
            found = [answers[number - 1] for number in (*numbers, last)]
            return case_answers(some_rules(rules, numbers), found, to_sql, self.traits)
        whens = [
            exp.If(
                this=exp.EQ(this=self._worth(number, 1), expression=integer(1)),
                true=to_sql(answers[number - 1]),
            )
            for number in numbers
        ]
        return flat_case(whens, to_sql(answers[last - 1]), self.traits)

    def _worth(self, number: int, worth: int) -> exp.Expr:
        """Return a whole number where the rule covers the row, else 0."""
        if self.held is None:
            return hit_case(self.rule_set, number, worth, self.traits)
        hit = exp.column(self.held.hits[number], quoted=True)
        return hit if worth == 1 else exp.Mul(this=hit, expression=integer(worth))

    def _share(self, number: int, share: float) -> exp.Expr:
        """Return a double where the rule covers the row, else 0."""
        if self.held is None:
            return case_numbers(some_rules(self.rule_set, [number]), [share, 0.0], self.traits)
        hit = exp.column(self.held.hits[number], quoted=True)
        return exp.Mul(this=hit, expression=self._double(share))

    def _double(self, value: float) -> exp.Expr:
        return as_double(double(value), self.traits)


def _beside(
    source: exp.Expr, outputs: Sequence[exp.Expr], alias: str, traits: Dialect
) -> exp.Subquery:
    """Return the subquery of everything in ``source`` and some columns more."""
    query = exp.Select(expressions=[star(source, traits), *outputs]).from_(source, copy=False)
    return exp.Subquery(this=query, alias=exp.TableAlias(this=quoted(alias)))
