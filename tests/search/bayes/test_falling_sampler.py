"""Draws follow the posterior: of lists, and of γ and K of one list."""

from __future__ import annotations

import math

import numpy as np
import pytest
from array_rows import ArrayRows, random_rows
from falling_judge import (
    Grid,
    every_list,
    log_joint,
    log_list_prior,
    normalised,
    pairs_of,
    total_variation,
)
from scipy import stats

from dbrules.search.bayes import falling_chain
from dbrules.search.bayes.falling_counts import Scale
from dbrules.search.bayes.falling_lists import ListPrior
from dbrules.search.bayes.falling_posterior import FallingTarget
from dbrules.search.bayes.falling_prior import FallingPrior
from dbrules.search.bayes.falling_sampler import Sampling, sample_falling
from dbrules.search.budget import Budget

WEIGHTS = (1.0, 2.0, 0.5)


def target_of(rows, prior, weights=WEIGHTS, scale=None):
    lists = ListPrior(prior.expected_length, weights)
    return FallingTarget(rows, Scale() if scale is None else scale, prior, lists)


def share_of(found, sweeps):
    return {of.antecedents: of.draws / sweeps for of in found.lists}


@pytest.mark.parametrize(
    ("prior", "unit"),
    [
        (FallingPrior(2.0, 1.0, 0.1, 1.0, 0.1), 1.0),
        (FallingPrior(2.0, 2.5, 1.0, 0.7, 1.5), 0.3),
    ],
)
def test_lists_are_drawn_in_proportion_to_their_posterior(prior, unit):
    rows = random_rows(5, antecedents=3, rows=60)
    exact = {}
    for antecedents in every_list(3):
        list_prior = log_list_prior(antecedents, prior.expected_length, WEIGHTS, 3)
        grid = Grid(prior, pairs_of(rows, antecedents, 1, unit))
        exact[antecedents] = list_prior + grid.log_evidence
    target = target_of(rows, prior, scale=Scale(1, unit))
    found = sample_falling(target, Sampling(30_000, 200, mh_steps=2), seed=1)
    assert total_variation(share_of(found, 30_000), normalised(exact)) < 0.02
    (chain,) = found.chains
    for rules, draws in enumerate(np.bincount(chain.lengths)):
        assert draws == sum(of.draws for of in found.lists if len(of.antecedents) == rules)
    assert all(0 < chain.accepted[move] < chain.proposed[move] for move in chain.proposed)


def test_without_data_lists_follow_their_prior():
    rows = random_rows(1, antecedents=3, rows=0)
    prior = FallingPrior(1.5, 0.8, 0.5, 2.0, 1.0)
    target = target_of(rows, prior)
    found = sample_falling(target, Sampling(20_000, 0, mh_steps=2, odds_steps=0), seed=3)
    exact = {of: math.exp(log_list_prior(of, 1.5, WEIGHTS, 3)) for of in every_list(3)}
    assert total_variation(share_of(found, 20_000), exact) < 0.02
    # L is Poisson, given that it is no more than the number of antecedents
    lengths = stats.poisson.pmf(range(4), 1.5)
    drawn = np.bincount(found.chains[0].lengths) / 20_000
    assert drawn == pytest.approx(lengths / lengths.sum(), abs=0.02)


@pytest.mark.parametrize(
    ("prior", "unit", "odds_steps"),
    [
        (FallingPrior(), 1.0, 0),
        (FallingPrior(), 1.0, 4),
        (FallingPrior(alpha=0.6, beta=2.0, alpha_last=0.7, beta_last=3.0), 0.37, 0),
        (FallingPrior(alpha=0.6, beta=2.0, alpha_last=0.7, beta_last=3.0), 0.37, 1),
    ],
)
def test_odds_of_a_list_follow_their_posterior(prior, unit, odds_steps):
    rows = random_rows(7, cells=20, antecedents=3, rows=40)
    exact = Grid(prior, pairs_of(rows, (1, 0), 1, unit))
    settings = Sampling(40_000, 500, odds_steps=odds_steps, list_fixed=True)
    found = sample_falling(target_of(rows, prior, scale=Scale(1, unit)), settings, 1, (1, 0))
    (only,) = found.lists
    assert (only.antecedents, only.draws, found.kept.shape) == ((1, 0), 40_000, (40_000, 3))
    assert only.probabilities == pytest.approx(found.kept.mean(axis=0))
    assert not any(found.chains[0].proposed.values())
    log_odds = np.log(found.kept / (1 - found.kept))
    for values, cdf in [
        (log_odds[:, 2], exact.cdf_of_last),
        (log_odds[:, 0], lambda at: exact.cdf_of_log_odds(0, at)),
        (log_odds[:, 0] - log_odds[:, 1], lambda at: exact.cdf_of_log_gamma(0, at)),
        (log_odds[:, 1] - log_odds[:, 2], lambda at: exact.cdf_of_log_gamma(1, at)),
    ]:
        assert values.std() > 0.1
        assert stats.kstest(values, cdf).statistic < 0.02


