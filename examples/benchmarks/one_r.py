"""OneR against bare SQL: what the fit adds to its own statements, what the scoring SQL costs.

    python examples/benchmarks/one_r.py [FLIGHTS.parquet]

FLIGHTS is a Parquet file of flights with columns date, distance, origin, destination, late and
delay; without it, three million rows of that shape are made up. Prints ratios measured in one
run; the seconds beside them only say how long the run took.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

import duckdb
from paired import paired, seconds

import dbrules

FIT_BOUND, SCORE_BOUND = 1.5, 1.1
FIT_ROUNDS, LABEL_ROUNDS, EVERYTHING_ROUNDS = 7, 9, 3
SCORED_ROWS = 10_000_000
DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
DEFAULT_FILE = DATA / "vega_flights_3m_labeled.parquet"
MADE_UP = """
COPY (
  SELECT
    TIMESTAMP '2001-01-01' + INTERVAL 1 MINUTE * (i * 7919 % 250000) AS date,
    100 + hash(i) % 2500 AS distance,
    'A' || hash(i, 1) % 220 AS origin,
    'A' || hash(i, 2) % 230 AS destination,
    CASE WHEN hash(i, 3) % 100 < 10 + i * 7919 % 250000 // 12500 THEN 'yes' ELSE 'no' END AS late,
    0 AS delay
  FROM range(3000000) AS t(i)
) TO '{}' (FORMAT parquet)
"""
SCORED = f"""
CREATE TABLE scored AS
SELECT
  CASE WHEN hash(i, 1) % 50 > 0 THEN hash(i) % 1000000 / 1000.0::DOUBLE END AS x,
  'level ' || hash(i, 2) % 400 AS s,
  CASE WHEN hash(i, 3) % 10 < 3 + hash(i) % 1000000 // 100000 % 3 * 2 THEN 'yes' ELSE 'no' END
    AS by_x,
  CASE WHEN hash(i, 3) % 10 < 3 + hash(i, 2) % 400 % 3 * 2 THEN 'yes' ELSE 'no' END AS by_s
