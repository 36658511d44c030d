"""What Bayesian rule lists are by their definition, over every list of a few antecedents."""

from __future__ import annotations

import itertools
import math

import numpy as np
from scipy.special import gammaln

from dbrules.search.bayes.brl_posterior import BrlPosterior, BrlPrior
from dbrules.statistics.bitsets import CellBits


def every_list(antecedents, most):
    """Return every ordered list of at most so many of the antecedents."""
    return [
        found for rules in range(most + 1)
        for found in itertools.permutations(range(antecedents), rules)
    ]  # fmt: skip


def captured(holds, counts, antecedents):
    """Yield the class counts of each rule, the else last, cell by cell."""
    groups = np.zeros((len(antecedents) + 1, counts.shape[1]), dtype=int)
    for cell, held in enumerate(holds):
        first = [place for place, a in enumerate(antecedents) if held[a]]
        groups[first[0] if first else -1] += counts[cell]
    return groups


def log_likelihood(alpha, groups, unit=1.0):
    """Return the Dirichlet-multinomial likelihood: Letham et al. (2015), equation 2.5."""
    alpha, weights = np.array(alpha), np.asarray(groups) * unit
    ends = gammaln(alpha.sum()) - gammaln(alpha).sum()
    each = gammaln(weights + alpha).sum(axis=1) - gammaln((weights + alpha).sum(axis=1))
    return float((ends + each).sum())


def prior_probability(prior, lengths, antecedents, most):
    """Return p(list): how many rules, how many conditions each has, which one it is."""
    eta, lam = prior.expected_conditions, prior.expected_length
    poisson = [lam**m / math.factorial(m) for m in range(most + 1)]
    probability = poisson[len(antecedents)] / math.fsum(poisson)
    left = list(range(len(lengths)))
    for antecedent in antecedents:
        conditions = lengths[antecedent]
        of_kind = [a for a in left if lengths[a] == conditions]
        kinds = {lengths[a] for a in left}
        norm = math.fsum(eta**c / math.factorial(c) for c in kinds)
        probability *= eta**conditions / math.factorial(conditions) / norm / len(of_kind)
        left.remove(antecedent)
    return probability


class Instance:
    """A few cells and antecedents with their posterior, and every list with its log posterior."""

    def __init__(self, holds, counts, lengths, prior, unit=1.0, most=None):
        self.holds, self.counts = np.array(holds, dtype=bool), np.array(counts)
        self.lengths, self.prior, self.unit = lengths, prior, unit
        self.posterior = BrlPosterior(prior, lengths, unit, most)
        self.rows = CellBits(self.holds, self.counts).everything
        self.most = self.posterior.most
        self.lists = {
            found: math.log(prior_probability(prior, lengths, found, self.most))
            + log_likelihood(prior.alpha, self.groups(found), unit)
            for found in every_list(len(lengths), self.most)
        }

    def groups(self, antecedents):
        return captured(self.holds, self.counts, antecedents)

    def idle(self, antecedents):
        """Whether a rule of the list captures no row."""
        return not self.groups(antecedents)[:-1].any(axis=1).all()

    def probabilities(self, temperature=1.0):
        """Return the probability of each list under posterior ** (1 / temperature)."""
        logs = np.array(list(self.lists.values())) / temperature
        weights = np.exp(logs - logs.max())
        return dict(zip(self.lists, weights / weights.sum(), strict=True))


def random_instance(seed, antecedents=None, classes=None):
    """Return an instance with ties, empty cells, kinds of antecedents that may be used up."""
    rng = np.random.default_rng(seed)
    number = antecedents or int(rng.integers(1, 6))
    classes = classes or int(rng.integers(2, 4))
    cells = int(rng.integers(2, 9))
    holds = rng.random((cells, number)) < rng.uniform(0.2, 0.7)
    counts = rng.integers(0, rng.integers(2, 8), (cells, classes))
    prior = BrlPrior(
        float(rng.choice([0.5, 3, 7.9])), float(rng.choice([0.5, 1, 2])),
        tuple(rng.choice([0.3, 1.0, 2.0, 5.0], classes).tolist()),
    )  # fmt: skip
    lengths = rng.integers(1, 4, number).tolist()
    most = int(rng.integers(1, number + 1)) if rng.random() < 0.3 else None
    return Instance(holds, counts, lengths, prior, float(rng.choice([1, 1, 0.5])), most)
