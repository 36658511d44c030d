"""A weighted average of rule lists, such as the posterior mean of a Bayesian rule list."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from dbrules.errors import InvalidModel
from dbrules.language.column import Column, Value
from dbrules.language.condition import Condition
from dbrules.language.rule import Target
from dbrules.language.rule_list import RuleList, typed_row, used_columns


@dataclass(frozen=True)
class RuleAverage:
    """Rule lists over one target and the same features, each with a weight above 0.

    The probability of a class is the sum over the lists of weight · probability of the outcome
    that answers; the class of the largest sum is predicted. A tie goes to the class of the
    larger total count in the first list, then to the first in class order (policy P5). ``shown``
    is the list that people read and whose rule numbers are given; the first one where None.
    InvalidModel where the lists do not belong together or the weights do not add up to 1.

    Each product is one double, and the products are added from the first list to the last, so
    that SQL which adds the same constants in the same order gives the same bits. A sum may
    therefore miss 1 by rounding, a few units in its last place.

    Source: Letham et al. (2015), Annals of Applied Statistics 9, who call it BRL-post.

    >>> from dbrules.language.parse import parse_rule_list
    >>> old = parse_rule_list("IF age >= 60 THEN yes ELSE no")
    >>> rich = parse_rule_list("IF income > 9.5 THEN yes ELSE no")
    >>> lists = tuple(replace(part, features=(*old.features, *rich.features),
    ...                       target=replace(old.target, classes=("no", "yes")))
    ...               for part in (old, rich))
    >>> RuleAverage(lists, (0.75, 0.25)).probabilities({"age": 61, "income": 1.0})
    (0.25, 0.75)
    """

    lists: tuple[RuleList, ...]
    weights: tuple[float, ...]
    shown: RuleList | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "lists", tuple(self.lists))
        object.__setattr__(self, "weights", tuple(map(float, self.weights)))
        if not self.lists or len(self.lists) != len(self.weights):
            raise InvalidModel(
                f"an average has {len(self.lists)} rule lists and {len(self.weights)} weights: "
                "give one list or more, and a weight for each"
            )
        for part in (*self.lists, *([] if self.shown is None else [self.shown])):
            if part.target != self.target or part.features != self.features:
                raise InvalidModel(
                    "the rule lists of an average differ in target or features: "
                    "give all of them the same"
                )
        if not all(weight > 0 for weight in self.weights) or not math.isclose(
            math.fsum(self.weights), 1, rel_tol=1e-9
        ):
            raise InvalidModel(
                f"the weights of an average add up to {math.fsum(self.weights)!r}, the least is "
                f"{min(self.weights)!r}: give weights above 0 that add up to 1"
            )

    @property
    def target(self) -> Target:
        """The target of all lists."""
        return self.lists[0].target

    @property
    def features(self) -> tuple[Column, ...]:
        """The columns that were open to the rules."""
        return self.lists[0].features

    @property
    def read(self) -> RuleList:
        """The list that is read: ``shown``, or the first one."""
        return self.lists[0] if self.shown is None else self.shown

    @cached_property
    def used(self) -> tuple[Column, ...]:
        """The columns that a rule of any list reads, in feature order (policy P9)."""
        rules = (rule for part in (self.read, *self.lists) for rule in part.rules)
        return used_columns(rules, self.features)

    @cached_property
    def terms(self) -> tuple[tuple[tuple[float, ...], ...], ...]:
        """What is added: weight · probability by list, outcome (the default last) and class."""
        return tuple(
            tuple(tuple(weight * p for p in outcome.probability) for outcome in part.outcomes)
            for part, weight in zip(self.lists, self.weights, strict=True)
        )

    @cached_property
    def tie_order(self) -> tuple[int, ...]:
        """The places of the classes; of those that tie, the one that comes first here answers."""
        outcomes = self.lists[0].outcomes
        totals = [
            math.fsum(outcome.counts[place] for outcome in outcomes)
            for place in range(len(self.target.classes))
        ]
        return tuple(sorted(range(len(totals)), key=lambda place: (-totals[place], place)))

    def showing(self, rules: RuleList) -> RuleAverage:
        """Return the average with the rule numbers of ``rules``; the answers stay."""
        return replace(self, shown=rules)

    def probabilities(self, row: Mapping[str, object]) -> tuple[float, ...]:
        """Return the probability of each class, in class order.

        ``row`` needs the used columns only; cells are read by the columns' types.
        """
        typed = typed_row(row, self.used)
        # a condition stands in many lists: judged once a row, and only if some list asks
        known: list[bool | None] = [None] * len(self._conditions)
        sums: list[float] = []
        for antecedents, terms in zip(self._antecedents, self.terms, strict=True):
            answer = terms[self._first(antecedents, known, typed)]
            # not sum(): newer Pythons compensate its rounding, databases do not
            sums = [a + b for a, b in zip(sums, answer, strict=True)] if sums else list(answer)
        return tuple(sums)

    def answer(self, probabilities: Sequence[float]) -> int:
        """Return the place of the class that is predicted from the classes' probabilities."""
        return max(self.tie_order, key=lambda place: probabilities[place])

    def predict(self, row: Mapping[str, object]) -> Value:
        """Return the label for one row."""
        return self.target.classes[self.answer(self.probabilities(row))]

    def capture(self, row: Mapping[str, object]) -> int:
        """Return the number of the rule that captures the row in the list that is read."""
        return self.read.capture(row)

    @cached_property
    def _conditions(self) -> dict[Condition, int]:
        """Number the different conditions of all lists."""
        found = (c for part in self.lists for rule in part.rules for c in rule.conditions)
        return {condition: place for place, condition in enumerate(dict.fromkeys(found))}

    @cached_property
    def _antecedents(self) -> tuple[tuple[tuple[tuple[int, Condition], ...], ...], ...]:
        """Each rule's conditions with their numbers, by list."""
        return tuple(
            tuple(tuple((self._conditions[c], c) for c in rule.conditions) for rule in part.rules)
            for part in self.lists
        )

    @staticmethod
    def _first(
        antecedents: Sequence[Sequence[tuple[int, Condition]]],
        known: list[bool | None],
        row: Mapping[str, Value | None],
    ) -> int:
        """Return the place of the rule that answers; that of the default where none does."""
        for place, antecedent in enumerate(antecedents):
            for number, condition in antecedent:
                holds = known[number]
                if holds is None:
                    # unknown and false alike: the rule does not fire
                    holds = known[number] = condition.covers(row) is True
                if not holds:
                    break
            else:
                return place
        return len(antecedents)
