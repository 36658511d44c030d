"""The rule lists that Chen & Rudin (2018) print for the bank table, as facts to count and score.

``bank_full_lists.json`` has their conditions in dbrules' own text over the raw columns, their
counts and the objective that follows from them (none where no weight is stated).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from brute_force import Counts, predicts_positive

FILE = Path(__file__).with_name("bank_full_lists.json")

#: The conditions whose columns the binned table ``bank_full_frl12`` has as text.
BINNED = {
    "1000 <= balance < 2000": "balance = '1000<=balance<2000'",
    "age BETWEEN 17 AND 29": "age = '17<=age<30'",
    "age BETWEEN 30 AND 39": "age = '30<=age<40'",
    "age BETWEEN 50 AND 59": "age = '50<=age<60'",
    "age BETWEEN 60 AND 99": "age = '60<=age<100'",
    "campaign = 1": "campaign = '1'",
    "campaign = 2": "campaign = '2'",
    "campaign >= 3": "campaign = '>=3'",
    "previous = 0": "previous = '0'",
    "previous >= 2": "previous = '>=2'",
}


@dataclass(frozen=True)
class PublishedList:
    """A printed list: conditions of its rules; counts of its rules and, last, of its else."""

    table: str
    positive_weight: int | None
    rule_cost: float | None
    soft_penalty: float | None
    objective: float | None
    conditions: tuple[str, ...]
    counts: tuple[Counts, ...]

    @property
    def weight(self) -> Fraction:
        """The positive weight; where the paper has none, one that makes no answer yes."""
        return Fraction(self.positive_weight or 0)

    @property
    def positives(self) -> list[int]:
        """What each rule and, last, the else capture of the positives."""
        return [count for count, _ in self.counts]

    @property
    def negatives(self) -> list[int]:
        """What each rule and, last, the else capture of the negatives."""
        return [count for _, count in self.counts]

    def text(self, binned: bool = False) -> str:
        """Return the list as text, over the raw columns or over those of the binned table."""
        labels = ["yes" if predicts_positive(c, self.weight) else "no" for c in self.counts]
        rules = [
            f"IF {binned_text(conditions) if binned else conditions} THEN {label}\n"
            for conditions, label in zip(self.conditions, labels, strict=False)
        ]
        return "".join([*rules, f"ELSE {labels[-1]}"])


def binned_text(conditions: str) -> str:
    """Return conditions on raw columns as conditions on the columns of the binned table."""
    for raw, binned in BINNED.items():
        conditions = conditions.replace(raw, binned)
    return conditions


def published_lists() -> list[PublishedList]:
    """Return the lists in the order of their tables."""
    return [
        PublishedList(
            found["table"],
            found["positive_weight"],
            found["rule_cost"],
            found["soft_penalty"],
            found["objective"],
            tuple(conditions for conditions, *_ in found["rules"]),
            (*((p, n) for _, p, n in found["rules"]), tuple(found["else"])),
        )
        for found in json.loads(FILE.read_text(encoding="utf-8"))
    ]
