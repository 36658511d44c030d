"""The chain over Bayesian rule lists: what it proposes, accepts and in the end visits."""

from __future__ import annotations

import math
import random
from collections import Counter

import numpy as np
import pytest
from brl_judge import Instance, prior_probability, random_instance
from scipy.stats import chisquare

from dbrules.search.bayes.brl_posterior import BrlPosterior, BrlPrior
from dbrules.search.bayes.brl_walk import BrlWalk, prior_draw
from dbrules.search.bayes.list_state import ListState


class _Further(Exception):
    """One more choice is to be made, of so many."""


class _Script:
    """Draws that become the places of a path when they are multiplied by how many there are."""

    def __init__(self, path):
        self._path = iter(path)

    def random(self):
        return self

    def __mul__(self, size):
        for place in self._path:
            return place
        raise _Further(size)


def proposals(walk):
    """Return each proposal with its probability, by every choice that the chain can make."""
    found, reached = [], Counter()
    paths = [((), 1.0)]
    while paths:
        path, probability = paths.pop()
        walk._rng = _Script(path)
        try:
            proposal = walk._proposal()
        except _Further as further:
            # a fourth choice is that of an unused antecedent anew: the same shares once more
            if len(path) < 3:
                (size,) = further.args
                paths += [((*path, place), probability / size) for place in range(size)]
            continue
        found.append((proposal, probability))
        reached[proposal[0]] += probability
    kinds = len(reached)
    return [(proposal, p / reached[proposal[0]] / kinds) for proposal, p in found]


@pytest.mark.parametrize("most", [None, 2])
@pytest.mark.parametrize("temperature", [1.0, 2.0])
def test_proposals_and_acceptance_are_in_detailed_balance(most, temperature):
    rng = np.random.default_rng(5)
    holds, counts = rng.random((7, 4)) < 0.5, rng.integers(0, 6, (7, 2))
    instance = Instance(holds, counts, [1, 2, 1, 2], BrlPrior(), most=most)
    walk = BrlWalk(instance.posterior, instance.rows, random.Random(0))
    there, said = {}, {}
    for found in instance.lists:
        walk._state = state = ListState(instance.posterior, instance.rows, found)
        there[found] = Counter()
        for (_, after, first, same, shift, ratio), probability in proposals(walk):
            assert tuple(after) in instance.lists
            there[found][tuple(after)] += probability
            assert said.setdefault((found, tuple(after)), ratio) == ratio
            worth = state.weigh(after, first, same, shift, -math.inf)
            assert worth == pytest.approx(instance.lists[tuple(after)], abs=1e-9)
        assert math.fsum(there[found].values()) == pytest.approx(1)
    share = instance.probabilities(temperature)
    for (found, after), ratio in said.items():
        forth, back = there[found][after], there[after][found]
        assert ratio == pytest.approx(math.log(back / forth), abs=1e-9)
        gain = (instance.lists[after] - instance.lists[found]) / temperature
        forth *= share[found] * min(1, math.exp(gain + ratio))
        back *= share[after] * min(1, math.exp(-gain + said[after, found]))
        assert forth == pytest.approx(back, rel=1e-9)


@pytest.mark.parametrize(
    ("seed", "antecedents", "classes", "temperature", "iterations"),
    [(5, 3, 2, 1.0, 60_000), (7, 3, 3, 2.0, 60_000), (5, 4, 2, 1.0, 120_000),
     (9, 4, 3, 1.0, 120_000), (10, 4, 2, 2.0, 150_000)],
)  # fmt: skip
def test_visits_match_the_posterior(seed, antecedents, classes, temperature, iterations):
    instance = random_instance(seed, antecedents, classes)
    walk = BrlWalk(instance.posterior, instance.rows, random.Random(seed), temperature)
    walk.run(1000)
    walk.clear()
    walk.run(iterations)
    assert sum(walk.visits.values()) == iterations == len(walk.trace) - 1000
    share = instance.probabilities(temperature)
    assert set(walk.visits) <= set(share)
    apart = [abs(walk.visits[found] / iterations - p) for found, p in share.items()]
    assert math.fsum(apart) / 2 < 0.02
    assert walk.best_log_posterior == pytest.approx(max(instance.lists.values()), abs=1e-9)


