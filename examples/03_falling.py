"""Which flights to look after first, and whom a bank should call: a list in order of risk.

A falling rule list has the rows of highest risk on top, so its order is the order of work. It is
learned from the flights of odd days, with a proof of how good it is among all such lists, judged
on even days, and left behind as a view. Given the path of the bank-marketing table as a Parquet
file, it does the same for the clients of odd and even rows.

    python examples/03_falling.py [BANK_FULL.parquet]
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

import duckdb
from flights import JOURNEYS, load_tables, table

import dbrules


@dataclass(frozen=True)
class Task:
    """Rows to learn from, rows to be judged on, all rows, and what is worth finding in them.

    ``weight``: how many rows that are looked after in vain weigh as much as one that is missed.
    ``cuts``: where numbers are cut: the fewer conditions there are, the sooner a proof ends.
    """

    learn: str
    judge: str
    every: str
    target: str
    positive: str
    features: list[str]
    weight: float
    support: float
    cuts: dict[str, list[float]]
    shown: str


def flights(connection: duckdb.DuckDBPyConnection) -> Task:
    load_tables(connection)
    return Task(
        learn=JOURNEYS + "WHERE f.day % 2 = 1",
        judge=JOURNEYS + "WHERE f.day % 2 = 0",
        every=JOURNEYS,
        target="arrival",
        positive="late",
        features=[
            "carrier", "origin", "scheduled_hour", "weekday", "temp", "humid", "precip", "visib",
        ],
        weight=3,
        support=0.05,
        cuts={
            "scheduled_hour": [12, 15, 18], "temp": [40, 60, 80], "humid": [60, 80],
            "precip": [0.005], "visib": [5],
        },
        shown="origin, dest, carrier, scheduled_hour",
    )  # fmt: skip


def bank(connection: duckdb.DuckDBPyConnection, path: str) -> Task:
    connection.read_parquet(path, file_row_number=True).create_view("numbered")
    clients = "SELECT * EXCLUDE (file_row_number) FROM numbered"
    return Task(
        learn=clients + " WHERE file_row_number % 2 = 1",
        judge=clients + " WHERE file_row_number % 2 = 0",
        every=clients,
        target="y",
        positive="yes",
        # not the length of a call, which is not known before it, nor when it was made
        features=[
            "job", "marital", "education", "default", "housing", "loan", "contact", "poutcome",
            "age", "balance", "campaign", "previous",
        ],
        weight=5,
        support=0.1,
        cuts={
            "age": [30, 40, 60], "balance": [0, 500, 2000], "campaign": [2, 4], "previous": [1],
        },
        shown="age, job, poutcome, housing",
    )  # fmt: skip


def proof(training: dbrules.Training) -> str:
    """Say how good the list is among all lists of its conditions, on the rows learned from."""
    if training.proved:
        return f"objective {training.objective:.6f}: proved, no list of these conditions is better"
    return (
        f"objective {training.objective:.6f}: no list of these conditions is below "
        f"{training.lower_bound:.6f}, a gap of {training.relative_gap:.2%}"
    )


def uplift(evaluation: dbrules.Evaluation, positive: str) -> str:
    """Say what looking after the rows of the first rules finds, rule by rule."""
    found = [
        rule.right if rule.label == positive else rule.captured - rule.right
        for rule in evaluation.per_rule
    ]
    rows, total, so_far = [], sum(found), 0.0
    for rule, of_rule in zip(evaluation.per_rule, found, strict=True):
        so_far += of_rule
        caught = so_far / total
        times = caught / rule.coverage
        rows.append((rule.rule, f"{rule.coverage:.1%}", f"{caught:.1%}", f"{times:.2f}"))
    return table(["down to rule", "of all rows", f"of those {positive}", "uplift"], rows)


def main() -> None:
    connection = duckdb.connect()
    task = bank(connection, sys.argv[1]) if len(sys.argv) > 1 else flights(connection)
    unit = "rows" if len(sys.argv) > 1 else "days"

    # a rule must save 0.2 % of all rows to be worth reading; max_nodes ends the search, proof or
    # none, at the same place on every machine
    learner = dbrules.FallingRuleList(
        positive_weight=task.weight, rule_cost=0.002, bins=task.cuts, max_nodes=4000,
        min_support_positive=task.support, min_support_negative=task.support,
    )  # fmt: skip
    model = learner.fit(
        task.learn, target=task.target, positive=task.positive, features=task.features,
        connection=connection,
    )  # fmt: skip
    print(f"== Learned from odd {unit}")
    print(model)
    print(proof(model.training), end="\n\n")

    print(f"== Judged on even {unit}: what looking after the first finds")
    evaluation = model.evaluate(task.judge, connection=connection)
    print(f"{evaluation.rows} rows, AUROC {evaluation.auroc:.4f}")
    print(uplift(evaluation, task.positive), end="\n\n")

    print("== The list as a view, the first on top")
    model.create_view(connection, "to_do", over=task.every, probabilities=True)
    first = connection.execute(
        f"""
        SELECT DISTINCT rule, round(predicted_{task.target}_probability_{task.positive}, 4) AS risk,
               {task.shown}
        FROM to_do ORDER BY ALL LIMIT 5
        """
    )
    print(table([column[0] for column in first.description or ()], first.fetchall()), end="\n\n")

    verification = model.verify(task.every, connection=connection)
    print(verification)
    if not verification:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
