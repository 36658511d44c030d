"""Metrics from score × class counts: a model gives few distinct scores, all follows from them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dbrules.evaluation import ELSE, ClassMetrics, Evaluation, RuleMetrics
from dbrules.language.answers import Rules
from dbrules.language.json_read import label_keys
from dbrules.language.rule import Target
from dbrules.language.wilson import wilson_interval
from dbrules.language.write import format_conditions
from dbrules.score_counts import ScoreCounts

#: log loss counts a probability of 0 as this, so that one surprise does not make it infinite.
_TINY = 1e-15


def summarise(rules: Rules, scores: ScoreCounts, notes: tuple[str, ...] = ()) -> Evaluation:
    """Return the metrics of ``scores``, which say what a model answered, and how often.

    ``rules`` are the list or set that is read: what its rules captured, right or wrong by their
    own labels, is shown rule by rule.
    """
    target = rules.target
    counts = scores.counts.weights
    unknown = scores.counts.unknown
    k = len(target.classes)
    probability = np.zeros(counts.shape)
    probability[:, :k] = scores.probability
    total = float(counts.sum())
    actual = counts.sum(axis=0)
    right = counts[np.arange(len(counts)), scores.predicted]
    confusion = np.zeros((counts.shape[1], k))
    np.add.at(confusion.T, scores.predicted, counts)
    aurocs = [_auroc(probability[:, c], counts[:, c], counts.sum(axis=1)) for c in range(k)]
    known = [value for value in aurocs if value is not None]
    if target.positive is None:
        brier = np.einsum("rc,rc->", counts, _squared(probability))
        auroc = sum(known) / len(known) if known else None
    else:
        place = target.index(target.positive)
        hit, score = counts[:, place], probability[:, place]
        brier = (hit * (1 - score) ** 2 + (counts.sum(axis=1) - hit) * score**2).sum()
        auroc = aurocs[place]
    return Evaluation(
        rows=int(scores.counts.rows.sum()),
        weight=whole(total),
        excluded_rows=scores.counts.excluded_rows,
        accuracy=float(right.sum()) / total,
        log_loss=abs(float((counts * np.log(np.maximum(probability, _TINY))).sum())) / total,
        brier=float(brier) / total,
        auroc=auroc,
        labels=(*target.classes, *unknown),
        confusion=tuple(tuple(whole(cell) for cell in row) for row in confusion.tolist()),
        classes=tuple(
            _class_metrics(target.classes[c], float(actual[c]), confusion, c, aurocs[c])
            for c in range(k)
        ),
        per_rule=_rule_metrics(rules, scores, actual / total),
        notes=notes,
        overlap=_overlap(scores),
    )


def _overlap(scores: ScoreCounts) -> tuple[tuple[float, ...], ...] | None:
    if scores.cover is None:
        return None
    weights = scores.cover.overlap(scores.counts.weights.sum(axis=1))
    return tuple(tuple(whole(weight) for weight in row) for row in weights.tolist())


def _squared(probability: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return, per rule and actual class, the squared distance summed over classes."""
    squares = (probability**2).sum(axis=1, keepdims=True)
    return np.asarray(squares - probability**2 + (1 - probability) ** 2)


def _auroc(
    score: NDArray[np.float64], hits: NDArray[np.float64], captured: NDArray[np.float64]
) -> float | None:
    levels, group = np.unique(score, return_inverse=True)
    positive = np.bincount(group, hits, minlength=len(levels))
    negative = np.bincount(group, captured - hits, minlength=len(levels))
    if not positive.sum() or not negative.sum():
        return None
    below = np.cumsum(negative) - negative
    wins = float((positive * (below + negative / 2)).sum())
    return wins / (float(positive.sum()) * float(negative.sum()))


def _class_metrics(
    label: Any, weight: float, confusion: NDArray[np.float64], c: int, auroc: float | None
) -> ClassMetrics:
    predicted, hit = float(confusion[:, c].sum()), float(confusion[c, c])
    precision = hit / predicted if predicted else None
    recall = hit / weight if weight else None
    f1 = 2 * hit / (predicted + weight) if predicted + weight else None
    return ClassMetrics(label, whole(weight), whole(predicted), precision, recall, f1, auroc)


def _rule_metrics(
    rules: Rules, scores: ScoreCounts, share: NDArray[np.float64]
) -> tuple[RuleMetrics, ...]:
    counts = scores.of_rules(len(rules.outcomes)).weights
    total = float(scores.counts.weights.sum())
    coverage = _coverage(scores, counts)
    metrics = []
    for i, outcome in enumerate(rules.outcomes):
        place = rules.target.index(outcome.label)
        captured, hit = float(counts[i].sum()), float(counts[i, place])
        confidence = hit / captured if captured else None
        lower, upper = wilson_interval(hit, captured) if captured else (None, None)
        lift = confidence / float(share[place]) if confidence is not None and share[place] else None
        antecedent = format_conditions(rules.rules[i].conditions) if i < len(rules.rules) else ELSE
        metrics.append(
            RuleMetrics(i + 1, antecedent, outcome.label, whole(captured), whole(hit),
                        captured / total, coverage[i] / total, confidence, lower, upper, lift,
                        outcome.probability[place])
        )  # fmt: skip
    return tuple(metrics)


def _coverage(scores: ScoreCounts, counts: NDArray[np.float64]) -> list[float]:
    """Return the weight that each rule or one before captures; ``counts`` are those of rules."""
    if scores.cover is None:
        return list(accumulate(float(row.sum()) for row in counts))
    weights = scores.counts.weights.sum(axis=1)
    seen = np.zeros(len(weights), dtype=bool)
    coverage = []
    for number in range(1, len(counts)):
        seen |= scores.cover.of(number)
        coverage.append(float(weights[seen].sum()))
    return [*coverage, float(weights.sum())]


def by_class(target: Target, weights: Iterable[float]) -> dict[str, int | float]:
    """Return the weight of each class by its text; ``weights`` in class order."""
    return dict(zip(label_keys(target), map(whole, weights), strict=True))


def whole(weight: float) -> int | float:
    """Return a weight that is a whole number as an int."""
    return int(weight) if weight == int(weight) else weight
