"""The exact search against every list, and its upper bound wherever it is cut."""

from __future__ import annotations

import math

import numpy as np
import pytest
from brl_judge import Instance, random_instance

from dbrules.search.bayes.brl_exact import BrlExact
from dbrules.search.bayes.brl_posterior import BrlPosterior, BrlPrior
from dbrules.search.budget import INTERRUPTED, Budget


def optimum(instance):
    """Return the highest log posterior of lists of which each rule captures a row."""
    return max(value for found, value in instance.lists.items() if not instance.idle(found))


def check(found, instance, best):
    """Assert what must hold of an answer, proved or cut."""
    assert found.log_posterior == pytest.approx(instance.lists[found.antecedents], abs=1e-9)
    assert not instance.idle(found.antecedents)
    assert found.upper_bound >= best - 1e-8
    assert found.log_posterior <= found.upper_bound
    if found.proved:
        assert found.log_posterior == pytest.approx(best, abs=1e-8)
        assert (found.upper_bound, found.limit) == (found.log_posterior, None)


@pytest.mark.parametrize("seed", range(60))
def test_optimum_is_proved_and_bounded_at_every_cut(seed):
    instance = random_instance(seed)
    best, budget = optimum(instance), Budget()
    whole = BrlExact(instance.posterior, instance.rows).run((), budget)
    assert whole.proved
    check(whole, instance, best)
    bounds = []
    for nodes in range(min(budget.nodes, 30)):
        cut = BrlExact(instance.posterior, instance.rows).run((), Budget(max_nodes=nodes))
        check(cut, instance, best)
        assert cut.proved or (cut.nodes, cut.limit) == (nodes, f"max_nodes={nodes}")
        bounds.append(cut.upper_bound)
    assert bounds == sorted(bounds, reverse=True)


@pytest.mark.parametrize("seed", range(10))
def test_rows_without_known_cells_give_the_same_optimum(seed):
    class Unknown:
        cells = None

        def __init__(self, rows):
            self._rows, self.counts, self.key = rows, rows.counts, rows.key

        def capture(self, antecedent):
            counts, rows = self._rows.capture(antecedent)
            return counts, Unknown(rows)

    instance = random_instance(seed)
    found = BrlExact(instance.posterior, Unknown(instance.rows)).run((), Budget())
    check(found, instance, optimum(instance))
    assert found.proved


@pytest.mark.parametrize("seed", range(5))
def test_interrupted_search_keeps_its_best_and_bound(seed):
    def report(line):
        assert "log posterior" in line
        raise KeyboardInterrupt

    instance = random_instance(seed, antecedents=5)
    budget = Budget(report=report, _reported=-math.inf)
    found = BrlExact(instance.posterior, instance.rows).run((), budget)
    check(found, instance, optimum(instance))
    assert found.nodes == 1
    assert found.proved or found.limit == INTERRUPTED


def test_a_start_is_only_replaced_by_a_better_list():
    instance = random_instance(3, antecedents=4)
    whole = BrlExact(instance.posterior, instance.rows).run((), Budget())
    again = BrlExact(instance.posterior, instance.rows).run(whole.antecedents, Budget())
    assert again.antecedents == whole.antecedents
    assert again.proved


def test_long_lists_may_be_likelier_than_those_between():
    # so light that only the prior speaks; of lists of 1 to 5 rules the middle ones are rarest
    prior = BrlPrior(expected_length=7.9)
    cells = np.vstack([np.eye(5), np.zeros(5)])
    instance = Instance(cells, [[1, 1]] * 6, [1] * 5, prior, unit=1e-9)
    found = BrlExact(instance.posterior, instance.rows).run((), Budget())
    check(found, instance, optimum(instance))
    assert len(found.antecedents) == 5


@pytest.mark.parametrize("lengths", [[1] * 5, [1, 1, 2, 2, 2], [1, 2, 2, 3, 3]])
@pytest.mark.parametrize(("lam", "eta"), [(0.5, 1), (3, 0.1), (7.9, 2), (30, 5)])
@pytest.mark.parametrize("most", [None, 3])
def test_no_list_goes_on_with_a_higher_prior_than_expected(lengths, lam, eta, most):
    posterior = BrlPosterior(BrlPrior(lam, eta), lengths, most=most)
    instance = Instance([[False] * 5], [[0, 0]], lengths, posterior.prior, most=most)
    search = BrlExact(posterior, instance.rows)
    kinds = sorted(set(lengths))
    for longer in instance.lists:
        for cut in range(len(longer)):
            prefix = longer[:cut]
            used = tuple(sum(lengths[a] == kind for a in prefix) for kind in kinds)
            so_far = posterior.list_prior(prefix) - posterior.length_prior(cut)
            rest = posterior.list_prior(longer) - so_far
            assert rest <= search._future(used) + 1e-9
