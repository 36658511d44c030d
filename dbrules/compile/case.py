"""Rule lists as flat CASE expressions: label, probability, rule number and rule text."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

from sqlglot import exp

from dbrules.compile.condition import conjuncts
from dbrules.compile.dialects import Dialect, traits_of
from dbrules.compile.literal import double, integer, literal, typed_literal
from dbrules.compile.reduce import Branch, Reduced, reduce_rules
from dbrules.language.answers import Rules
from dbrules.language.column import Column, ColumnType, Value
from dbrules.language.rule_list import RuleList
from dbrules.language.write import format_conditions

Answer = TypeVar("Answer", bound=Hashable)
_TEXT = ColumnType("VARCHAR")


def case_label(
    rule_list: RuleList, dialect: str | Dialect = "duckdb", *, rule: exp.Expr | None = None
) -> exp.Expr:
    """Return the predicted label of a row as SQL, of the target's own type.

    A list without rules is its default's plain literal. With ``rule``, an expression that holds
    the rule number, the label is read off that number.

    >>> from dbrules.language.condition import Condition
    >>> from dbrules.language.rule import Outcome, Rule, Target
    >>> late = Rule((Condition("origin", "in", ("EWR", "JFK")),), Outcome("late"))
    >>> target = Target("arrival", ColumnType("VARCHAR"), ("late", "ontime"))
    >>> origin = Column("origin", ColumnType("VARCHAR"))
    >>> rules = RuleList(target, (origin,), (late,), Outcome("ontime"))
    >>> print(case_label(rules).sql("duckdb"))
    CASE WHEN "origin" IN ('EWR', 'JFK') THEN 'late' ELSE 'ontime' END
    """
    traits = traits_of(dialect)
    label_type = rule_list.target.class_type
    places = [rule_list.target.index(outcome.label) for outcome in rule_list.outcomes]
    classes = rule_list.target.classes
    return case_answers(
        rule_list,
        places,
        lambda place: typed_literal(classes[place], label_type, traits),
        traits,
        rule,
    )


def case_rule(rule_list: RuleList, dialect: str | Dialect = "duckdb") -> exp.Expr:
    """Return the number of the rule that answers: 1..k, k + 1 for the default."""
    return case_integers(rule_list, range(1, len(rule_list.rules) + 2), dialect)


def case_probability(
    rule_list: RuleList, dialect: str | Dialect = "duckdb", *, rule: exp.Expr | None = None
) -> exp.Expr:
    """Return the probability of the predicted label (0 to 1)."""
    traits = traits_of(dialect)
    return as_double(
        case_answers(rule_list, label_probabilities(rule_list), double, traits, rule), traits
    )


def case_class_probability(
    rule_list: RuleList,
    label: Value,
    dialect: str | Dialect = "duckdb",
    *,
    rule: exp.Expr | None = None,
) -> exp.Expr:
    """Return the probability of one class (0 to 1); UnknownClass if the target has it not."""
    traits = traits_of(dialect)
    place = rule_list.target.index(label)
    numbers = [outcome.probability[place] for outcome in rule_list.outcomes]
    return as_double(case_answers(rule_list, numbers, double, traits, rule), traits)


def case_numbers(
    rule_list: RuleList, numbers: Sequence[float], dialect: str | Dialect = "duckdb"
) -> exp.Expr:
    """Return the double of the rule that answers: one of ``numbers``, the default's last."""
    traits = traits_of(dialect)
    return as_double(case_answers(rule_list, numbers, double, traits), traits)


def case_integers(
    rule_list: RuleList, numbers: Sequence[int], dialect: str | Dialect = "duckdb"
) -> exp.Expr:
    """Return the whole number of the rule that answers: one of ``numbers``, the default's last."""
    return case_answers(rule_list, numbers, integer, traits_of(dialect))


