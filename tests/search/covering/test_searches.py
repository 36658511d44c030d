"""Rule searches against every rule that there is."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from covering_judge import FEATURES, best_rank, covered, rows_of, table, task

from dbrules.search.budget import Budget
from dbrules.search.covering.goal import Candidate, Goal, Task
from dbrules.search.covering.literal import Literal, conditions
from dbrules.search.covering.majority import Majority
from dbrules.search.covering.options import Options
from dbrules.search.covering.quality import QUALITIES
from dbrules.search.covering.redundant import without_redundant
from dbrules.search.covering.refinements import Refinements
from dbrules.search.covering.searches import SEARCHES

GOALS = {
    "free": Goal(),
    "two": Goal(max_conditions=2),
    "held": Goal(max_conditions=3, least=8, significance=0.01),
    "picky": Goal(max_conditions=3, min_quality=0.6),
}


def run(
    name: str, seed: int, goal: Goal, options: Options | None = None, budget: Budget | None = None
) -> Candidate | None:
    problem, _, _ = task(seed, goal)
    options = Options() if options is None else options
    found = SEARCHES[name]([problem], options, budget or Budget(), Random("search"))
    return None if found is None else found[1]


def with_quality(goal: Goal, quality: str) -> Goal:
    return Goal(**{**goal.__dict__, "quality": quality})


@pytest.mark.parametrize("quality", sorted(QUALITIES))
@pytest.mark.parametrize("name", ["exhaustive", "best_first"])
def test_the_best_of_all(name: str, quality: str) -> None:
    none = 0
    for seed in range(3):
        for held in GOALS.values():
            goal = with_quality(held, quality)
            _, codes, counts = task(seed, goal)
            rule = run(name, seed, goal, Options(max_nodes=0))
            best = best_rank(quality, codes, counts, goal)
            none += best is None
            found = None if rule is None else (-round(rule.value, 9), *rule.rank[1:3])
            assert found == best, (seed, goal)
    assert none < 10


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("quality", ["wracc", "foil_gain", "likelihood_ratio", "laplace"])
@pytest.mark.parametrize("name", ["exhaustive", "best_first"])
def test_the_best_of_all_with_a_majority(name: str, quality: str, classes: int) -> None:
    for seed in range(3):
        codes, by_class = table(seed, classes)
        by_class[:, 0] *= 3  # class 1 is rare
        rows = rows_of(codes, by_class)
        for before in ([], None):
            goal = Goal(quality=quality, max_conditions=3)
            subset, of_class = rows.against(1), by_class[:, 1].copy()
            if before is None:  # its rows that another rule covers already
                first = (Literal(1, 0, 1),)
                subset = subset.without_positives(first)
                of_class[covered(codes, first)] = 0
            counts = np.stack([of_class, by_class.sum(axis=1) - by_class[:, 1]], axis=1)
            problem = Task(subset, goal, Refinements(FEATURES), Majority(rows, 1, before))
            found = SEARCHES[name]([problem], Options(max_nodes=0), Budget(), Random(0))
            best = best_rank(quality, codes, counts, goal, by_class)
            rank = None if found is None else (-round(found[1].value, 9), *found[1].rank[1:3])
            assert rank == best, (seed, before)


@pytest.mark.parametrize("quality", sorted(QUALITIES))
@pytest.mark.parametrize("name", sorted(SEARCHES))
def test_what_is_found_is_what_it_says(name: str, quality: str) -> None:
    for seed in range(2):
        for held in GOALS.values():
            goal = with_quality(held, quality)
            problem, codes, counts = task(seed, goal)
            rule = run(name, seed, goal)
            if rule is None:
                continue
            units = counts[covered(codes, rule.antecedent)].sum(axis=0)
            assert tuple(units) == (rule.count.positive, rule.count.negative)
            assert rule == problem.candidate(rule.antecedent, rule.count)
            assert rule.conditions == conditions(rule.antecedent, problem.features)
            assert problem.admits(rule)
            assert rule == run(name, seed, goal)


@pytest.mark.parametrize("name", sorted(SEARCHES))
def test_no_search_misses_a_class_that_a_level_tells(name: str) -> None:
    problem, codes, counts = task(0, Goal())
    told = codes[:, 1] == 1
    counts = np.stack([told, ~told], axis=1).astype(np.int64)
    subset = rows_of(codes, counts).against(0)
    clear = Task(subset, Goal(), problem.refinements)
    found = SEARCHES[name]([clear], Options(restarts=30), Budget(), Random("search"))
    assert found is not None
    assert without_redundant(subset, found[1].antecedent) == ((1, 1, 2),)


@pytest.mark.parametrize("quality", sorted(QUALITIES))
def test_a_beam_of_one_is_hill_climbing(quality: str) -> None:
    for seed in range(6):
        goal = Goal(quality=quality, max_conditions=3)
        assert run("beam", seed, goal, Options(width=1)) == run("hill_climbing", seed, goal)


@pytest.mark.parametrize("quality", sorted(set(QUALITIES) - {"foil_gain"}))
def test_a_wide_beam_is_the_best_of_all(quality: str) -> None:
    for seed in range(3):
        goal = Goal(quality=quality, max_conditions=3)
        wide, best = (
            run("beam", seed, goal, Options(width=10**6)),
            run("exhaustive", seed, goal, Options(max_nodes=0)),
        )
        assert wide is not None
        assert best is not None
        assert wide.rank[:3] == best.rank[:3]


def test_hill_climbing_by_gain_ends_where_no_condition_gains() -> None:
    for seed in range(6):
        problem, codes, counts = task(seed, Goal(quality="foil_gain"))
        rule = run("hill_climbing", seed, problem.goal)
        assert rule is not None
        inside = covered(codes, rule.antecedent)
        p0, n0 = counts[inside].sum(axis=0)
        for place in range(len(problem.refinements)):
            more = inside & covered(codes, (problem.refinements[place],))
            p, n = counts[more].sum(axis=0)
            assert p == 0 or p / (p + n) <= p0 / (p0 + n0) + 1e-12


@pytest.mark.parametrize("name", sorted(SEARCHES))
def test_a_budget_ends_the_search(name: str) -> None:
    budget = Budget(max_nodes=2)
    run(name, 0, Goal(), budget=budget)
    assert 0 < budget.nodes <= 2


def test_no_condition_of_a_simplified_rule_can_be_dropped() -> None:
    for seed in range(8):
        problem, codes, _ = task(seed, Goal())
        row = problem.subset.row(0)
        literals = tuple(Literal(f, code, code + 1) for f, code in enumerate(row) if code < 3)
        if not literals:
            continue
        kept = without_redundant(problem.subset, literals)
        assert (covered(codes, kept) == covered(codes, literals)).all()
        for number in range(len(kept)):
            others = kept[:number] + kept[number + 1 :]
            assert not others or covered(codes, others).sum() > covered(codes, kept).sum()
