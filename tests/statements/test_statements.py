"""Every file of sql/: its header tells the truth, it runs by hand, it runs bound."""

from __future__ import annotations

import math
import random
from collections import Counter, defaultdict
from decimal import Decimal

import pytest
import sqlglot
from sqlglot import exp

from dbrules.engine.statement import load, settings, statement_folder, statement_names

#: Columns that ANY and * stand for when a statement is bound here.
ANY = "VARCHAR"
STAR = {"age": "BIGINT", "city": "VARCHAR"}


def make(draw, rows=400):
    rng = random.Random(rows)
    return [tuple(draw(rng)) for _ in range(rows)]


def some(rng, *values):
    return rng.choice(values)


def weight(rng):
    return some(rng, Decimal("0.5"), Decimal("1"), Decimal("2.25"))


def classes(data):
    counts = Counter(label for (label,) in data["dataset"])
    return [(label, n) for label, n in counts.items()]


def weighted_classes(data):
    groups = defaultdict(lambda: [0, Decimal(0), 0, 0])
    for label, w in data["dataset"]:
        group = groups[label]
        group[0] += 1
        group[1] += w or 0
        group[2] += w is None or w < 0
        group[3] += w is not None and w != math.floor(w)
    return [(label, *group) for label, group in groups.items()]


def value_class(data):
    groups = defaultdict(lambda: [0, Decimal(0), 0])
    for value, label, w in data["dataset"]:
        groups[value, label][0] += 1
        groups[value, label][1] += w or 0
        groups[value, label][2] += w is None or w < 0
    return [(*key, *group) for key, group in groups.items()]


def value_class_rows(data):
    return [(*key, n) for key, n in Counter(data["dataset"]).items()]


def score_class(data):
    groups = defaultdict(lambda: [0, Decimal(0), 0])
    for *score, label, w in data["dataset"]:
        group = groups[*score, label]
        group[0] += 1
        group[1] += w or 0
        group[2] += w is None or w < 0
    return [(*key, *group) for key, group in groups.items()]


def value_class_held_out(data):
    groups = defaultdict(lambda: [0, Decimal(0), Decimal(0)])
    for value, label, w, held in data["dataset"]:
        group = groups[value, label]
        group[0] += 1
        group[1] += w
        group[2] += Decimal(held)
    return [(*key, *group) for key, group in groups.items()]


def held_out(data):
    ((fraction, start),) = data["settings"]
    answer = []
    for label in {row[1] for row in data["dataset"]}:
        position = 0.0
        ranked = sorted((r for r in data["dataset"] if r[1] == label), key=lambda r: (r[0], r[2]))
        for row in ranked:
            w, units = float(row[2]), float(row[3])
            position += units
            taken = math.floor(position * fraction + start)
            taken -= math.floor((position - units) * fraction + start)
            answer.append((*row, position, w * taken / units))
    return answer


def patterns(data):
    ((scale,),) = data["settings"]
    groups = defaultdict(lambda: [0, Decimal(0), 0])
    for *key, w in data["dataset"]:
        if key[-1] is not None:
            group = groups[tuple(key)]
            group[0] += 1
            group[1] += w or 0
            group[2] += w is None or w < 0
    return [
        (*key, rows, math.floor(w * scale + Decimal("0.5")), bad)
        for key, (rows, w, bad) in groups.items()
    ]


def patterns_rows(data):
    return value_class_rows({"dataset": [row for row in data["dataset"] if row[-1] is not None]})


def distinct_patterns(data):
    return [(len({row[:-1] for row in data["dataset"] if row[-1] is not None}),)]


def totals(data):
    groups = defaultdict(lambda: [0, 0, 0, 12])
    for label, rows, units, bad in data["patterns"]:
        group = groups[label]
        group[0] += rows
        group[1] += units
        group[2] += bad
        zeros = len(str(units)) - len(str(units).rstrip("0")) if units else 12
        group[3] = min(group[3], zeros)
    return [(label, *group) for label, group in groups.items()]


def histogram(data):
    groups = Counter()
    for place, cell, label, units in data["dataset"]:
        groups[place, cell, label] += units
    return [(*key, units) for key, units in groups.items()]


def regrouped(data):
    groups = defaultdict(lambda: [0, 0, 0])
    for *key, rows, units, bad in data["dataset"]:
        group = groups[tuple(key)]
        group[0] += rows
        group[1] += units
        group[2] += bad
    return [(*key, *group) for key, group in groups.items()]