def case_rule_text(
    rule_list: RuleList, dialect: str | Dialect = "duckdb", *, rule: exp.Expr | None = None
) -> exp.Expr:
    """Return the conditions of the rule that answers, as rule text: why the row got its label."""
    traits = traits_of(dialect)
    return case_answers(rule_list, rule_texts(rule_list), lambda t: text(t, traits), traits, rule)


def label_probabilities(rule_list: RuleList) -> list[float]:
    """Return each outcome's probability of its own label, the default's last."""
    place = rule_list.target.index
    return [outcome.probability[place(outcome.label)] for outcome in rule_list.outcomes]


def rule_texts(rule_list: Rules) -> list[str]:
    """Return each rule's antecedent as text, ``ELSE`` for the default."""
    return [*(format_conditions(rule.conditions) for rule in rule_list.rules), "ELSE"]


def text(value: str, traits: Dialect) -> exp.Expr:
    """Return a plain text literal."""
    return literal(value, _TEXT, traits)


def _case_of_number(
    rule: exp.Expr, answers: Sequence[Answer], to_sql: Callable[[Answer], exp.Expr]
) -> exp.Expr:
    """Return the answer that belongs to a rule number; equal answers share a branch."""
    otherwise = answers[-1]
    numbers: dict[Answer, list[exp.Expr]] = {}
    for number, answer in enumerate(answers[:-1], start=1):
        if answer != otherwise:
            numbers.setdefault(answer, []).append(integer(number))
    ifs = [
        exp.If(
            this=exp.EQ(this=rule.copy(), expression=group[0])
            if len(group) == 1
            else exp.In(this=rule.copy(), expressions=group),
            true=to_sql(answer),
        )
        for answer, group in numbers.items()
    ]
    return exp.Case(ifs=ifs, default=to_sql(otherwise)) if ifs else to_sql(otherwise)


def as_double(case: exp.Expr, traits: Dialect) -> exp.Expr:
    """Return a number as a double where a literal with an exponent is none."""
    return case if traits.exponent_is_double else exp.cast(case, "DOUBLE")


def case_answers(
    rule_list: RuleList,
    answers: Sequence[Answer],
    to_sql: Callable[[Answer], exp.Expr],
    traits: Dialect,
    rule: exp.Expr | None = None,
) -> exp.Expr:
    """Return the answer of the rule that captures the row, the default's last, as ``to_sql``.

    With ``rule``, an expression that holds the rule number, it is read off that number.
    """
    if rule is not None:
        return _case_of_number(rule, answers, to_sql)
    columns = {column.name: column for column in rule_list.used}
    reduced = reduce_rules(rule_list.rules, answers, columns, nan=traits.nan != "none")
    return build_case(reduced, columns, to_sql, traits)


def build_case(
    reduced: Reduced[Answer],
    columns: dict[str, Column],
    to_sql: Callable[[Answer], exp.Expr],
    traits: Dialect,
) -> exp.Expr:
    """Write the CASE of reduced rules."""
    whens = [
        exp.If(this=_when(branch, columns, traits), true=to_sql(branch.answer))
        for branch in reduced.branches
    ]
    return flat_case(whens, to_sql(reduced.otherwise), traits)


def flat_case(whens: Sequence[exp.If], otherwise: exp.Expr, traits: Dialect) -> exp.Expr:
    """Write branches and ELSE; a CASE longer than the dialect takes is COALESCE of several."""
    if not whens:
        return otherwise
    if len(whens) <= traits.branches:
        return exp.Case(ifs=list(whens), default=otherwise)
    size = traits.branches
    parts = [exp.Case(ifs=list(whens[i : i + size])) for i in range(0, len(whens), size)]
    return exp.Coalesce(this=parts[0], expressions=[*parts[1:], otherwise])


def _when(branch: Branch[Answer], columns: dict[str, Column], traits: Dialect) -> exp.Expr:
    alternatives = [
        exp.and_(
            *(
                term
                for cond in conditions
                for term in conjuncts(cond, columns[cond.feature], traits, guard=branch.guard)
            ),
            copy=False,
        )
        for conditions in branch.alternatives
    ]
    return exp.or_(*alternatives, copy=False)
