"""Random small instances for the judge, of kinds that find what goes wrong with bounds."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

from brute_force import Instance

WEIGHTS = tuple(map(Fraction, ("1", "3", "5", "7", "1/2", "5/2")))
RULE_COSTS = tuple(map(Fraction, ("0", "1/1000000", "1/1000", "1/100", "1/30")))
PENALTIES = tuple(map(Fraction, ("1/200", "1/20", "1/2", "2")))


def _spread(rng: random.Random) -> tuple[int, int]:
    """A cell of any purity and size."""
    total = rng.choice([1, 2, 5, 20, 100])
    share = rng.random() ** 2
    positives = round(total * share)
    return positives, total - positives


def _tied(rng: random.Random) -> tuple[int, int]:
    """Few values, so that proportions, errors and whole objectives meet; some cells are empty."""
    return rng.choice([0, 1, 2]), rng.choice([0, 1, 2, 4])


def _pure(rng: random.Random) -> tuple[int, int]:
    """Cells of one class: α is 1 or 0, also in the last rule of a prefix."""
    return rng.choice([(0, rng.randint(1, 9)), (rng.randint(1, 9), 0), (1, 1)])


def _at_threshold(rng: random.Random) -> tuple[int, int]:
    """Cells at and beside w n⁺ = n⁻ for a whole w."""
    positives = rng.randint(0, 3)
    return positives, max(0, positives * rng.choice([1, 3, 5, 7]) + rng.choice([-1, 0, 0, 1]))


#: Cells, antecedents and costs vary in all of them; the name says what is special.
KINDS: dict[str, Callable[[random.Random], tuple[int, int]]] = {
    "spread": _spread,
    "tied": _tied,
    "pure": _pure,
    "at threshold": _at_threshold,
    "only positives": lambda rng: (rng.randint(0, 5), 0),
    "only negatives": lambda rng: (0, rng.randint(0, 5)),
}
#: How often each comes: classes alone need little practice.
_DEAL = ("spread", "tied", "pure", "at threshold") * 4 + ("only positives", "only negatives")


def _antecedent(rng: random.Random, cells: int) -> tuple[bool, ...]:
    """Where it holds: of a few cells, rarely of none or of all."""
    size = min(cells, rng.choice([1, 2, 2, 3, 3, 4, 6]))
    if rng.random() < 1 / 15:
        size = rng.choice([0, cells])
    held = set(rng.sample(range(cells), size))
    return tuple(cell in held for cell in range(cells))


def random_instance(seed: int, soft: bool | None = None) -> Instance:
    """Return the instance of a seed: at most 6 antecedents, 12 cells, 5 rules.

    Every other one has a penalty; ``soft`` makes it one or the other, all else unchanged. One in
    four has a duplicated antecedent, one in five one within another, one in five costs nothing
    per rule. Two in three have a weight that balances the classes: there the else is undecided
    and optimal lists are longest.
    """
    rng = random.Random(seed)
    cell = KINDS[rng.choice(_DEAL)]
    counts = [cell(rng) for _ in range(rng.choice([2, 5, 8, 10, 12, 12]))]
    if not any(map(sum, counts)):
        counts[0] = (1, 0) if cell is KINDS["only positives"] else (0, 1)
    antecedents = [_antecedent(rng, len(counts)) for _ in range(rng.choice([2, 4, 5, 5, 6, 6]))]
    if rng.random() < 1 / 5:
        antecedents[-1] = tuple(held and rng.random() < 0.5 for held in antecedents[0])
    if rng.random() < 1 / 4:
        antecedents = [*antecedents[:5], rng.choice(antecedents)]
    weight, rule_cost, penalty = map(rng.choice, (WEIGHTS, RULE_COSTS, PENALTIES))
    positives, negatives = (tuple(of_class) for of_class in zip(*counts, strict=True))
    if rng.random() < 2 / 3 and any(positives) and any(negatives):
        weight = Fraction(sum(negatives), sum(positives))
    max_rules = rng.choice([1, 2, 3, 4, 5, 5])
    drawn = rng.random() < 1 / 2
    return Instance(
        tuple(antecedents),
        positives,
        negatives,
        weight,
        rule_cost,
        penalty if (drawn if soft is None else soft) else None,
        max_rules,
    )
