"""Random tables of hostile names and cells, and codings of their columns."""

from __future__ import annotations

import datetime as dt
import math
from decimal import Decimal

from dbrules.data.coding import Coding, interval_coding, level_coding

NAMES = ["a b", 'a"b', "code_0", "units", "x'); DROP TABLE t; --", "select", "place", "é", "cell"]
NAN, INF = math.nan, math.inf
CELLS = {
    "DOUBLE": [0.1, 0.1 + 0.2, 0.3, -0.0, 0.0, 5e-324, INF, -INF, NAN, None],
    "FLOAT": [float.fromhex("0x1.99999ap-4"), 0.25, INF, NAN, None],
    "BIGINT": [0, 1, 2**60, 2**60 + 1, -(2**63), None],
    "DECIMAL(9,2)": [Decimal("1.50"), Decimal("-0.01"), None],
    "DATE": [dt.date(2024, 2, 29), dt.date(1, 1, 1), None],
    "VARCHAR": ["O'Brien", "C:\\new", "", " a", "a", "A", "NULL", "😀", "x\ny", None],
    "BOOLEAN": [True, False, None],
}
LABELS = ["no", "it's", None, "yes"]
WEIGHTS = {
    None: [1],
    "BIGINT": [1, 2, 0],
    "DECIMAL(9,3)": [Decimal("0.125"), Decimal("2.500"), Decimal("0")],
    "DOUBLE": [0.25, 3.0, 0.0, 1e-12],
}


def random_table(rng, weight):
    """Return columns as (name, type), the first the target, the last the weight; and rows."""
    names = rng.sample(NAMES, rng.randint(2, 6))
    kinds = ["VARCHAR", *(rng.choice(sorted(CELLS)) for _ in names[1:])]
    pools = [LABELS, *(rng.sample(CELLS[kind], min(5, len(CELLS[kind]))) for kind in kinds[1:])]
    if weight is not None:
        names, kinds = [*names, "weight"], [*kinds, weight]
        pools.append(WEIGHTS[weight])
    rows = [tuple(rng.choice(pool) for pool in pools) for _ in range(rng.choice([3, 40, 400]))]
    rows += [("yes", *row[1:-1], WEIGHTS[weight][0]) if weight else ("yes", *row[1:])
             for row in rows[:2]]  # fmt: skip
    return list(zip(names, kinds, strict=True)), rows


def random_coding(rng, column) -> Coding:
    values = [value for value in CELLS[column.type.name] if value is not None and value == value]
    chosen = rng.sample(values, rng.randint(0, min(3, len(values))))
    missing = rng.random() < 0.5
    if column.type.is_ordered:
        cuts = sorted({value for value in chosen if value not in (INF, -INF)})
        return interval_coding(column, cuts, rng.choice(["left", "right"]), missing=missing)
    return level_coding(column, chosen, missing=missing)


def fill(con, columns, rows):
    declared = ", ".join('"' + n.replace('"', '""') + f'" {kind}' for n, kind in columns)
    con.execute(f"CREATE OR REPLACE TABLE t ({declared})")
    con.executemany(f"INSERT INTO t VALUES ({', '.join('?' * len(columns))})", rows)
