"""Does annealing find the list that made the data? The simulation of Wang and Rudin (2015).

100 independent clauses each hold for a quarter of the rows. The risk of a row is that of the
first of five clauses that holds for it, of six risks that fall. From more and more rows the most
probable falling list is learned, and compared with the true one: the edit distance counts the
clauses to insert, delete or replace. Averaged over replicates, it falls to nothing.

    python examples/05_simulation.py [--replicates 100] [--rows 1000,10000,100000] [-o CURVE.svg]
"""

from __future__ import annotations

import argparse
import math
import statistics
from pathlib import Path
from typing import NamedTuple

import duckdb

import dbrules

CLAUSES = 100
#: The risks of the true list; the last is that of rows for which none of its clauses holds.
RISKS = (0.84, 0.70, 0.54, 0.40, 0.25, 0.14)
#: Of a normal variable, 95 % are within so many standard errors.
WIDTH = 1.96


class Point(NamedTuple):
    """The mean edit distance at a number of rows, and its standard error (0 for one replicate)."""

    rows: int
    mean: float
    error: float


def simulate(connection: duckdb.DuckDBPyConnection, rows: int, seed: str) -> list[str]:
    """Create the table ``simulated`` and return the clauses of its true list.

    md5 instead of random(): the same rows on every machine, and those of a smaller table are the
    first of a larger one. An md5 gives 64 bits, two for each clause, which are both 0 in one case
    of four. A clause that does not hold is NULL, so that a column has one condition, not two.
    """
    truth = connection.execute(
        """
        SELECT format('clause_{:02d}', clause) FROM range(?) AS r(clause)
        ORDER BY md5(concat_ws(' ', ?, 'list', clause)) LIMIT ?
        """,
        [CLAUSES, seed, len(RISKS) - 1],
    ).fetchall()
    numbers = ", ".join(
        f"md5_number_lower(concat_ws(' ', '{seed}', row, {number})) AS bits_{number}"
        for number in range(math.ceil(CLAUSES / 32))
    )
    clauses = ", ".join(
        f"CASE WHEN (bits_{c // 32} >> {c % 32 * 2}) & 3 = 0 THEN TRUE END AS clause_{c:02d}"
        for c in range(CLAUSES)
    )
    risk = " ".join(
        f"WHEN {clause} THEN {risk}" for (clause,), risk in zip(truth, RISKS, strict=False)
    )
    connection.execute(
        f"""
        CREATE OR REPLACE TABLE simulated AS
        WITH drawn AS (
          SELECT {numbers}, md5_number_lower(concat_ws(' ', '{seed}', row, 'y')) / 2^64 AS luck
          FROM range({rows}) AS r(row)
        ),
        clauses AS (SELECT {clauses}, luck FROM drawn)
        SELECT * EXCLUDE (luck), luck < CASE {risk} ELSE {RISKS[-1]} END AS y FROM clauses
        """
    )
    return [clause for (clause,) in truth]


def edit_distance(found: list[str], truth: list[str]) -> int:
    """Return the fewest insertions, deletions and replacements that turn one into the other."""
    last = list(range(len(truth) + 1))
    for place, clause in enumerate(found, start=1):
        row = [place]
        for i, true in enumerate(truth):
            row.append(min(last[i + 1] + 1, row[i] + 1, last[i] + (clause != true)))
        last = row
    return last[-1]


def replicate(
    connection: duckdb.DuckDBPyConnection, rows: int, seed: str, temperature: tuple[float, float]
) -> int:
    """Simulate, learn, and return how far the list is from the true one."""
    truth = simulate(connection, rows, seed)
    learner = dbrules.BayesianFallingRuleList(
        chains=1, iterations=5000, temperature=temperature, draws=0, max_conditions=1,
        missing="drop",
    )  # fmt: skip
    model = learner.fit("simulated", target="y", positive=True, connection=connection)
    return edit_distance([rule.features[0] for rule in model.rules.rules], truth)


def draw(points: list[Point]) -> str:
    """Return the curve as SVG: means and their 95 % intervals over the logarithm of the rows."""
    left, top, width, height = 60, 20, 480, 280
    low, high = (math.log(rows) for rows in (points[0].rows, points[-1].rows))
    most = max(1, math.ceil(max(p.mean + WIDTH * p.error for p in points)))

    def x(rows: int) -> float:
        return left + width * (math.log(rows) - low) / (high - low or 1)

    def y(distance: float) -> float:
        return top + height * (1 - max(0.0, distance) / most)

    lines = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 560 350" font-family="sans-serif"'
        ' font-size="12" text-anchor="middle">',
        "<title>Mean edit distance to the true list</title>",
        '<rect width="560" height="350" fill="white"/>',
    ]
    for distance in range(most + 1):
        at = y(distance)
        lines += [
            f'<path d="M{left} {at:.1f}h{width}" stroke="#ddd"/>',
            f'<text x="{left - 15}" y="{at + 4:.1f}">{distance}</text>',
        ]
    for p in points:
        lower, upper = y(p.mean - WIDTH * p.error), y(p.mean + WIDTH * p.error)
        lines += [
            f'<path d="M{x(p.rows):.1f} {lower:.1f}V{upper:.1f}" stroke="#888"/>',
            f'<circle cx="{x(p.rows):.1f}" cy="{y(p.mean):.1f}" r="3" fill="#125"/>',
            f'<text x="{x(p.rows):.1f}" y="{top + height + 18}">{p.rows}</text>',
        ]
    curve = " ".join(f"{x(p.rows):.1f},{y(p.mean):.1f}" for p in points)
    lines += [
        f'<polyline points="{curve}" fill="none" stroke="#125"/>',
        f'<text x="{left + width / 2}" y="{top + height + 38}">rows</text>',
        f'<text transform="translate(18 {top + height / 2}) rotate(-90)">mean edit distance</text>',
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def parse_numbers(text: str) -> tuple[float, ...]:
    """Return the numbers of a text, which commas separate."""
    return tuple(map(float, text.split(",")))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--replicates", type=int, default=3, help="100 in the paper")
    parser.add_argument("--rows", type=parse_numbers, default=(1000, 5000, 20000))
    parser.add_argument(
        "--temperature", type=parse_numbers, default=(100.0, 0.1), help="1,1: constant"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-o", "--output", type=Path, help="draw the curve into this SVG file")
    given = parser.parse_args()

    connection = duckdb.connect()
    print(f"true list: {', '.join(map(str, RISKS[:-1]))}, else {RISKS[-1]}; {CLAUSES} clauses,"
          f" {given.replicates} replicates")  # fmt: skip
    print("  rows  mean edit distance  standard error")
    points = []
    for rows in sorted(map(int, given.rows)):
        found = [
            replicate(connection, rows, f"{given.seed} {number}", given.temperature)
            for number in range(given.replicates)
        ]
        spread = statistics.stdev(found) if len(found) > 1 else 0.0
        points.append(Point(rows, statistics.mean(found), spread / math.sqrt(len(found))))
        bar = "#" * round(10 * points[-1].mean)
        print(f"{rows:6}  {points[-1].mean:18.3f}  {points[-1].error:14.3f}  {bar}", flush=True)
    if given.output is not None:
        given.output.write_text(draw(points), encoding="utf-8")


if __name__ == "__main__":
    main()
