"""RIPPER row by row, transcribed from Cohen (1995): no codes, no histograms, nothing kept."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np
from raw_rows import Condition, Row, Rule, Table

from dbrules.search.covering.draw import Draws

SURPLUS = 64


def holds(condition: Condition, row: Row) -> bool:
    column, sign, value = condition
    own = row[0][column]
    if own is None:  # missing never matches
        return False
    return {"<=": own <= value, ">=": own >= value, "=": own == value}[sign]


def covers(rule: Rule, row: Row) -> bool:
    return all(holds(condition, row) for condition in rule)


def pick(rule: Rule, rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if covers(rule, row)]


def drop(rule: Rule, rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if not covers(rule, row)]


def tally(rows: Sequence[Row]) -> tuple[int, int]:
    """Return positives and others."""
    positives = sum(positive for _, positive in rows)
    return positives, len(rows) - positives


def captured(rules: Sequence[Rule], rows: Sequence[Row]) -> list[tuple[int, int]]:
    """Return what each rule of a list captures."""
    counts = []
    for rule in rules:
        counts.append(tally(pick(rule, rows)))
        rows = drop(rule, rows)
    return counts


def written(rule: Rule) -> int:
    """Return how many conditions a rule is written with: one a column and sign."""
    return len({(column, sign) for column, sign, _ in rule})


@cache
def name_each(exceptions: int, others: int, share: float) -> float:
    """Return the bits that say of each element whether it is an exception, at its share."""
    bits = 0.0
    for _ in range(exceptions):
        bits += -math.log2(share) if share > 0 else 0.0
    for _ in range(others):
        bits += -math.log2(1 - share) if share < 1 else math.inf
    return bits


def exceptions(
    covered: tuple[float, float], whole: tuple[float, float], expected: float, unit: float = 1
) -> float:
    """Return the bits of the exceptions, unit by unit, where ``covered`` of ``whole`` are covered.

    Quinlan (1995), MDL and categorical theories (continued), with the sides as in JRip.
    """
    (p, n), (all_p, all_n) = covered, whole
    inside, outside, wrong = p + n, all_p + all_n - p - n, n + all_p - p
    bits = math.log2((inside + outside) * unit + 1)
    if inside > outside:
        shares = expected * wrong / inside, (all_p - p) / outside if outside else 0.0
    else:
        shares = n / inside if inside else 0.0, (1 - expected) * wrong / outside if outside else 0.0
    bits += unit * name_each(n, p, shares[0])
    if outside:
        bits += unit * name_each(all_p - p, all_n - n, shares[1])
    return bits


def theory(conditions: int, possible: int) -> float:
    """Return the bits of one rule: how many conditions, and which of the possible ones; halved."""
    if not conditions:
        return 0.0
    bits = math.log2(conditions)
    bits += 2 * math.log2(bits) if conditions > 1 else 0
    return (bits + name_each(conditions, possible - conditions, conditions / possible)) / 2


@dataclass
class NaiveRipper:
    """``whole``: the table; ``unit``: the weight of a row; the rest as in the search."""

    whole: Table
    draws: Draws
    passes: int = 2
    unit: float = 1.0
    least: int = 1
    max_conditions: int | None = None
    max_rules: int | None = None
    expected: float = 0.5

    # -- description length ----------------------------------------------------------------

    @property
    def possible(self) -> int:
        return sum(
            len(values) * (1 if self.whole.is_text(column) else 2)
            for column, values in enumerate(self.whole.values)
        )

    def bits(self, rule: Rule) -> float:
        return theory(len(rule), self.possible)

    def of_exceptions(self, counts: Sequence[tuple[int, int]]) -> float:
        covered = sum(p for p, _ in counts), sum(n for _, n in counts)
        return exceptions(covered, tally(self.whole.rows), self.expected, self.unit)

    def length(self, counts: list[tuple[int, int]], rules: Sequence[Rule], judged: int) -> float:
        """Return the description length of ``rules`` once those that do not pay are dropped.

        Only the last ``judged`` rules may be dropped, one after the other. What a rule captures
        is taken to be uncovered without it.
        """
        kept = list(range(len(rules)))
        for place in range(len(rules) - judged, len(rules)):
            others = [other for other in kept if other != place]
            cost = (
                self.of_exceptions([counts[k] for k in kept]) + self.bits(rules[place])
                - self.of_exceptions([counts[k] for k in others])
            )  # fmt: skip
            if cost >= 0 or counts[place][1] >= counts[place][0]:
                kept = others
        return self.of_exceptions([counts[k] for k in kept]) + sum(
            self.bits(rules[k]) for k in kept
        )

    def added(self, before: Sequence[Rule], rule: Rule, later: Sequence[Rule]) -> float:
        """Return the description length of a list with a rule, less that of it without the rule."""
        lengths = [
            self.length(captured(rules, self.whole.rows), rules, len(later))
            for rules in ([*before, rule, *later], [*before, *later])
        ]
        return lengths[0] - lengths[1]

    # -- rules -----------------------------------------------------------------------------

    def literals(self) -> Iterator[Condition]:
        for column, values in enumerate(self.whole.values):
            if self.whole.is_text(column):
                yield from ((column, "=", value) for value in values)
            else:
                for low, high in itertools.pairwise(values):
                    yield column, "<=", low
                    yield column, ">=", high

    def refinements(self, rule: Rule, rows: Sequence[Row]) -> Iterator[tuple[Condition, int, int]]:
        """Yield what a rule can be refined with: thresholds are values of its rows."""
        most = self.max_conditions
        for condition in self.literals():
            present = any(row[0][condition[0]] == condition[2] for row in rows)
            fits = most is None or written((*rule, condition)) <= most
            if present and fits:
                yield condition, *tally(pick((condition,), rows))

    def grow(self, rows: Sequence[Row], rule: Rule = ()) -> Rule:
        while True:
            p0, n0 = tally(rows)
            if n0 == 0:
                return rule
            best, best_gain, best_p = None, 0.0, 0
            before = math.log2((p0 * self.unit + 1) / ((p0 + n0) * self.unit + 1))
            for condition, p, n in self.refinements(rule, rows):
                share = math.log2((p * self.unit + 1) / ((p + n) * self.unit + 1))
                gain = p * self.unit * (share - before)
                if gain > best_gain:
                    best, best_gain, best_p = condition, gain, p
            if best is None or best_p * self.unit < 2:
                return rule
            rule, rows = (*rule, best), pick((best,), rows)

    def prune(self, rows: Sequence[Row], rule: Rule) -> Rule:
        def share(length: int) -> Fraction:
            p, n = tally(pick(rule[:length], rows))
            return (p * Fraction(self.unit) + 1) / ((p + n) * Fraction(self.unit) + 2)

        return rule[: max(range(len(rule) + 1), key=share)]

    def prune_whole(self, rows: Sequence[Row], rule: Rule) -> Rule:
        def right(length: int) -> Fraction:
            p, n = tally(pick(rule[:length], rows))
            if not length:
                return (p * Fraction(self.unit) + 1) / ((p + n) * Fraction(self.unit) + 2)
            return Fraction(p + tally(drop(rule[:length], rows))[1], len(rows))

        return rule[: max(range(len(rule) + 1), key=right)] if rows else rule

    def split(self, rows: Sequence[Row]) -> tuple[list[Row], list[Row]]:
        """Return the rows to grow on and those to prune on: of each class by its own numbers."""
        draw = self.draws.next()
        number = {True: 0, False: 0}
        parts: tuple[list[Row], list[Row]] = ([], [])
        for row in rows:
            positive = row[1]
            below = draw.below(
                np.array([number[positive], number[positive] + 1]), positive=positive
            )
            number[positive] += 1
            parts[int(below[1] - below[0])].append(row)
        return parts

    # -- the set ---------------------------------------------------------------------------

    def rules(self) -> list[Rule]:
        found = self.cover([])
        for _ in range(self.passes):
            found = self.optimise(found)
        return found

    def cover(self, rules: list[Rule]) -> list[Rule]:
        found, left = list(rules), self.whole.rows
        for rule in rules:
            left = drop(rule, left)
        length = least = 0.0
        while tally(left)[0] > 0 and (self.max_rules is None or len(found) < self.max_rules):
            grow, held_out = self.split(left)
            rule = self.prune(held_out, self.grow(grow))
            if not rule:
                break
            p, n = tally(pick(rule, left))
            length += self.added(found, rule, [])
            least = min(least, length)
            if length > least + SURPLUS or p + n < self.least or n >= p:
                break
            found.append(rule)
            left = drop(rule, left)
        return found

    def optimise(self, rules: list[Rule]) -> list[Rule]:
        left, chosen = self.whole.rows, list[Rule]()
        for place, rule in enumerate(rules):
            if tally(left)[0] == 0:
                return self.delete([*chosen, *rules[place:]])
            chosen.append(self.variant(left, chosen, rule, rules[place + 1 :]))
            left = drop(chosen[-1], left)
        return self.delete(self.cover(chosen))

    def variant(
        self, left: Sequence[Row], before: list[Rule], rule: Rule, later: list[Rule]
    ) -> Rule:
        if not pick(rule, left):
            return rule
        grow, held_out = self.split(left)
        replacement = self.grow(grow)
        inside = pick(rule, grow)
        revision = self.grow(inside, rule) if inside else rule
        for other in later:
            held_out = drop(other, held_out)
        costs = []
        for number, variant in enumerate(
            (rule, self.prune_whole(held_out, revision), self.prune_whole(held_out, replacement))
        ):
            enough = number == 0 or variant == rule or len(pick(variant, left)) >= self.least
            if variant and enough:
                costs.append((round(self.added(before, variant, later), 7), number, variant))
        return min(costs)[2]

    def delete(self, rules: list[Rule]) -> list[Rule]:
        counts = captured(rules, self.whole.rows)
        covered = [*counts]
        kept = []
        for place in reversed(range(len(rules))):
            p, n = counts[place]
            others = covered[:place] + covered[place + 1 :]
            cost = (
                self.of_exceptions(covered) + self.bits(rules[place]) - self.of_exceptions(others)
            )
            if cost >= 0 or n >= p or p + n < self.least:
                covered[place] = (0, 0)
            else:
                kept.append(rules[place])
        return kept[::-1]
