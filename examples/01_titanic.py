"""Who survived the Titanic? A table of counts, one row for many people.

The 2201 people aboard by class, sex and age (Dawson 1995), with a weight column that says how
many people a row stands for. Nothing is downloaded, nothing is written.

    python examples/01_titanic.py
"""

from __future__ import annotations

import duckdb

import dbrules

PEOPLE = """
SELECT * FROM (VALUES
  ('first',  'male',   'adult', 'died', 118), ('first',  'male',   'adult', 'survived',  57),
  ('first',  'female', 'adult', 'died',   4), ('first',  'female', 'adult', 'survived', 140),
  ('first',  'male',   'child', 'died',   0), ('first',  'male',   'child', 'survived',   5),
  ('first',  'female', 'child', 'died',   0), ('first',  'female', 'child', 'survived',   1),
  ('second', 'male',   'adult', 'died', 154), ('second', 'male',   'adult', 'survived',  14),
  ('second', 'female', 'adult', 'died',  13), ('second', 'female', 'adult', 'survived',  80),
  ('second', 'male',   'child', 'died',   0), ('second', 'male',   'child', 'survived',  11),
  ('second', 'female', 'child', 'died',   0), ('second', 'female', 'child', 'survived',  13),
  ('third',  'male',   'adult', 'died', 387), ('third',  'male',   'adult', 'survived',  75),
  ('third',  'female', 'adult', 'died',  89), ('third',  'female', 'adult', 'survived',  76),
  ('third',  'male',   'child', 'died',  35), ('third',  'male',   'child', 'survived',  13),
  ('third',  'female', 'child', 'died',  17), ('third',  'female', 'child', 'survived',  14),
  ('crew',   'male',   'adult', 'died', 670), ('crew',   'male',   'adult', 'survived', 192),
  ('crew',   'female', 'adult', 'died',   3), ('crew',   'female', 'adult', 'survived',  20)
) AS titanic(class, sex, age, fate, people)
"""


def main() -> None:
    connection = duckdb.connect()
    for fate, people in connection.execute(
        f"SELECT fate, sum(people)::INTEGER FROM ({PEOPLE}) GROUP BY fate ORDER BY fate"
    ).fetchall():
        print(f"{people} {fate}")
    print()

    model = dbrules.OneR().fit(
        PEOPLE, target="fate", positive="survived", weight="people", connection=connection
    )
    print(model, end="\n\n")
    print(model.to_sql(), end="\n\n")
    print(model.evaluate(PEOPLE, weight="people", connection=connection), end="\n\n")

    print("Each feature alone, share of people it gets wrong:")
    for feature in ("class", "sex", "age"):
        alone = dbrules.OneR().fit(
            PEOPLE, target="fate", features=[feature], weight="people", connection=connection
        )
        print(f"  {feature:5} {alone.training.objective:.4f}")
    print()

    verification = model.verify(PEOPLE, connection=connection)
    print(verification)
    if not verification:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
