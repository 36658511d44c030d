"""A weighted average of rule lists as SQL: one CASE per list, added up per class.

Every CASE holds the doubles weight · probability of its list, and they are added from the first
list to the last, as :class:`dbrules.language.rule_average.RuleAverage` does: the bits are the
same. Values read each class's sum several times, so they are short where the sums stand in
columns of a subquery, and long where the whole must be one expression.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from sqlglot import exp

from dbrules.compile.case import case_numbers
from dbrules.compile.dialects import Dialect, traits_of
from dbrules.compile.literal import typed_literal
from dbrules.compile.source import quoted, star
from dbrules.language.rule_average import RuleAverage

#: Sums of more lists than this are taken from columns, where a subquery can hold them.
_CHAINED = 20


def average_sums(average: RuleAverage, dialect: str | Dialect = "duckdb") -> list[exp.Expr]:
    """Return the probability of each class, in class order.

    DuckDB takes expressions 1000 deep, and so fewer lists than that.

    >>> from dbrules.language.parse import parse_rule_list
    >>> rules = parse_rule_list("IF age >= 60 THEN yes ELSE no")
    >>> print(average_sums(RuleAverage((rules, rules), (0.75, 0.25)))[0].sql("duckdb"))
    CASE WHEN "age" >= 60 THEN 0.0e0 ELSE 0.75e0 END + CASE WHEN "age" >= 60 THEN 0.0e0 ELSE 0.25e0 END
    """  # noqa: E501
    return [_chain(terms) for terms in _terms(average, dialect)]


def sums_over(
    average: RuleAverage,
    source: exp.Expr,
    columns: Iterable[str],
    dialect: str | Dialect = "duckdb",
) -> tuple[list[exp.Expr], exp.Expr]:
    """Return the probability of each class and what to select it from, with all of ``source``.

    Of many lists that is a subquery with a column for each list and class: DuckDB plans a sum of
    200 columns ten times as fast as one of 200 CASEs. ``columns`` are the names that ``source``
    has; those of the new columns begin like none of them.
    """
    if len(average.lists) <= _CHAINED:
        return average_sums(average, dialect), source
    traits = traits_of(dialect)
    prefix = "term"
    while any(name.casefold().startswith(prefix) for name in columns):
        prefix += "_"
    outputs: list[exp.Expr] = []
    sums = []
    for place, terms in enumerate(_terms(average, traits), start=1):
        names = [f"{prefix}_{place}_{number}" for number in range(1, len(terms) + 1)]
        outputs += [
            exp.Alias(this=term, alias=quoted(name))
            for name, term in zip(names, terms, strict=True)
        ]
        sums.append(_chain([exp.column(name, quoted=True) for name in names]))
    query = exp.Select(expressions=[star(source, traits), *outputs]).from_(source, copy=False)
    return sums, exp.Subquery(this=query, alias=exp.TableAlias(this=quoted("terms")))


def _terms(average: RuleAverage, dialect: str | Dialect) -> list[list[exp.Expr]]:
    """Return what is added up for each class: one CASE for each list."""
    return [
        [
            case_numbers(part, [answer[place] for answer in terms], dialect)
            for part, terms in zip(average.lists, average.terms, strict=True)
        ]
        for place in range(len(average.target.classes))
    ]


def _chain(terms: Sequence[exp.Expr]) -> exp.Expr:
    """Add up from the first to the last: addition of doubles has an order."""
    total = terms[0]
    for term in terms[1:]:
        total = exp.Add(this=total, expression=term)
    return total


def average_label(
    average: RuleAverage,
    dialect: str | Dialect = "duckdb",
    *,
    sums: Sequence[exp.Expr] | None = None,
) -> exp.Expr:
    """Return the predicted label, of the target's own type.

    ``sums`` are expressions that hold the classes' probabilities, in class order; without them
    they are computed in place.
    """
    traits = traits_of(dialect)
    target = average.target
    return _by_largest(
        average,
        average_sums(average, traits) if sums is None else sums,
        lambda place: typed_literal(target.classes[place], target.class_type, traits),
    )


def average_probability(
    average: RuleAverage,
    dialect: str | Dialect = "duckdb",
    *,
    sums: Sequence[exp.Expr] | None = None,
) -> exp.Expr:
    """Return the probability of the predicted label: the largest; ``sums`` as for the label."""
    held = average_sums(average, dialect) if sums is None else sums
    return _by_largest(average, held, lambda place: held[place].copy())


def _by_largest(
    average: RuleAverage, sums: Sequence[exp.Expr], answer: Callable[[int], exp.Expr]
) -> exp.Expr:
    """Return ``answer`` for the class of the largest sum, the first of ``tie_order`` that has it.

    Whoever comes before in that order has already lost to some class after it, so that a class
    needs to be compared with those after it only.
    """
    order = average.tie_order
    ifs = [
        exp.If(
            this=exp.and_(
                *(
                    exp.GTE(this=sums[place].copy(), expression=sums[other].copy())
                    for other in order[rank:]
                ),
                copy=False,
            ),
            true=answer(place),
        )
        for rank, place in enumerate(order[:-1], start=1)
    ]
    return exp.Case(ifs=ifs, default=answer(order[-1])) if ifs else answer(order[-1])
