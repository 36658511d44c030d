"""What a printed model says of its posterior, in comments above the list."""

from __future__ import annotations

import math
from itertools import accumulate

from dbrules.language.rule_list import RuleList
from dbrules.posterior import Posterior

#: Above this R̂ chains count as apart: Gelman et al. (2013), Bayesian data analysis, chapter 11.
AGREEMENT = 1.1
#: Fewer independent draws do not tell much of probabilities of lists.
ENOUGH = 100
#: Says whose intervals stand beside the rules in place of Wilson's.
CREDIBLE = "95 %: credible intervals of the probabilities"


def posterior_lines(posterior: Posterior, rules: RuleList) -> list[str]:
    """Return the lines of comment that a model of ``rules`` has on its posterior.

    They say how long the chains were and whether they agree, how probable the list shown is and
    how many lists make up half of the posterior, and which intervals are printed. For the list
    with intervals give ``posterior.intervals`` to
    :func:`~dbrules.language.listing.format_rule_list` or
    :func:`~dbrules.falling_text.falling_text`.
    """
    return [_chains_line(posterior), _lists_line(posterior, rules), CREDIBLE]


def _chains_line(posterior: Posterior) -> str:
    parts = [f"posterior: {posterior.draws} draws of {_number(posterior.chains, 'chain')}"]
    if posterior.r_hat is not None:
        parts.append("R-hat infinite" if posterior.r_hat == math.inf
                     else f"R-hat {posterior.r_hat:.3f}")  # fmt: skip
        if posterior.r_hat > AGREEMENT:
            parts[-1] += f" (above {AGREEMENT:g}: the chains do not agree, give more iterations)"
    if posterior.effective_sample_size is not None:
        parts.append(f"effective sample size {posterior.effective_sample_size:.0f}")
        agree = posterior.r_hat is None or posterior.r_hat <= AGREEMENT
        if agree and posterior.effective_sample_size < ENOUGH:
            parts[-1] += f" (below {ENOUGH}: probabilities of lists are rough)"
    return ", ".join(parts)


def _lists_line(posterior: Posterior, rules: RuleList) -> str:
    shown = posterior.probability_of(rules)
    kept = _number(len(posterior.lists), "list")
    if shown is not None:
        text = f"the list shown has probability {_share(shown)} of the posterior"
    else:
        text = f"the list shown was improved beyond those drawn: it is not among the {kept} kept"
    if posterior.log_posterior is not None:
        text += f" (log posterior {posterior.log_posterior:.4f})"
    sums = list(accumulate(each.probability for each in posterior.lists))
    half = next((place for place, mass in enumerate(sums, start=1) if mass >= 0.5 - 1e-9), None)
    if half is not None:
        text += f"; {_number(half, 'list')} {'makes' if half == 1 else 'make'} up half of it"
    elif sums:
        text += f"; the {kept} kept {'makes' if len(sums) == 1 else 'make'} up {_share(sums[-1])}"
    return text


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _share(probability: float) -> str:
    """Return a probability in two figures, in four near 1.

    >>> _share(0.1234), _share(0.00012), _share(1.0), _share(0.9996)
    ('0.12', '0.00012', '1', '0.9996')
    """
    return f"{probability:.2g}" if probability < 0.95 else f"{probability:.4g}"