@pytest.mark.parametrize(
    ("lengths", "most"), [([1, 1, 2], None), ([1, 2, 2, 3], 3), ([1, 2, 1, 2], None)]
)
def test_chains_begin_at_draws_from_the_prior(lengths, most):
    prior = BrlPrior(2.0, 0.7)
    posterior, draws = BrlPosterior(prior, lengths, most=most), 10_000
    rng = random.Random(1)
    drawn = Counter(prior_draw(posterior, rng) for _ in range(draws))
    instance = Instance([[False] * len(lengths)], [[0, 0]], lengths, prior, most=most)
    expected = {
        found: draws * prior_probability(prior, lengths, found, posterior.most)
        for found in instance.lists
    }
    assert set(drawn) <= set(expected)
    rare = [found for found, number in expected.items() if number < 10]
    seen = [drawn[f] for f in expected if f not in rare] + [sum(drawn[f] for f in rare)]
    hoped = [expected[f] for f in expected if f not in rare]
    hoped.append(math.fsum(expected[f] for f in rare))
    keep = [place for place, number in enumerate(hoped) if number]
    assert chisquare([seen[k] for k in keep], [hoped[k] for k in keep]).pvalue > 0.001


@pytest.mark.parametrize("seed", range(6))
def test_early_rejection_changes_no_chain(seed, monkeypatch):
    instance = random_instance(seed, antecedents=5)

    def chain():
        walk = BrlWalk(instance.posterior, instance.rows, random.Random(seed))
        walk.run(3000)
        return walk

    early, weigh = chain(), ListState.weigh

    def wholly(self, proposed, first, same, shift, floor):
        reached = weigh(self, proposed, first, same, shift, -math.inf)
        return reached if reached >= floor else None

    monkeypatch.setattr(ListState, "weigh", wholly)
    late = chain()
    assert early.trace == late.trace
    assert early.visits == late.visits
    assert (early.accepted, early.best) == (late.accepted, late.best)


@pytest.mark.parametrize("seed", range(8))
def test_any_change_of_a_list_is_weighed_like_the_list_anew(seed):
    instance = random_instance(seed, antecedents=5)
    posterior, rows, rng = instance.posterior, instance.rows, random.Random(seed)
    state = ListState(posterior, rows, ())
    for _ in range(300):
        now = state.antecedents
        after = list(rng.choice([f for f in instance.lists if abs(len(f) - len(now)) <= 1]))
        first = 0
        while first < min(len(now), len(after)) and now[first] == after[first]:
            first += 1
        shift = len(after) - len(now)
        same = len(after)
        while same > first + max(0, shift) and after[same - 1] == now[same - 1 - shift]:
            same -= 1
        exact = posterior.of(rows, after)
        floor = exact + rng.choice([-0.5, 1e-6])
        reached = state.weigh(after, first, same, shift, floor)
        assert (reached is None) == (floor > exact)
        if reached is not None:
            assert reached == exact
            state.take()
            assert (state.antecedents, state.log_posterior) == (after, exact)


def test_a_chain_without_antecedents_stays_on_the_empty_list():
    posterior = BrlPosterior(BrlPrior(), [])
    rows = Instance([[True]], [[2, 1]], [1], BrlPrior()).rows
    walk = BrlWalk(posterior, rows, random.Random(0))
    walk.run(5)
    assert walk.visits == {(): 5}
    assert walk.trace == pytest.approx([math.log(1 / 12)] * 5)


def test_of_lists_of_one_value_the_smaller_is_the_best():
    # two antecedents of the same rows: every list with one of them has a twin
    instance = Instance([[1, 1], [0, 0]], [[9, 0], [0, 9]], [1, 1], BrlPrior(0.5))
    for seed in range(5):
        walk = BrlWalk(instance.posterior, instance.rows, random.Random(seed))
        walk.run(500)
        assert walk.best == (0,)
