"""Newton steps for the probabilities of a falling rule list.

The variables are the last logit r_L and the gaps r_l - r_{l+1} >= 0. Gaps that are 0 and that
the derivative holds there pool their neighbours; steps are projected on gaps >= 0 (Bertsekas,
Projected Newton methods for optimization problems with simple constraints, SIAM Journal on
Control and Optimization 20, 1982). In the logits the system is tridiagonal, and lists are short:
plain floats are faster here than arrays.
"""

from __future__ import annotations

from math import exp, log, log1p

from dbrules.search.bayes.falling_prior import FallingPrior


def ascent(
    positives: list[float], negatives: list[float], gaps: list[float], last: float,
    prior: FallingPrior,
) -> tuple[float, float, float, list[float]]:  # fmt: skip
    """Return the objective without constants, and the Newton step from here.

    That is: the value, the squared length of the step, its change of the last logit and those of
    the gaps. A gap of 0 that the step would make negative stays 0, and the step is solved anew.
    ``positives`` and ``negatives`` are those of each rule, else last; ``gaps`` has one less.
    """
    tied = [False] * len(gaps)
    while True:
        value, length, change, solved = _eliminate(positives, negatives, gaps, last, prior, tied)
        changes: list[float] = []
        shift, i, again = change, len(gaps), False
        while i:
            i -= 1
            if (pair := solved[i]) is None:
                changes.append(0.0)
                continue
            c = pair[0] - pair[1] * shift
            if c < 0 and gaps[i] == 0:
                tied[i] = again = True
            changes.append(c)
            shift += c
        if not again:
            changes.reverse()
            return value, length, change, changes


def _eliminate(
    positives: list[float], negatives: list[float], gaps: list[float], last: float,
    prior: FallingPrior, tied: list[bool],
) -> tuple[float, float, float, list[tuple[float, float] | None]]:  # fmt: skip
    """Evaluate the objective and eliminate the gaps of the Newton system, from the top.

    Returns the value, the squared length of the step, the change of the last logit, and for each
    gap (a, b): its change is a - b * (change of the logit below it); None where it stays 0.
    """
    shape, rate = prior.alpha - 1, prior.beta
    value = force = slope = curvature = length = 0.0
    solved: list[tuple[float, float] | None] = []
    r = last + sum(gaps)
    for p, q, gap, tie in zip(positives, negatives, gaps, tied, strict=False):
        if r > 0:
            e = exp(-r)
            share = 1 / (1 + e)
            value -= q * r
            excess = (p * e - q) * share
        else:
            e = exp(r)
            share = 1 / (1 + e)
            value += p * r
            excess = (p - q * e) * share
        value -= (p + q) * log1p(e)
        curvature += (p + q) * e * share * share
        force += excess  # the derivative by this gap, without the prior
        slope += excess  # the same, once the gaps above have answered
        if gap > 0:
            pull = rate * exp(gap)
            value += shape * gap - pull
            r -= gap
        else:
            pull = rate
            value -= rate
            if tie or force + shape <= rate:
                solved.append(None)
                continue
        push = slope + shape - pull
        # Newton overshoots where an exponential must grow: there use the curvature of its secant
        if force + shape > 1.5 * pull:
            pull = (force + shape - pull) / log((force + shape) / pull)
        answer = curvature / (curvature + pull)
        move = push / (curvature + pull)
        length += push * move
        solved.append((move, answer))
        slope -= answer * push
        curvature = pull * answer
    p, q, e = positives[-1], negatives[-1], exp(-abs(last))
    share, pull = 1 / (1 + e), prior.beta_last * exp(last)
    value -= (q * last if last > 0 else -p * last) + (p + q) * log1p(e)
    value += (prior.alpha_last - 1) * last - pull
    slope += (p * e - q if last > 0 else p - q * e) * share + prior.alpha_last - 1 - pull
    curvature += (p + q) * e * share * share + pull
    change = slope / curvature
    return value, length + slope * change, change, solved
