"""Class association rules: thresholds, measures, redundancy and covering against definitions."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbrules.search.antecedents import mine_antecedents
from dbrules.search.association.class_rules import Interest, find_rules, without_redundant
from dbrules.search.association.classifier import covering_rules, least_errors
from dbrules.search.association.measures import RuleTables, tables_of
from dbrules.search.association.shares import at_least, ranks
from dbrules.search.budget import Budget
from dbrules.search.support import MinSupport
from dbrules.statistics.chi_square import chi_square
from dbrules.statistics.memory import MemoryStatistics
from dbrules.statistics.patterns import Patterns

LARGE = st.integers(1, 60) | st.integers(2**52 - 9, 2**52)


def table(seed, classes=3):
    """Rows of codes of three features and a class, drawn with some dependence."""
    rng = random.Random(seed)
    rows = []
    for _ in range(rng.randrange(5, 60)):
        codes = [rng.randrange(size) for size in (2, 3, 3)]
        label = codes[0] if rng.random() < 0.5 else rng.randrange(classes)
        rows.append((tuple(codes), label))
    nested = np.array([[True, False, False], [True, True, False], [False, True, True]])
    return rows, [np.eye(2, dtype=bool), np.eye(3, dtype=bool), nested]


def statistics_of(rows, classes=3):
    counts = Counter(rows)
    codes = sorted({code for code, _ in rows})
    cells = [[counts[code, label] for label in range(classes)] for code in codes]
    patterns = Patterns(np.array(codes, dtype=np.uint8), np.array(cells), Fraction(1))
    return MemoryStatistics(patterns, (2, 3, 3))


def holds(antecedent, codes, members):
    return all(members[f][literal][codes[f]] for f, literal in antecedent)


def all_antecedents(members, most):
    for length in range(1, most + 1):
        for features in itertools.combinations(range(len(members)), length):
            for literals in itertools.product(*(range(len(members[f])) for f in features)):
                yield tuple(zip(features, literals, strict=True))


def mined_of(rows, members, interest, most=3):
    return mine_antecedents(statistics_of(rows), members, interest.support, max_conditions=most)


def as_pairs(rules, mined):
    items = list(mined)
    return [
        (items[n], c)
        for n, c in zip(rules.antecedents.tolist(), rules.labels.tolist(), strict=True)
    ]


def brute_force(rows, members, interest, most=3):
    """Return every rule that has what is asked for, with its counts, by going through the rows."""
    found, total = {}, len(rows)
    of_class = Counter(label for _, label in rows)
    for antecedent in all_antecedents(members, most):
        inside = Counter(label for codes, label in rows if holds(antecedent, codes, members))
        covered = sum(inside.values())
        for label, hits in inside.items():
            confidence, share = Fraction(hits, covered), Fraction(of_class[label], total)
            missed = of_class[label] - hits
            cells = [[hits, covered - hits], [missed, total - covered - missed]]
            if (
                hits >= (interest.support.rule or 0) * total
                and hits >= (interest.support.any_class or 0) * of_class[label]
                and confidence >= (interest.confidence or 0)
                and confidence >= (interest.lift or 0) * share
                and (confidence == 1
                     or (1 - share) / (1 - confidence) >= (interest.conviction or 0))
                and (interest.significance is None
                     or chi_square(cells).p <= interest.significance)
            ):  # fmt: skip
                found[antecedent, label] = (hits, covered)
    return found


INTERESTS = [
    Interest(MinSupport(rule=0.05)),
    Interest(MinSupport(rule=0.1, any_class=0.3), confidence=Fraction(1, 2)),
    Interest(MinSupport(rule=0), confidence=Fraction(2, 3), lift=Fraction(11, 10)),
    Interest(MinSupport(any_class=0.2), lift=Fraction(1), conviction=Fraction(3, 2)),
    Interest(MinSupport(rule=0.02), significance=0.2),
]


@pytest.mark.parametrize("interest", INTERESTS)
def test_what_is_found_is_what_the_rows_say_in_order_of_precedence(interest):
    some = 0
    for seed in range(25):
        rows, members = table(seed)
        mined = mined_of(rows, members, interest)
        totals = statistics_of(rows).totals
        rules = find_rules(mined, totals, interest)
        expected = brute_force(rows, members, interest)
        pairs = as_pairs(rules, mined)
        counts = list(zip(rules.hits.tolist(), rules.covered.tolist(), strict=True))
        assert dict(zip(pairs, counts, strict=True)) == expected
        assert len(pairs) == len(expected)
        so_far = [(-Fraction(*expected[r]), -expected[r][0], len(r[0])) for r in pairs]
        # then the canonical order, which is that of mining
        places = list(mined)
        keys = [(*key, places.index(r[0]), -totals[r[1]], r[1])
                for key, r in zip(so_far, pairs, strict=True)]  # fmt: skip
        assert keys == sorted(keys)
        some += len(pairs)
    assert some


def test_a_rule_is_redundant_where_a_part_of_it_is_as_sure():
    dropped = 0
    for seed in range(40):
        rows, members = table(seed)
        for interest in INTERESTS:
            mined = mined_of(rows, members, interest)
            found = find_rules(mined, statistics_of(rows).totals, interest)
            rules = brute_force(rows, members, interest)
            needed = {
                (antecedent, label)
                for (antecedent, label), counts in rules.items()
                if not any(
                    set(part) < set(antecedent) and label == other
                    and Fraction(*of_part) >= Fraction(*counts)
                    for (part, other), of_part in rules.items()
                )
            }  # fmt: skip
            kept = as_pairs(without_redundant(found, mined), mined)
            assert set(kept) == needed
            assert kept == [pair for pair in as_pairs(found, mined) if pair in needed]
            dropped += len(rules) - len(kept)
    assert dropped


def naive_cover(rows, members, rules):
    """Liu, Hsu and Ma (1998), figure 3, lines 2 to 10, row by row."""
    left, taken = list(rows), []
    for place, (antecedent, label) in enumerate(rules):
        inside = [row for row in left if holds(antecedent, row[0], members)]
        if any(y == label for _, y in inside):
            taken.append(place)
            left = [row for row in left if row not in inside]
    return taken


def test_covering_takes_the_rules_that_going_through_the_rows_takes():
    for seed in range(40):
        rows, members = table(seed)
        interest = Interest(MinSupport(rule=0))
        mined = mined_of(rows, members, interest)
        rules = find_rules(mined, statistics_of(rows).totals, interest).first_of_antecedents()
        pairs = as_pairs(rules, mined)
        assert len({antecedent for antecedent, _ in pairs}) == len(pairs)
        antecedents, labels = zip(*pairs, strict=True)

        def cover(some, most=None, rows=rows, members=members):
            start = statistics_of(rows).uncovered(members)
            return covering_rules(start, *some, Budget(), most)

        taken = cover((antecedents, labels))
        assert taken == naive_cover(rows, members, pairs)
        assert cover((antecedents, labels), 2) == taken[:2]
        # redundant rules are right of no row that the more general one leaves
        fewer = as_pairs(without_redundant(rules, mined), mined)
        again = cover(tuple(zip(*fewer, strict=True)))
        assert [fewer[place] for place in again] == [pairs[place] for place in taken]


def test_a_search_without_time_takes_nothing():
    rows, members = table(0)
    everything = statistics_of(rows).uncovered(members)
    budget = Budget(max_seconds=0)
    assert covering_rules(everything, [((0, 0),)], [0], budget) == []
    assert budget.limit == "max_seconds=0"


@given(st.integers(1, 5), st.integers(2, 3), st.data())
def test_a_list_ends_where_its_errors_are_fewest(rules, classes, data):
    size = (rules + 1) * classes
    numbers = data.draw(st.lists(st.integers(0, 5), min_size=size, max_size=size))
    captured = np.array(numbers).reshape(rules + 1, classes)
    labels = data.draw(st.lists(st.integers(0, classes - 1), min_size=rules, max_size=rules))
    errors = []
    for length in range(1, rules + 1):
        rest = captured[length:].sum(axis=0)
        wrong = sum(captured[n].sum() - captured[n, labels[n]] for n in range(length))
        errors.append(wrong + rest.sum() - rest.max())
    assert least_errors(captured, labels) == errors.index(min(errors)) + 1


# -- measures and shares --------------------------------------------------------------------


def test_measures_of_a_table_worked_by_hand():
    # 1000 rows, 200 of the class; an antecedent of 100 rows has 60 of them
    one = tables_of(np.array([60]), np.array([100]), np.array([200]), 1000)
    names = (
        "support",
        "antecedent_support",
        "confidence",
        "lift",
        "leverage",
        "conviction",
        "chi_square",
    )
    found = [float(getattr(one, name)[0]) for name in names]
    # chi-square: deviations of 40 from 20, 80, 180 and 720 expected
    statistic = 1600 * (1 / 20 + 1 / 80 + 1 / 180 + 1 / 720)
    assert found == pytest.approx([0.06, 0.1, 0.6, 3, 0.04, 0.8 / 0.4, statistic])
    half = tables_of(np.array([120]), np.array([200]), np.array([400]), 2000, 0.5)
    assert [float(getattr(half, name)[0]) for name in names] == pytest.approx(found)


def test_measures_at_the_edges():
    hits, covered = np.array([5.0, 0, 0, 10]), np.array([5.0, 5, 0, 20])
    edges = RuleTables(hits, covered, np.array([10.0, 10, 10, 10]), 20.0)
    assert edges.conviction.tolist()[:2] == [math.inf, 0.5]
    assert edges.lift.tolist()[:2] == [2, 0]
    for name in ("confidence", "lift", "leverage", "conviction", "chi_square", "p"):
        assert math.isnan(getattr(edges, name)[2])
    # an antecedent of all rows says nothing
    assert (edges.chi_square[3], edges.p[3], edges.conviction[3]) == (0, 1, 1)
    everywhere = RuleTables(np.array([5.0]), np.array([5.0]), np.array([20.0]), 20.0)
    assert (everywhere.conviction[0], everywhere.chi_square[0]) == (math.inf, 0)


@given(st.lists(st.integers(0, 50), min_size=4, max_size=4).filter(any))
def test_chi_square_is_pearsons(cells):
    a, b, c, d = cells
    one = tables_of(np.array([a]), np.array([a + b]), np.array([a + c]), sum(cells))
    if a + b:
        test = chi_square([[a, b], [c, d]])
        assert one.chi_square[0] == pytest.approx(test.statistic, abs=1e-9)
        assert one.p[0] == pytest.approx(test.p, rel=1e-6, abs=1e-300)


@given(st.lists(st.tuples(LARGE, LARGE), min_size=1, max_size=8), st.data())
def test_shares_are_compared_as_fractions(pairs, data):
    pairs = [(min(pair), max(pair)) for pair in pairs]
    parts, wholes = (np.array(column) for column in zip(*pairs, strict=True))
    exact = [Fraction(*pair) for pair in pairs]
    order = sorted(set(exact))
    assert ranks(parts, wholes).tolist() == [order.index(share) + 1 for share in exact]
    limit = data.draw(st.sampled_from([*exact, Fraction(1, 2), Fraction("0.1")]))
    assert at_least(parts, wholes, limit).tolist() == [share >= limit for share in exact]


def test_neighbours_that_are_one_double_are_told_apart():
    n = 10**15
    parts, wholes = np.array([n, n - 1]), np.array([3 * n + 1, 3 * n - 2])
    assert parts[0] / wholes[0] == parts[1] / wholes[1]
    assert ranks(parts, wholes).tolist() == [2, 1]
    assert at_least(parts, wholes, Fraction(n, 3 * n + 1)).tolist() == [True, False]
