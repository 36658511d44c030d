"""The pool that a falling list chooses from: mined, thinned, screened, and said so."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from dbrules.data.code_column import code_column
from dbrules.data.coding import level_coding
from dbrules.data.thresholds import Thresholds
from dbrules.language.column import Column, ColumnType
from dbrules.learners import antecedent_pool
from dbrules.learners.antecedent_pool import pool_antecedents
from dbrules.search.antecedents import mine_antecedents
from dbrules.search.support import MinSupport
from dbrules.statistics.memory import MemoryStatistics
from dbrules.statistics.patterns import Patterns

SUPPORT = MinSupport(positive=0.05, negative=0.05)


def table(numbers, seed=0, rows=600):
    """Return statistics and codings of ``numbers`` numeric columns and one of text."""
    rng = np.random.default_rng(seed)
    label = rng.integers(0, 2, rows)
    codings, codes = [], []
    for place in range(numbers):
        values = np.round(rng.normal(label * 0.8, 1), 1)
        levels, index = np.unique(values, return_inverse=True)
        counts = np.zeros((len(levels), 2), dtype=np.int64)
        np.add.at(counts, (index, label), 1)
        totals = counts.sum(axis=0)
        coding = code_column(
            Column(f"n{place}", ColumnType("DOUBLE")), levels, counts, np.zeros(2, dtype=np.int64),
            lambda captured, of=totals: SUPPORT.met(captured, of), Thresholds(quantiles=6),
        )  # fmt: skip
        codings.append(coding)
        codes.append([coding.code(value) for value in values.tolist()])
    texts = np.array(list("abc"))[rng.integers(0, 3, rows)].tolist()
    codings.append(level_coding(Column("text", ColumnType("VARCHAR")), ["a", "b", "c"]))
    codes.append([codings[-1].code(text) for text in texts])
    patterns, index = np.unique(np.array(codes).T, axis=0, return_inverse=True)
    counts = np.zeros((len(patterns), 2), dtype=np.int64)
    np.add.at(counts, (index.ravel(), label), 1)
    stored = Patterns(patterns.astype(np.uint8), counts, Fraction(1))
    return MemoryStatistics(stored, [coding.size for coding in codings]), codings


def mined(statistics, codings):
    found = mine_antecedents(statistics, [coding.members for coding in codings], SUPPORT)
    return list(found), found.counts


def pool_of(statistics, codings, *, nested=True, weight=2.0, cells=100, length=2):
    return pool_antecedents(
        statistics, codings, [nested and c.column.name != "text" for c in codings], SUPPORT,
        weight, max_conditions=length, cells=cells,
    )  # fmt: skip


def families(antecedents, codings):
    """Group antecedents that differ only in thresholds of the same direction."""
    grouped = {}
    for place, antecedent in enumerate(antecedents):
        kind = tuple(
            (feature, codings[feature].literals[literal].op)
            if codings[feature].column.name != "text"
            else (feature, literal)
            for feature, literal in antecedent
        )
        grouped.setdefault(kind, []).append(place)
    return grouped.values()


def test_few_antecedents_are_all_open_to_the_search():
    statistics, codings = table(1)
    antecedents, _ = mined(statistics, codings)
    pool = pool_of(statistics, codings)
    assert 3 < len(antecedents) <= 300
    assert list(pool.antecedents) == antecedents
    assert pool.notes == ()
    assert pool.conditions == tuple(
        tuple(codings[feature].literals[literal] for feature, literal in antecedent)
        for antecedent in antecedents
    )
    assert [m.tolist() for m in pool.members] == [c.members.tolist() for c in codings]


@pytest.mark.parametrize("seed", range(3))
def test_of_many_the_best_of_each_family_stay_whatever_a_positive_weighs(seed):
    statistics, codings = table(4, seed)
    antecedents, counts = mined(statistics, codings)
    assert len(antecedents) > 300
    pool = pool_of(statistics, codings)
    kept = [antecedents.index(antecedent) for antecedent in pool.antecedents]
    assert kept == sorted(set(kept))
    assert pool.notes == (
        f"{len(kept)} of {len(antecedents)} antecedents searched, nested thresholds thinned",
    )
    for places in families(antecedents, codings):
        assert set(places) & set(kept)
        for weight in (0.01, 0.3, 1.0, 4.0, 100.0):
            gains = {place: weight * counts[place][1] - counts[place][0] for place in places}
            best = max(gains[place] for place in places)
            # the hull has no (0, 0): what gains nothing at all may lie inside
            assert best <= 0 or best == max(gains[p] for p in places if p in set(kept))
    # disjoint bins are not nested: nothing is thinned
    assert len(pool_of(statistics, codings, nested=False).antecedents) == len(antecedents)


def test_too_many_for_their_patterns_are_screened():
    statistics, codings = table(5)
    antecedents, counts = mined(statistics, codings)
    everything = pool_of(statistics, codings)
    pool = pool_of(statistics, codings, cells=10**6)
    assert len(everything.antecedents) > len(pool.antecedents) == 300
    assert pool.notes == (
        f"300 of {len(antecedents)} antecedents searched, the best of each threshold",
    )
    best = int(np.argmax(2 * counts[:, 1] - counts[:, 0]))
    assert antecedents[best] in pool.antecedents
    assert len(pool_of(statistics, codings, cells=250_000).antecedents) == 400
    # a positive that weighs little wants pure antecedents, one that weighs much large ones
    sizes = {antecedent: int(n.sum()) for antecedent, n in zip(antecedents, counts, strict=True)}
    light, heavy = (
        sum(sizes[a] for a in pool_of(statistics, codings, weight=w, cells=10**6).antecedents)
        for w in (0.2, 20.0)
    )
    assert light < heavy


def test_singles_alone_and_any_length():
    statistics, codings = table(1)
    assert {len(a) for a in pool_of(statistics, codings, length=1).antecedents} == {1}
    assert {len(a) for a in pool_of(statistics, codings, length=None).antecedents} == {1, 2}


def test_mining_that_was_cut_is_said(monkeypatch):
    statistics, codings = table(3)
    singles = sum(len(coding.literals) for coding in codings)
    monkeypatch.setattr(antecedent_pool, "_MINED", singles + 9)
    pool = pool_of(statistics, codings)
    assert {len(a) for a in pool.antecedents} == {1}
    (note,) = pool.notes
    assert note.startswith("mining was cut: length 2 and up: ")


def test_no_feature_gives_no_antecedent():
    none = MemoryStatistics(
        Patterns(np.zeros((1, 0), dtype=np.uint8), np.array([[3, 4]]), Fraction(1)), []
    )
    pool = pool_antecedents(none, [], [], SUPPORT, 1.0, max_conditions=2, cells=1)
    assert (pool.antecedents, pool.conditions, pool.notes) == ((), (), ())
