"""Falling rule lists of the bank table in the twelve binned columns of Chen & Rudin (2018).

Weighted errors of the proved optima are facts (exhaustive bounded search); those of the paper's
lists are what it printed.
"""

from __future__ import annotations

import warnings
from fractions import Fraction

import duckdb
import pytest
from published import published_lists

import dbrules
from dbrules.errors import DbrulesWarning

ROWS = 45211
#: By weight w and cost C of a rule: weighted errors and rules of the best list there is.
OPTIMA = {
    (1, 1e-6): (4836, 3), (1, 1e-3): (4842, 1), (1, 1e-2): (5289, 0), (1, 1e-1): (5289, 0),
    (3, 1e-6): (13211, 5), (3, 1e-3): (13213, 2), (3, 1e-2): (13464, 1), (3, 1e-1): (15867, 0),
    (5, 1e-1): (26445, 0),
}  # fmt: skip
SOFT = [one for one in published_lists() if one.soft_penalty is not None and one.objective]
HARD = [one for one in published_lists() if one.soft_penalty is None and one.objective]


@pytest.fixture(scope="module")
def fit(shared_data):
    """Fit to the binned table; a list without rules is no surprise where a rule is dear."""
    data = str(shared_data / "bank_full_frl12.parquet")
    fitted = {}

    def once(**settings):
        key = tuple(sorted(settings.items()))
        if key not in fitted:
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", "no rule found", DbrulesWarning)
                fitted[key] = dbrules.FallingRuleList(**settings).fit(
                    data, target="y", positive="yes", connection=con
                )
        return fitted[key]

    with duckdb.connect(config={"memory_limit": "1GB", "threads": 2}) as con:
        yield once


def weighted_errors(model):
    """Return the errors and the falling of a list, by its counts alone."""
    weight = Fraction(str(model.falling.positive_weight))
    counts = [tuple(reversed(outcome.counts)) for outcome in model.rules.outcomes]
    shares = [Fraction(p, p + n) for p, n in counts if p + n]
    return sum(min(weight * p, n) for p, n in counts), shares == sorted(shares, reverse=True)


@pytest.mark.parametrize(("weight", "cost"), OPTIMA)
def test_the_optimum_is_reached_and_proved(fit, weight, cost):
    model = fit(positive_weight=weight, rule_cost=cost)
    errors, rules = OPTIMA[weight, cost]
    assert weighted_errors(model) == (errors, True)
    assert len(model.rules.rules) == rules
    exact = Fraction(errors, ROWS) + Fraction(str(cost)) * rules
    assert model.training.objective == float(exact)
    assert (model.training.lower_bound, model.proved, model.gap) == (float(exact), True, 0)
    assert model.training.rows == ROWS
    assert not any("antecedents searched" in note for note in model.notes)  # all 262 were


def test_a_hard_weight_is_bounded_and_beats_the_paper_after_700_nodes(fit):
    model = fit(positive_weight=7, rule_cost=1e-6, max_nodes=700)
    errors, falls = weighted_errors(model)
    assert falls
    assert errors / ROWS + 1e-6 * len(model.rules.rules) == pytest.approx(model.objective)
    assert model.objective <= 0.5599
    # the optimum, proved by a longer search
    assert 0 < model.training.lower_bound <= 0.5598063944394064 <= model.objective + 1e-12
    assert model.proved is False
    assert "the search ended at max_nodes=700" in model.notes
    assert model.training.nodes == 700


@pytest.mark.parametrize("published", HARD, ids=lambda one: f"table-{one.table}")
def test_no_published_hard_list_is_better(fit, published):
    settings = {"positive_weight": published.positive_weight, "rule_cost": published.rule_cost}
    assert fit(**settings, max_nodes=200).objective <= published.objective + 1e-12


@pytest.mark.parametrize("published", SOFT, ids=lambda one: f"table-{one.table}")
def test_a_soft_list_is_no_worse_than_the_hard_one_and_than_any_that_was_published(fit, published):
    settings = {"positive_weight": published.positive_weight, "rule_cost": published.rule_cost,
                "max_nodes": 200}  # fmt: skip
    soft = fit(**settings, soft_penalty=published.soft_penalty)
    assert soft.objective <= fit(**settings).objective
    assert soft.objective <= published.objective + 1e-12
    risks = [outcome.probability[1] for outcome in soft.rules.outcomes]
    assert risks == sorted(risks, reverse=True)


def test_monte_carlo_is_the_papers_search_and_proves_nothing(fit):
    model = fit(positive_weight=5, rule_cost=1e-6, search="monte_carlo", restarts=300)
    assert (model.training.lower_bound, model.proved, model.gap) == (None, None, None)
    assert model.training.nodes == 300
    assert 0.4332865 <= model.objective <= 0.46  # the optimum, and what is easily found
    assert weighted_errors(model)[1]
