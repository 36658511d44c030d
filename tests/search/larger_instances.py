"""Instances too large to score every list of, and a judge that needs no bound to solve them.

Lists that capture the same rows may go on alike, so of each union only those prefixes matter
that no other matches in loss, length and least proportion. All reachable unions are visited.
"""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache

from brute_force import Instance, predicts_positive


@cache
def larger_instance(
    seed: int, antecedents: int, cells: int, rows: int = 12, soft: bool = False
) -> Instance:
    """Return an instance of conditions on some features, alone and in pairs, as mining gives.

    Each feature has two to four values, cells are distinct combinations of them; the positives
    are many where a few random values meet. ``rows``: at most in a class and cell.
    """
    rng = random.Random(seed)
    sizes = [rng.choice([2, 2, 3, 4]) for _ in range(9)]
    grid = {tuple(rng.randrange(size) for size in sizes) for _ in range(cells)}
    points = sorted(grid)
    literals = [(f, value) for f, size in enumerate(sizes) for value in range(size)]
    appeal = {literal: rng.gauss(0, 1) for literal in literals}
    counts = []
    for point in points:
        score = sum(appeal[literal] for literal in enumerate(point))
        share = 1 / (1 + 2 ** (1.5 - score))
        of_cell = rng.randint(1, 2 * rows)
        positives = sum(rng.random() < share for _ in range(of_cell))
        counts.append((positives, of_cell - positives))
    if not any(p for p, _ in counts):
        counts[0] = (1, 0)
    kinds = [(literal,) for literal in literals]
    kinds += [(one, other) for one in literals for other in literals if one[0] < other[0]]
    # three in four hold where positives are many
    kinds.sort(key=lambda kind: -sum(appeal[literal] for literal in kind))
    few = antecedents // 4
    chosen = rng.sample(kinds[: len(kinds) // 3], antecedents - few)
    chosen += rng.sample(kinds[len(kinds) // 3 :], few)
    coverage = tuple(
        tuple(all(point[f] == value for f, value in kind) for point in points) for kind in chosen
    )
    positives, negatives = (tuple(of_class) for of_class in zip(*counts, strict=True))
    even = Fraction(max(1, sum(negatives)), sum(positives))
    return Instance(
        coverage, positives, negatives,
        rng.choice([even, even / 2, even * 2 / 3, Fraction(1, 3), Fraction(5, 2)]),
        rng.choice([Fraction(0), Fraction(1, 10**6), Fraction(1, 1000), Fraction(1, 100)]),
        rng.choice([Fraction(1, 100), Fraction(1, 10), Fraction(1, 2)]) if soft else None,
        rng.choice([None, None, None, 2, 4]),
    )  # fmt: skip


@cache
def crowded_instance(seed: int, rule_cost: Fraction = Fraction(0)) -> Instance:
    """Return a small hard instance whose antecedents overlap much: unions come in many orders."""
    rng = random.Random(seed)
    cells = rng.choice([5, 6, 7])
    counts = [(rng.randint(1, 6), rng.randint(0, 4)) for _ in range(cells)]
    counts.append((rng.randint(0, 2), rng.randint(15, 40)))
    held = [
        rng.sample(range(cells), rng.choice([1, 2, 2, 3])) for _ in range(rng.choice([4, 5, 6]))
    ]
    coverage = tuple(tuple(cell in of for cell in range(cells + 1)) for of in held)
    positives, negatives = (tuple(of_class) for of_class in zip(*counts, strict=True))
    weight = rng.choice([Fraction(1), Fraction(3, 2), Fraction(2), Fraction(3)])
    return Instance(
        coverage, positives, negatives, weight, rule_cost, None, rng.choice([None, 3, 4])
    )


#: Of a prefix: its loss without the else, how many rules it has, its least proportion.
_Standing = tuple[Fraction, int, Fraction]


@cache
def least_objective(instance: Instance) -> Fraction:
    """Return the optimum, over every union of antecedents that a list can reach."""
    cells = range(len(instance.positives))
    masks = [sum(1 << cell for cell in cells if held[cell]) for held in instance.coverage]
    everything = (1 << len(cells)) - 1
    most = len(masks) if instance.max_rules is None else instance.max_rules
    known: dict[int, tuple[int, int]] = {}

    def captured(mask: int) -> tuple[int, int]:
        if mask not in known:
            of = [cell for cell in cells if mask >> cell & 1]
            known[mask] = (
                sum(instance.positives[c] for c in of), sum(instance.negatives[c] for c in of)
            )  # fmt: skip
        return known[mask]

    unions: dict[int, list[_Standing]] = {0: [(Fraction(0), 0, Fraction(1))]}
    waiting: list[set[int]] = [set() for _ in range(len(cells) + 1)]
    waiting[0].add(0)
    optimum: Fraction | None = None
    # a union grows with every rule, so those of fewer cells are complete before it is visited
    for union in (union for size in waiting for union in size):
        rest = captured(everything & ~union)
        for standing in unions[union]:
            ended = _extended(instance, standing, rest, 0)
            if ended is not None and (optimum is None or ended[0] < optimum):
                optimum = ended[0]
        for mask in masks:
            counts = captured(mask & ~union)
            if not any(counts):
                continue
            larger = union | mask
            for standing in unions[union]:
                longer = _extended(instance, standing, counts, 1)
                if longer is not None and longer[1] <= most:
                    _keep(unions.setdefault(larger, []), longer)
                    waiting[larger.bit_count()].add(larger)
    assert optimum is not None
    return optimum


def _extended(
    instance: Instance, standing: _Standing, counts: tuple[int, int], rules: int
) -> _Standing | None:
    """Return what another rule, or with 0 rules the else, makes of a prefix."""
    loss, length, least = standing
    wrong = counts[1] if predicts_positive(counts, instance.weight) else instance.weight * counts[0]
    loss += Fraction(wrong) / instance.rows + instance.rule_cost * rules
    if not any(counts):
        return loss, length + rules, least
    share = Fraction(counts[0], sum(counts))
    if share > least:
        if instance.penalty is None:
            return None
        loss += instance.penalty * (share - least)
    return loss, length + rules, min(least, share)


def _keep(others: list[_Standing], new: _Standing) -> None:
    def matches(one: _Standing, other: _Standing) -> bool:
        return one[0] <= other[0] and one[1] <= other[1] and one[2] >= other[2]

    if any(matches(other, new) for other in others):
        return
    others[:] = [other for other in others if not matches(new, other)]
    others.append(new)
