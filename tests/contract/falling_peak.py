"""The best odds of the rules of a Bayesian falling list, by SciPy."""

from __future__ import annotations

import numpy as np
from scipy import optimize, special


def falling_peak(pairs, settings):
    """Return the largest log density over γ and K, and the risks there, falling.

    ``pairs``: positives and negatives of each rule and, last, the else; some are positive.
    ``settings``: alpha, beta, alpha_last and beta_last of Wang and Rudin (2015), section 2. The
    variables are log γ of each rule, at least 0, and log K: in them the density is concave.
    """
    hits, others = np.array(pairs, dtype=float).T
    shapes = np.array([settings["alpha"]] * (len(hits) - 1) + [settings["alpha_last"]])
    rates = np.array([settings["beta"]] * (len(hits) - 1) + [settings["beta_last"]])
    norms = special.gammaln(shapes) - shapes * np.log(rates)
    norms[:-1] += np.log(special.gammaincc(shapes[:-1], rates[:-1]))  # γ is at least 1

    def downhill(logs):
        """Return minus the log density, and its slope."""
        odds = np.cumsum(logs[::-1])[::-1]
        value = hits @ special.log_expit(odds) + others @ special.log_expit(-odds)
        value += np.sum((shapes - 1) * logs - rates * np.exp(logs) - norms)
        slope = np.cumsum(hits * special.expit(-odds) - others * special.expit(odds))
        return -value, -(slope + shapes - 1 - rates * np.exp(logs))

    bounds = [(0, 30)] * (len(hits) - 1) + [(-40, 40)]
    near = optimize.minimize(
        downhill, np.full(len(hits), 0.1), jac=True, method="L-BFGS-B", bounds=bounds,
        options={"maxiter": 5000, "maxcor": 30, "ftol": 0, "gtol": 1e-9},
    ).x  # fmt: skip
    # exactly flat in all that the bound does not hold
    free = (near > 1e-5) | (np.arange(len(near)) == len(near) - 1)

    def at(values):
        logs = np.where(free, 0.0, near.clip(max=0))
        logs[free] = values
        return logs

    exact = at(optimize.root(lambda values: downhill(at(values))[1][free], near[free], tol=1e-13).x)
    value, slope = downhill(exact)
    assert np.abs(slope[free]).max() < 1e-6
    assert (slope[~free] > -1e-6).all()
    assert (exact[:-1] >= 0).all()
    return -value, special.expit(np.cumsum(exact[::-1])[::-1]).tolist()
