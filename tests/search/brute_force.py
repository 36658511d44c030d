"""The judge of falling rule lists: every list of a small instance, scored by definition.

Written from the definitions of Chen & Rudin (2018) in exact integers and fractions, with no bound
and no shortcut, so that it can judge searches that have them. The empty list has no rule and is
always there; a rule captures rows, so lists with a rule that captures none are left out (they
would be the same list at a higher cost).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

#: (positives, negatives)
Counts = tuple[int, int]


@dataclass(frozen=True)
class Instance:
    """Cells of indistinguishable rows, which antecedent holds of which, and the costs.

    ``coverage``: a row per antecedent, a truth value per cell. ``positives`` and ``negatives``:
    rows per cell, in all at least one. ``weight`` is w, ``rule_cost`` C, ``penalty`` C1 (None: a
    hard falling list), ``max_rules`` the longest list, the else not counted (None: any).
    """

    coverage: tuple[tuple[bool, ...], ...]
    positives: tuple[int, ...]
    negatives: tuple[int, ...]
    weight: Fraction
    rule_cost: Fraction
    penalty: Fraction | None = None
    max_rules: int | None = None

    def __post_init__(self) -> None:
        cells = len(self.positives)
        assert len(self.negatives) == cells
        assert all(len(held) == cells for held in self.coverage)
        assert min(self.positives + self.negatives) >= 0
        assert self.rows > 0
        assert self.weight > 0
        assert self.rule_cost >= 0
        assert self.penalty is None or self.penalty >= 0

    @property
    def rows(self) -> int:
        """n: the number of rows."""
        return sum(self.positives) + sum(self.negatives)


@dataclass(frozen=True)
class Scored:
    """A list, what each rule and, last, the else capture, and what that costs.

    ``objective``: L(d) = R(d) + C m, plus C1 for each unit that a proportion rises (soft lists).
    ``falling``: no proportion is above one before it, the else's included.
    """

    antecedents: tuple[int, ...]
    counts: tuple[Counts, ...]
    objective: Fraction
    falling: bool


def predicts_positive(counts: Counts, weight: Fraction) -> bool:
    """α > τ = 1/(1+w), where nothing is captured too: w n⁺ > n⁻."""
    return weight * counts[0] > counts[1]


def weighted_errors(counts: Sequence[Counts], weight: Fraction) -> Fraction:
    """n R(d): captured negatives where the answer is positive, w times positives elsewhere."""
    return sum(
        (Fraction(c[1]) if predicts_positive(c, weight) else weight * c[0] for c in counts),
        Fraction(0),
    )


def proportions(counts: Sequence[Counts]) -> list[Fraction]:
    """The α of what captures rows, in order.

    Only an else can capture nothing. It has no α: it breaks no order and pays no penalty.
    """
    return [Fraction(c[0], sum(c)) for c in counts if sum(c)]


def rises(counts: Sequence[Counts]) -> list[Fraction]:
    """⌊α_j − min_{k<j} α_k⌋₊ for every j ≥ 1 that captures rows."""
    alphas = proportions(counts)
    return [max(Fraction(0), alphas[j] - min(alphas[:j])) for j in range(1, len(alphas))]


def list_objective(
    counts: Sequence[Counts], weight: Fraction, rule_cost: Fraction, penalty: Fraction | None
) -> Fraction:
    """L(d) of a list by what its rules and, last, its else capture; L̃(d) with a penalty."""
    rows = sum(map(sum, counts))
    cost = weighted_errors(counts, weight) / rows + rule_cost * (len(counts) - 1)
    return cost if penalty is None else cost + penalty * sum(rises(counts))


def every_list(instance: Instance) -> Iterator[Scored]:
    """Yield every list of distinct antecedents, falling or not, shorter prefixes first."""
    longest = len(instance.coverage) if instance.max_rules is None else instance.max_rules

    def captured(cells: frozenset[int]) -> Counts:
        return (
            sum(instance.positives[cell] for cell in cells),
            sum(instance.negatives[cell] for cell in cells),
        )

    def extend(
        chosen: tuple[int, ...], counts: tuple[Counts, ...], left: frozenset[int]
    ) -> Iterator[Scored]:
        whole = (*counts, captured(left))
        costs = (instance.weight, instance.rule_cost, instance.penalty)
        yield Scored(chosen, whole, list_objective(whole, *costs), not any(rises(whole)))
        if len(chosen) == longest:
            return
        for antecedent, held in enumerate(instance.coverage):
            takes = frozenset(cell for cell in left if held[cell])
            if antecedent not in chosen and any(captured(takes)):
                yield from extend((*chosen, antecedent), (*counts, captured(takes)), left - takes)

    return extend((), (), frozenset(range(len(instance.positives))))


def permitted(instance: Instance) -> Iterator[Scored]:
    """Yield the lists among which an optimum is sought: falling ones, or with a penalty all."""
    return (one for one in every_list(instance) if one.falling or instance.penalty is not None)


def optimum(instance: Instance) -> tuple[Fraction, list[tuple[int, ...]]]:
    """Return the least objective and every list that has it."""
    lists = list(permitted(instance))
    least = min(one.objective for one in lists)
    return least, [one.antecedents for one in lists if one.objective == least]


def best_completions(instance: Instance, proper: bool = False) -> dict[tuple[int, ...], Fraction]:
    """Return the least objective over all lists that begin with a prefix, for every prefix.

    The list that ends right after the prefix is among them, with ``proper`` only longer ones.
    A prefix that no permitted list completes (a hard one that does not fall, or that leaves too
    many positives) is not in the answer.
    """
    best: dict[tuple[int, ...], Fraction] = {}
    for one in permitted(instance):
        for length in range(len(one.antecedents) + (not proper)):
            prefix = one.antecedents[:length]
            best[prefix] = min(best.get(prefix, one.objective), one.objective)
    return best
