"""The walk visits lists as its rule says, bounds change nothing, and the best list is found."""

from __future__ import annotations

import math
from collections import Counter
from math import factorial

import numpy as np
import pytest
from array_rows import random_rows
from falling_judge import (
    every_list,
    log_list_prior,
    log_peak,
    normalised,
    pairs_of,
    total_variation,
)

from dbrules.errors import InvalidSetting
from dbrules.search.bayes import annealing_walk, falling_posterior
from dbrules.search.bayes.annealing import Annealing, anneal
from dbrules.search.bayes.best_list import BestList
from dbrules.search.bayes.falling_counts import Scale
from dbrules.search.bayes.falling_lists import ListPrior
from dbrules.search.bayes.falling_polish import neighbours, polish
from dbrules.search.bayes.falling_posterior import FallingTarget, PeakPosterior
from dbrules.search.bayes.falling_prior import FallingPrior
from dbrules.search.budget import Budget

PRIOR = FallingPrior(expected_length=2.0)


def target_of(rows, weights=None, prior=PRIOR):
    weights = [1.0] * rows.held.shape[1] if weights is None else weights
    return FallingTarget(rows, Scale(), prior, ListPrior(prior.expected_length, weights))


def energies(target):
    return {found: -target.log_peak(found) for found in every_list(target.lists.number)}


@pytest.mark.parametrize("unit", [1.0, 0.25])
def test_energies_are_those_of_the_judge(unit):
    rows = random_rows(3)
    weights = (1.0, 2.0, 0.3, 4.0)
    prior = FallingPrior(2.0, 1.5, 0.3, 2.0, 0.5)
    target = FallingTarget(rows, Scale(0, unit), prior, ListPrior(2.0, weights))
    for antecedents in every_list(4)[::3]:
        exact = log_list_prior(antecedents, 2.0, weights, 4)
        exact += log_peak(prior, pairs_of(rows, antecedents, 0, unit))
        assert target.log_peak(antecedents) == pytest.approx(exact, abs=1e-6)


def test_a_list_is_given_up_only_where_it_is_below_the_floor():
    rows = random_rows(4, cells=30, rows=300)
    target = target_of(rows)
    exact = {found: -energy for found, energy in energies(target).items()}
    posterior, spared = PeakPosterior(target), 0
    for base in every_list(4)[::7]:
        counted = target.count(base)
        for antecedents, value in exact.items():
            for floor in (value + 1e-6, value - 1e-6, value + 50, value - 5):
                fresh = PeakPosterior(target)
                for judged in (posterior, fresh, fresh):
                    weighed = judged.weigh(counted, antecedents, floor)
                    assert (weighed is None) == (value < floor)
                    assert weighed is None or weighed[0] == value
                spared += fresh.given_up
    assert spared > 20


def test_constant_temperature_visits_lists_as_the_rule_says(monkeypatch):
    rows = random_rows(6, antecedents=3, rows=20)
    target = target_of(rows)
    temperature = 2.0
    logs = {
        found: -energy / temperature + math.log(factorial(3 - len(found)))
        for found, energy in energies(target).items()
    }
    visits = Counter()
    step = annealing_walk.AnnealingWalk._step

    def counted(walk, temperature):
        step(walk, temperature)
        visits[walk.antecedents] += 1

    monkeypatch.setattr(annealing_walk.AnnealingWalk, "_step", counted)
    steps = 60_000
    anneal(target, Annealing(steps, temperature, polish=0), seed=1)
    seen = {found: n / steps for found, n in visits.items()}
    assert total_variation(seen, normalised(logs)) < 0.03
    assert len(seen) > 10


@pytest.mark.parametrize("polish", [0, None])
def test_cooling_finds_the_best_of_all_lists(polish):
    for seed in range(12):
        rows = random_rows(seed, rows=200)
        rng = np.random.default_rng(seed)
        target = target_of(rows, None if seed % 2 else rng.uniform(0.5, 2.0, 4).tolist())
        settings = Annealing(1500, (10.0, 0.1), chains=2, polish=polish)
        found = anneal(target, settings, seed)
        of = energies(target)
        least = min(of.values())
        assert found.log_posterior == -of[found.antecedents]
        assert -found.log_posterior == pytest.approx(least, abs=1e-9)
        assert found.peak == target.peak(found.antecedents)
        pairs = [target.scale.pair(counts) for counts in found.counts]
        assert pairs == pairs_of(rows, found.antecedents)


