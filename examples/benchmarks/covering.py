"""Ripper and OneR beside JRip and OneR of Weka, wittgenstein and mlrl-seco.

    python examples/benchmarks/covering.py DATA_DIR [--part accuracy speed] [--cache FILE]

    pip install "dbrules[benchmarks]"    # weka.jar, wittgenstein, mlrl-seco; Weka needs Java 11

A learner that is not installed is left out. Parts:
accuracy. 10-fold stratified cross-validation, the same folds for all, settings as they come.
   Accuracy; AUROC of each learner's own class probabilities, for the rarer of two classes, for
   more the plain mean of one class against the rest; rules without the default, conditions and
   the median seconds of a fit. Missing values are missing for Weka ('?'), text is nominal, numbers
   are numeric. Weka's probabilities are those of distributionForInstance: the class shares among
   the training rows that reached the rule and that it covers, unsmoothed. With --cache the others
   are measured once, and their seconds are of that run: only the part speed compares seconds.
speed. Fits of whole tables in one run, in turn. Ours begins at a table in DuckDB; of the others
   only the fit counts, with the data in their own memory. Ratios by the clock and of CPU time: on
   a busy machine only the second is worth reading.
"""

from __future__ import annotations

import argparse
import functools
import json
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from covering_speed import speed
from covering_summary import against, means
from covering_tables import FOLDS, TABLES, Cache, Folded, Scores, auroc
from limited import Failed, Limited, TooSlow
from paired import seconds
from python_rippers import Wittgenstein, available
from weka_rules import OPTIONS, Weka, jar

import dbrules
from dbrules.errors import DbrulesWarning


def fit(learner: Any, data: str, target: str, connection: Any) -> Any:
    """Fit; that no rule is worth having is a result here, and no warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DbrulesWarning)
        return learner.fit(data, target=target, connection=connection)


def ours(data: Folded, learner: Any) -> Scores:
    """Cross-validate a learner of dbrules, fitted and scored in the engine."""
    found, table = Scores(), data.table
    label = f"predicted_{table.target}"
    for fold in range(FOLDS):
        started = time.perf_counter()
        model = fit(learner, table.train(fold), table.target, data.connection)
        elapsed = time.perf_counter() - started
        scored = model.predict(
            table.test(fold), connection=data.connection, probabilities=True
        ).df()  # fmt: skip
        chances = scored[[f"{label}_probability_{name}" for name in data.classes]].to_numpy()
        actual = data.codes(scored[table.target])
        rules = model.rules.rules
        found.add(
            data.codes(scored[label]) == actual, auroc(chances, actual),
            (len(rules), sum(len(rule.conditions) for rule in rules)), elapsed,
        )  # fmt: skip
    return found


def theirs(
    data: Folded, make: Callable[..., Any], names: tuple[str, ...], limit: float | None
) -> Scores:  # fmt: skip
    """Cross-validate another learner in a process of its own."""
    found = Scores()
    actual = data.codes(data.frame[data.table.target])
    try:
        with Limited(make, data.frame, data.table.target, data.classes, *names) as learner:
            for fold in range(FOLDS):
                train, test = data.rows(fold)
                elapsed = learner.call("fit", train, seconds=limit)
                labels, chances = learner.call("predict", test, seconds=limit)
                found.add(
                    labels == actual[test], auroc(chances, actual[test]),
                    learner.call("size"), elapsed.clock,
                )  # fmt: skip
    except (TooSlow, Failed) as reason:
        return Scores(missing=f"no result: {reason}")
    return found


def accuracy(
    folder: Path, names: list[str], learner: Any, cache: Cache, limit: float, seed: int
) -> None:
    print(f"Accuracy: {FOLDS} folds, seed {seed}; a fit of wittgenstein: at most {limit:.0f} s")
    mine = {type(each).__name__: each for each in (dbrules.OneR(), learner) if each is not None}
    by_table: dict[str, dict[str, Scores]] = {}
    for table in TABLES:
        if names and table.file not in names:
            continue
        data = Folded.read(table, folder, seed)
        print(f"  {data.title()}", flush=True)
        found = by_table[table.file] = {}
        rivals: dict[str, tuple[Any, ...]] = {}
        if jar() is not None:
            rivals = {f"Weka {name}": (Weka, name) for name in OPTIONS}
        if available("wittgenstein") and len(data.classes) == 2:
            rivals["wittgenstein"] = (Wittgenstein,)
        for name, (make, *rest) in rivals.items():
            most = limit if make is Wittgenstein else None
            settings = {"limit": most, "options": list(OPTIONS.get("".join(rest), ()))}
            key = f"{table.file}/{name}/{seed}"
            scores = cache.get(key, settings)
            if scores is None:
                scores = theirs(data, make, tuple(rest), most)
                cache.put(key, settings, scores)
            found[name] = scores
            print(f"    {name:16} {scores.line()}", flush=True)
        for name, each in mine.items():
            found[name] = ours(data, each)
            print(f"    {name:16} {found[name].line()}", flush=True)
    means(by_table)
    if learner is not None:
        against(by_table, type(learner).__name__, "Weka JRip")
    against(by_table, "OneR", "Weka OneR", goals=False)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("data", help="the folder of the tables")
    parser.add_argument("--part", nargs="+", choices=["accuracy", "speed"],
                        default=["accuracy", "speed"])  # fmt: skip
    parser.add_argument("--sets", default="", help="names of tables, with commas; without it all")
    parser.add_argument("--cache", type=Path, help="a file that keeps what the others scored")
    parser.add_argument(
        "--limit",
        type=float,
        default=60.0,
        help="seconds of a fit: of wittgenstein, in speed of each other learner",
    )
    parser.add_argument("--rows", type=int, nargs="*", default=[36_000, 100_000],
                        help="rows of the synthetic falling list")  # fmt: skip
    parser.add_argument("--seed", type=int, default=0, help="of the folds")
    parser.add_argument("--learner", default="Ripper", help="the class of dbrules beside JRip")
    parser.add_argument("--settings", type=json.loads, default={}, help="its settings, in JSON")
    given = parser.parse_args()
    learner = getattr(dbrules, given.learner, None)
    if learner is None:
        print(f"dbrules has no {given.learner} (yet): only the others are measured\n")
    else:
        learner = learner(**given.settings)
    if jar() is None:
        print('without Weka: it needs pip install "dbrules[benchmarks]"\n')
    folder, names = Path(given.data).resolve(), [name for name in given.sets.split(",") if name]
    if unknown := set(names) - {table.file for table in TABLES}:
        raise SystemExit(f"no such table: {', '.join(sorted(unknown))}")
    parts = {
        "accuracy": lambda: accuracy(
            folder, names, learner, Cache(given.cache), given.limit, given.seed
        ),
        "speed": lambda: speed(
            folder, given.rows, learner and functools.partial(fit, learner), given.limit
        ),
    }
    for part in given.part:
        print(f"({seconds(parts[part]):.0f} s)\n", flush=True)


if __name__ == "__main__":
    main()
