"""Algorithm FRL and softFRL as one would write them down: the measure that the benchmark beats.

    python examples/benchmarks/plain_frl.py TABLE.parquet [RESTARTS]    (as in the paper: 3000)

A transcription of Chen & Rudin (2018), Algorithm 1 and its soft version, in plain Python over
NumPy masks of the rows: every candidate of every step is counted on all rows, and nothing is
remembered from one step to the next. TABLE is their bank table, binned (columns of text, the
target y with yes and no).
"""

from __future__ import annotations

import itertools
import math
import sys
import time
from dataclasses import dataclass

import duckdb
import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Antecedent:
    """Conditions as text, and the rows that meet them."""

    text: str
    mask: Mask


@dataclass(frozen=True)
class FoundList:
    """The rules, by place among the antecedents; rows per rule and, last, in the else."""

    rules: tuple[int, ...]
    counts: tuple[tuple[int, int], ...]
    objective: float

    def falling_proportions(self) -> list[float]:
        """Return each proportion, or one before it that is lower: softFRL's last step."""
        return list(itertools.accumulate((p / (p + n) for p, n in self.counts), min))


def read(path: str) -> tuple[dict[str, NDArray[np.object_]], Mask]:
    """Return the columns of a binned table and whether y is yes, for every row."""
    columns = duckdb.connect().execute("FROM read_parquet($1)", [path]).fetchnumpy()
    return {name: np.asarray(c) for name, c in columns.items() if name != "y"}, (
        np.asarray(columns["y"]) == "yes"
    )


def mine(columns: dict[str, NDArray[np.object_]], y: Mask, support: float) -> list[Antecedent]:
    """Return the antecedents of one or two conditions that are frequent in either class."""

    def frequent(mask: Mask) -> bool:
        positives = np.count_nonzero(mask & y)
        negatives = np.count_nonzero(mask) - positives
        return bool(positives >= support * y.sum() or negatives >= support * (~y).sum())

    singles = {
        (name, level): column == level
        for name, column in columns.items()
        for level in sorted(set(column))
    }
    singles = {item: mask for item, mask in singles.items() if frequent(mask)}
    found = [Antecedent(f"{name} = {level!r}", mask) for (name, level), mask in singles.items()]
    for (one, of_one), (other, of_other) in itertools.combinations(singles.items(), 2):
        mask = of_one & of_other
        if one[0] != other[0] and frequent(mask):
            text = " AND ".join(f"{name} = {level!r}" for name, level in (one, other))
            found.append(Antecedent(text, mask))
    return found


def frl(
    antecedents: list[Antecedent], y: Mask, weight: float, rule_cost: float, restarts: int,
    curiosity: float = 0.8, termination: float = 0.01, seed: int = 0,
) -> FoundList:  # fmt: skip
    """Return the best falling list of ``restarts`` random ones (Algorithm 1)."""
    rng = np.random.default_rng(seed)
    n = len(y)
    best = FoundList((), (), math.inf)
    for _ in range(restarts):
        rules: list[int] = []
        counts: list[tuple[int, int]] = []
        left = np.ones(n, dtype=bool)
        left_pos, left_neg = int(y.sum()), int((~y).sum())
        last = 1.0
        errors = 0.0
        while True:
            stop_now = min(weight * left_pos, left_neg) / n
            if rule_cost >= stop_now - (1 / last - 1) * left_pos / n or rng.random() < termination:
                break
            candidates: list[tuple[int, int, int]] = []
            curious: list[float] = []
            for place, antecedent in enumerate(antecedents):
                if place in rules:
                    continue
                captured = antecedent.mask & left
                pos = int(np.count_nonzero(captured & y))
                neg = int(np.count_nonzero(captured)) - pos
                then_pos, then_neg = left_pos - pos, left_neg - neg
                if pos + neg == 0 or then_pos + then_neg == 0:
                    continue
                alpha = pos / (pos + neg)
                if alpha > last or weight * pos <= neg or then_pos / (then_pos + then_neg) > alpha:
                    continue
                bound = (errors + neg) / n + rule_cost * (len(rules) + 1)
                bound += min(
                    (1 / alpha - 1) * then_pos / n + rule_cost, weight * then_pos / n, then_neg / n
                )
                if bound < best.objective:
                    candidates.append((place, pos, neg))
                    curious.append(curiosity * alpha + (1 - curiosity) * pos / left_pos)
            if not candidates:
                break
            probability = np.array(curious) / sum(curious)
            place, pos, neg = candidates[rng.choice(len(candidates), p=probability)]
            rules.append(place)
            counts.append((pos, neg))
            left &= ~antecedents[place].mask
            left_pos, left_neg = left_pos - pos, left_neg - neg
            last = pos / (pos + neg)
            errors += neg
        errors += left_neg if weight * left_pos > left_neg else weight * left_pos
        objective = errors / n + rule_cost * len(rules)
        if objective < best.objective:
            best = FoundList(tuple(rules), (*counts, (left_pos, left_neg)), objective)
    return best


