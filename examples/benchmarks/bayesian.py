"""Bayesian rule lists: speed and AUROC, beside pysbrl and scikit-learn, and what rows cost.

    python examples/benchmarks/bayesian.py DATA [--part a b c d e] [--pysbrl PYTHON]

DATA is the folder of the tables named in bayesian_tables.py, Parquet files. PYTHON is that of an
environment with pysbrl (bayesian_pysbrl.py); without it part b says so. Parts:
a. BayesianRuleList by 10 chains of 30 000 iterations on tic-tac-toe; b. against pysbrl on the
bank table in terciles and on tic-tac-toe; c. AUROC by 5-fold cross-validation of both learners
and of three classifiers of scikit-learn; d. 5000 annealing steps on four tables, as they are and
with every row a thousand times; e. where the time of a fit goes. Times are of the CPU where
nothing else is said: other work on the machine changes them least.

On two cores it gave:
a. 6.8 s, 6.0 of it the walk; AUROC 0.909 (deviation 0.047 over five folds);
b. bank, four chains of 10 000 against the ten of 30 000 of pysbrl, in its CPU time and AUROC:
   at support 0.1 in a class the map has 0.28 times (12 s against 43 s), 0.852 against 0.858, the
   average 0.23 times, 0.868; at 0.05 the map 0.23 times (12 s against 51 s), 0.866 against 0.868,
   the average 0.27 times, 0.875. Another seed moves the AUROC of a map by up to 0.009. Iteration
   for iteration the walk is as fast as the C at bank (36 s against 42 s), and six times slower at
   tic-tac-toe, where four chains of 10 000 take 1.6 to 1.9 times its CPU time: there the map is
   0.019 below it or 0.011 above, the average 0.008 to 0.054 above, on 320 rows;
c. frl_bayes, its average, brl, logistic regression, CART, forest (published for frl_bayes):
   mammographic 0.832 0.847 0.836 0.869 0.840 0.833 (0.82); cars 0.993 0.994 0.999 0.991 0.993
   1.000 (0.89); breast 0.963 0.989 0.966 0.995 0.974 0.993 (0.95); spambase 0.948 0.958 0.965
   0.970 0.950 0.987 (0.91); deviations 0.03 to 0.04, 0.000 to 0.004, 0.003 to 0.015 and 0.003
   to 0.014;
d. steps 0.17, 0.37, 0.23, 0.24 s, whole fits 0.4, 0.6, 0.6 and 2.2 s; 1000 times the rows, lists
   no longer: 0.4 to 1.0 times the steps; free, the lists have up to four times the rules, and the
   steps take 1.8 to 3.6 times, at most 0.8 s (whole fits to 2.2 s with copies, spambase 7.3 s, of
   which mining, coding and statements take 6.3 s: three times the literals are significant);
e. bank: brl 12.3 s (walk 4.6, improving 6.6, mining 0.1), frl_bayes 5.6 s (draws 3.5); spambase:
   6.9 s (2.6, 2.8, 0.4) and 6.1 s (draws 3.6).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import bayesian_rivals as rivals
import duckdb
import numpy as np
from bayesian_against import against_pysbrl
from bayesian_tables import BANK, FALLING, SPAMBASE, TIC_TAC_TOE
from bayesian_watched import auroc, fit
from paired import seconds

import dbrules

FOLDS = 5
WALK_BOUND, STEPS_BOUND = 10, 2
STEPS, COPIES, REPEATS = 5000, 1000, 2


def tic_tac_toe(folder: Path, folds: int) -> None:
    """Part a."""
    print("a. BayesianRuleList(chains=10, iterations=30_000) on tic-tac-toe")
    connection = duckdb.connect()
    TIC_TAC_TOE.read(connection, folder)
    learner = dbrules.BayesianRuleList(chains=10, iterations=30_000)
    run = fit(connection, TIC_TAC_TOE, TIC_TAC_TOE.file, learner)
    print(f"  {run.line()} (under {WALK_BOUND} s of CPU time)", flush=True)
    TIC_TAC_TOE.split(connection, FOLDS)
    found = [auroc(connection, TIC_TAC_TOE, fold, learner) for fold in range(folds)]
    print(f"  AUROC {mean(found)} on {folds} of {FOLDS} folds")


def cross_validation(folder: Path, folds: int) -> None:
    """Part c."""
    print(f"c. AUROC by {FOLDS}-fold cross-validation, mean and standard deviation over the folds")
    learners = {
        "frl_bayes": dbrules.BayesianFallingRuleList(draws=0),
        "frl_bayes average": dbrules.BayesianFallingRuleList(point="average"),
        "brl": dbrules.BayesianRuleList(expected_length=8, min_support=0.05),
    }
    if not rivals.AVAILABLE:
        print('  without the others: they need pip install "dbrules[benchmarks]"')
    for table in FALLING:
        connection = duckdb.connect()
        table.read(connection, folder)
        table.split(connection, FOLDS)
        print(f"  {table.file}, published {table.published}", flush=True)
        for name, learner in learners.items():
            found = [auroc(connection, table, fold, learner) for fold in range(folds)]
            short = ""
            if table.published is not None and name.startswith("frl"):
                within = np.mean(found) + np.std(found, ddof=1) >= table.published
                short = "" if within else "  more than a deviation below the published"
            print(f"    {name:18} {mean(found)}{short}", flush=True)
        if rivals.AVAILABLE:
            by_fold = [
                rivals.aurocs(
                    connection.execute(table.train(fold)).df(),
                    connection.execute(table.test(fold)).df(), table.target, table.positive,
                )
                for fold in range(folds)
            ]  # fmt: skip
            for name, found in zip(rivals.NAMES, zip(*by_fold, strict=True), strict=True):
                print(f"    {name:18} {mean(list(found))}", flush=True)


def rows(folder: Path, copied: bool) -> None:
    """Part d: annealing on the rows as they are, with a weight, and written out.

    More rows of the same kind are evidence for longer lists, and a step on a longer list takes
    longer. So each form is fitted twice: free, and with no more rules than the rows as they are
    gave; only the second says what rows cost.
    """
    print(f"d. BayesianFallingRuleList, {STEPS} annealing steps of one chain, no draws")
    for table in FALLING:
        connection = duckdb.connect()
        table.read(connection, folder)
        forms = [("as it is", table.file, None)]
        forms.append(("weight", f'SELECT *, {COPIES} AS _weight FROM "{table.file}"', "_weight"))
        if copied and table is not SPAMBASE:
            connection.execute(
                f'CREATE TABLE copies AS SELECT t.* FROM range({COPIES}) AS r(i), "{table.file}" t'
            )
            forms.append(("copies", "copies", None))
        shortest = None
        for bound in ("free", "bounded"):
            most = shortest if bound == "bounded" else None
            steps: list[float] = []
            for name, data, weight in forms:
                learner = dbrules.BayesianFallingRuleList(
                    chains=1, iterations=STEPS, draws=0, max_rules=most
                )
                runs = [fit(connection, table, data, learner, weight) for _ in range(REPEATS)]
                run = min(runs, key=lambda run: run.cpu)
                steps.append(min(run.stages["walk"] for run in runs))
                found = len(run.model.rules.rules)
                print(
                    f"  {table.file} {name}, {bound}: steps {steps[-1]:.2f} s (under "
                    f"{STEPS_BOUND}), {steps[-1] / steps[0]:.2f} ×, {found} rules\n"
                    f"    {run.line()}",
                    flush=True,
                )
                shortest = shortest or found


def stages(folder: Path) -> None:
    """Part e: both learners with the settings that they have, on raw tables."""
    print("e. Where the time of a fit goes, settings as they are")
    for table in (BANK, SPAMBASE):
        connection = duckdb.connect()
        table.read(connection, folder)
        for learner in (dbrules.BayesianRuleList(), dbrules.BayesianFallingRuleList()):
            run = fit(connection, table, table.file, learner)
            print(f"  {table.file}, {learner.name}: {run.line()}", flush=True)


def mean(found: list[float]) -> str:
    return f"{np.mean(found):.3f} ({np.std(found, ddof=1):.3f})"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("data", help="the folder of the tables")
    parser.add_argument(
        "--part", nargs="+", choices=list("abcde"),
        help="parts to run in full; without it all, smaller",
    )  # fmt: skip
    parser.add_argument("--pysbrl", metavar="PYTHON", help="a Python that can import pysbrl")
    given = parser.parse_args()
    folder, full = Path(given.data).resolve(), given.part is not None
    parts: dict[str, Callable[[], None]] = {
        "a": lambda: tic_tac_toe(folder, FOLDS if full else 2),
        "b": lambda: against_pysbrl(folder, given.pysbrl, full),
        "c": lambda: cross_validation(folder, FOLDS if full else 2),
        "d": lambda: rows(folder, full),
        "e": lambda: stages(folder),
    }
    started = time.perf_counter()
    for part in given.part or parts:
        print(f"({seconds(parts[part]):.0f} s)\n", flush=True)
    print(f"{time.perf_counter() - started:.0f} s in all")


if __name__ == "__main__":
    main()
