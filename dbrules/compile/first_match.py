"""The list whose first match answers: a list itself, or a rule set that is resolved by order."""

from __future__ import annotations

from typing import TypeGuard

from dbrules.language.answers import Answers, read_rules
from dbrules.language.rule_list import RuleList
from dbrules.language.rule_set import VOTES, RuleSet


def is_vote(answers: Answers) -> TypeGuard[RuleSet]:
    """True for a rule set whose rules vote, so that no list answers as it does."""
    return isinstance(answers, RuleSet) and answers.resolution in VOTES


def in_order(answers: Answers) -> tuple[RuleList, list[int]]:
    """Return the list whose first match has the number that answers, and all numbers."""
    read = read_rules(answers)
    if isinstance(read, RuleSet):
        read, numbers = read.first_match()
    else:
        numbers = tuple(range(1, len(read.rules) + 1))
    return read, [*numbers, len(numbers) + 1]


def numbered(answers: Answers) -> RuleList:
    """Return the rules that are read as a list in the order of their numbers."""
    read = read_rules(answers)
    return (
        RuleList(read.target, read.features, read.rules, read.default)
        if isinstance(read, RuleSet)
        else read
    )
