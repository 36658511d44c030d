"""The prior over lists is a distribution, and draws follow it."""

from __future__ import annotations

import math
import random
from collections import Counter

import pytest
from falling_judge import every_list, log_list_prior, total_variation

from dbrules.errors import InvalidSetting
from dbrules.search.bayes.falling_lists import ListPrior

WEIGHTS = pytest.mark.parametrize(
    "weights", [(1.0,) * 4, (3.0, 1.0, 0.5, 2.0), (1e9, 1.0, 1e-9, 1e-9)]
)


@WEIGHTS
@pytest.mark.parametrize("max_rules", [None, 0, 2, 9])
def test_it_is_a_distribution_over_all_lists(weights, max_rules):
    prior = ListPrior(2.5, weights, max_rules)
    longest = min(4, 9 if max_rules is None else max_rules)
    assert prior.longest == longest
    lists = every_list(4, longest)
    for antecedents in lists:
        judged = log_list_prior(antecedents, 2.5, weights, longest)
        assert prior.log(antecedents) == pytest.approx(judged, rel=1e-9, abs=1e-9)
    assert math.fsum(math.exp(prior.log(found)) for found in lists) == pytest.approx(1)
    if longest < 4:
        assert prior.log((0, 1, 2, 3)) == prior.log_length(4) == -math.inf


@WEIGHTS
def test_draws_follow_it(weights):
    prior = ListPrior(1.5, weights)
    rng = random.Random(3)
    drawn = Counter(prior.draw(rng) for _ in range(30_000))
    exact = {found: math.exp(prior.log(found)) for found in every_list(4)}
    assert total_variation(exact, {key: n / 30_000 for key, n in drawn.items()}) < 0.02


def test_long_lists_have_a_prior():
    prior = ListPrior(8.0, [1.0] * 2000)
    assert -1e5 < prior.log(tuple(range(2000))) < -1e4
    assert ListPrior(8.0, []).log(()) == 0.0


@pytest.mark.parametrize(
    ("length", "weights"), [(0, [1]), (math.nan, [1]), (1, [1, 0]), (1, [math.inf]), (1, [-1.0])]
)
def test_what_is_no_prior_is_refused(length, weights):
    with pytest.raises(InvalidSetting, match="give"):
        ListPrior(length, weights)
