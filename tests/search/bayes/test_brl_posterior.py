"""Prior, likelihood and bounds of Bayesian rule lists, against their definition."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from brl_judge import Instance, every_list, log_likelihood, prior_probability, random_instance

from dbrules.search.bayes.brl_posterior import BrlPosterior, BrlPrior
from dbrules.statistics.bitsets import CellBits


@pytest.mark.parametrize("lengths", [[], [1], [1, 1, 2], [2, 1, 1, 2, 2], [1, 2, 3, 3, 1]])
@pytest.mark.parametrize("most", [None, 0, 2])
@pytest.mark.parametrize(("lam", "eta"), [(3, 1), (0.4, 2.5), (20, 0.1)])
def test_prior_is_a_distribution_over_every_list(lengths, most, lam, eta):
    prior = BrlPrior(lam, eta)
    posterior = BrlPosterior(prior, lengths, most=most)
    lists = every_list(len(lengths), posterior.most)
    said = [math.exp(posterior.list_prior(found)) for found in lists]
    expected = [prior_probability(prior, lengths, found, posterior.most) for found in lists]
    assert said == pytest.approx(expected, rel=1e-12)
    assert math.fsum(said) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("alpha", [(1, 1), (2, 1), (1, 1, 1), (3, 1, 2)])
def test_likelihood_is_the_exact_fraction(alpha):
    posterior = BrlPosterior(BrlPrior(alpha=alpha), [1])

    def gamma(n):
        return math.factorial(n - 1)

    for counts in itertools.product([0, 1, 4, 30], repeat=len(alpha)):
        exact = Fraction(gamma(sum(alpha)), math.prod(map(gamma, alpha)))
        after = [n + a for n, a in zip(counts, alpha, strict=True)]
        exact *= Fraction(math.prod(map(gamma, after)), gamma(sum(after)))
        assert posterior.term(counts) == pytest.approx(
            math.log(exact.numerator) - math.log(exact.denominator), abs=1e-9
        )


@pytest.mark.parametrize("unit", [1.0, 0.25, 3.0])
@pytest.mark.parametrize("alpha", [(0.3, 1.7), (5.0, 0.5, 1.0)])
def test_likelihood_counts_in_units_of_weight(alpha, unit):
    rng = np.random.default_rng(0)
    posterior = BrlPosterior(BrlPrior(alpha=alpha), [1], unit)
    groups = rng.integers(0, 50, (6, len(alpha)))
    said = posterior.likelihood(map(tuple, groups.tolist()))
    assert said == pytest.approx(log_likelihood(alpha, groups, unit), abs=1e-9)
    first = groups[0] * unit + alpha
    assert posterior.share(tuple(groups[0].tolist())) == pytest.approx(first / first.sum())


@pytest.mark.parametrize("seed", range(12))
def test_posterior_of_every_list_is_that_of_the_definition(seed):
    instance = random_instance(seed)
    for found, expected in instance.lists.items():
        assert instance.posterior.of(instance.rows, found) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("seed", range(40))
def test_no_list_beats_what_its_rows_are_bounded_by(seed):
    rng = np.random.default_rng(seed)
    classes = 2 + seed % 2
    # one cell for each set of antecedents, so that lists may split them in every way
    holds = np.array(list(itertools.product([False, True], repeat=3)))
    counts = rng.integers(0, rng.integers(2, 9), (len(holds), classes))
    if seed % 4 == 0:  # cells of one class, which lists can tell apart wholly
        counts = counts * (np.arange(classes) == rng.integers(0, classes, len(holds))[:, None])
    alpha = tuple(rng.choice([0.3, 0.5, 1, 2, 5], classes).tolist())
    instance = Instance(holds, counts, [1] * 3, BrlPrior(alpha=alpha), [1, 0.5, 2][seed % 3])
    posterior, rows = instance.posterior, instance.rows
    best = max(log_likelihood(alpha, instance.groups(f), instance.unit) for f in instance.lists)
    assert best <= posterior.pure(rows.counts) + 1e-9
    assert best <= posterior.at_own_shares(rows) + 1e-9
    assert posterior.at_common_share(rows.counts) <= posterior.at_own_shares(rows) + 1e-9
    assert posterior.term(rows.counts) <= posterior.at_common_share(rows.counts) + 1e-9


@pytest.mark.parametrize("alpha", [(1, 1), (0.3, 5), (2, 0.5, 1)])
def test_pure_rows_beat_every_partition(alpha):
    posterior = BrlPosterior(BrlPrior(alpha=alpha), [1])
    whole = (3, 2, 2)[: len(alpha)]
    sizes = [range(n + 1) for n in whole]
    for first in itertools.product(*sizes):
        rest = tuple(n - f for n, f in zip(whole, first, strict=True))
        for second in itertools.product(*(range(n + 1) for n in rest)):
            third = tuple(r - s for r, s in zip(rest, second, strict=True))
            reached = log_likelihood(alpha, [first, second, third])
            assert reached <= posterior.pure(whole) + 1e-9


def test_own_shares_by_hand_and_where_no_cells_are_known():
    posterior = BrlPosterior(BrlPrior(), [1], unit=0.5)
    rows = CellBits(np.array([[True], [False], [False]]), np.array([[6, 2], [0, 3], [0, 0]]))
    by_hand = 0.5 * (6 * math.log(0.75) + 2 * math.log(0.25))
    assert posterior.at_own_shares(rows.everything) == pytest.approx(by_hand, abs=1e-12)
    _, left = rows.everything.capture(0)
    assert posterior.at_own_shares(left) == 0

    class Unknown:
        counts, cells = (6, 5), None

    assert posterior.at_own_shares(Unknown()) == math.inf


def test_posterior_of_no_rows_is_the_prior():
    instance = Instance([[True, False]], [[0, 0]], [1, 2], BrlPrior())
    assert math.fsum(math.exp(v) for v in instance.lists.values()) == pytest.approx(1)
    assert instance.posterior.of(instance.rows, (1, 0)) == pytest.approx(
        instance.posterior.list_prior((1, 0)), abs=1e-12
    )