def draw(data):
    ((up, down),) = data["settings"]
    keys = {positive: key for positive, *key in data["keys"]}
    until = Counter()

    def below(units, a, b, c):
        number = units * up // down
        start, end = (-(-place * down // up) for place in (number, number + 1))
        x = (a * number + b) % (2**31 - 1)
        return number + (start + (x * x + c) % (2**31 - 1) % (end - start) < units)

    answer = []
    for *codes, _, _, positive, units in sorted(data["dataset"], key=lambda row: row[2:]):
        key, before = keys[positive], until[positive]
        until[positive] += units
        drawn = below(before + units, *key) - below(before, *key)
        answer.append((*codes, positive, units - drawn, drawn))
    return answer


def unit(data):
    ((unit,),) = data["settings"]
    for *codes, _, _, units in sorted(data["dataset"], key=lambda row: row[2:]):
        if 0 <= unit < units:
            return [tuple(codes)]
        unit -= units
    return []


def cells(data):
    groups = defaultdict(lambda: [0, 0])
    for *masks, first, second in data["dataset"]:
        groups[tuple(masks)][0] += first
        groups[tuple(masks)][1] += second
    return [(n, *masks, *groups[masks]) for n, masks in enumerate(sorted(groups), 1)]


def holds(data):
    bits = data["bits"]
    return [(first + n, cell) for first, cell, mask in data["masks"] for n, b in bits if mask & b]


def left(data):
    first, second, *salts = (sum(column) for column in zip(*data["cells"], strict=True))
    return [(first, second, len(data["cells"]), *salts)]


def right(data):
    return [tuple(sum(column) for column in zip(*data["dataset"], strict=True))]


def remaining(data):
    rows = {row[0]: row[1:] for row in data["cells"]}
    groups = defaultdict(lambda: [0, 0])
    for antecedent, cell in data["holds"]:
        if cell in rows:
            groups[antecedent] = [
                a + b for a, b in zip(groups[antecedent], rows[cell], strict=False)
            ]
    ((first, second, *sums),) = left({"cells": list(rows.values())})
    totals = (None, first, second, *sums)
    return [totals, *((antecedent, *counts, 0, 0, 0, 0) for antecedent, counts in groups.items())]


def inseparable(data):
    ((weight, unit),) = data["settings"]
    wrong = [0, 0]
    for p, n in data["cells"]:
        answer_yes = weight * p > unit * n
        wrong[answer_yes] += n if answer_yes else p
    return [tuple(wrong)]


def scored_column(data):
    return value_class_rows(data)


def distinct_rows(data):
    return value_class_rows(data)


def row_of_key(rng):
    key = rng.randrange(40)
    w = Decimal(key % 3 + 1)
    # equal keys are equal rows
    return (f"k{key:02}", some(rng, "a", "b"), w, w, key % 5, f"c{key % 3}")


#: Cells that are left, some of 0 rows; with salts; and what holds of them and of cells not left.
CELLS = [(n, n * n % 7, n % 4 * 2**40) for n in range(1, 41) if n % 3 != 1]
SALTED = [(*row, *(row[0] ** k * 10**7 for k in (1, 2, 3))) for row in CELLS]
HOLDS = [(a, n) for a in range(10) for n in range(1, 41) if n % 3 == a % 3 or (a * n) % 5 == 4]

#: Rows to bind to, and the answer by plain Python; every statement needs an entry.
ANSWERS = {
    "profile/classes": (
        {"dataset": make(lambda r: [some(r, "yes", "no", None)])}, classes,
    ),
    "profile/weighted_classes": (
        {"dataset": make(lambda r: [
            some(r, "yes", "no", None), some(r, None, Decimal(-1), Decimal(0), weight(r))])},
        weighted_classes,
    ),
    "profile/scored_column": (
        {"dataset": make(lambda r: [some(r, "Paris", "Bonn", None), some(r, 0, 1)])},
        scored_column,
    ),
    "counts/value_class": (
        {"dataset": make(lambda r: [
            some(r, "1", "2", None), some(r, "y", "n"), some(r, None, Decimal(-1), weight(r))])},
        value_class,
    ),
    "counts/value_class_rows": (
        {"dataset": make(lambda r: [some(r, "1", "2", None), some(r, "y", "n", None)])},
        value_class_rows,
    ),
    "counts/score_class": (
        {"dataset": make(lambda r: [
            r.randrange(1, 4), some(r, 0.1 + 0.2, 0.3), some(r, 0.5, 0.7), some(r, "y", "n", None),
            some(r, None, Decimal(-1), weight(r))])},
        score_class,
    ),
    "counts/cover_class": (
        {"dataset": make(lambda r: [
            some(r, 0, 3, 2**61), some(r, 0, 2**62 - 1), some(r, "y", "n", None),
            some(r, None, Decimal(-1), weight(r))])},
        score_class,
    ),
    "counts/value_class_held_out": (
        {"dataset": make(lambda r: [
            some(r, "1", "2", None), some(r, "y", "n"), weight(r), some(r, 0.0, 1.0, 0.5)])},
        value_class_held_out,
    ),
    "split/held_out": (
        {"dataset": make(row_of_key), "settings": [(0.3, 0.25)]}, held_out,
    ),
    "patterns/patterns": (
        {"dataset": make(lambda r: [some(r, "0", "1"), some(r, "0", "1", "2"),
                                    some(r, "y", "n", None),
                                    some(r, None, Decimal(-1), weight(r))]),
         "settings": [(10,)]},
        patterns,
    ),
    "patterns/patterns_rows": (
        {"dataset": make(lambda r: [some(r, "0", "1"), some(r, "0", "1", "2"),
                                    some(r, "y", "n", None)])},
        patterns_rows,
    ),
    "patterns/distinct": (
        {"dataset": make(lambda r: [some(r, "0", "1"), str(r.randrange(100)),
                                    some(r, "y", "n", None)])},
        distinct_patterns,
    ),
    "patterns/totals": (
        {"patterns": [*make(lambda r: [some(r, "y", "n"), r.randrange(1, 9),
                                       1000 * r.randrange(50), r.randrange(2)]),
                      ("y", 1, 1_000_000_000_001_200, 0), ("tiny", 1, 10**13, 0), ("nil", 1, 0, 0)]
                     + [(f"{10**k}", 1, 10**k, 0) for k in range(12)]},
        totals,
    ),
    "patterns/histogram": (
        {"dataset": make(lambda r: [r.randrange(3), r.randrange(4), some(r, "y", "n"),
                                    some(r, 1, 7, 2**50)])},
        histogram,
    ),
    "patterns/regrouped": (
        {"dataset": make(lambda r: [some(r, "0", "1"), some(r, "0", "1", "2"), some(r, "y", "n"),
                                    r.randrange(1, 4), some(r, 0, 5, 2**40), some(r, 0, 2)])},
        regrouped,
    ),
    "patterns/draw": (
        {"dataset": [(f"a{n}", f"b{n % 7}", n * 17 % 31 % 5, n * 17 % 31, n % 3 % 2,
                      random.Random(n).choice([0, 1, 2, 9, 2**46])) for n in range(31)],
         "settings": [(377, 1000)],
         "keys": [(1, 48271, 11, 2**31 - 2), (0, 2**31 - 2, 2**31 - 2, 3)]},
        draw,
    ),
    "patterns/unit": (
        {"dataset": [(f"a{n}", f"b{n % 7}", n * 17 % 31 % 5, n * 17 % 31,
                      random.Random(n).choice([0, 1, 2, 9])) for n in range(31)],
         "settings": [(57,)]},
        unit,
    ),
    "patterns/cells": (
        {"dataset": make(lambda r: [some(r, 2**62 - 1, 2**61, 0, 5), some(r, 2**61, 0, 3),
                                    some(r, 0, 1, 7, 2**40), some(r, 0, 3, 2**41)])},
        cells,
    ),
    "patterns/holds": (
        {"masks": [(first, n, random.Random(n + first).randrange(2**62) >> n)
                   for first in (0, 62, 124) for n in range(62)] + [(186, 1, 2**62 - 1)],
         "bits": [(n, 2**n) for n in range(62)]},
        holds,
    ),
    "patterns/left": ({"cells": [row[1:] for row in SALTED]}, left),
    "patterns/right": (
        {"dataset": make(lambda r: [some(r, 0, 1, 2**40), some(r, 0, 3)])}, right,
    ),
    "patterns/remaining": ({"cells": SALTED, "holds": HOLDS}, remaining),
    "patterns/inseparable": (
        {"cells": [*(row[1:] for row in CELLS), (2**50, 2**51 + 1), (2**50, 2**51 - 1)],
         "settings": [(2**62, 2**61)]},
        inseparable,
    ),
    "verify/distinct_rows": (
        {"dataset": make(lambda r: [r.randrange(4), some(r, "a", None)])}, distinct_rows,
    ),
}  # fmt: skip


@pytest.fixture(params=statement_names())
def statement(request):
    return load(request.param)


def expand(signature):
    """Return names and types with ANY and * replaced by those of this test."""
    columns = {}
    for name, kind in signature.items():
        columns |= STAR if name == "*" else {name: ANY if kind == "ANY" else kind}
    return columns


def bound_relations(statement, con):
    """Make a table per relation that the statement reads; return queries of its columns."""
    data, _ = ANSWERS[statement.name]
    relations = {}
    for relation, signature in statement.reads.items():
        columns = expand(signature)
        declared = ", ".join(f"{name} {kind}" for name, kind in columns.items())
        con.execute(f"CREATE TABLE given_{relation} ({declared})")
        con.executemany(
            f"INSERT INTO given_{relation} VALUES ({', '.join('?' * len(columns))})",
            data[relation],
        )
        relations[relation] = exp.select(*columns).from_(f"given_{relation}")
    return relations


def types_of(con, sql):
    described = con.execute(f"DESCRIBE {sql}").fetchall()
    return [(row[0], row[1].replace(" ", "")) for row in described]


def test_every_statement_has_an_expected_answer():
    assert set(statement_names()) == set(ANSWERS)
    assert len(statement_names()) > 0


def test_it_runs_by_hand_as_it_stands(statement, con):
    text = (statement_folder() / f"{statement.name}.sql").read_text(encoding="utf-8")
    rows = con.execute(text).fetchall()
    assert rows
    names = [column[0] for column in con.description]
    declared = [name for name in statement.returns if name != "*"]
    if "*" in statement.returns:
        assert set(declared) <= set(names)
    else:
        assert names == declared


def test_the_header_names_the_columns_and_types_it_returns(statement, con):
    tree = statement.bind(**bound_relations(statement, con))
    declared = {}
    for name, kind in statement.returns.items():
        if name == "*":
            declared |= expand(statement.reads["dataset"])
        else:
            declared[name] = ANY if kind == "ANY" else kind
    returned = types_of(con, tree.sql(dialect="duckdb"))
    assert returned == [(name, kind.replace(" ", "")) for name, kind in declared.items()]


def test_the_header_names_what_it_reads_and_nothing_else(statement, con):
    relations = bound_relations(statement, con)
    ctes = [cte.alias for cte in sqlglot.parse_one(statement.text, read="duckdb").ctes]
    assert set(statement.reads) <= set(ctes)
    tables = {
        table.name for table in sqlglot.parse_one(statement.text, read="duckdb").find_all(exp.Table)
    }
    assert tables <= set(ctes), "a statement reads its own CTEs only"
    # it runs with exactly those columns, and without any one of them it does not
    tree = statement.bind(**relations)
    con.execute(tree.sql(dialect="duckdb")).fetchall()
    for relation, signature in statement.reads.items():
        for name in set(signature) - {"*"}:
            if "*" in statement.returns and name not in body_columns(statement):
                continue  # carried by the star
            poorer = tree.copy()
            for cte in poorer.ctes:
                if cte.alias == relation:
                    kept = [s for s in cte.this.selects if s.name != name] or ["1"]
                    cte.this.select(*kept, append=False, copy=False)
            with pytest.raises(Exception, match=name):
                con.execute(poorer.sql(dialect="duckdb")).fetchall()


def body_columns(statement):
    tree = sqlglot.parse_one(statement.text, read="duckdb")
    examples = {cte for cte in tree.ctes if cte.alias in statement.reads}
    return {
        column.name
        for column in tree.find_all(exp.Column)
        if not any(column.find_ancestor(exp.CTE) is cte for cte in examples)
    }


def test_the_example_rows_have_the_columns_of_the_header(statement, con):
    tree = sqlglot.parse_one(statement.text, read="duckdb")
    for cte in tree.ctes:
        if cte.alias in statement.reads:
            names = [name for name, _ in types_of(con, cte.this.sql(dialect="duckdb"))]
            declared = [name for name in statement.reads[cte.alias] if name != "*"]
            assert names[: len(declared)] == declared
            if "*" not in statement.reads[cte.alias]:
                assert names == declared


def test_bound_to_rows_it_gives_the_answer_of_plain_python(statement, con):
    data, answer = ANSWERS[statement.name]
    tree = statement.bind(**bound_relations(statement, con))
    found = con.execute(tree.sql(dialect="duckdb")).fetchall()
    expected = answer(data)
    assert sorted(map(plain, found), key=repr) == sorted(map(plain, expected), key=repr)


def plain(row):
    return tuple(float(cell) if isinstance(cell, Decimal) else cell for cell in row)


def test_binding_does_not_edit_the_body(statement, con):
    tree = statement.bind(**bound_relations(statement, con))
    original = sqlglot.parse_one(statement.text, read="duckdb")
    for side in (tree, original):
        for cte in side.ctes:
            if cte.alias in statement.reads:
                cte.set("this", exp.select("1"))
                cte.set("materialized", None)
    assert tree.sql(dialect="duckdb", comments=False) == original.sql(
        dialect="duckdb", comments=False
    )
    again = load(statement.name)
    assert again.text == statement.text


def test_the_header_has_a_summary_of_one_line(statement):
    first = statement.text.splitlines()[0]
    assert first == f"-- {statement.name}: {statement.summary}"
    assert statement.summary
    assert statement.returns


def test_settings_bind_by_type(con):
    tree = settings({"fraction": 0.3, "k": 4})
    assert con.execute(tree.sql(dialect="duckdb")).fetchall() == [(0.3, 4)]
    assert [kind for _, kind in types_of(con, tree.sql(dialect="duckdb"))] == ["DOUBLE", "INTEGER"]
