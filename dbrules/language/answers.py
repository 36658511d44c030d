"""What a model can answer rows by, and the rules that people read of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from dbrules.language.rule import Rule
from dbrules.language.rule_average import RuleAverage
from dbrules.language.rule_list import RuleList
from dbrules.language.rule_set import RuleSet

#: Rules that people read.
Rules: TypeAlias = RuleList | RuleSet
#: What a model can answer by.
Answers: TypeAlias = RuleList | RuleSet | RuleAverage


def read_rules(answers: Answers) -> Rules:
    """Return the list or set whose rules are read and numbered."""
    return answers.read if isinstance(answers, RuleAverage) else answers


def all_rules(answers: Answers) -> Iterator[Rule]:
    """Yield the rules that can be asked of a row, those that are read first."""
    yield from read_rules(answers).rules
    if isinstance(answers, RuleAverage):
        for part in answers.lists:
            yield from part.rules
