"""Data with a falling risk, and modules kept elsewhere: published lists, judges, examples."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from dbrules.language.write import format_condition

ROOT = Path(__file__).parents[2]
for folder in ("tests/search", "tests/contract", "examples/benchmarks"):
    if str(ROOT / folder) not in sys.path:
        sys.path.insert(0, str(ROOT / folder))

#: Of a customer number i: a number from 0 to 1 that depends on nothing else, by a prime's steps.
DRAW = "((i * {step} + {step} // 3) % 1009) / 1009"
CUSTOMERS = """
    CREATE TABLE customers AS
    SELECT * EXCLUDE (luck, risk), CASE WHEN luck < risk THEN 'yes' ELSE 'no' END AS left_us
    FROM (
      SELECT *,
        CASE WHEN plan = 'trial' AND age < 30 THEN 0.9 WHEN calls >= 6 THEN 0.6
             WHEN region IS NULL THEN 0.35 ELSE 0.05 END AS risk
      FROM (
        SELECT i AS id,
          CASE WHEN i % 23 > 0 THEN (18 + 50 * {draw_1})::INTEGER END AS age,
          ['basic', 'gold', 'trial'][1 + floor(3 * {draw_2})::INTEGER] AS plan,
          CASE WHEN i % 19 = 0 THEN 'NaN'::DOUBLE ELSE round(10 * {draw_3}, 1) END AS calls,
          CASE WHEN {draw_4} > 0.15 THEN ['north', 'south'][1 + i % 2] END AS region,
          DATE '2025-01-01' + (300 * {draw_5})::INTEGER AS since,
          i % 4 AS copies,
          {draw_6} AS luck
        FROM range(1009) AS numbered(i)
      )
    )
"""


@pytest.fixture
def customers(con):
    """The table ``customers``, 1009 rows: who left us, three rules and a weight ``copies``."""
    steps = {f"draw_{n}": DRAW.format(step=step) for n, step in
             enumerate((101, 211, 307, 401, 503, 607), start=1)}  # fmt: skip
    con.execute(CUSTOMERS.format(**steps))
    return con


@pytest.fixture
def conditions():
    """Write the rules of a model as texts."""

    def write(model):
        return [" AND ".join(map(format_condition, r.conditions)) for r in model.rules.rules]

    return write
