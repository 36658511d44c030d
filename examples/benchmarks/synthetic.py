"""A falling list with numeric thresholds, made in SQL: what a learner should find again.

    python examples/benchmarks/synthetic.py [ROWS]

Ten columns c0 … c9 of letters a–e and ten columns n0 … n9 of numbers in [0, 1] with four digits;
y is 1 with the probability of the first rule that holds. Cut points decide: a learner that cuts
n0 in thirds cannot say n0 > 0.8. Run as a script, it prints what the true list itself reaches.
"""

from __future__ import annotations

import sys

import duckdb

#: Conditions and the probability of y = 1, in order.
RULES = (
    ("c0 = 'a' AND n0 > 0.8", 0.95),
    ("c1 = 'b' AND c2 = 'c'", 0.80),
    ("n1 > 0.7 AND n2 < 0.3", 0.65),
    ("c3 = 'd' AND n3 > 0.5", 0.45),
    ("c4 = 'e'", 0.25),
)
OTHERWISE = 0.05
#: The probability of y = 1 as an SQL expression over the columns.
PROBABILITY = "CASE {} ELSE {} END".format(
    " ".join(f"WHEN {conditions} THEN {probability}" for conditions, probability in RULES),
    OTHERWISE,
)
#: Held-out rows have numbers from here on, so that no training table contains them.
TEST_FROM = 10**12


def synthetic(rows: int, first: int = 0, seed: int = 0) -> str:
    """Return a SELECT of the rows numbered ``first`` to ``first + rows - 1``.

    A row depends on its number and the seed alone, so a longer table begins with a shorter one.
    Its 21 uniform numbers are 32 bits each of DuckDB's hash of (row, column, seed); the hash may
    differ between versions of DuckDB.
    """

    def uniform(column: int) -> str:
        return f"(hash(i, {column}, {seed}) >> 32) / 4294967296.0"

    letters = [f"'abcde'[1 + floor(5 * {uniform(k)})::INTEGER] AS c{k}" for k in range(10)]
    numbers = [f"round({uniform(10 + k)}, 4) AS n{k}" for k in range(10)]
    return f"""
        SELECT * EXCLUDE (luck), (luck < {PROBABILITY})::INTEGER AS y
        FROM (
          SELECT {", ".join([*letters, *numbers])}, {uniform(20)} AS luck
          FROM range({first}, {first + rows}) AS numbered(i)
        )"""


def training(rows: int, seed: int = 0) -> str:
    """Return a SELECT of rows to learn from."""
    return synthetic(rows, seed=seed)


def held_out(rows: int, seed: int = 0) -> str:
    """Return a SELECT of other rows of the same kind."""
    return synthetic(rows, TEST_FROM, seed)


def bayes(connection: duckdb.DuckDBPyConnection, data: str) -> tuple[float, float]:
    """Return AUROC (ties count one half) and accuracy of the true probabilities on ``data``."""
    (found,) = connection.execute(
        f"""
        WITH scored AS (
          SELECT {PROBABILITY} AS p, sum(y) AS positives, sum(1 - y) AS negatives
          FROM ({data}) GROUP BY p
        ), below AS (
          SELECT *, sum(negatives) OVER (ORDER BY p) - negatives / 2 AS negatives_below
          FROM scored
        )
        SELECT
          sum(positives * negatives_below) / (sum(positives) * sum(negatives)),
          sum(CASE WHEN p > 0.5 THEN positives ELSE negatives END)
            / (sum(positives) + sum(negatives))
        FROM below
        """
    ).fetchall()
    return found


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    connection = duckdb.connect()
    for name, data in (("training", training(rows)), ("held out", held_out(rows))):
        auroc, accuracy = bayes(connection, data)
        print(f"{name}: {rows} rows, the true list has AUROC {auroc:.4f}, accuracy {accuracy:.4f}")


if __name__ == "__main__":
    main()
