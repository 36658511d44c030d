"""What an evaluation says: metrics from rule × class counts (math: everything follows)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dbrules.language.rule_list import RuleList
from dbrules.language.wilson import wilson_interval
from dbrules.language.write import format_conditions, format_label

if TYPE_CHECKING:
    import pandas

#: log loss counts a probability of 0 as this, so that one surprise does not make it infinite.
_TINY = 1e-15


@dataclass(frozen=True)
class RuleMetrics:
    """One rule on the evaluated rows. Shares are in [0, 1], counts are weights.

    ``support``: share of all weight captured; ``coverage``: captured by this rule or one before;
    ``confidence``: share of the captured that have the rule's label, with its 95 % Wilson
    interval; ``lift``: confidence over the label's share of all. None where nothing is captured.
    """

    rule: int
    antecedent: str
    label: Any
    captured: float
    right: float
    support: float
    coverage: float
    confidence: float | None
    lower: float | None
    upper: float | None
    lift: float | None
    probability: float


@dataclass(frozen=True)
class ClassMetrics:
    """One class: its weight, how often it is predicted, precision, recall, F1, AUROC."""

    label: Any
    weight: float
    predicted: float
    precision: float | None
    recall: float | None
    f1: float | None
    auroc: float | None


@dataclass(frozen=True)
class Evaluation:
    """How a rule list does on a data set.

    ``confusion[actual][predicted]`` are weights in class order; labels the model does not know
    come last among the actual ones (``labels``). ``brier`` is the mean squared error of the
    positive class's probability, summed over classes where there is no positive class.
    ``auroc`` is Mann–Whitney with ties ½ for the positive class, else the mean over classes.
    """

    rows: int
    weight: float
    excluded_rows: int
    accuracy: float
    log_loss: float
    brier: float
    auroc: float | None
    labels: tuple[Any, ...]
    confusion: tuple[tuple[float, ...], ...]
    classes: tuple[ClassMetrics, ...]
    per_rule: tuple[RuleMetrics, ...]
    notes: tuple[str, ...] = ()

    @property
    def rules(self) -> pandas.DataFrame:
        """One row per rule, the default last, as a data frame."""
        return _frame(self.per_rule)

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        return {
            "rows": self.rows,
            "weight": self.weight,
            "excluded_rows": self.excluded_rows,
            "accuracy": self.accuracy,
            "log_loss": self.log_loss,
            "brier": self.brier,
            "auroc": self.auroc,
            "labels": [_plain(label) for label in self.labels],
            "confusion": [list(row) for row in self.confusion],
            "classes": [_record(metrics) for metrics in self.classes],
            "rules": [_record(metrics) for metrics in self.per_rule],
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        head = [
            f"rows {self.rows}" + (f", weight {self.weight:g}" if self.weight != self.rows else ""),
            f"accuracy {self.accuracy:.4f}",
            f"log loss {self.log_loss:.4f}",
            f"Brier {self.brier:.4f}",
            "AUROC " + _digits(self.auroc),
        ]
        lines = [" · ".join(head)]
        if self.excluded_rows:
            lines.append(f"{self.excluded_rows} rows without a target left out")
        lines += ["", _table(("class", "weight", "predicted", "precision", "recall", "F1"), [
            (format_label(c.label), f"{c.weight:g}", f"{c.predicted:g}", _digits(c.precision),
             _digits(c.recall), _digits(c.f1)) for c in self.classes
        ])]  # fmt: skip
        lines += ["", _table(
            ("rule", "captured", "support", "confidence", "95 %", "lift", "antecedent"), [
                (str(r.rule), f"{r.captured:g}", _digits(r.support), _digits(r.confidence),
                 "-" if r.lower is None or r.upper is None else f"{r.lower:.3f}–{r.upper:.3f}",
                 _digits(r.lift), f"{r.antecedent} THEN {format_label(r.label)}")
                for r in self.per_rule
            ])]  # fmt: skip
        return "\n".join([*lines, *([""] * bool(self.notes)), *self.notes])


def summarise(
    rule_list: RuleList,
    counts: NDArray[np.float64],
    *,
    rows: int,
    excluded_rows: int,
    unknown: tuple[Any, ...] = (),
    notes: tuple[str, ...] = (),
) -> Evaluation:
    """Return the metrics of ``counts``: weights of rule × class, shape (rules + 1, k + unknown).

    The last row is the default's, the last columns are the labels that the model does not know.
    """
    target = rule_list.target
    outcomes = rule_list.outcomes
    k = len(target.classes)
    probability = np.zeros((len(outcomes), counts.shape[1]))
    probability[:, :k] = [outcome.probability for outcome in outcomes]
    predicted = np.array([target.index(outcome.label) for outcome in outcomes])
    total = float(counts.sum())
    actual = counts.sum(axis=0)
    right = counts[np.arange(len(outcomes)), predicted]
    confusion = np.zeros((counts.shape[1], k))
    np.add.at(confusion.T, predicted, counts)
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
        rows=rows,
        weight=_whole(total),
        excluded_rows=excluded_rows,
        accuracy=float(right.sum()) / total,
        log_loss=float(-(counts * np.log(np.maximum(probability, _TINY))).sum()) / total,
        brier=float(brier) / total,
        auroc=auroc,
        labels=(*target.classes, *unknown),
        confusion=tuple(tuple(_whole(cell) for cell in row) for row in confusion.tolist()),
        classes=tuple(
            _class_metrics(target.classes[c], float(actual[c]), confusion, c, aurocs[c])
            for c in range(k)
        ),
        per_rule=_rule_metrics(rule_list, counts, right, actual / total),
        notes=notes,
    )


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
    return ClassMetrics(label, _whole(weight), _whole(predicted), precision, recall, f1, auroc)


def _rule_metrics(
    rule_list: RuleList,
    counts: NDArray[np.float64],
    right: NDArray[np.float64],
    share: NDArray[np.float64],
) -> tuple[RuleMetrics, ...]:
    total = float(counts.sum())
    covered = 0.0
    metrics = []
    for i, outcome in enumerate(rule_list.outcomes):
        captured, hit = float(counts[i].sum()), float(right[i])
        covered += captured
        place = rule_list.target.index(outcome.label)
        confidence = hit / captured if captured else None
        lower, upper = wilson_interval(hit, captured) if captured else (None, None)
        lift = confidence / float(share[place]) if confidence is not None and share[place] else None
        antecedent = (
            f"IF {format_conditions(rule_list.rules[i].conditions)}"
            if i < len(rule_list.rules)
            else "ELSE"
        )
        metrics.append(
            RuleMetrics(i + 1, antecedent, outcome.label, _whole(captured), _whole(hit),
                        captured / total, covered / total, confidence, lower, upper, lift,
                        outcome.probability[place])
        )  # fmt: skip
    return tuple(metrics)


def _whole(weight: float) -> int | float:
    return int(weight) if weight == int(weight) else weight


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


def _record(metrics: RuleMetrics | ClassMetrics) -> dict[str, Any]:
    return {name: _plain(getattr(metrics, name)) for name in metrics.__dataclass_fields__}


def _frame(metrics: tuple[RuleMetrics, ...]) -> pandas.DataFrame:
    import pandas

    return pandas.DataFrame([_record(m) | {"label": m.label} for m in metrics])


def _digits(value: float | None) -> str:
    return "-" if value is None or math.isnan(value) else f"{value:.4f}"


def _table(head: tuple[str, ...], body: list[tuple[str, ...]]) -> str:
    widths = [max(len(row[i]) for row in [head, *body]) for i in range(len(head))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if i in (0, len(head) - 1) else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in [head, *body]
    )
