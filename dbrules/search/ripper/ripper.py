"""RIPPER's rules for one class: built, then optimised pass by pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from dbrules.search.budget import INTERRUPTED
from dbrules.search.covering.draw import Draws
from dbrules.search.covering.literal import Antecedent
from dbrules.search.covering.subset import Count, Subset
from dbrules.search.ripper.grow import Growth, prune, prune_whole
from dbrules.search.ripper.rule_bits import NOTHING, RuleSetBits, add, is_wrong

#: Bits above the least description length so far at which no rule is added (Cohen 1995, 2.2).
_SURPLUS: Final = 64.0


@dataclass(frozen=True, eq=False)
class Ripper:
    """How RIPPER learns rules for the positive class of some rows.

    ``passes`` of optimisation (k). ``draws`` part the rows into those to grow on and those to
    prune on. A feature may recur in a rule with ever closer thresholds: each counts as a condition
    in its description length.

    Cohen (1995), Fast effective rule induction, ICML.
    """

    growth: Growth
    draws: Draws
    passes: int

    def rules(
        self, rows: Subset, expected: float, max_rules: int | None = None
    ) -> list[Antecedent]:
        """Return the rules, in the order in which they capture; at most ``max_rules``.

        ``expected``: the share of errors expected to be false positives. When the user interrupts
        they are those found until then, as after the last whole pass.
        """
        bits = RuleSetBits(rows.features, rows.count, self.growth.unit, expected)
        rules: list[Antecedent] = []
        try:
            self._cover(rows, bits, rules, [], max_rules)
            for _ in range(self.passes):
                if self.growth.budget.limit is not None:
                    break
                rules = self._optimise(rows, bits, rules, max_rules)
        except KeyboardInterrupt:
            self.growth.budget.limit = INTERRUPTED
        return rules

    def _cover(
        self, left: Subset, bits: RuleSetBits, rules: list[Antecedent], captured: Sequence[Count],
        max_rules: int | None,
    ) -> None:  # fmt: skip
        """Add to ``rules`` new ones that cover what is left of the positive class.

        ``captured``: by each rule so far.
        """
        covered = add(*captured)
        length = least = bits.exceptions(NOTHING)
        budget = self.growth.budget
        while left.count.positive > 0 and (max_rules is None or len(rules) < max_rules):
            with left.split(self.draws.next()) as (grow, held_out):
                rule = self.growth.grow(grow)
                rule = prune(held_out, rule, self.growth.unit)
            if not rule or budget.limit is not None:
                break
            count = left.captures([rule])[0]
            length += bits.cost(rule, add(covered, count), count)
            least = min(least, length)
            if length > least + _SURPLUS or count.total < self.growth.least or is_wrong(count):
                break
            rules.append(rule)
            covered = add(covered, count)
            left = left.without(rule)
            budget.tell(lambda: f"covering: {len(rules)} rules")

    def _optimise(
        self, rows: Subset, bits: RuleSetBits, rules: Sequence[Antecedent], max_rules: int | None
    ) -> list[Antecedent]:
        """Return the rules after one pass: each kept, replaced or revised, then covered again."""
        left, covered = rows, NOTHING
        chosen: list[Antecedent] = []
        captured: list[Count] = []
        for place, rule in enumerate(rules):
            if left.count.positive == 0 or self.growth.budget.limit is not None:
                chosen += rules[place:]
                break
            best, count = self._best_variant(left, bits, covered, rule, rules[place + 1 :])
            chosen.append(best)
            captured.append(count)
            covered = add(covered, count)
            left = left.without(best)
        else:
            self._cover(left, bits, chosen, captured, max_rules)
        return bits.delete(chosen, rows.captures(chosen), self.growth.least)

    def _best_variant(
        self, left: Subset, bits: RuleSetBits, before: Count, rule: Antecedent,
        later: Sequence[Antecedent],
    ) -> tuple[Antecedent, Count]:  # fmt: skip
        """Return the rule, its replacement or its revision, and what it captures.

        That with which the set has the least description length: on a tie the rule, then the
        revision (Cohen 1995, section 2.2).
        """
        if left.captures([rule])[0].total == 0:
            return rule, NOTHING
        with left.split(self.draws.next()) as (grow, held_out):
            replacement = self.growth.grow(grow)
            inside = grow.meeting(*rule)
            revision = self.growth.grow(inside, rule) if inside.count.total else rule
            held_out = held_out.without(*later)
            unit = self.growth.unit
            replacement = prune_whole(held_out, replacement, unit)
            revision = prune_whole(held_out, revision, unit)
        without = left.captures(later)
        best: tuple[float, Antecedent, Count] | None = None
        for variant in dict.fromkeys((rule, revision, replacement)):
            if not variant:
                continue
            covered = left.meeting(*variant)
            # what the later rules lose to this one is counted on what it covers
            lost = covered.captures(later)
            with_it = [count - less for count, less in zip(without, lost, strict=True)]
            cost = bits.with_rule(variant, before, covered.count, later, with_it)
            fits = covered.count.total >= self.growth.least or variant == rule
            if fits and (best is None or cost < best[0]):
                best = cost, variant, covered.count
        assert best is not None
        return best[1], best[2]
