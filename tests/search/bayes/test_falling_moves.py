"""Every neighbour is proposed with the probability that the Hastings ratio takes for granted."""

from __future__ import annotations

import math
import random
from collections import Counter
from fractions import Fraction

import pytest
from falling_judge import every_list

from dbrules.search.bayes.falling_moves import MOVES, propose


class Branch:
    """A draw that becomes whatever place the path says, when it is multiplied by their number."""

    def __init__(self, path, sizes):
        self.path, self.sizes = path, sizes

    def random(self):
        return self

    def __mul__(self, size):
        self.sizes.append(size)
        place = len(self.sizes) - 1
        return self.path[place] if place < len(self.path) else 0


def proposals(antecedents, number):
    """Yield every path of draws with its probability and what is proposed."""
    paths = [()]
    while paths:
        path = paths.pop()
        sizes = []
        proposal = propose(Branch(path, sizes), antecedents, number)
        taken = (*path, *[0] * (len(sizes) - len(path)))
        for place in range(len(path), len(sizes)):
            paths += [(*taken[:place], choice) for choice in range(1, sizes[place])]
        yield Fraction(1, math.prod(sizes)), proposal


def densities(number):
    """Return q(there) of each pair of lists, and the log ratio that is said."""
    there, said = {}, {}
    for antecedents in every_list(number):
        there[antecedents] = Counter()
        for probability, proposal in proposals(antecedents, number):
            after = antecedents if proposal is None else proposal.antecedents
            there[antecedents][after] += probability
            if proposal is not None:
                assert proposal.antecedents != antecedents
                assert said.setdefault((antecedents, after), proposal.log_ratio) == (
                    proposal.log_ratio
                )
    return there, said


@pytest.mark.parametrize("number", [0, 1, 2, 4])
def test_ratios_are_those_of_the_proposal_probabilities(number):
    there, said = densities(number)
    for antecedents, after in there.items():
        assert sum(after.values()) == 1
        assert all(len(set(found)) == len(found) <= number for found in after)
        assert all(back in there for back in after), antecedents
    for (antecedents, after), ratio in said.items():
        exact = there[after][antecedents] / there[antecedents][after]
        assert ratio == pytest.approx(math.log(exact), abs=1e-12)


def test_densities_are_those_of_the_paper():
    there, _ = densities(4)
    rules, number = 2, 4
    of = there[(3, 1)]
    quarter = Fraction(1, 4)
    assert of[(1, 3)] == quarter * Fraction(2, rules * (rules - 1))
    assert of[(3, 0)] == quarter * Fraction(1, (number - rules) * rules)
    assert of[(3, 2, 1)] == quarter * Fraction(1, (rules + 1) * (number - rules))
    assert of[(3,)] == quarter * Fraction(1, rules)
    # no move but an add is possible from the list of no rules, no add to a full one
    assert there[()][()] == 3 * quarter
    assert there[(0, 1, 2, 3)][(0, 1, 2, 3)] == 2 * quarter


def test_place_is_where_the_rule_comes_or_goes():
    rng = random.Random(0)
    seen = Counter()
    antecedents = (5, 0, 3)
    for _ in range(2000):
        proposal = propose(rng, antecedents, 7)
        assert proposal is not None
        move, after, place, _ = proposal
        seen[move] += 1
        if move == "add":
            assert after[:place] + after[place + 1 :] == antecedents
        elif move == "remove":
            assert antecedents[:place] + antecedents[place + 1 :] == after
        else:
            assert [a == b for a, b in zip(antecedents, after, strict=True)].index(False) == place
            assert (sorted(antecedents) == sorted(after)) == (move == "swap")
    assert set(seen) == set(MOVES)
    assert min(seen.values()) > 400
