"""The proof by unions ends at the judge's optimum, from whatever list it begins with."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations

import pytest
from brute_force import Instance
from larger_instances import crowded_instance, larger_instance, least_objective
from searchable import ROUNDING, best, instances, lists, searchable

from dbrules.search import union_proof as union_proof_module
from dbrules.search.budget import Budget
from dbrules.search.incumbent import Incumbent
from dbrules.search.union_proof import UnionProof, union_proof


@cache
def hard():
    """Random hard instances, every other one with free rules."""
    drawn = instances(250, False)
    return tuple(
        replace(one, rule_cost=Fraction(0)) if seed % 2 else one for seed, one in enumerate(drawn)
    )


class Run:
    """A proof that begins with the empty list."""

    def __init__(self, instance: Instance) -> None:
        self.of = searchable(instance)
        prefixes = self.of.prefixes
        self.rows = instance.rows
        self.incumbent = Incumbent(rows=self.rows)
        self.incumbent.offer(prefixes.root, prefixes.loss(prefixes.root))
        self.proof = UnionProof(prefixes, self.incumbent, self.of.table)

    def judge(self, least):
        """Check that the incumbent is permitted and costs what it says, and no less than least."""
        counts = self.of.counts(self.incumbent.antecedents)
        assert self.of.objective.permits(counts)
        exact = self.of.objective.loss(counts)
        assert self.incumbent.loss / self.rows == pytest.approx(float(exact), abs=ROUNDING)
        assert exact >= least
        return exact


def best_union(instance):
    """Return the least loss of rules that answer yes, if they need not fall, or of no rule."""
    cells = range(len(instance.positives))
    longest = len(instance.coverage) if instance.max_rules is None else instance.max_rules
    losses = [lists(instance)[()].objective]
    for size in range(min(longest, len(instance.coverage)) + 1):
        for chosen in combinations(instance.coverage, size):
            union = [cell for cell in cells if any(held[cell] for held in chosen)]
            rest = [cell for cell in cells if cell not in union]
            wrong = sum(instance.negatives[c] for c in union)
            wrong += instance.weight * sum(instance.positives[c] for c in rest)
            losses.append(Fraction(wrong) / instance.rows + instance.rule_cost * size)
    return min(losses)


def test_it_ends_at_the_optimum():
    improved = 0
    for instance in hard():
        run = Run(instance)
        before = run.incumbent.loss
        budget = Budget()
        lower = run.proof.run(budget, 0.0)
        assert budget.limit is None
        assert run.judge(best(instance)) == best(instance)
        assert lower / run.rows == pytest.approx(float(best(instance)), abs=ROUNDING)
        improved += run.incumbent.loss < before
    assert improved > 100


def crossed(seed):
    """Antecedents that each have good cells of their own, and share bad ones with others."""
    rng = random.Random(seed)
    good, bad = rng.choice([3, 4, 5]), rng.choice([1, 2])
    counts = [(rng.randint(2, 6), rng.randint(0, 2)) for _ in range(good)]
    counts += [(rng.randint(0, 1), rng.randint(2, 5)) for _ in range(bad)]
    counts.append((rng.randint(0, 2), 40))
    held = [{rng.randrange(good), rng.choice([rng.randrange(good), good + rng.randrange(bad)]),
             good + rng.randrange(bad)} for _ in range(rng.choice([3, 4, 5]))]  # fmt: skip
    coverage = tuple(tuple(cell in cells for cell in range(len(counts))) for cells in held)
    positives, negatives = (tuple(of_class) for of_class in zip(*counts, strict=True))
    cost = rng.choice([Fraction(0), Fraction(1, 10**4), Fraction(1, 60)])
    weight = rng.choice([Fraction(1), Fraction(5, 2), Fraction(3)])
    return Instance(
        coverage, positives, negatives, weight, cost, max_rules=rng.choice([None, None, 2])
    )


def test_unions_that_no_list_can_have():
    """They gain more than any falling list: not to be taken for one, nor to cut others off."""
    beyond = lists_found = 0
    for instance in map(crossed, range(180)):
        assert best_union(instance) <= best(instance)
        run = Run(instance)
        lower = run.proof.run(Budget(), 0.0)
        assert run.judge(best(instance)) == best(instance)
        assert lower / run.rows == pytest.approx(float(best(instance)), abs=ROUNDING)
        if best_union(instance) < best(instance):
            beyond += 1
            lists_found += len(run.incumbent.antecedents) > 1
    assert beyond > 45
    assert lists_found > 15


def test_of_lists_with_one_union_the_shortest_counts():
    for seed in range(200):
        instance = crowded_instance(seed, Fraction(1, 100))
        run = Run(instance)
        lower = run.proof.run(Budget(), 0.0)
        least = least_objective(instance)
        assert run.judge(least) == least
        assert lower / run.rows == pytest.approx(float(least), abs=ROUNDING)


def test_a_union_that_cannot_fall():
    # 3+ 1− on either side of 4−, w = 3: what comes second is above what came first
    instance = Instance(
        ((True, True, False, False), (False, True, True, False)),
        (3, 0, 3, 1), (1, 4, 1, 20), Fraction(3), Fraction(0),
    )  # fmt: skip
    assert best_union(instance) == Fraction(9, 33)
    run = Run(instance)
    lower = run.proof.run(Budget(), 0.0)
    assert run.judge(best(instance)) == Fraction(17, 33)
    assert lower == pytest.approx(17)


def test_larger_instances_end_at_the_optimum():
    lengths = set()
    for seed in range(30):
        instance = larger_instance(seed, 9, 80)
        run = Run(instance)
        least = least_objective(instance)
        lower = run.proof.run(Budget(), 0.0)
        assert run.judge(least) == least
        assert lower / run.rows == pytest.approx(float(least), abs=ROUNDING)
        lengths.add(len(run.incumbent.antecedents))
    assert lengths >= {0, 1, 2, 3, 4}


def test_a_budget_that_ends_bounds_the_optimum():
    cut = raised = 0
    for seed in range(20):
        instance = larger_instance(seed, 9, 80)
        least = float(least_objective(instance)) * instance.rows
        lowers = []
        for nodes in (0, 1, 3, 8, 20, 60):
            run = Run(instance)
            budget = Budget(max_nodes=nodes)
            lower = run.proof.run(budget, 0.0)
            run.judge(least / run.rows - ROUNDING)
            assert lower <= least + ROUNDING * run.rows
            assert budget.nodes <= nodes
            if budget.limit is None:
                assert lower == pytest.approx(least)
            cut += budget.limit is not None
            raised += 0 < lower < least * (1 - ROUNDING)
            lowers.append(lower)
        assert lowers == sorted(lowers)
    assert cut > 20
    assert raised > 5


def test_a_proof_that_was_cut_short_may_be_run_again():
    for instance in map(crossed, range(60)):
        run = Run(instance)
        for nodes in (1, 2, 3, 5, 8, 13):
            run.proof.run(Budget(max_nodes=nodes), 0.0)
        lower = run.proof.run(Budget(), 0.0)
        assert run.judge(best(instance)) == best(instance)
        assert lower / run.rows == pytest.approx(float(best(instance)), abs=ROUNDING)


def test_what_was_proved_before_is_kept():
    instance = larger_instance(1, 9, 80)
    least = float(least_objective(instance)) * instance.rows
    for share in (0.5, 0.99):
        assert Run(instance).proof.run(Budget(max_nodes=0), share * least) == share * least
    # nothing is left to prove
    optimal = Run(instance)
    optimal.proof.run(Budget(), 0.0)
    budget = Budget(max_nodes=0)
    assert optimal.proof.run(budget, optimal.incumbent.loss) == optimal.incumbent.loss
    assert budget.limit is None


def test_there_is_no_proof_where_numbers_are_too_large():
    instance = larger_instance(0, 5, 20)
    ready = searchable(instance)
    incumbent = Incumbent()
    assert union_proof(ready.prefixes, incumbent, ready.table) is not None
    scale = 2**52 // (4 * instance.rows) + 1
    for weight, proved in ((Fraction(4), False), (Fraction(3), True), (Fraction(1, 4), False)):
        large = replace(
            instance, weight=weight,
            positives=tuple(count * scale for count in instance.positives),
            negatives=tuple(count * scale for count in instance.negatives),
        )  # fmt: skip
        ready = searchable(large)
        assert (union_proof(ready.prefixes, incumbent, ready.table) is not None) == proved


def test_there_is_no_proof_where_the_table_is_too_large(monkeypatch):
    ready = searchable(larger_instance(0, 5, 20))
    for numbers, proved in ((ready.table.holds.size, True), (ready.table.holds.size - 1, False)):
        monkeypatch.setattr(union_proof_module, "_TABLE", numbers)
        found = union_proof(ready.prefixes, Incumbent(), ready.table)
        assert (found is not None) == proved
