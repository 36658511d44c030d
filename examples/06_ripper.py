"""Early, on time or late? Rules for three classes, cut from the minutes of 336 776 flights.

The target is a number, the minutes by which a flight out of New York arrived late in 2013. It is
cut into three intervals, and RIPPER learns rules for them: a list, the rarest interval first, and
a set of rules that vote. What the rules say becomes a view.

    python examples/06_ripper.py
"""

from __future__ import annotations

import time

import duckdb
from flights import load_tables

import dbrules

# What is known an hour before departure; see flights.py.
MINUTES = """
SELECT f.arr_delay AS minutes, f.carrier, f.origin, f.dest, f.distance, f.hour,
  strftime(make_date(f.year, f.month, f.day), '%A') AS weekday, f.month,
  w.wind_speed, w.precip, w.visib, w.humid
FROM flights AS f
LEFT JOIN weather AS w ON w.origin = f.origin AND w.time_hour = f.time_hour - INTERVAL 1 HOUR
"""
TRAINING, LATER = (f"{MINUTES} WHERE f.day {side} 21" for side in ("<", ">="))
#: More than ten minutes early, up to a quarter of an hour late, later.
CUTS = {"minutes": [-10, 15]}


def main() -> None:
    connection = duckdb.connect()
    load_tables(connection)
    models = {}
    for name, learner in (
        ("list", dbrules.Ripper(bins=CUTS, max_conditions=4)),
        ("set", dbrules.Ripper(bins=CUTS, max_conditions=4, ordered=False, resolution="weighted")),
    ):
        started = time.perf_counter()
        model = learner.fit(TRAINING, target="minutes", connection=connection)
        seconds = time.perf_counter() - started
        print(f"== A rule {name}, learned from the first 20 days of each month in {seconds:.1f} s")
        lines = str(model).splitlines()
        print("\n".join([*lines[:12], *([f"… {len(lines) - 12} lines more"] * (len(lines) > 12))]))
        judged = model.evaluate(LATER, connection=connection)
        most = max(found.weight for found in judged.classes) / judged.weight
        print(
            f"later days: accuracy {judged.accuracy:.4f}, AUROC {judged.auroc:.4f}; "
            f"always saying the most frequent: {most:.4f}\n"
        )
        models[name] = model

    print("== The list as a view: what to expect, by hour")
    models["list"].create_view(connection, "expected", over=LATER)
    by_hour = connection.execute("""
        SELECT hour, count(*) AS flights, avg((predicted_minutes = '>= 15')::INTEGER) AS called,
          avg((minutes >= 15)::INTEGER) AS late
        FROM expected WHERE minutes IS NOT NULL GROUP BY hour ORDER BY hour
    """)
    for hour, flights, called, late in by_hour.fetchall():
        print(f"{hour:>5} h {flights:6} flights, {called:6.1%} called late, {late:6.1%} were")
    for name, model in models.items():
        verification = model.verify(f"{MINUTES} WHERE f.day = 31", connection=connection)
        print(f"{name} {verification}")
        if not verification:
            raise SystemExit(1)


if __name__ == "__main__":
    main()