def soft_frl(
    antecedents: list[Antecedent], y: Mask, weight: float, rule_cost: float, penalty: float,
    restarts: int, curiosity: float = 0.8, termination: float = 0.01, seed: int = 0,
) -> FoundList:  # fmt: skip
    """Return the best list of ``restarts`` random ones, where a rise costs (Section 5)."""
    rng = np.random.default_rng(seed)
    n = len(y)
    tau = 1 / (1 + weight)
    best = FoundList((), (), math.inf)

    def stop_cost(pos: int, neg: int, least: float) -> float:
        return min(weight * pos, neg) / n + penalty * max(0.0, pos / (pos + neg) - least)

    def cheapest(pos: int, neg: int, least: float) -> float:
        """The least that completing a prefix adds (Theorem 5.2)."""
        alpha = pos / (pos + neg)
        stop = stop_cost(pos, neg, least)
        if pos == 0:
            return stop
        rise = penalty * max(0.0, alpha - least)
        falling = (1 / least - 1) * pos / n + rule_cost if least else math.inf
        if alpha >= least:
            falling += rise + weight * pos / n

        def rising(beta: float) -> float:
            return (1 / beta - 1) * pos / n + rule_cost + penalty * (beta - least)

        zeta, at = max(least, alpha, tau), math.sqrt(pos / (penalty * n))
        lowest = rising(at) if zeta < at <= 1 else min(rising(zeta), rising(1.0))
        return min(falling, lowest, stop)

    for _ in range(restarts):
        rules: list[int] = []
        counts: list[tuple[int, int]] = []
        left = np.ones(n, dtype=bool)
        left_pos, left_neg = int(y.sum()), int((~y).sum())
        least = 1.0
        cost = 0.0
        while True:
            stop_now = stop_cost(left_pos, left_neg, least)
            if cheapest(left_pos, left_neg, least) >= stop_now or rng.random() < termination:
                break
            candidates: list[tuple[int, int, int, float, float]] = []
            curious: list[float] = []
            for place, antecedent in enumerate(antecedents):
                if place in rules:
                    continue
                captured = antecedent.mask & left
                pos = int(np.count_nonzero(captured & y))
                neg = int(np.count_nonzero(captured)) - pos
                then_pos, then_neg = left_pos - pos, left_neg - neg
                if pos + neg == 0 or then_pos + then_neg == 0:
                    continue
                alpha = pos / (pos + neg)
                then_least = min(least, alpha)
                then_cost = cost + min(weight * pos, neg) / n + rule_cost
                then_cost += penalty * (alpha - then_least)
                if then_cost + cheapest(then_pos, then_neg, then_least) < best.objective:
                    candidates.append((place, pos, neg, then_least, then_cost))
                    kept = max(0.0, min(alpha, 101 * least - 100 * alpha))
                    curious.append(curiosity * kept + (1 - curiosity) * pos / left_pos)
            if not sum(curious):
                break
            probability = np.array(curious) / sum(curious)
            place, pos, neg, least, cost = candidates[rng.choice(len(candidates), p=probability)]
            rules.append(place)
            counts.append((pos, neg))
            left &= ~antecedents[place].mask
            left_pos, left_neg = left_pos - pos, left_neg - neg
        objective = cost + stop_cost(left_pos, left_neg, least)
        if objective < best.objective:
            best = FoundList(tuple(rules), (*counts, (left_pos, left_neg)), objective)
    return best


def main() -> None:
    path = sys.argv[1]
    restarts = int(sys.argv[2]) if len(sys.argv) > 2 else 30
    columns, y = read(path)
    antecedents = mine(columns, y, 0.1)
    print(f"{len(y)} rows, {len(antecedents)} antecedents, w = 7, C = 1e-6, C1 = 0.5")
    for name, search in (
        (f"FRL, T = {restarts}", lambda: frl(antecedents, y, 7, 1e-6, restarts)),
        (
            f"softFRL, T = {2 * restarts}",
            lambda: soft_frl(antecedents, y, 7, 1e-6, 0.5, 2 * restarts),
        ),
    ):
        started = time.process_time()
        found = search()
        print(f"\n{name}: {found.objective:.6f} in {time.process_time() - started:.1f} s of CPU")
        texts = [f"IF {antecedents[place].text}" for place in found.rules] + ["ELSE"]
        shown = zip(texts, found.counts, found.falling_proportions(), strict=True)
        for text, (pos, neg), proportion in shown:
            print(f"  {proportion:.4f}  {pos:5d}+ {neg:5d}-  {text}")


if __name__ == "__main__":
    main()
