from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import optimize, special

from dbrules.search.bayes.falling_inner import peak, upper
from dbrules.search.bayes.falling_prior import FallingPrior

KINDS = ("falling", "rising", "any", "equal", "awkward", "weights", "huge")


def instance(rng, kind):
    """Return random counts and a random prior; awkward counts have zeros anywhere."""
    rules = int(rng.choice([0, 1, 2, 3, 5, 8, 12]))
    totals = np.floor(10 ** rng.uniform(0.3, 3.3, rules + 1))
    shares = rng.random(rules + 1)
    if kind == "falling":
        shares = np.sort(shares)[::-1]
    if kind == "rising":
        shares = np.sort(shares)
    positives = np.round(totals * shares)
    if kind == "equal":
        positives, totals = 3 * np.floor(totals / 7), 7 * np.floor(totals / 7)
    negatives = totals - positives
    if kind == "awkward":
        positives[rng.random(rules + 1) < 0.35] = 0
        negatives[rng.random(rules + 1) < 0.35] = 0
    scale = {"weights": 0.013, "huge": 1e6}.get(kind, 1.0)
    prior = FallingPrior(
        alpha=float(rng.choice([1, 1, 1, 0.3, 2.5, 30])),
        beta=float(rng.choice([0.1, 0.1, 1e-3, 2, 20])),
        alpha_last=float(rng.choice([1, 1, 3.5])),
        beta_last=float(rng.choice([0.1, 1e-3, 4])),
    )
    counts = np.column_stack([positives, negatives]) * scale
    return [(float(p), float(q)) for p, q in counts], prior


def norm(prior, rules):
    """Return the log of what the densities of γ and K are divided by."""
    tail = math.log(special.gammaincc(prior.alpha, prior.beta))
    one = special.gammaln(prior.alpha) - prior.alpha * math.log(prior.beta) + tail
    return (
        rules * one
        + special.gammaln(prior.alpha_last)
        - prior.alpha_last * math.log(prior.beta_last)
    )


def log_posterior(last, gaps, counts, prior):
    """Return the objective and its gradient by the last logit and the gaps.

    Constants are left out.
    """
    p, q = np.array(counts).T
    r = last + np.append(np.cumsum(gaps[::-1])[::-1], 0.0)
    a, b = prior.alpha - 1, prior.beta
    a_last, b_last = prior.alpha_last - 1, prior.beta_last
    value = (p * special.log_expit(r) + q * special.log_expit(-r)).sum()
    value += (a * gaps - b * np.exp(gaps)).sum() + a_last * last - b_last * math.exp(last)
    above = np.cumsum(p * special.expit(-r) - q * special.expit(r))
    by_last = above[-1] + a_last - b_last * math.exp(last)
    gradient = np.append(by_last, above[:-1] + a - b * np.exp(gaps))
    return value, gradient


def dual_bound(logits, counts, prior):
    """Return what no log posterior can exceed, by weak duality, from any logits.

    The gaps are freed from the logits at a price y each; every part is then largest by itself.
    """
    p, n = np.array([(p, p + q) for p, q in counts]).T
    expected = n * special.expit(logits)  # the positives for which these logits are best
    mean_last = prior.beta_last * math.exp(logits[-1])
    free = np.argmax(n * special.expit(logits) * special.expit(-logits))
    expected[free] += p.sum() - expected.sum() + prior.alpha_last - 1 - mean_last
    logits[free] = special.logit(expected[free] / n[free])
    bound = (expected * special.log_expit(logits)).sum()
    bound += ((n - expected) * special.log_expit(-logits)).sum()
    force = prior.alpha - 1 - np.cumsum(expected - p)[:-1]
    means = np.maximum(force, prior.beta)
    bound += (force * np.log(means / prior.beta) - means).sum()
    return bound + special.xlogy(mean_last, mean_last / prior.beta_last) - mean_last


