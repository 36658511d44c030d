"""Random small tables, and every rule there is on them: the judge of the rule searches."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from dbrules.search.covering.goal import Goal, Task
from dbrules.search.covering.literal import Antecedent, Feature, Literal
from dbrules.search.covering.refinements import Refinements
from dbrules.statistics.coded_rows import coded
from dbrules.statistics.memory_rows import MemoryRows, MemorySubset
from dbrules.statistics.patterns import Patterns

#: Five values with missing, three levels, two levels or missing.
FEATURES = (Feature(7, 5), Feature(4), Feature(4))


def table(seed: int, classes: int = 2, rows: int = 40) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct codes of random rows and their class counts; most rows follow a rule."""
    generator = np.random.default_rng(seed)
    codes = np.stack([generator.integers(0, f.size, rows) for f in FEATURES], axis=1)
    label = (codes[:, 0] + codes[:, 1]) % classes
    label = np.where(generator.random(rows) < 0.3, generator.integers(0, classes, rows), label)
    distinct, place = np.unique(codes, axis=0, return_inverse=True)
    counts = np.zeros((len(distinct), classes), dtype=np.int64)
    np.add.at(counts, (place.ravel(), label), generator.integers(1, 4, rows))
    return distinct, counts


def rows_of(codes: np.ndarray, counts: np.ndarray) -> MemoryRows:
    patterns = Patterns(np.asfortranarray(codes.astype(np.uint8)), counts, Fraction(1))
    return MemoryRows(coded(patterns, FEATURES), counts)


def task(seed: int, goal: Goal) -> tuple[Task, np.ndarray, np.ndarray]:
    """Return a search for rules for class 1, and the codes and counts it is on."""
    codes, counts = table(seed)
    subset: MemorySubset = rows_of(codes, counts).against(1)
    return Task(subset, goal, Refinements(FEATURES)), codes, counts[:, ::-1]


def antecedents() -> Iterator[tuple[Antecedent, int]]:
    """Yield every antecedent but the empty one, and how many conditions it is written with."""
    options: list[list[tuple[Literal | None, int]]] = []
    for number, feature in enumerate(FEATURES):
        runs: list[tuple[Literal | None, int]] = [(None, 0)]
        for first, end in itertools.combinations(range(feature.steps + 1), 2):
            sides = (first > 0) + (end < feature.steps)
            if sides:
                runs.append((Literal(number, first, end), sides))
        runs += [(Literal(number, c, c + 1), 1) for c in range(feature.steps, feature.size - 1)]
        options.append(runs)
    for chosen in itertools.product(*options):
        literals = tuple(literal for literal, _ in chosen if literal is not None)
        if literals:
            yield literals, sum(written for _, written in chosen)


def covered(codes: np.ndarray, antecedent: Antecedent) -> np.ndarray:
    mask = np.ones(len(codes), dtype=bool)
    for feature, first, end in antecedent:
        mask &= (codes[:, feature] >= first) & (codes[:, feature] < end)
    return mask


def value(quality: str, p: float, n: float, p0: float, n0: float, m: float = 2) -> float:
    """Return a quality, written for one rule, over the rule that covers everything."""
    share, prior = p / (p + n), p0 / (p0 + n0)
    h = -sum(x * math.log2(x) for x in (share, 1 - share) if x > 0)
    if quality == "precision":
        return share
    if quality == "laplace":
        return (p + 1) / (p + n + 2)
    if quality == "m_estimate":
        return (p + m * prior) / (p + n + m)
    if quality == "entropy":
        return -h if share >= 0.5 else h - 2
    if quality == "foil_gain":
        return p * (math.log2(share) - math.log2(prior)) if p else 0.0
    if quality == "wracc":
        return (p + n) / (p0 + n0) * (share - prior)
    assert quality == "likelihood_ratio"
    pairs = ((p, (p + n) * prior), (n, (p + n) * (1 - prior)))
    ratio = 2 * sum(f * math.log(f / e) for f, e in pairs if f > 0)
    return ratio if share >= prior else -ratio


def best_rank(
    quality: str, codes: np.ndarray, counts: np.ndarray, goal: Goal,
    of_classes: np.ndarray | None = None,
) -> tuple[float, int, int] | None:  # fmt: skip
    """Return value, positives and conditions of the best rule that the goal admits.

    ``of_classes``: counts by class, of which a rule must cover more of class 1 than of any other.
    """
    from scipy.stats import chi2

    p0, n0 = (int(total) for total in counts.sum(axis=0))
    ranks, least = [], chi2.isf(goal.significance or 1, 1)
    for antecedent, written in antecedents():
        p, n = (int(units) for units in counts[covered(codes, antecedent)].sum(axis=0))
        if p == 0 or p + n < goal.least or written > (goal.max_conditions or 99):
            continue
        if of_classes is not None:
            units = of_classes[covered(codes, antecedent)].sum(axis=0).tolist()
            if units[1] <= max(units[:1] + units[2:]):
                continue
        found = value(quality, p, n, p0, n0, m=goal.m)
        if found <= value(quality, p0, n0, p0, n0, m=goal.m) + 1e-12:
            continue
        if goal.min_quality is not None and found < goal.min_quality:
            continue
        if goal.significance is not None:
            ratio = value("likelihood_ratio", p, n, p0, n0)
            if ratio < least:
                continue
        ranks.append((-round(found, 9), -p, written))
    return min(ranks, default=None)
