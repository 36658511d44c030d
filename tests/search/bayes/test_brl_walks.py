"""Several chains: equal seeds, cuts by budgets and users, what is kept of them."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from brl_judge import random_instance

from dbrules.search.bayes.brl_walk import BrlWalk
from dbrules.search.bayes.brl_walks import walk
from dbrules.search.budget import INTERRUPTED, Budget

CHAINS = 3


@pytest.fixture(scope="module")
def instance():
    return random_instance(4, antecedents=4)


def walked(instance, budget=None, iterations=1000, seed=0, rows=None):
    return walk(
        instance.posterior, rows or instance.rows, chains=CHAINS, iterations=iterations,
        temperature=1.0, seed=seed, budget=budget or Budget(),
    )  # fmt: skip


def check(found, instance, length):
    """Assert what must hold of chains of this length, cut or not."""
    assert [len(trace) for trace in found.traces] == [length] * CHAINS
    assert found.draws == sum(found.visits.values()) == CHAINS * (length - found.warm_up)
    assert list(found.visits.values()) == sorted(found.visits.values(), reverse=True)
    assert found.log_posterior == instance.posterior.of(instance.rows, found.best)
    # draws are what the traces say, warm-up aside
    seen = sorted(v for trace in found.traces for v in trace[found.warm_up :].tolist())
    of = {a: instance.posterior.of(instance.rows, a) for a in found.visits}
    assert seen == sorted(v for a, n in found.visits.items() for v in [of[a]] * n)
    assert found.log_posterior >= max(trace.max() for trace in found.traces)


@pytest.mark.parametrize("iterations", [1, 2, 7, 1000, 1001])
def test_whole_chains_drop_the_first_half(instance, iterations):
    found = walked(instance, iterations=iterations)
    check(found, instance, iterations)
    assert (found.warm_up, found.limit) == (iterations // 2, None)
    assert sum(proposed for _, _, proposed, _ in found.moves) == CHAINS * iterations
    assert len(found.moves) == 3 * CHAINS


def test_best_is_the_highest_of_starts_and_traces(instance):
    found = walked(instance, iterations=20)
    chains = [
        BrlWalk(instance.posterior, instance.rows, random.Random(f"0 {chain}"))
        for chain in range(CHAINS)
    ]
    starts = [chain.best_log_posterior for chain in chains]
    assert found.log_posterior == max(*starts, *(trace.max() for trace in found.traces))


def test_equal_seeds_give_equal_chains_and_others_do_not(instance):
    first, again, other = walked(instance), walked(instance), walked(instance, seed=1)
    assert np.array_equal(first.traces, again.traces)
    assert list(first.visits.items()) == list(again.visits.items())
    assert not np.array_equal(first.traces, other.traces)
    assert not np.array_equal(first.traces[0], first.traces[1])


@pytest.mark.parametrize("nodes", [0, 1, 30, 1000, 2000])
def test_a_budget_cuts_chains_to_equal_lengths(instance, nodes):
    found = walked(instance, Budget(max_nodes=nodes))
    length = len(found.traces[0])
    check(found, instance, length)
    assert 1 <= length < 1000
    assert CHAINS * length >= nodes
    assert found.limit == f"max_nodes={nodes}"
    assert found.warm_up == (500 if length > 500 else 0)
    whole = walked(instance)
    assert np.array_equal(found.traces, [trace[:length] for trace in whole.traces])


def test_seconds_cut_as_well_and_a_run_that_is_over_is_not_cut(instance):
    found = walked(instance, Budget(max_seconds=0.0))
    check(found, instance, 1)
    assert found.limit == "max_seconds=0"
    assert walked(instance, Budget(max_seconds=0.0), iterations=1).limit is None


@pytest.mark.parametrize("after", [1, 3, 8])
def test_an_interrupt_between_turns_keeps_them(instance, after):
    told = []

    def report(line):
        told.append(line)
        budget._reported = -math.inf
        if len(told) == after:
            raise KeyboardInterrupt

    budget = Budget(report=report, _reported=-math.inf)
    found = walked(instance, budget)
    check(found, instance, len(found.traces[0]))
    assert found.limit == INTERRUPTED
    assert told[-1].startswith(f"iteration {len(found.traces[0])} of 1000, 3 chains: log posterior")


class Interrupting:
    """Rows of which so many captures can be counted before the user has enough."""

    def __init__(self, rows, left):
        self._rows, self._left = rows, left
        self.counts, self.key = rows.counts, rows.key

    def capture(self, antecedent):
        self._left[0] -= 1
        if self._left[0] < 0:
            raise KeyboardInterrupt
        counts, rows = self._rows.capture(antecedent)
        return counts, Interrupting(rows, self._left)


@pytest.mark.parametrize("captures", [40, 41, 300, 800])
def test_an_interrupt_within_a_turn_leaves_whole_turns(instance, captures):
    found = walked(instance, rows=Interrupting(instance.rows, [captures]))
    length = len(found.traces[0])
    check(found, instance, length)
    assert found.limit == INTERRUPTED
    assert np.array_equal(found.traces, [trace[:length] for trace in walked(instance).traces])


def test_an_interrupt_before_the_first_draw_is_passed_on(instance):
    with pytest.raises(KeyboardInterrupt):
        walked(instance, rows=Interrupting(instance.rows, [0]))
