"""The posterior of falling rule lists, transcribed from its definition and integrated on a grid."""

from __future__ import annotations

from functools import cache
from itertools import permutations

import numpy as np
from scipy import optimize, stats

#: Log odds on which densities are integrated.
GRID = np.arange(-14.0, 16.0, 0.04)
STEP = GRID[1] - GRID[0]


def every_list(number, longest=None):
    longest = number if longest is None else longest
    return [c for rules in range(longest + 1) for c in permutations(range(number), rules)]


def pairs_of(rows, antecedents, positive=1, unit=1.0):
    """Return positives and negatives of each rule and of the else, row by row."""
    rule = np.full(len(rows.held), len(antecedents))
    for place in reversed(range(len(antecedents))):
        rule[rows.held[:, antecedents[place]]] = place
    found = []
    for place in range(len(antecedents) + 1):
        counts = rows.counts_of[rule == place].sum(axis=0)
        positives = counts[positive]
        found.append((positives * unit, (counts.sum() - positives) * unit))
    return found


def log_list_prior(antecedents, expected_length, weights, longest):
    lengths = stats.poisson.pmf(np.arange(longest + 1), expected_length)
    found = np.log(lengths[len(antecedents)] / lengths.sum())
    left = dict(enumerate(weights))
    for antecedent in antecedents:
        found += np.log(left[antecedent] / sum(left.values()))
        del left[antecedent]
    return found


def log_gamma_density(prior, gamma):
    free = stats.gamma(prior.alpha, scale=1 / prior.beta)
    return free.logpdf(gamma) - free.logsf(1.0)


def log_last_density(prior, last):
    return stats.gamma.logpdf(last, prior.alpha_last, scale=1 / prior.beta_last)


def log_joint(prior, pairs, gammas, last):
    """Return log p(y, γ, K | L, c)."""
    found = log_last_density(prior, last) + np.sum(log_gamma_density(prior, np.array(gammas)))
    for place, (positives, negatives) in enumerate(pairs):
        odds = last * np.prod(gammas[place:])
        found += positives * np.log(odds / (1 + odds)) - negatives * np.log1p(odds)
    return found


def log_peak(prior, pairs):
    """Return the maximum over γ and K, found by a general optimiser with bounds."""
    rules = len(pairs) - 1

    positives, totals = np.array(pairs)[:, 0], np.sum(pairs, axis=1)

    def loss(point):
        last, gaps = np.exp(point[0]), np.exp(point[1:])
        odds = last * np.append(np.cumprod(gaps[::-1])[::-1], 1.0)
        found = positives @ np.log(odds) - totals @ np.log1p(odds)
        found += (prior.alpha - 1) * point[1:].sum() - prior.beta * gaps.sum()
        found += (prior.alpha_last - 1) * point[0] - prior.beta_last * last
        slopes = np.cumsum(positives - totals * odds / (1 + odds))
        slope = np.append(
            slopes[-1] + prior.alpha_last - 1 - prior.beta_last * last,
            slopes[:-1] + prior.alpha - 1 - prior.beta * gaps,
        )
        return -found, -slope

    point = np.append(-1.0, np.full(rules, 0.5))
    bounds = [(-30.0, 30.0), *[(0.0, 30.0)] * rules]
    options = {"maxiter": 2000, "ftol": 1e-16, "gtol": 1e-10}
    for _ in range(3):
        point = optimize.minimize(loss, point, jac=True, bounds=bounds, options=options).x
    odds = np.exp(point[0]) * np.append(np.cumprod(np.exp(point[:0:-1]))[::-1], 1.0)
    assert np.all(np.diff(odds) <= 0)
    return log_joint(prior, pairs, np.exp(point[1:]), np.exp(point[0]))


@cache
def kernel_of(prior):
    """Return p(r_l | r_{l+1}) of each pair of points, and p(r_L)."""
    difference = np.maximum(GRID[:, None] - GRID[None, :], 0.0)
    kernel = np.exp(log_gamma_density(prior, np.exp(difference)) + difference) * STEP
    # half of the cell at 0 belongs to it
    kernel = np.tril(kernel, -1) + np.diag(np.diag(kernel)) / 2
    return kernel, np.exp(log_last_density(prior, np.exp(GRID)) + GRID) * STEP


class Grid:
    """p(y, r_0 … r_L | list), a chain from r_0 down, summed out on a grid of log odds."""

    def __init__(self, prior, pairs):
        self.rules = len(pairs) - 1
        softplus = np.logaddexp(0, GRID)
        terms = [n * (GRID - softplus) - m * softplus for n, m in pairs]
        self.scale = sum(term.max() for term in terms)
        self.terms = [np.exp(term - term.max()) for term in terms]
        self.kernel, self.last = kernel_of(prior)
        # messages down[l]: of the rules before l, at r_l
        self.down = [np.ones(len(GRID))]
        for term in self.terms[:-1]:
            self.down.append((self.down[-1] * term) @ self.kernel)
        # messages up[l]: prior of r_l with all that comes after
        self.up = [self.last]
        for term in reversed(self.terms[1:]):
            self.up.append(self.kernel @ (self.up[-1] * term))
        self.up.reverse()

    @property
    def log_evidence(self):
        """log p(y | list)."""
        return np.log(np.sum(self.down[-1] * self.terms[-1] * self.last)) + self.scale

    def cdf_of_last(self, values):
        return self._cdf(GRID, self.down[-1] * self.terms[-1] * self.last, values)

    def cdf_of_log_odds(self, place, values):
        return self._cdf(GRID, self.down[place] * self.terms[place] * self.up[place], values)

    def cdf_of_log_gamma(self, place, values):
        after = self.up[place + 1] * self.terms[place + 1]
        joint = (self.down[place] * self.terms[place])[:, None] * self.kernel * after[None, :]
        mass = np.array([np.trace(joint, -steps) for steps in range(len(GRID))])
        return self._cdf(np.arange(len(GRID)) * STEP, mass, values)

    @staticmethod
    def _cdf(points, mass, values):
        ends = np.concatenate([[points[0] - STEP / 2], points + STEP / 2])
        if points[0] == 0:
            ends[0] = 0.0
        return np.interp(values, ends, np.concatenate([[0.0], np.cumsum(mass / mass.sum())]))


def normalised(logs):
    """Return probabilities in proportion to exp(logs), a dict."""
    most = max(logs.values())
    weights = {key: np.exp(value - most) for key, value in logs.items()}
    total = sum(weights.values())
    return {key: weight / total for key, weight in weights.items()}


def total_variation(one, other):
    return sum(abs(one.get(key, 0) - other.get(key, 0)) for key in {*one, *other}) / 2
