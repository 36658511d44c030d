"""What makes a rule list a falling one: the risk never rises from rule to rule."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dbrules.errors import InvalidModel, InvalidSetting
from dbrules.language.condition import Condition
from dbrules.language.rule import Outcome, Target
from dbrules.language.rule_list import RuleList
from dbrules.language.wilson import wilson_interval

Count = int | float


@dataclass(frozen=True)
class Falling:
    """That the probability of the positive class (the risk) never rises down the list.

    ``positive_weight`` is w, what a missed positive costs where a false alarm costs 1. The list
    answers the positive class where the risk is above ``threshold``, 1 / (1 + w), the best cut
    for any given list. Source: Chen and Rudin (2018), An optimization approach to learning
    falling rule lists, theorem 2.8.

    >>> Falling(3).threshold
    0.25
    """

    positive_weight: Count = 1

    def __post_init__(self) -> None:
        weight = self.positive_weight
        if isinstance(weight, bool) or not isinstance(weight, (int, float)):
            raise InvalidSetting(f"positive_weight {weight!r} is not a number: give one above 0")
        if not 0 < weight <= sys.float_info.max:  # of whole numbers, too
            raise InvalidSetting(f"positive_weight {weight!r} is not above 0: give one that is")

    @property
    def threshold(self) -> float:
        """The risk above which the answer is the positive class: 1 / (1 + w)."""
        return 1 / (1 + self.positive_weight)

    def is_above(self, positives: Count, negatives: Count) -> bool:
        """Say exactly whether the share of positives is above the threshold: w n⁺ > n⁻.

        >>> Falling(0.1).is_above(10, 1), Falling(0.1).is_above(10.1, 1)
        (False, True)
        """
        # the decimal that is written, not the float nearest to it
        weight = Fraction(str(self.positive_weight))
        return weight * Fraction(str(_whole(positives))) > Fraction(str(_whole(negatives)))

    def outcomes(
        self,
        target: Target,
        counts: Sequence[Sequence[Count]],
        rows: Sequence[int] | None = None,
        risks: Sequence[float] | None = None,
    ) -> tuple[Outcome, ...]:
        """Return the outcomes of a list, the default's last, from ``counts`` of rule × class.

        ``rows`` are those behind weighted counts. Probabilities of the positive class are ``risks``
        where they are given, which must fall, else those of :func:`falling_probabilities`. Labels:
        the positive class above the threshold, else the other class of largest count (the largest
        overall, then class order, on a tie).
        """
        place = positive_place(target)
        if risks is None:
            probabilities = falling_probabilities(counts, place)
        else:
            probabilities = probabilities_at(counts, place, risks)
        totals = [math.fsum(column) for column in zip(*counts, strict=True)]
        outcomes: list[Outcome] = []
        above = True
        for i, shares in enumerate(probabilities):
            captured = tuple(_whole(n) for n in counts[i])
            above = above and self._above(shares[place], captured[place], sum(captured))
            ranked = sorted((-n, -totals[c], c) for c, n in enumerate(captured) if c != place)
            label = target.classes[place if above else ranked[0][-1]]
            behind = None if rows is None else int(rows[i])
            outcomes.append(Outcome(label, shares, captured, behind))
        return tuple(outcomes)

    def refuse_rising(self, rules: RuleList, where: str = "the model") -> None:
        """Raise InvalidModel where there is no positive class or its probability rises."""
        place = positive_place(rules.target, where)
        risks = [outcome.probability[place] for outcome in rules.outcomes]
        for number, (risk, before) in enumerate(zip(risks[1:], risks, strict=False), start=2):
            if risk > before:
                raise InvalidModel(
                    f"{where}: the risk of a falling list rises at rule {number}, from "
                    f"{before!r} to {risk!r}: recount it, or leave out falling"
                )

    def rows(self, rules: RuleList) -> tuple[FallingRow, ...]:
        """Return what there is to read of each rule, the default last."""
        place = positive_place(rules.target)
        rows: list[FallingRow] = []
        above = True
        antecedents = [*(rule.conditions for rule in rules.rules), ()]
        for conditions, outcome in zip(antecedents, rules.outcomes, strict=True):
            hits, total = outcome.counts[place], outcome.total
            risk = outcome.probability[place]
            above = above and self._above(risk, hits, total)
            lower, upper = wilson_interval(hits, total) if total else (None, None)
            rows.append(
                FallingRow(len(rows) + 1, conditions, outcome, risk, above, hits,
                           sum(n for c, n in enumerate(outcome.counts) if c != place),
                           hits / total if total else None, lower, upper)
            )  # fmt: skip
        return tuple(rows)

    def _above(self, risk: float, positives: Count, total: Count) -> bool:
        # a share that rounds to the threshold is judged by its counts
        if total and math.isclose(risk, positives / total, rel_tol=1e-9):
            return self.is_above(positives, total - positives)
        return risk > self.threshold

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return {"positive_weight": self.positive_weight}

    @classmethod
    def from_json(cls, document: Any, where: str) -> Falling | None:
        """Return what :meth:`to_json` wrote, None for None; InvalidModel says what is wrong."""
        if document is None:
            return None
        if not isinstance(document, dict) or "positive_weight" not in document:
            raise InvalidModel(
                f"{where}: falling must be an object with positive_weight; save the model again"
            )
        try:
            return cls(document["positive_weight"])
        except InvalidSetting as error:
            raise InvalidModel(f"{where}: falling: {error}") from None


@dataclass(frozen=True)
class FallingRow:
    """One rule of a falling list as it is read.

    ``risk``: the stored, falling probability of the positive class; ``is_above`` the threshold or
    not. ``positives`` and ``negatives``: weight captured; ``empirical``: their share of positives
    with its 95 % Wilson interval, None where nothing is captured.
    """

    number: int
    conditions: tuple[Condition, ...]
    outcome: Outcome
    risk: float
    is_above: bool
    positives: Count
    negatives: Count
    empirical: float | None
    lower: float | None
    upper: float | None


def positive_place(target: Target, where: str = "the model") -> int:
    """Return the place of the positive class; InvalidModel where the target has none."""
    if target.positive is None:
        raise InvalidModel(
            f"{where}: a falling list needs a positive class and target {target.name!r} has none: "
            "name one"
        )
    return target.index(target.positive)


def falling_probabilities(counts: Sequence[Sequence[Count]], place: int) -> list[tuple[float, ...]]:
    """Return class probabilities per rule such that class ``place`` never gains.

    Its probability is the least share up to the rule, min over k ≤ j of α_k, which is the share
    itself for a list that falls already; the rest goes to the other classes as among the rule's
    own rows. A rule that captures nothing gets the share of all rows as far as its neighbours
    allow. Some count must be above 0. Source: Chen and Rudin (2018), end of section 5.

    >>> falling_probabilities([(2, 8), (1, 9), (9, 1)], 1)
    [(0.2, 0.8), (0.2, 0.8), (0.9, 0.1)]
    """
    overall = _shares([math.fsum(column) for column in zip(*counts, strict=True)])
    assert overall is not None
    own = [_shares(row) for row in counts]
    caps: list[tuple[float, ...]] = []  # the shares of the least rule so far
    certain = tuple(float(c == place) for c in range(len(overall)))
    for shares in own:
        last = caps[-1] if caps else certain
        caps.append(last if shares is None or shares[place] >= last[place] else shares)
    answers: list[tuple[float, ...]] = []
    floor: tuple[float, ...] | None = None  # what the next rule that captures rows has
    for shares, cap in zip(reversed(own), reversed(caps), strict=True):
        if shares is None:
            within = overall if floor is None else max(overall, floor, key=lambda s: s[place])
            answers.append(_with(overall, place, min(within, cap, key=lambda s: s[place]), overall))
        else:
            answers.append(_with(shares, place, cap, overall))
            floor = cap
    return answers[::-1]


def probabilities_at(
    counts: Sequence[Sequence[Count]], place: int, risks: Sequence[float]
) -> list[tuple[float, ...]]:
    """Return class probabilities per rule where class ``place`` has the given one.

    The rest goes to the other classes as among the rule's own rows, or as among all rows.

    >>> probabilities_at([(2, 8), (0, 0)], 1, [0.75, 0.5])
    [(0.25, 0.75), (0.5, 0.5)]
    """
    overall = _shares([math.fsum(column) for column in zip(*counts, strict=True)])
    assert overall is not None
    answers = []
    for row, risk in zip(counts, risks, strict=True):
        rest = 1 - risk
        certain = tuple(risk if c == place else rest for c in range(len(row)))
        if len(row) > 2:
            shares = _shares(row) or overall
            shares = shares if shares[place] < 1 else overall
            others = math.fsum(share for c, share in enumerate(shares) if c != place)
            certain = tuple(
                risk if c == place else rest * (share / others) for c, share in enumerate(shares)
            )
        answers.append(certain)
    return answers


def _with(
    shares: tuple[float, ...],
    place: int,
    given: tuple[float, ...],
    overall: tuple[float, ...],
) -> tuple[float, ...]:
    """Return ``shares`` with that of ``place`` as ``given``, the others in their proportions."""
    if shares[place] == given[place]:
        return shares
    rest = shares if shares[place] < 1 else overall
    left, right = (math.fsum(n for c, n in enumerate(s) if c != place) for s in (rest, given))
    return tuple(
        given[place] if c == place else right * (share / left) for c, share in enumerate(rest)
    )


def _shares(counts: Sequence[Count]) -> tuple[float, ...] | None:
    whole = [_whole(n) for n in counts]
    total = sum(whole)
    return tuple(n / total for n in whole) if total else None


def _whole(count: Count) -> Count:
    """Return a count as a Python number, an int where it is whole; weights have 12 decimals."""
    rounded = round(float(count), 12) if not isinstance(count, int) else count
    return int(rounded) if rounded == int(rounded) else rounded