def by_scipy(logits, counts, prior):
    """Return the largest value that L-BFGS-B finds, begun at some distance."""

    def fall(x):
        value, gradient = log_posterior(x[0], x[1:], counts, prior)
        return -value, -gradient

    start = np.append(logits[-1] + 0.3, 0.8 * -np.diff(logits) + 0.1)
    bounds = [(None, 40)] + [(0, 40)] * (len(counts) - 1)
    options = {"maxiter": 300, "ftol": 1e-16, "gtol": 1e-9}
    return -optimize.minimize(fall, start, jac=True, bounds=bounds, method="L-BFGS-B",
                              options=options).fun  # fmt: skip


def has_peak(counts, prior):
    return prior.alpha_last > 1 or any(p for p, _ in counts)


@pytest.mark.parametrize("kind", KINDS)
def test_no_logits_are_better(kind):
    """Weak duality proves it to 1e-8; the logits reach the value, fall, and stay below upper.

    As a second judge L-BFGS-B finds nothing better, and mostly the same.
    """
    rng = np.random.default_rng(7)
    judged = equal = 0
    while judged < 300:
        counts, prior = instance(rng, kind)
        if not any(p + q * (prior.alpha_last > 1) for p, q in counts):
            continue  # below: there the peak is known
        judged += 1
        found = peak(counts, prior)
        logits, ours = np.array(found.logits), found.value + norm(prior, len(counts) - 1)
        close = 1e-8 * max(1, abs(found.value))
        assert len(logits) == len(counts)
        assert (np.diff(logits) <= 0).all()
        assert found.value <= upper(counts, prior) + close * 1e-4
        value, _ = log_posterior(logits[-1], -np.diff(logits), counts, prior)
        assert ours == pytest.approx(value, abs=close)
        theirs = by_scipy(logits, counts, prior)
        assert ours >= theirs - close
        equal += ours <= theirs + close
        assert dual_bound(logits, counts, prior) <= ours + close
    assert equal > 250


def test_without_positives_the_odds_of_the_else_are_0():
    for alpha, beta in ((1.0, 0.1), (3.0, 0.1), (0.5, 2.0)):
        prior = FallingPrior(alpha=alpha, beta=beta)
        for counts in ([(0, 5)], [(0, 5), (0, 0), (0, 7)], [(0, 0), (0, 0)]):
            found = peak(counts, prior)
            assert found.logits == (-math.inf,) * len(counts)
            gap = max(0.0, math.log(max(alpha - 1, 1e-9) / beta))
            near, _ = log_posterior(-60, np.full(len(counts) - 1, gap), counts, prior)
            assert found.value == pytest.approx(near - norm(prior, len(counts) - 1), abs=1e-9)
            assert found.value <= upper(counts, prior)


def test_without_rows_the_prior_decides():
    prior = FallingPrior(alpha=3.0, beta=0.5, alpha_last=3.5, beta_last=0.1)
    found = peak([(0, 0)] * 3, prior)
    assert found.logits == pytest.approx([math.log(25 * 16), math.log(25 * 4), math.log(25)])
    assert found.value == pytest.approx(upper([(0, 0)] * 3, prior), abs=1e-12)


def test_rising_shares_pool_and_an_empty_rule_lies_between():
    first, second, third = peak([(2, 8), (5, 5), (9, 1)], FallingPrior()).logits
    assert first == second == third
    high, middle, low = peak([(900, 10), (0, 0), (10, 900)], FallingPrior()).logits
    assert high - middle == pytest.approx(middle - low)
    # one far above pulls a rule out of the pool that its counts alone would make
    far, pulled, pool = peak([(10**6, 0), (1, 2), (1000, 1000)], FallingPrior()).logits
    assert far > pulled > pool + 1


def test_a_prior_against_steps_pools_falling_shares():
    high, low = peak([(6, 5), (5, 6)], FallingPrior(beta=50.0)).logits
    assert high == low
