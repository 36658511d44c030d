"""BayesianRuleList beside pysbrl, both on one split of one table of levels."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
from bayesian_tables import BANK, FOLD, TIC_TAC_TOE, Table, terciled
from bayesian_watched import fit

import dbrules

AUROC_BOUND = 0.005
#: The least share of some class that an antecedent of either captures.
SUPPORTS = (0.1, 0.05)
#: What pysbrl has; conditions, λ and η are the same here.
THEIRS: dict[str, Any] = {
    "n_chains": 10, "iters": 30_000, "max_rule_len": 2, "lambda_": 20, "eta": 1,
}  # fmt: skip


def against_pysbrl(folder: Path, python: str | None, full: bool) -> None:
    """Part b: one split, two thirds to learn from; the same columns and antecedents for both."""
    print(f"b. BayesianRuleList against pysbrl with {THEIRS}")
    if python is None:
        print("  left out: give --pysbrl the Python of an environment with pysbrl and NumPy < 1.24")
        return
    for table in (TIC_TAC_TOE, BANK):
        connection = duckdb.connect()
        table.read(connection, folder)
        terciled(connection, table)
        table.split(connection, 3)
        for support in SUPPORTS if full else SUPPORTS[:1]:
            theirs = pysbrl(connection, table, python, support)
            print(
                f"  {table.file}, support {support}: pysbrl CPU {theirs['cpu']:.2f} s (walk "
                f"{theirs['walk']:.2f}), AUROC {theirs['auroc']:.4f}, {theirs['rules']} rules of "
                f"{theirs['antecedents']} antecedents"
            )
            forms = [("map", 4, 10_000), ("average", 4, 10_000)]
            if full and support == SUPPORTS[0]:
                forms.append(("map", THEIRS["n_chains"], THEIRS["iters"]))
            for point, chains, iterations in forms:
                learner = dbrules.BayesianRuleList(
                    point=point, chains=chains, iterations=iterations, min_support_class=support,
                    expected_length=THEIRS["lambda_"],
                )  # fmt: skip
                run = fit(connection, table, table.train(0), learner)
                ours = run.model.evaluate(table.test(0), connection=connection).auroc
                ratio, gain = run.cpu / theirs["cpu"], ours - theirs["auroc"]
                print(
                    f"    {point}, {chains} × {iterations}: {ratio:.2f} × its CPU time (at most 1)"
                    f", AUROC {ours:.4f}, {gain:+.4f} (at least -{AUROC_BOUND}), "
                    f"{len(run.model.rules.rules)} rules\n      {run.line()}",
                    flush=True,
                )


def pysbrl(
    connection: duckdb.DuckDBPyConnection, table: Table, python: str, support: float
) -> dict[str, Any]:  # fmt: skip
    """Fit pysbrl to the rows outside fold 0, in a process of its own; what it told, and AUROC."""
    frame = connection.execute(f'SELECT * FROM "{table.file}"').df()
    y, test = (frame[table.target] == table.positive).to_numpy(int), (frame[FOLD] == 0).to_numpy()
    features = frame.drop(columns=[table.target, FOLD])
    x = features.apply(lambda column: column.astype("category").cat.codes).to_numpy(int)
    settings = json.dumps({**THEIRS, "min_support": support})
    with tempfile.TemporaryDirectory() as scratch:
        np.savez(f"{scratch}/table.npz", x=x, y=y, test=test)
        program = str(Path(__file__).with_name("bayesian_pysbrl.py"))
        # the order in which it meets antecedents hangs on the hashes of their names
        ran = subprocess.run(
            [python, "-W", "ignore", program, f"{scratch}/table.npz", settings],
            env={**os.environ, "PYTHONHASHSEED": "0"}, capture_output=True, text=True,
        )  # fmt: skip
    if ran.returncode:
        raise SystemExit(f"pysbrl failed: {ran.stderr.strip().splitlines()[-1]}")
    told: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
    chances, scores = np.unique(told["probabilities"], return_inverse=True)
    positives = np.bincount(scores, y[test], len(chances))
    negatives = np.bincount(scores, 1 - y[test], len(chances))
    below = np.cumsum(negatives) - negatives / 2
    told["auroc"] = float(positives @ below / positives.sum() / negatives.sum())
    return told
