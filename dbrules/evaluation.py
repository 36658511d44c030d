"""What an evaluation says: metrics from rule × class counts (math: everything follows)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dbrules.language.write import format_label

if TYPE_CHECKING:
    import pandas


#: The matrix of more rules than this is not printed.
_MATRIX_MOST = 12
#: The antecedent of the default.
ELSE = "ELSE"


@dataclass(frozen=True)
class RuleMetrics:
    """One rule on the evaluated rows. Shares are in [0, 1], counts are weights.

    ``captured``: by the rule, or, in a rule set, covered by it, whichever rule answers;
    ``support``: share of all weight captured, whatever its label (the ``support`` of a set's
    :meth:`~dbrules.model.Model.to_frame` has antecedent and label, its ``antecedent_support`` is
    this one); ``coverage``: share captured by this rule or one before;
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

    @property
    def text(self) -> str:
        """The rule as it reads in a list."""
        start = ELSE if self.antecedent == ELSE else f"IF {self.antecedent} THEN"
        return f"{start} {format_label(self.label)}"


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
    """How a rule list or set does on a data set.

    ``confusion[actual][predicted]`` are weights in class order; labels the model does not know
    come last among the actual ones (``labels``). ``brier`` is the mean squared error of the
    positive class's probability, summed over classes where there is no positive class.
    ``auroc`` is Mann–Whitney with ties ½ for the positive class, else the mean over classes.
    ``overlap[i][j]`` is the weight that rules i + 1 and j + 1 of a set both cover, on the diagonal
    what a rule covers; None for a list, whose rules never share a row.
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
    overlap: tuple[tuple[float, ...], ...] | None = None

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
            "labels": [json_value(label) for label in self.labels],
            "confusion": [list(row) for row in self.confusion],
            "classes": [_record(metrics) for metrics in self.classes],
            "rules": [_record(metrics) for metrics in self.per_rule],
            "overlap": None if self.overlap is None else [list(row) for row in self.overlap],
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        head = [
            f"rows {self.rows}"
            + (f", weight {_amount(self.weight)}" if self.weight != self.rows else ""),
            f"accuracy {self.accuracy:.4f}",
            f"log loss {self.log_loss:.4f}",
            f"Brier {self.brier:.4f}",
            "AUROC " + _digits(self.auroc),
        ]
        lines = [" · ".join(head)]
        if self.excluded_rows:
            lines.append(f"{self.excluded_rows} rows without a target left out")
        lines += ["", _table(("class", "actual", "predicted", "precision", "recall", "F1"), [
            (format_label(c.label), _amount(c.weight), _amount(c.predicted), _digits(c.precision),
             _digits(c.recall), _digits(c.f1)) for c in self.classes
        ])]  # fmt: skip
        taken = "captured" if self.overlap is None else "covered"
        lines += ["", _table(
            ("rule", taken, "support", "confidence", "95 %", "lift", ""), [
                (str(r.rule), _amount(r.captured), _digits(r.support), _digits(r.confidence),
                 "-" if r.lower is None or r.upper is None else f"{r.lower:.3f}–{r.upper:.3f}",
                 _digits(r.lift), r.text)
                for r in self.per_rule
            ])]  # fmt: skip
        if self.overlap:
            lines += ["", _overlap_text(self.overlap)]
        return "\n".join([*lines, *([""] * bool(self.notes)), *self.notes])


def json_value(value: Any) -> Any:
    """Return a label or cell as JSON has it: dates and decimals as text."""
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


def _record(metrics: RuleMetrics | ClassMetrics) -> dict[str, Any]:
    return {name: json_value(getattr(metrics, name)) for name in metrics.__dataclass_fields__}


def _frame(metrics: tuple[RuleMetrics, ...]) -> pandas.DataFrame:
    import pandas

    return pandas.DataFrame([_record(m) | {"label": m.label} for m in metrics])


def _amount(weight: float) -> str:
    return str(weight) if isinstance(weight, int) else f"{weight:.6g}"


def _digits(value: float | None) -> str:
    return "-" if value is None or math.isnan(value) else f"{value:.4f}"


def _overlap_text(overlap: tuple[tuple[float, ...], ...]) -> str:
    """Return the matrix as a table; of many rules, how many share rows and which two most."""
    numbers = [str(number) for number in range(1, len(overlap) + 1)]
    if len(overlap) <= _MATRIX_MOST:
        body = [(n, *map(_amount, row), "") for n, row in zip(numbers, overlap, strict=True)]
        return "covered by two rules\n" + _table(("rule", *numbers, ""), body)
    pairs = [(overlap[i][j], -i, -j) for i in range(len(overlap)) for j in range(i)]
    most, i, j = max(pairs)
    shared = sum(weight > 0 for weight, _, _ in pairs)
    return (
        f"{shared} of {len(pairs)} pairs of rules cover rows together, "
        f"most of all rules {1 - j} and {1 - i} ({_amount(most)}); "
        "the table is in evaluation.overlap, or printed by --json"
    )


def _table(head: tuple[str, ...], body: list[tuple[str, ...]]) -> str:
    widths = [max(len(row[i]) for row in [head, *body]) for i in range(len(head))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if i in (0, len(head) - 1) else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in [head, *body]
    )
