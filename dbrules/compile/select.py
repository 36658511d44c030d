"""The scoring SELECT: the input columns and what the rules say of each row."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence

from sqlglot import exp

from dbrules.compile.average import (
    average_label,
    average_probability,
    average_sums,
    sums_over,
)
from dbrules.compile.case import (
    case_class_probability,
    case_integers,
    case_label,
    case_probability,
    case_rule_text,
)
from dbrules.compile.dialects import Dialect, dialect_named
from dbrules.compile.first_match import in_order, is_vote, numbered
from dbrules.compile.source import quoted, source_of, star
from dbrules.compile.vote import vote_columns, vote_label, vote_values
from dbrules.language.answers import Answers
from dbrules.language.column import Value
from dbrules.language.rule_average import RuleAverage
from dbrules.language.rule_set import RuleSet


def select(
    answers: Answers,
    over: str | exp.Expr,
    dialect: str = "duckdb",
    *,
    input_columns: Iterable[str] | None = None,
    probabilities: bool = False,
    reasons: bool = False,
    share: bool = False,
) -> exp.Select:
    """Return a SELECT of ``over`` with the columns that score it.

    ``over`` is a table name, the text of a SELECT (passed through verbatim) or a sqlglot tree of
    either; it must have the columns that rules use, no others (policy P9). To the input columns
    come ``predicted_<target>``, ``predicted_<target>_probability`` (of the predicted label), with
    ``probabilities`` one ``predicted_<target>_probability_<class>`` per class, then ``rule`` (1..k,
    k + 1 for the default) and with ``reasons`` its conditions as ``rule_text``. A name that
    ``input_columns`` or the list's features have already gets the suffix ``_2``, ``_3``, … An
    average of lists gives the averaged probabilities, and the rule of the list that is read; a
    rule set what :class:`dbrules.language.rule_set.RuleSet` says of its resolution.

    ``share`` computes the rule number once in a subquery and reads the other outputs off it, where
    ``input_columns`` are known: with 15 rules 1.6 times as fast in DuckDB when all outputs are
    read, a tenth slower when only the label is. Of an average it computes the sums there too, of
    a vote which rules cover the row and the votes of each label.

    >>> from dbrules.language.column import ColumnType
    >>> from dbrules.language.rule import Outcome, Target
    >>> from dbrules.language.rule_list import RuleList
    >>> target = Target("y", ColumnType("VARCHAR"), ("no", "yes"))
    >>> print(select(RuleList(target, (), (), Outcome("no")), "t").sql("duckdb"))
    SELECT *, 'no' AS "predicted_y", 1.0e0 AS "predicted_y_probability", 1 AS "rule" FROM t
    """
    traits = dialect_named(dialect)
    columns = None if input_columns is None else tuple(input_columns)
    names = output_names(answers, columns or (), probabilities=probabilities, reasons=reasons)
    source = source_of(over, traits)
    if share and columns is not None and (isinstance(answers, RuleAverage) or answers.rules):
        parts = source, columns, names, traits, probabilities, reasons
        query = _shared_vote(answers, *parts) if is_vote(answers) else _shared(answers, *parts)
    else:
        values = _values(answers, traits, None, probabilities=probabilities, reasons=reasons)
        outputs = _aliases(values, names)
        query = exp.Select(expressions=[star(source, traits), *outputs]).from_(source, copy=False)
    if traits.note and any(column.type.kind == "text" for column in answers.used):
        query.add_comments([f" {traits.note} "])
    return query


def label_expression(answers: Answers, dialect: str | Dialect = "duckdb") -> exp.Expr:
    """Return the predicted label of a row as one expression."""
    if isinstance(answers, RuleAverage):
        return average_label(answers, dialect)
    if is_vote(answers):
        return vote_label(answers, dialect)
    return case_label(in_order(answers)[0], dialect)


def _values(
    answers: Answers,
    traits: Dialect,
    rule: exp.Expr | None,
    sums: Sequence[exp.Expr] | None = None,
    *,
    probabilities: bool,
    reasons: bool,
) -> list[exp.Expr]:
    """Return the outputs in order; read off the rule number where ``rule`` holds it.

    ``sums`` hold the probabilities of the classes of an average.
    """
    if is_vote(answers):
        return vote_values(answers, traits, probabilities=probabilities, reasons=reasons)
    read, numbers = in_order(answers)
    if rule is not None:
        read = numbered(answers)
    classes = answers.target.classes if probabilities else ()
    if isinstance(answers, RuleAverage):
        held = average_sums(answers, traits) if sums is None else sums
        values = [
            average_label(answers, traits, sums=held),
            average_probability(answers, traits, sums=held),
            *(total.copy() for total in held[: len(classes)]),
        ]
    else:
        values = [
            case_label(read, traits, rule=rule),
            case_probability(read, traits, rule=rule),
            *(case_class_probability(read, label, traits, rule=rule) for label in classes),
        ]
    values.append(case_integers(read, numbers, traits) if rule is None else rule)
    return [*values, *([case_rule_text(read, traits, rule=rule)] if reasons else [])]


def _shared(
    answers: Answers,
    source: exp.Expr,
    columns: Sequence[str],
    names: Sequence[str],
    traits: Dialect,
    probabilities: bool,
    reasons: bool,
) -> exp.Select:
    """Compute the rule number, and sums, once in a subquery; read the other outputs off them."""
    read, numbers = in_order(answers)
    name = names[-2] if reasons else names[-1]
    number = case_integers(read, numbers, traits)
    once: list[exp.Expr] = [exp.Alias(this=number, alias=quoted(name))]
    sums: list[exp.Expr] | None = None
    if isinstance(answers, RuleAverage):
        k = len(answers.target.classes)
        held = output_names(answers, columns, probabilities=True)[2 : 2 + k]
        sums = [exp.column(name, quoted=True) for name in held]
        totals, source = sums_over(answers, source, columns, traits)
        once += _aliases(totals, held)
    inner = exp.Select(expressions=[star(source, traits), *once]).from_(source, copy=False)
    rule = exp.column(name, quoted=True)
    values = _values(answers, traits, rule, sums, probabilities=probabilities, reasons=reasons)
    if sums is None and len(read.used) == 1 and all(len(r.features) == 1 for r in read.rules):
        # the label of a one-column list is a CASE far shorter than that of the rule number
        values[0] = case_label(read, traits)
    return _scored(columns, values, names, inner.subquery(quoted("scored"), copy=False))


def _shared_vote(
    answers: RuleSet,
    source: exp.Expr,
    columns: Sequence[str],
    names: Sequence[str],
    traits: Dialect,
    probabilities: bool,
    reasons: bool,
) -> exp.Select:
    """Compute what covers the row, and the votes, once in subqueries."""
    held, counted = vote_columns(answers, source, columns, traits)
    values = vote_values(answers, traits, held, probabilities=probabilities, reasons=reasons)
    return _scored(columns, values, names, counted)


def _scored(
    columns: Iterable[str], values: Sequence[exp.Expr], names: Sequence[str], inner: exp.Expr
) -> exp.Select:
    """Return the SELECT of the input's columns and the outputs from a subquery."""
    inputs = (exp.column(name, quoted=True) for name in columns)
    return exp.Select(expressions=[*inputs, *_aliases(values, names)]).from_(inner, copy=False)


