"""Qualities of a rule by what it covers, for arrays of rules at once; larger is better.

Each is given the weight ``p`` of the positive class and ``n`` of all others that a rule covers,
and what it is compared with (:class:`Setting`). No rule with at most ``p`` positives
is better than the one with ``p`` and no negatives: so the value of ``(p, 0)`` is what a refinement
can at best have. Source: Fürnkranz and Flach (2005), ROC 'n' rule learning, Machine Learning 58,
sections 3 to 5.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Weights: TypeAlias = NDArray[np.float64]


class Setting(NamedTuple):
    """What rules are compared with.

    ``positive``, ``negative``: the weight there is (P, N). ``classes``: their number (K). ``m``:
    of the m-estimate. ``before``: what the rule covered before it was refined, p0 and n0.
    """

    positive: float
    negative: float
    classes: int = 2
    m: float = 2.0
    before: tuple[float, float] | None = None


Quality: TypeAlias = Callable[[Weights, Weights, Setting], Weights]


def precision(p: Weights, n: Weights, setting: Setting) -> Weights:
    """Return p / (p + n), 0 where nothing is covered.

    >>> precision(np.array([3.0]), np.array([1.0]), Setting(10, 10))
    array([0.75])
    """
    return p / np.maximum(p + n, np.finfo(np.float64).tiny)


def laplace(p: Weights, n: Weights, setting: Setting) -> Weights:
    """Return (p + 1) / (p + n + K). Clark and Boswell (1991), EWSL, section 3.1.

    >>> laplace(np.array([3.0]), np.array([1.0]), Setting(10, 10))
    array([0.66666667])
    """
    return (p + 1) / (p + n + setting.classes)


def m_estimate(p: Weights, n: Weights, setting: Setting) -> Weights:
    """Return (p + m P / (P + N)) / (p + n + m). Cestnik (1990), ECAI.

    >>> m_estimate(np.array([3.0]), np.array([1.0]), Setting(10, 30))
    array([0.58333333])
    """
    prior = setting.positive / (setting.positive + setting.negative)
    return (p + setting.m * prior) / np.maximum(p + n + setting.m, np.finfo(np.float64).tiny)


def entropy(p: Weights, n: Weights, setting: Setting) -> Weights:
    """Return the negative entropy of what is covered, in bits.

    CN2 predicts what is most frequent among the covered rows, so a rule without positives is a
    good one there, for another class. Here a rule is for the positive class: where negatives are
    the majority, the entropy is mirrored, from -1 for halves to -2 for negatives alone.
    Clark and Niblett (1989), The CN2 induction algorithm, Machine Learning 3, section 3.

    >>> entropy(np.array([4.0, 1.0, 0.0]), np.array([0.0, 1.0, 4.0]), Setting(10, 10))
    array([ 0., -1., -2.])
    """
    share = precision(p, n, setting)
    bits = -(_times_log2(share, share) + _times_log2(1 - share, 1 - share))
    return np.where(share >= 0.5, 0.0 - bits, bits - 2)


def foil_gain(p: Weights, n: Weights, setting: Setting) -> Weights:
    """Return p (log2(p / (p + n)) - log2(p0 / (p0 + n0))), the gain over the rule before.

    Without a rule before, over the rule that covers everything. Quinlan (1990), Learning logical
    definitions from relations, Machine Learning 5, section 3.3.

    >>> foil_gain(np.array([4.0]), np.array([0.0]), Setting(10, 10))
    array([4.])
    """
    p0, n0 = setting.before or (setting.positive, setting.negative)
    return _times_log2(p, precision(p, n, setting) / (p0 / (p0 + n0)))


def wracc(p: Weights, n: Weights, setting: Setting) -> Weights:
    """Return the weighted relative accuracy, (p + n) / (P + N) (p / (p + n) - P / (P + N)).

    Lavrač, Flach and Zupan (1999), Rule evaluation measures, ILP, definition 2.

    >>> wracc(np.array([3.0]), np.array([2.0]), Setting(3, 7)).round(12)
    array([0.15])
    """
    total = setting.positive + setting.negative
    return (p - (p + n) * (setting.positive / total)) / total


def likelihood_ratio(p: Weights, n: Weights, setting: Setting) -> Weights:
    """Return 2 (p log(p / e) + n log(n / f)), e and f what a rule of that cover has by chance.

    Chi-square with one degree of freedom where the rule says nothing. Negative where the rule has
    fewer positives than by chance. Clark and Niblett (1989), section 3.2.

    >>> likelihood_ratio(np.array([4.0]), np.array([0.0]), Setting(10, 10)).round(4)
    array([5.5452])
    """
    prior = setting.positive / (setting.positive + setting.negative)
    share = precision(p, n, setting)
    nats = math.log(2) * 2
    against = _times_log2(n, (1 - share) / max(1 - prior, np.finfo(np.float64).tiny))
    value = nats * np.maximum(_times_log2(p, share / prior) + against, 0.0)
    return np.where(share >= prior, value, -value)


def significance_level(ratio: float) -> float:
    """Return the p-value of a likelihood ratio; 1 where it is not positive.

    >>> round(significance_level(3.841459), 6)
    0.05
    """
    return math.erfc(math.sqrt(max(ratio, 0.0) / 2))


def _times_log2(times: Weights, of: Weights) -> Weights:
    """Return ``times * log2(of)``, 0 where ``times`` is 0."""
    some = (times > 0) & (of > 0)
    return np.where(some, times * np.log2(np.where(some, of, 1.0)), 0.0)


#: The qualities by the name that the setting ``quality`` gives.
QUALITIES: Final[dict[str, Quality]] = {
    "precision": precision,
    "laplace": laplace,
    "m_estimate": m_estimate,
    "entropy": entropy,
    "foil_gain": foil_gain,
    "wracc": wracc,
    "likelihood_ratio": likelihood_ratio,
}
#: Those that say how much a refinement gains: each step is compared with the rule before it.
GAINS: Final = frozenset({"foil_gain"})
