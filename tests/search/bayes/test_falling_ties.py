"""Of equally probable falling lists the first one is taken, and no other one."""

from __future__ import annotations

import pytest
from array_rows import random_rows

from dbrules.search.bayes.falling_counts import Scale
from dbrules.search.bayes.falling_lists import ListPrior
from dbrules.search.bayes.falling_posterior import FallingTarget
from dbrules.search.bayes.falling_prior import FallingPrior
from dbrules.search.bayes.falling_ties import first_of_ties
from dbrules.search.budget import INTERRUPTED, Budget
from dbrules.search.captures import without_idle


def target_of(rows, weights):
    return FallingTarget(rows, Scale(1, 1.0), FallingPrior(), ListPrior(3.0, weights))


@pytest.mark.parametrize("seed", range(10))
def test_each_rule_gives_way_to_its_first_twin(seed):
    rows = random_rows(seed, antecedents=3)
    # antecedents 3 to 5 hold where 0 to 2 do
    rows.held = rows.held[:, [0, 1, 2, 0, 1, 2]]
    target = target_of(rows, [1.0] * 6)
    for late in (without_idle(rows, each) for each in ((3,), (5, 4), (1, 5), (4, 0, 5))):
        found = first_of_ties(target, late, Budget())
        assert found <= tuple(a % 3 for a in late)
        assert target.log_peak(found) == pytest.approx(target.log_peak(late), abs=1e-9)
    # a twin of another weight is no tie
    uneven = target_of(rows, [1.0, 1.0, 1.0, 2.0, 2.0, 2.0])
    assert first_of_ties(uneven, (3,), Budget()) == (3,)
    # and no more are counted than the budget has
    assert first_of_ties(target, (5,), Budget(max_nodes=1)) == (5,)


def test_an_interrupt_gives_what_was_reached():
    rows = random_rows(1, antecedents=3)
    rows.held = rows.held[:, [0, 1, 2, 0, 1, 2]]
    target = target_of(rows, [1.0] * 6)

    class Interrupted(Budget):
        def spend(self, nodes=1):
            if self.nodes == 2:
                raise KeyboardInterrupt
            return super().spend(nodes)

    budget = Interrupted()
    assert first_of_ties(target, (3, 5), budget)[0] == 0
    assert budget.limit == INTERRUPTED
