"""The tables of the covering benchmark, and one 10-fold cross-validation for all learners."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
from bayesian_tables import BANK, BREAST, FOLD, SPAMBASE, TIC_TAC_TOE, Table

# Targets are in quartiles where they are numbers; columns that number the rows are left out. All
# else is as in the files: codes of kinds that are written as numbers are numbers for everybody.
QUARTILES = """* REPLACE (
  CASE
    WHEN cnt <= quantile_cont(cnt, 0.25) OVER () THEN 'Q1'
    WHEN cnt <= quantile_cont(cnt, 0.50) OVER () THEN 'Q2'
    WHEN cnt <= quantile_cont(cnt, 0.75) OVER () THEN 'Q3'
    ELSE 'Q4'
  END AS cnt
)"""
CREDIT = Table("credit_default_taiwan", "default.payment.next.month", 1, "* EXCLUDE (ID)")
TABLES = (
    BANK,
    Table("bank_full_frl12", "y", "yes"),
    BREAST,
    Table("mammographic_masses", "Severity", 1),
    Table("car_evaluation", "class", None),
    SPAMBASE,
    Table("cervical_imlbook", "Biopsy", "Cancer"),
    Table("bike_imlbook_1ed", "cnt", None, QUARTILES),
    TIC_TAC_TOE,
    Table("mushroom", "class", "p"),
    Table("house_votes84", "class", "republican"),
    Table("pima_diabetes", "class", 1),
    CREDIT,
)
FOLDS = 10


@dataclass
class Scores:
    """What a learner reached, one number a fold; ``missing`` says why there is nothing."""

    accuracy: list[float] = field(default_factory=list)
    auroc: list[float] = field(default_factory=list)
    rules: list[float] = field(default_factory=list)
    conditions: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    missing: str = ""

    def add(self, right: np.ndarray, auroc: float, size: tuple[int, int], seconds: float) -> None:
        """Add a fold. ``right``: whether each held-out row was labelled as it is."""
        self.accuracy.append(float(right.mean()))
        self.auroc.append(auroc)
        self.rules.append(size[0])
        self.conditions.append(size[1])
        self.seconds.append(seconds)

    def line(self) -> str:
        """Return the means over the folds, or why there are none."""
        if self.missing:
            return self.missing
        return (
            f"accuracy {np.mean(self.accuracy):6.2%}  AUROC {np.mean(self.auroc):.3f}  "
            f"{np.mean(self.rules):6.1f} rules {np.mean(self.conditions):6.1f} conditions  "
            f"{np.median(self.seconds):8.3f} s"
        )


@dataclass
class Folded:
    """A table in an engine, in a frame, and its folds.

    ``classes`` from the rarest; with two, the first is the positive one.
    """

    table: Table
    connection: duckdb.DuckDBPyConnection
    frame: pd.DataFrame
    folds: np.ndarray
    classes: list[Any]

    @classmethod
    def read(cls, table: Table, folder: Path, seed: int) -> Folded:
        """Read a table of the folder and split it, classes alike, by a seeded permutation."""
        connection = duckdb.connect()
        table.read(connection, folder)
        table.split(connection, FOLDS, seed)
        frame = connection.execute(f'SELECT * FROM "{table.file}"').df()
        folds = frame.pop(FOLD).to_numpy()
        return cls(table, connection, frame, folds, by_frequency(frame[table.target]))

    def rows(self, fold: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the numbers of the rows to learn from and of those held out."""
        held_out = self.folds == fold
        return np.flatnonzero(~held_out), np.flatnonzero(held_out)

    def codes(self, labels: Any) -> np.ndarray:
        """Return the place of each label in ``classes``."""
        place = {str(label): k for k, label in enumerate(self.classes)}
        return np.array([place[str(label)] for label in labels])

    def title(self) -> str:
        """Return the name of the table and its size."""
        rows, columns = self.frame.shape
        return (
            f"{self.table.file}: {rows} rows, {columns - 1} features, {len(self.classes)} classes"
        )


def by_frequency(target: pd.Series) -> list[Any]:
    """Return the classes from the rarest."""
    counts = target.value_counts()
    return sorted(counts.index, key=lambda label: (counts[label], str(label)))


def auroc(chances: np.ndarray, actual: np.ndarray) -> float:
    """Return the AUROC of class 0; of more than two classes the plain mean of one against the rest.

    ``chances``: rows × classes; ties count one half. A class that is absent, or alone, is left out.
    """
    found = []
    for place in range(chances.shape[1] if chances.shape[1] > 2 else 1):
        is_class = actual == place
        if is_class.all() or not is_class.any():
            continue
        _, scores = np.unique(chances[:, place], return_inverse=True)
        positives, negatives = np.bincount(scores, is_class), np.bincount(scores, ~is_class)
        below = np.cumsum(negatives) - negatives / 2
        found.append(float(positives @ below / positives.sum() / negatives.sum()))
    return float(np.mean(found))


class Cache:
    """Scores of the foreign learners in a JSON file, kept while their settings stay the same."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.kept: dict[str, Any] = {}
        if path is not None and path.exists():
            self.kept = json.loads(path.read_text())

    def get(self, key: str, settings: dict[str, Any]) -> Scores | None:
        """Return what was kept; None where there is nothing, or of other settings."""
        entry = self.kept.get(key)
        if entry is None or entry["settings"] != settings:
            return None
        return Scores(**entry["scores"])

    def put(self, key: str, settings: dict[str, Any], scores: Scores) -> None:
        """Keep scores, at once in the file."""
        self.kept[key] = {"settings": settings, "scores": asdict(scores)}
        if self.path is not None:
            self.path.write_text(json.dumps(self.kept, indent=1))
