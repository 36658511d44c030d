"""A rule list, a rule set or an average of lists as a dbt model."""

from __future__ import annotations

import re
from collections.abc import Iterable

from sqlglot import exp

from dbrules.compile.first_match import is_vote
from dbrules.compile.render import render
from dbrules.compile.select import select
from dbrules.errors import InvalidSetting
from dbrules.language.answers import Answers

_MATERIALIZATIONS = ("view", "table", "incremental", "ephemeral")
_PLACE = "dbrules_ref"


def dbt_model(
    answers: Answers,
    ref: str,
    dialect: str = "duckdb",
    *,
    materialized: str = "view",
    input_columns: Iterable[str] | None = None,
    probabilities: bool = False,
    reasons: bool = False,
) -> str:
    """Return the text of a dbt model that scores ``{{ ref(…) }}``.

    ``ref`` names the dbt model to score. Braces in names and values are kept from Jinja.

    >>> from dbrules.language.column import ColumnType
    >>> from dbrules.language.rule import Outcome, Target
    >>> from dbrules.language.rule_list import RuleList
    >>> target = Target("y", ColumnType("VARCHAR"), ("no", "yes"))
    >>> print(dbt_model(RuleList(target, (), (), Outcome("no")), "customers"))
    {{ config(materialized='view') }}
    <BLANKLINE>
    SELECT
      *,
      'no' AS "predicted_y",
      1.0e0 AS "predicted_y_probability",
      1 AS "rule"
    FROM {{ ref('customers') }}
    <BLANKLINE>
    """
    if materialized not in _MATERIALIZATIONS:
        raise InvalidSetting(
            f"dbt materialization {materialized!r} is unknown: use one of {_MATERIALIZATIONS}"
        )
    if not re.fullmatch(r"[^'\\{}%\n]+", ref):
        raise InvalidSetting(f"{ref!r} is not a dbt model name: give the name that ref() takes")
    place = exp.Table(this=exp.Var(this=_PLACE))
    query = select(
        answers,
        place,
        dialect,
        input_columns=input_columns,
        probabilities=probabilities,
        reasons=reasons,
        share=is_vote(answers),
    )
    text = render(query, dialect)
    before, after = text.rsplit(_PLACE, 1)
    body = _from_jinja(before) + f"{{{{ ref('{ref}') }}}}" + _from_jinja(after)
    return f"{{{{ config(materialized='{materialized}') }}}}\n\n{body}\n"


def _from_jinja(sql: str) -> str:
    return re.sub(r"\{[{%#]", lambda brace: f"{{{{ '{brace[0]}' }}}}", sql)
