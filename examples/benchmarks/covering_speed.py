"""Seconds of fits of whole tables, ours and the others in turn."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
from bayesian_tables import BANK
from covering_tables import CREDIT, by_frequency
from limited import Failed, Limited, TooSlow
from python_rippers import Seco, Wittgenstein, available
from spent import Spent, median, spent
from synthetic import training
from weka_rules import Weka, jar

ROUNDS = 3
#: A fit that takes more seconds is measured once.
LONG = 10.0
#: Rows of the fit that warms up.
WARM = 2000
#: How many times faster ours is to be; JRip: from so many rows on.
JRIP_BOUNDS = {0: 3, 100_000: 10}
BOUNDS = {"wittgenstein": 20, "mlrl-seco": 0.5}


def rivals() -> dict[str, tuple[Any, ...]]:
    """Return the learners that are installed, and how each is made."""
    found: dict[str, tuple[Any, ...]] = {}
    if jar() is not None:
        found["Weka JRip"] = (Weka, "JRip")
    if available("mlrl.seco"):
        found["mlrl-seco"] = (Seco,)
    if available("wittgenstein"):
        found["wittgenstein"] = (Wittgenstein,)
    return found


def speed(
    folder: Path, rows: list[int], fit: Callable[[str, str, Any], Any] | None, limit: float
) -> None:
    """Print the seconds of all learners. ``fit`` takes a table, its target and a connection.

    A learner that is too slow for a table is left out of the larger ones of its kind.
    """
    print(f"Speed: whole tables, at most {limit:.0f} s a fit, the median of {ROUNDS} where short")
    connection = duckdb.connect()
    tables = []
    for table in (BANK, CREDIT):
        table.read(connection, folder)
        tables.append((table.file, table.target))
    for number in sorted(rows):
        connection.execute(f"CREATE TABLE synthetic_{number} AS {training(number)}")
        tables.append((f"synthetic_{number}", "y"))
    out: set[str] = set()
    for name, target in tables:
        frame = connection.execute(f'SELECT * FROM "{name}"').df()
        print(f"  {name}: {len(frame)} rows, {frame.shape[1] - 1} features", flush=True)
        classes = by_frequency(frame[target])

        def ours(name: str = name, target: str = target) -> Spent:
            assert fit is not None
            return spent(lambda: fit(name, target, connection))

        if fit is not None:
            first, second = ours(), ours()
            model = fit(name, target, connection)
            size = sum(len(rule.conditions) for rule in model.rules.rules)
            print(
                f"    ours         {first.clock:8.3f} s, then {second.clock:.3f} s, "
                f"{len(model.rules.rules)} rules, {size} conditions", flush=True,
            )  # fmt: skip
        for rival, (make, *rest) in rivals().items():
            if rival in out:
                print(f"    {rival:12} left out: too slow for fewer rows")
                continue
            try:
                with Limited(make, frame, target, classes, *rest) as learner:
                    line = in_turn(
                        learner, fit and ours, limit, bound(rival, len(frame)), len(frame)
                    )
            except TooSlow as reason:
                line = f"no result: {reason}"
                if fit is not None:
                    line += f", {limit / ours().clock:.1f} × ours and more"
                if name.startswith("synthetic"):
                    out.add(rival)
            except Failed as reason:
                line = f"no result: {reason}"
            print(f"    {rival:12} {line}", flush=True)


def bound(rival: str, rows: int) -> float:
    if rival in BOUNDS:
        return BOUNDS[rival]
    return max(goal for least, goal in JRIP_BOUNDS.items() if rows >= least)


def in_turn(
    learner: Limited, ours: Callable[[], Spent] | None, limit: float, goal: float, rows: int
) -> str:  # fmt: skip
    """Fit the other learner and ours in turn; its seconds, the ratio, and the other's size.

    A fit to few rows comes first, unmeasured: Java compiles what it runs often. A long fit of the
    other stands between two of ours, short ones take turns.
    """
    learner.call("fit", np.linspace(0, rows - 1, min(rows, WARM), dtype=int), seconds=limit)
    mine, other = [], []
    for _ in range(ROUNDS):
        mine += [ours()] if ours else []
        other.append(learner.call("fit", seconds=limit))
        if other[0].clock > LONG:
            mine += [ours()] if ours else []
            break
    rules, conditions = learner.call("size")
    told = "" if conditions is None else f", {conditions} conditions"
    us, them = median(mine) if mine else None, median(other)
    line = f"{them.clock:8.3f} s, CPU {them.cpu:.3f}, {rules} rules{told}"
    if us is None:
        return line
    return (
        f"{line}; ours {us.clock:.3f} s, CPU {us.cpu:.3f}: {them.clock / us.clock:.1f} × faster "
        f"(at least {goal}), in CPU time {them.cpu / us.cpu:.1f} ×"
    )