def test_the_trace_is_the_log_posterior_density():
    rows = random_rows(7, cells=20, antecedents=3, rows=40)
    prior = FallingPrior(2.0, 1.5, 0.3, 0.8, 1.2)
    target = target_of(rows, prior)
    for settings in (Sampling(200, 5, list_fixed=True), Sampling(5000, 5)):
        found = sample_falling(target, settings, 2, (1, 0))
        list_prior = log_list_prior((1, 0), 2.0, WEIGHTS, 3)
        pairs = pairs_of(rows, (1, 0))
        odds = found.kept / (1 - found.kept)
        gammas = odds[:, :-1] / odds[:, 1:]
        exact = [
            list_prior + log_joint(prior, pairs, gamma, last)
            for gamma, last in zip(gammas, odds[:, -1], strict=True)
        ]
        trace = found.chains[0].log_posterior
        near = np.sort(trace)[np.searchsorted(np.sort(trace), np.array(exact) - 1e-7)]
        assert len(exact) > 50
        assert near == pytest.approx(np.array(exact), abs=1e-6)


def test_billions_of_rows_or_none_and_odds_of_nearly_zero_are_no_trouble():
    held = np.array([[True, False, False], [False, True, False], [False, False, False]])
    rows = ArrayRows(held, [[10**8, 9 * 10**8], [10**9, 0], [10**9 - 1, 1]])
    prior = FallingPrior()
    settings = Sampling(300, 100, list_fixed=True)
    found = sample_falling(target_of(rows, prior), settings, 0, (0, 1))
    assert found.kept.mean(axis=0) == pytest.approx([0.9, 0.0, 0.0], abs=1e-4)
    steep = ArrayRows(held, [[0, 10**9], [0, 0], [0, 10**9]])
    found = sample_falling(target_of(steep, prior), Sampling(2000, 0), 0, (2, 0, 1))
    assert np.isfinite(found.chains[0].log_posterior).all()
    pole = FallingPrior(alpha_last=1e-3)
    found = sample_falling(
        target_of(random_rows(1, antecedents=3, rows=0), pole), Sampling(2000, 0), 0
    )
    assert np.isfinite(found.chains[0].log_posterior).all()


def test_equal_seeds_give_equal_draws_and_chains_differ():
    rows = random_rows(8, antecedents=3)
    target = target_of(rows, FallingPrior(2.0))
    settings = Sampling(150, 10, chains=2)
    one, two, other = (sample_falling(target, settings, seed, keep=(1,)) for seed in (1, 1, 2))
    assert one.lists == two.lists != other.lists
    assert one.kept.tolist() == two.kept.tolist()
    traces = [chain.log_posterior.tolist() for chain in one.chains]
    assert traces == [chain.log_posterior.tolist() for chain in two.chains]
    assert traces[0] != traces[1]
    assert sum(of.draws for of in one.lists) == 300
    assert [of.draws for of in one.lists] == sorted((of.draws for of in one.lists), reverse=True)


def test_a_budget_or_an_interrupt_leaves_what_was_drawn(monkeypatch):
    target = target_of(random_rows(8, antecedents=3), FallingPrior(2.0))
    cut = sample_falling(target, Sampling(100, 10, 2), 0, budget=Budget(max_nodes=130))
    assert cut.limit == "max_nodes=130"
    assert [len(chain.lengths) for chain in cut.chains] == [100, 10]
    none = sample_falling(target, Sampling(100, 10), 0, budget=Budget(max_nodes=3))
    assert (none.lists, none.kept.shape) == ((), (0, 1))

    calls = iter(range(60))
    propose = falling_chain.propose

    def interrupted(*of):
        if next(calls, None) is None:
            raise KeyboardInterrupt
        return propose(*of)

    monkeypatch.setattr(falling_chain, "propose", interrupted)
    cut = sample_falling(target, Sampling(100, 10), 0)
    assert (cut.limit, len(cut.chains[0].lengths)) == ("interrupted", 50)