FROM range({SCORED_ROWS}) AS t(i)
"""


def replay(connection: duckdb.DuckDBPyConnection, model: dbrules.Model) -> None:
    """Run the statements of a fit as they stand, fetching what the fit fetched."""
    for entry in model.journal:
        connection.execute(entry.sql).fetchnumpy()


def fits(flights: str) -> None:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE flights AS FROM read_parquet($1)", [flights])
    (rows,) = connection.execute("SELECT count(*) FROM flights").fetchall()[0]
    print(f"Fit: OneR on {rows} rows, against its own statements run in DuckDB alone")
    for bins in ("mdlp", "quantile:10", "width:10"):
        learner = dbrules.OneR(bins=bins)
        for name, data in (("Parquet", flights), ("table", "flights")):

            def fit(learner: dbrules.OneR = learner, data: str = data) -> dbrules.Model:
                return learner.fit(data, target="late", exclude="delay", connection=connection)

            model = fit()
            result = paired(fit, lambda model=model: replay(connection, model), FIT_ROUNDS)
            print(result.line(f"  {bins}, {len(model.journal)} statements, {name}", FIT_BOUND))
    print()


def quoted(text: object) -> str:
    return "'" + str(text).replace("'", "''") + "'"


def by_hand(model: dbrules.Model, answers: Sequence[object]) -> str:
    """Return the shortest CASE on one column that a person would write for the rules' answers.

    ``answers`` has one for each rule, the default's last. Intervals are tested from below, so
    that each needs its upper end only, and neighbours with one answer share a test; levels with
    one answer share an IN; what needs no test is left to the ELSE.
    """
    rules = model.rules.rules
    (column,) = model.rules.used
    write = quoted if isinstance(answers[0], str) else repr
    whens: list[str] = []
    otherwise = answers[-1]
    if column.type.is_ordered:
        missing = otherwise
        bins: list[tuple[object, object]] = []
        for rule, answer in zip(rules, answers, strict=False):
            (condition,) = rule.conditions
            if condition.op == "is null":
                missing = answer
            else:
                value = condition.value
                bins.append((value[1] if isinstance(value, tuple) else value, answer))
        otherwise = bins[-1][1]
        if missing != otherwise:
            whens.append(f"WHEN {column.name} IS NULL THEN {write(missing)}")
        for (upper, answer), (_, following) in pairwise(bins):
            if answer != following:
                whens.append(f"WHEN {column.name} < {upper!r} THEN {write(answer)}")
    else:
        levels: dict[object, list[str]] = {}
        for rule, answer in zip(rules, answers, strict=False):
            if answer != otherwise:
                levels.setdefault(answer, []).append(quoted(rule.conditions[0].value))
        for answer, names in levels.items():
            test = f"= {names[0]}" if len(names) == 1 else f"IN ({', '.join(names)})"
            whens.append(f"WHEN {column.name} {test} THEN {write(answer)}")
    return f"CASE {' '.join(whens)} ELSE {write(otherwise)} END"


def score(connection: duckdb.DuckDBPyConnection, feature: str, learner: dbrules.OneR) -> None:
    target = f"by_{feature}"
    model = learner.fit(
        "SELECT * FROM scored LIMIT 500000",
        target=target,
        features=[feature],
        connection=connection,
    )
    outcomes, place = model.rules.outcomes, model.rules.target.index
    label = f"predicted_{target}"
    cases = {
        label: by_hand(model, [o.label for o in outcomes]),
        f"{label}_probability": by_hand(model, [o.probability[place(o.label)] for o in outcomes]),
        "rule": by_hand(model, range(1, len(outcomes) + 1)),
    }
    ours = model.to_sql(over="scored")
    outputs = ", ".join(f"{case} AS {name}" for name, case in cases.items())
    theirs = f"SELECT *, {outputs} FROM scored"
    differs = " OR ".join(f"({case}) IS DISTINCT FROM {name}" for name, case in cases.items())
    wrong = connection.execute(f"SELECT count(*) FROM ({ours}) WHERE {differs}").fetchall()
    if wrong != [(0,)]:
        raise SystemExit(f"the CASE by hand is another model: {wrong[0][0]} rows differ")

    def consume(query: str, *names: str) -> Callable[[], object]:
        """Return what makes DuckDB compute every value of these columns and keep none."""
        every = ", ".join(f"min({name}), max({name})" for name in names)
        return lambda: connection.execute(f"SELECT {every} FROM ({query})").fetchall()

    print(f"  {len(model.rules.rules)} rules on {feature}")
    scan = consume("FROM scored", feature)
    for what, names in (("label", [label]), ("label, probability, rule", list(cases))):
        rounds = LABEL_ROUNDS if names == [label] else EVERYTHING_ROUNDS
        generated = consume(ours, *names)
        result = paired(generated, consume(theirs, *names), rounds)
        print(result.line(f"    {what} : CASE by hand", SCORE_BOUND))
        ratio = result.ours / statistics.median(seconds(scan) for _ in range(rounds))
        speed = SCORED_ROWS / result.ours / 1e6
        print(f"      {ratio:.1f} × a scan of the column, {speed:.1f} M rows/s")


def scores() -> None:
    connection = duckdb.connect()
    connection.execute(SCORED)
    print(f"Score: {SCORED_ROWS} rows through the generated SELECT")
    score(connection, "x", dbrules.OneR(bins="quantile:20"))
    score(connection, "s", dbrules.OneR())


def main() -> None:
    given = Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_FILE
    with tempfile.TemporaryDirectory() as folder:
        if not given.exists():
            given = Path(folder) / "flights.parquet"
            duckdb.connect().execute(MADE_UP.format(given))
            print("no file of flights: three million rows are made up")
        fits(str(given))
    scores()


if __name__ == "__main__":
    main()
