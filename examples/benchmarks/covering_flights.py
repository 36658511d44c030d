"""RIPPER on three million flights: seconds and memory from 30 thousand rows to all of them.

    python examples/benchmarks/covering_flights.py FLIGHTS.parquet [--rows 30000 300000 3000000]

The file is a table of flights with date, delay, distance, origin, destination and late (delayed by
more than 15 minutes or not). Hour and month are taken from the date in SQL. Rows are drawn by the
hash of their place in the file. Each fit has a process of its own, so that its peak of memory is
its own; the seconds are those of the fit alone, those a million rows say how it grows.
"""

from __future__ import annotations

import argparse
import resource
import time
import warnings

import duckdb
from limited import Limited

import dbrules
from dbrules.errors import DbrulesWarning

FLIGHTS = """
CREATE TABLE flights AS
SELECT late, distance, origin, destination, hour(date) AS hour, month(date) AS month
FROM (SELECT *, file_row_number AS place FROM read_parquet(?, file_row_number = true))
ORDER BY md5(CAST(place AS VARCHAR))
LIMIT ?
"""


class Fit:
    """A table of flights, to be fitted."""

    def __init__(self, path: str, rows: int) -> None:
        self.connection = duckdb.connect()
        self.connection.execute("SET enable_progress_bar = false")
        self.connection.execute(FLIGHTS, [path, rows])
        self.loaded = memory()

    def run(self) -> tuple[float, float, float, int, int, float]:
        """Return seconds, peak memory of all and of the loading, rules, conditions and errors."""
        warnings.simplefilter("ignore", DbrulesWarning)
        started = time.perf_counter()
        model = dbrules.Ripper().fit("flights", target="late", connection=self.connection)
        seconds = time.perf_counter() - started
        rules = model.rules.rules
        wrong = model.training.objective
        conditions = sum(len(rule.conditions) for rule in rules)
        return seconds, memory(), self.loaded, len(rules), conditions, wrong


def memory() -> float:
    """Return the peak of memory of this process, in gigabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def main() -> None:
    """Fit each size and print what it took."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("path", help="the Parquet file of flights")
    parser.add_argument("--rows", type=int, nargs="+", default=[30_000, 300_000, 3_000_000])
    given = parser.parse_args()
    print(" rows        s  s a million rows  GB at the most  (loading)  rules  conditions  wrong")
    for rows in given.rows:
        with Limited(Fit, given.path, rows) as fit:
            seconds, peak, loaded, rules, conditions, wrong = fit.call("run")
        print(
            f"{rows:>8} {seconds:6.2f} {seconds / rows * 1e6:>17.2f} {peak:15.2f} {loaded:10.2f}"
            f" {rules:6} {conditions:11} {wrong:6.4f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