def _aliases(values: Sequence[exp.Expr], names: Sequence[str]) -> list[exp.Expr]:
    return [
        value.copy()
        if isinstance(value, exp.Column) and value.name == name
        else exp.Alias(this=value, alias=quoted(name))
        for name, value in zip(names, values, strict=True)
    ]


def output_names(
    answers: Answers,
    input_columns: Iterable[str] = (),
    *,
    probabilities: bool = False,
    reasons: bool = False,
) -> tuple[str, ...]:
    """Return the names of the output columns, none of them an input's in any case."""
    label = f"predicted_{answers.target.name}"
    wanted = [label, f"{label}_probability"]
    if probabilities:
        wanted += [f"{label}_probability_{class_text(c)}" for c in answers.target.classes]
    wanted += ["rule", "rule_text"] if reasons else ["rule"]
    taken = {name.casefold() for name in input_columns}
    taken |= {column.name.casefold() for column in answers.features}
    names = []
    for name in wanted:
        unique, number = name, 2
        while unique.casefold() in taken:
            unique, number = f"{name}_{number}", number + 1
        taken.add(unique.casefold())
        names.append(unique)
    return tuple(names)


def class_text(label: Value) -> str:
    """Return a class as part of a column name.

    >>> class_text(True), class_text("a b"), class_text(1)
    ('true', 'a b', '1')
    """
    if isinstance(label, bool):
        return str(label).lower()
    return label.isoformat() if isinstance(label, (dt.date, dt.time)) else str(label)
