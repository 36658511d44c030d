"""One fit of pysbrl (Scalable Bayesian Rule Lists, in C), by the Python that has it.

    PYTHON examples/benchmarks/bayesian_pysbrl.py TABLE.npz SETTINGS

pysbrl 0.4.1 needs NumPy before 1.24, and so an environment of its own. TABLE has the arrays x
(codes, (rows, columns)), y (0 or 1) and test (true of the rows held out); SETTINGS are JSON, named
as there. Prints JSON: seconds of CPU time of the fit, of its walk alone, the number of rules, of
antecedents, and the probability of each held out row.
"""

from __future__ import annotations

import json
import sys
import time

import numpy as np
from pysbrl import rule_list


def main() -> None:
    table, settings = np.load(sys.argv[1]), json.loads(sys.argv[2])
    x, y, test = table["x"], table["y"], table["test"]
    train = rule_list.train_sbrl
    walk = []

    def timed(*given: object, **named: object) -> object:
        started = time.process_time()
        found = train(*given, **named)
        walk.append(time.process_time() - started)
        return found

    rule_list.train_sbrl = timed
    model = rule_list.BayesianRuleList(seed=0, **settings)
    wall, cpu = time.perf_counter(), time.process_time()
    model.fit(x[~test], y[~test])
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    told = {
        "cpu": cpu, "wall": wall, "walk": walk[0], "rules": model.n_rules - 1,
        "antecedents": len(model._rule_pool) - 1,
        "probabilities": model.predict_proba(x[test])[:, 1].tolist(),
    }  # fmt: skip
    print(json.dumps(told))


if __name__ == "__main__":
    main()