def test_bounds_leave_the_chain_as_it_is(monkeypatch):
    settings = Annealing(800, (20.0, 0.5), chains=2, polish=300)

    asked = Counter()
    exact = falling_posterior.peak

    def run(name):
        monkeypatch.setattr(
            falling_posterior, "peak", lambda *of: asked.update([name]) or exact(*of)
        )
        target = target_of(random_rows(9, cells=60, antecedents=15, rows=800))
        return anneal(target, settings, seed=4)

    bounded = run("bounded")
    monkeypatch.setattr(falling_posterior, "upper", lambda pairs, prior: math.inf)
    everything = run("everything")
    for one, other in zip(bounded.chains, everything.chains, strict=True):
        assert one.log_posterior.tolist() == other.log_posterior.tolist()
        assert (one.proposed, one.accepted) == (other.proposed, other.accepted)
    assert bounded.antecedents == everything.antecedents
    assert asked["everything"] > 1.2 * asked["bounded"] > 100


def test_equal_seeds_give_equal_walks_and_others_do_not():
    target = target_of(random_rows(9, cells=60, antecedents=15, rows=800))
    traces = [
        [chain.log_posterior.tolist() for chain in anneal(target, settings, seed).chains]
        for settings, seed in [
            (Annealing(200, chains=2, polish=0), 1),
            (Annealing(200, chains=2, polish=0), 1),
            (Annealing(200, chains=2, polish=0), 2),
        ]
    ]
    assert traces[0] == traces[1] != traces[2]
    assert traces[0][0] != traces[0][1]


def test_the_smaller_of_equal_lists_is_kept():
    rows = random_rows(2, antecedents=3, rows=200)
    twice = type(rows)(np.hstack([rows.held, rows.held]), rows.counts_of)
    target = target_of(twice)
    found = anneal(target, Annealing(3000, (5.0, 0.2)), seed=0)
    assert found.antecedents
    of = energies(target)
    best = min(of.values())
    equal = [a for a, energy in of.items() if energy == best]
    assert len(equal) > 1
    assert found.antecedents in equal


def test_polish_reaches_a_list_without_a_better_neighbour():
    for seed in range(5):
        rows = random_rows(seed, cells=40, antecedents=8, rows=300)
        target = target_of(rows)
        best = BestList()
        best.offer((), target.log_peak(()))
        polish(target, PeakPosterior(target), best, 100_000, Budget())
        around = neighbours(best.antecedents, 8, 3)
        assert best.log_posterior == target.log_peak(best.antecedents)
        assert max(target.log_peak(found) for found, _ in around) <= best.log_posterior + 1e-6
        few = BestList()
        few.offer((), target.log_peak(()))
        budget = Budget()
        polish(target, PeakPosterior(target), few, 7, budget)
        assert budget.nodes == 7


def test_neighbours_are_those_of_the_four_moves():
    for antecedents in every_list(4):
        rules = len(antecedents)
        found = [near for near, _ in neighbours(antecedents, 4, 2)]
        adds, swaps = (rules + 1) * (4 - rules), rules * (rules - 1) // 2
        assert (
            len(found)
            == len({*found, antecedents}) - 1
            == rules + swaps + adds + rules * (4 - rules)
        )


def test_a_budget_or_an_interrupt_leaves_the_best_so_far(monkeypatch):
    target = target_of(random_rows(9, cells=60, antecedents=15, rows=800))
    cut = anneal(target, Annealing(500, chains=3), 0, Budget(max_nodes=700))
    assert cut.limit == "max_nodes=700"
    assert [len(chain.log_posterior) for chain in cut.chains] == [500, 200, 0]
    assert cut.log_posterior == max(chain.log_posterior.max() for chain in cut.chains[:2])
    assert anneal(target, Annealing(500), 0, Budget(max_seconds=0)).limit == "max_seconds=0"

    calls = iter(range(300))
    propose = annealing_walk.propose

    def interrupted(*of):
        if next(calls, None) is None:
            raise KeyboardInterrupt
        return propose(*of)

    monkeypatch.setattr(annealing_walk, "propose", interrupted)
    cut = anneal(target, Annealing(200, chains=3), 0)
    assert cut.limit == "interrupted"
    assert [len(chain.log_posterior) for chain in cut.chains] == [200, 100]
    assert cut.log_posterior == max(chain.log_posterior.max() for chain in cut.chains)


def test_progress_is_told():
    lines = []
    budget = Budget(report=lines.append)
    budget._reported = -1e9
    anneal(target_of(random_rows(1)), Annealing(10), 0, budget)
    assert lines[0].startswith("annealing: 1 steps, best log posterior -")


@pytest.mark.parametrize("temperature", [0, -1.0, math.nan, math.inf, (1.0, 2.0), (1.0, 0.0)])
def test_what_is_no_temperature_is_refused(temperature):
    with pytest.raises(InvalidSetting, match="temperature is"):
        Annealing(temperature=temperature).temperatures()


def test_a_prior_without_a_peak_is_refused():
    target = target_of(random_rows(1), prior=FallingPrior(alpha_last=0.5))
    with pytest.raises(InvalidSetting, match="density of K"):
        anneal(target, Annealing(10), 0)
