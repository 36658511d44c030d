"""The inner problem of Bayesian falling rule lists: the best probabilities for given rules.

Wang and Rudin, Falling rule lists, AISTATS 2015, section 4: for a list of L rules and an else,
maximise the log posterior over the odds v_l = K * γ_l * ... * γ_{L-1}. In the logits
r_l = log v_l it is concave, whatever the shapes of the priors, with one bound γ_l >= 1 a gap:

    sum over l of  n_l+ log σ(r_l) + n_l- log(1 - σ(r_l))
    + sum over l < L of  log density of γ_l = e^(r_l - r_{l+1})   (Gamma, truncated to [1, inf))
    + log density of K = e^(r_L)                                  (Gamma)

The densities are over γ and K (no Jacobian) and include their normalising constants. Without a
prior the solution is the isotonic regression of the shares, which pools adjacent violators. The
search starts there and takes projected Newton steps.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log, log1p
from typing import Final

from dbrules.search.bayes.falling_newton import ascent
from dbrules.search.bayes.falling_prior import FallingPrior

#: The squared length of a Newton step (in the curvature there) that is the last one: half of it
#: is what the step gains, and what it leaves is of the order of its power 3/2.
_LAST: Final = 1e-8
#: Rounding of the objective, in parts of it.
_ROUNDING: Final = 1e-15


@dataclass(frozen=True)
class Peak:
    """The largest log posterior density ``value``, and the ``logits`` that reach it, falling.

    One logit a rule, the else last. Where K = 0 is the best, all logits are -inf.
    """

    value: float
    logits: tuple[float, ...]


def peak(counts: Sequence[tuple[float, float]], prior: FallingPrior) -> Peak:
    """Return the best logits for the ``counts`` (positives, negatives) of each rule, else last.

    Counts are weights of at least 0. ``prior.alpha``, ``beta`` and ``beta_last`` are above 0:
    an ``alpha`` below 1 needs no care, as γ >= 1 keeps its density bounded. ``alpha_last`` is at
    least 1: below, the density of K has a pole at 0, and lists without positives have no peak.
    The prior of length and antecedents is not part of the value, which is exact to about 1e-12
    of max(1, |value|). The time depends on the number of rules, not on the size of the counts.

    >>> best = peak([(9, 1), (0, 0), (2, 8)], FallingPrior())
    >>> round(best.value, 4), [round(r, 4) for r in best.logits]
    (-15.9941, [1.7869, 0.3179, -1.1511])
    >>> peak([(0, 5)], FallingPrior()).logits
    (-inf,)
    """
    if prior.alpha_last <= 1 and not any(p for p, _ in counts):
        return Peak(_largest_densities(prior, len(counts) - 1), (-math.inf,) * len(counts))
    positives, negatives = [p for p, _ in counts], [q for _, q in counts]
    gaps, last = _start(counts, prior)
    value, gain, change, changes = ascent(positives, negatives, gaps, last, prior)
    size = 1.0
    while size * gain > _LAST + _ROUNDING * abs(value):
        ahead = [
            moved if (moved := gap + size * c) > 0 else 0.0
            for gap, c in zip(gaps, changes, strict=True)
        ]
        try:
            there = ascent(positives, negatives, ahead, last + size * change, prior)
        except (OverflowError, ZeroDivisionError):  # far beyond the peak
            size /= 4
            continue
        if there[0] < value + 1e-4 * size * gain:
            size *= 0.4
            continue
        gaps, last = ahead, last + size * change
        value, gain, change, changes = there
        size = 1.0
    value += gain * size * (1 - size / 2)
    logits = [last + size * change]
    for gap, c in zip(reversed(gaps), reversed(changes), strict=True):
        logits.append(logits[-1] + max(0.0, gap + size * c))
    value -= (len(counts) - 1) * prior.log_norm + prior.log_norm_last
    return Peak(value, tuple(reversed(logits)))


def upper(counts: Sequence[tuple[float, float]], prior: FallingPrior) -> float:
    """Return a cheap upper bound of ``peak(counts, prior).value``.

    The likelihood at the best falling shares, which are those of the pooled adjacent violators,
    and every density of the prior at its largest. Arguments are those of ``peak``.

    >>> bound = upper([(9, 1), (0, 0), (2, 8)], FallingPrior())
    >>> round(bound, 4), bound >= peak([(9, 1), (0, 0), (2, 8)], FallingPrior()).value
    (-15.1626, True)
    """
    bound = _largest_densities(prior, len(counts) - 1)
    for p, q, _ in _pools(counts):
        if p > 0 and q > 0:
            bound -= p * log1p(q / p) + q * log1p(p / q)
    return bound


@lru_cache(maxsize=1024)
def _largest_densities(prior: FallingPrior, rules: int) -> float:
    """Return the log of the largest density of the γ of as many rules and of K."""
    shape, rate = prior.alpha - 1, prior.beta
    mode = max(1.0, shape / rate)
    of_gap = shape * log(mode) - rate * mode - prior.log_norm
    shape, rate = prior.alpha_last - 1, prior.beta_last
    of_last = shape * log(shape / rate) - shape if shape > 0 else 0.0
    return rules * of_gap + of_last - prior.log_norm_last


def _pools(counts: Sequence[tuple[float, float]]) -> list[tuple[float, float, int]]:
    """Return (positives, negatives, rules) of pooled adjacent violators: odds fall strictly."""
    pools: list[tuple[float, float, int]] = []
    for p, q in counts:
        rules = 1
        while pools and p * pools[-1][1] >= pools[-1][0] * q:
            p_above, q_above, rules_above = pools.pop()
            p, q, rules = p + p_above, q + q_above, rules + rules_above
        pools.append((p, q, rules))
    return pools


def _start(counts: Sequence[tuple[float, float]], prior: FallingPrior) -> tuple[list[float], float]:
    """Return gaps and the last logit near the peak: logits of the pooled shares.

    A share of 1 on top or of 0 at the end has no logit: there the prior balances the likelihood.
    Of the densities only the exponential parts count, or the mode of K where that is larger.
    """
    pools = _pools(counts)
    levels = [log(p) - log(q) if p > 0 and q > 0 else 0.0 for p, q, _ in pools]
    top, q_top, _ = pools[0]
    p_end, end, _ = pools[-1]
    mode = (prior.alpha_last - 1) / (prior.beta_last + end)
    lowest = log(mode) if mode > 0 else -math.inf
    if len(pools) == 1:
        if p_end == 0:
            levels[0] = lowest
        elif end == 0:
            levels[0] = max(lowest, log(p_end / prior.beta_last) / 2)
    else:
        if q_top == 0:
            levels[0] = max(levels[1], (levels[1] + log(top / prior.beta)) / 2)
        if p_end == 0:
            balanced = (levels[-2] + log(prior.beta / (end + prior.beta_last))) / 2
            levels[-1] = min(levels[-2], max(lowest, balanced))
    gaps: list[float] = []
    for i, (_, _, rules) in enumerate(pools):
        gaps += [0.0] * (rules - 1)
        if i + 1 < len(pools):
            gaps.append(max(0.0, levels[i] - levels[i + 1]))
    return gaps, levels[-1]
