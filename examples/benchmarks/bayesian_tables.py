"""The tables of the Bayesian benchmark: what is read of each, its target, and its folds."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

#: The column that says in which fold a row is held out.
FOLD = "_fold"
NUMBERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "FLOAT", "DOUBLE")


@dataclass(frozen=True)
class Table:
    """A file of the data folder. ``columns`` are what SELECT reads of it.

    ``published``: the AUROC of falling rule lists in Wang and Rudin (2015), table 2.
    """

    file: str
    target: str
    positive: Any
    columns: str = "*"
    published: float | None = None

    def read(self, connection: duckdb.DuckDBPyConnection, folder: Path) -> None:
        """Create the table in the engine, under the name of its file."""
        path = folder / f"{self.file}.parquet"
        if not path.exists():
            raise SystemExit(f"{path} is not there: give the folder of the data")
        connection.read_parquet(str(path)).create_view("file", replace=True)
        connection.execute(
            f'CREATE OR REPLACE TABLE "{self.file}" AS SELECT {self.columns} FROM file'
        )

    def split(self, connection: duckdb.DuckDBPyConnection, folds: int = 5, seed: int = 0) -> None:
        """Give each row the fold in which it is held out: classes alike, by a seeded permutation.

        The k-th row of a class in the order of the permutation goes to fold k modulo ``folds``.
        """
        target = connection.execute(f'SELECT "{self.target}" FROM "{self.file}"').df().iloc[:, 0]
        order = np.random.default_rng(seed).permutation(len(target))
        place = target.iloc[order].groupby(target.iloc[order]).cumcount() % folds
        _folds = place.sort_index().to_frame(FOLD)
        connection.execute(
            f'CREATE OR REPLACE TABLE "{self.file}" AS '
            f'SELECT * FROM "{self.file}" POSITIONAL JOIN _folds'
        )

    def train(self, fold: int) -> str:
        """Return the SELECT of the rows to learn from."""
        return f'SELECT * EXCLUDE ({FOLD}) FROM "{self.file}" WHERE {FOLD} <> {fold}'

    def test(self, fold: int) -> str:
        """Return the SELECT of the rows held out."""
        return f'SELECT * EXCLUDE ({FOLD}) FROM "{self.file}" WHERE {FOLD} = {fold}'


# The codes of shape and margin are names of kinds. BI-RADS is the judgement of a radiologist, and
# not among the predictors of the paper.
MAMMOGRAPHIC = Table(
    "mammographic_masses", "Severity", 1,
    '* EXCLUDE ("BI-RADS") REPLACE (Shape::VARCHAR AS Shape, Margin::VARCHAR AS Margin)', 0.82,
)  # fmt: skip
SPAMBASE = Table("spambase", "class", 1, published=0.91)
BREAST = Table("breast_cancer_wisconsin", "class", 4, "* EXCLUDE (id)", 0.95)
CARS = Table(
    "car_evaluation", "class", "unacc",
    "* REPLACE (CASE class WHEN 'unacc' THEN class ELSE 'other' END AS class)", 0.89,
)  # fmt: skip
FALLING = (MAMMOGRAPHIC, CARS, BREAST, SPAMBASE)

TIC_TAC_TOE = Table("tic_tac_toe", "Class", "positive")
BANK = Table("bank_full", "y", "yes")


def terciled(connection: duckdb.DuckDBPyConnection, table: Table) -> None:
    """Cut the numeric columns of a table at its terciles, up to and including each."""
    parts = []
    for name, kind, *_ in connection.execute(f'DESCRIBE "{table.file}"').fetchall():
        if kind in NUMBERS and name != table.target:
            (low, high), *_ = connection.execute(
                f'SELECT quantile_cont("{name}", [1 / 3, 2 / 3]) FROM "{table.file}"'
            ).fetchone()
            parts.append(
                f'CASE WHEN "{name}" <= {low!r} THEN \'low\' WHEN "{name}" <= {high!r} '
                f"THEN 'middle' WHEN \"{name}\" > {high!r} THEN 'high' END AS \"{name}\""
            )
    if parts:
        connection.execute(
            f'CREATE OR REPLACE TABLE "{table.file}" AS '
            f'SELECT * REPLACE ({", ".join(parts)}) FROM "{table.file}"'
        )
