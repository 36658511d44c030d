"""What rules capture, asked of the engine: how often it is asked, and what leaves it."""

from __future__ import annotations

import itertools

import pytest

from dbrules.data.coding import level_coding
from dbrules.errors import EngineError
from dbrules.search.captures import captured_by
from dbrules.statistics import database_captures
from dbrules.statistics.database import database_statistics

#: Antecedents over features f, g and h; the last never holds: no row has d of g.
ANTECEDENTS = [((0, 0),), ((0, 1),), ((1, 0),), ((0, 1), (1, 1)), ((1, 3),)]


@pytest.fixture
def rows(con, opened):
    """All rows as the engine counts them, the journal, and the statistics."""
    con.execute(
        "CREATE TABLE t AS SELECT ['a', 'b', 'c', 'd'][1 + i % 4] AS f, "
        "['a', 'b', NULL][1 + i // 4 % 3] AS g, i * 7 % 11 // 4 AS y FROM range(240) t(i)"
    )
    with opened("t", features=["f", "g"]) as (dataset, classes):
        codings = [level_coding(column, ["a", "b", "c", "d"]) for column in dataset.roles.features]
        with database_statistics(dataset, codings, classes) as statistics:
            members = [coding.members for coding in codings]
            yield statistics.captures(members, ANTECEDENTS), dataset.engine.journal


def asked(journal, before):
    return [(e.name, e.parameters["antecedents"], e.rows) for e in list(journal)[before:]]


def test_one_statement_of_one_row_answers_a_set_of_antecedents(rows):
    everything, journal = rows
    before = len(journal)
    assert len({captured[-1] for captured in (
        tuple(captured_by(everything, rules)) for rules in itertools.permutations((0, 2, 3)))
    }) == 1  # fmt: skip
    sets = [[0], [0, 2], [0, 2, 3], [0, 3], [2], [2, 3], [3]]
    assert sorted(asked(journal, before)) == [("patterns/left", found, 1) for found in sets]


def test_a_rule_that_captures_nothing_is_no_part_of_what_is_asked(rows):
    everything, journal = rows
    _, left = everything.capture(0)
    before = len(journal)
    assert left.capture(0) == ((0, 0, 0), left)
    assert asked(journal, before) == [], "the rule is in the list already"
    assert left.capture(4) == ((0, 0, 0), left)
    list(captured_by(left, [4, 3, 4, 0, 3]))
    assert [found for _, found, _ in asked(journal, before)] == [[0, 4], [0, 3], [0, 3, 4]]


def test_answers_used_last_are_kept(rows, monkeypatch):
    everything, journal = rows
    monkeypatch.setattr(database_captures, "_KEPT", 2 * (2000 + 40 * 3))
    table = everything._table
    few = database_captures.DatabaseCaptures(table._engine, table._cells, 3, 1)
    before = len(journal)
    for antecedent in (0, 1, 0, 2, 0, 1):
        assert few.left(frozenset({antecedent})).counts == everything.capture(antecedent)[1].counts
    mine = [found for _, found, _ in asked(journal, before)]
    # everything keeps its own answers: each of three is asked for once more
    assert sorted(mine) == [[0]] * 2 + [[1]] * 3 + [[2]] * 2


def test_the_table_of_cells_is_dropped_with_the_patterns(con, opened, leftovers):
    con.execute("CREATE TABLE t AS SELECT 'a' AS f, i % 3 AS y FROM range(9) t(i)")
    before = leftovers(con)
    with opened("t", features=["f"]) as (dataset, classes):
        coding = level_coding(dataset.roles.features[0], ["a"])
        with database_statistics(dataset, [coding], classes) as statistics:
            everything = statistics.captures([coding.members], [((0, 0),)])
            assert len(leftovers(con)) == len(before) + 2
        assert leftovers(con) == before
        with pytest.raises(EngineError, match="patterns/left failed"):
            everything.capture(0)
