"""What the prior gave looks like a draw of the sampler, whatever data came of it.

Talts et al. (2018), Validating Bayesian inference algorithms with simulation-based calibration.
"""

from __future__ import annotations

import random

import numpy as np
import pytest
from array_rows import ArrayRows
from scipy import stats

from dbrules.search.bayes.falling_chain import FallingChain, SweepSteps
from dbrules.search.bayes.falling_counts import Scale
from dbrules.search.bayes.falling_lists import ListPrior
from dbrules.search.bayes.falling_posterior import FallingTarget
from dbrules.search.bayes.falling_prior import FallingPrior
from dbrules.search.budget import Budget

PRIOR = FallingPrior(1.5, 2.0, 1.0, 2.0, 2.0)
LISTS = ListPrior(1.5, (1.0, 2.0, 1.0))
#: Draws far apart: those that depend on each other have no uniform ranks.
REPLICATES, DRAWS, APART, BURN_IN = 400, 9, 30, 120
STEPS = SweepSteps(of_odds=2, of_list=2)


class States:
    def __init__(self):
        self.all = []

    def add(self, antecedents, odds):
        self.all.append((antecedents, odds))


def gammas_from_prior(rng, many):
    free = stats.gamma(PRIOR.alpha, scale=1 / PRIOR.beta)
    return free.isf(rng.random(many) * free.sf(1.0))


def simulated(rng, lists_rng):
    """Return which antecedents hold where, a list with its odds from the prior, and its data."""
    held = rng.random((8, 3)) < 0.4
    antecedents = LISTS.draw(lists_rng)
    gammas = gammas_from_prior(rng, len(antecedents))
    last = rng.gamma(PRIOR.alpha_last) / PRIOR.beta_last
    odds = (last * np.append(np.cumprod(gammas[::-1])[::-1], 1.0)).tolist()
    v = np.array([odds_of_cell(held, antecedents, odds, cell) for cell in range(8)])
    positives = rng.binomial(5, v / (1 + v))
    rows = ArrayRows(held, np.stack([5 - positives, positives], axis=1))
    return held, antecedents, odds, FallingTarget(rows, Scale(), PRIOR, LISTS)


def odds_of_cell(held, antecedents, odds, cell):
    places = [place for place, a in enumerate(antecedents) if held[cell, a]]
    return odds[places[0] if places else -1]


def functions(held, antecedents, odds):
    """Return what is compared: K, γ_0 (0 without a rule), L, and odds of the first two cells."""
    rules = len(antecedents)
    of_cells = [odds_of_cell(held, antecedents, odds, cell) for cell in (0, 1)]
    return [odds[-1], odds[0] / odds[1] if rules else 0.0, rules, *of_cells]


def test_ranks_are_uniform():
    rng = np.random.default_rng(11)
    lists_rng = random.Random(11)
    ranks = []
    for _ in range(REPLICATES):
        held, antecedents, odds, target = simulated(rng, lists_rng)
        truth = functions(held, antecedents, odds)
        chain = FallingChain(target, (), random.Random(lists_rng.random()), rng)
        chain.run(BURN_IN, STEPS, None, Budget())
        states = States()
        chain.run(DRAWS * APART, STEPS, states, Budget())
        drawn = np.array([functions(held, *state) for state in states.all[::APART]])
        # a tie is broken at random
        below = (drawn < truth).sum(axis=0)
        ranks.append(below + rng.integers(0, (drawn == truth).sum(axis=0) + 1))
    for of in np.array(ranks).T:
        assert stats.chisquare(np.bincount(of, minlength=DRAWS + 1)).pvalue > 0.001


@pytest.mark.parametrize("of_odds", [0, 2])
def test_a_draw_from_the_posterior_stays_one(of_odds):
    # what the prior gave is itself a draw from the posterior: chains that begin there need no
    # burn-in, and replicates do not depend on each other
    rng = np.random.default_rng(5)
    lists_rng = random.Random(5)
    changes = []
    for _ in range(1500):
        held, antecedents, odds, target = simulated(rng, lists_rng)
        chain = FallingChain(target, antecedents, lists_rng, rng)
        chain.stand(odds)
        states = States()
        chain.run(6, SweepSteps(of_odds, 2), states, Budget())
        after = functions(held, *states.all[-1])
        changes.append(np.log1p(after) - np.log1p(functions(held, antecedents, odds)))
    changed = np.array(changes)
    errors = changed.std(axis=0) / np.sqrt(len(changed))
    assert np.all(changed.std(axis=0) > 0.1)
    assert np.all(np.abs(changed.mean(axis=0)) < 3.5 * errors)
