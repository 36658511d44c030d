"""What a model must be: its views agree, and objective and probabilities follow from its counts."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from falling_peak import falling_peak

import dbrules


def check_views(model, connection):
    """Compare SQL, counts, JSON and text of a model of the table ``t``."""
    verified = model.verify("t", connection=connection)
    assert verified, str(verified)
    answers = answers_of(model, connection)
    printed = {i: sum(o.counts) for i, o in enumerate(model.rules.outcomes, 1) if sum(o.counts)}
    recounted = Counter()
    for (rule, _, _), rows in answers.items():
        recounted[rule] += rows
    assert printed == recounted
    assert sum(printed.values()) == model.training.rows

    document = json.loads(json.dumps(model.to_json(), allow_nan=False))
    assert dbrules.Model.from_json(document) == model
    again = dbrules.parse_rule_list(
        str(model), target=model.rules.target, features=model.rules.features
    )
    assert [r.conditions for r in again.rules] == [r.conditions for r in model.rules.rules]
    assert [o.label for o in again.outcomes] == [o.label for o in model.rules.outcomes]


def answers_of(model, connection):
    """Return the rows of the table ``t`` by rule, class and answer, of those that have a class."""
    relation = model.predict("t", connection=connection)
    names = (relation.columns[-1], model.rules.target.name, relation.columns[-3])
    rule, target, label = ('"' + name.replace('"', '""') + '"' for name in names)
    known = relation.filter(f"{target} IS NOT NULL")
    counted = known.aggregate(f"{rule}, {target}, {label}, count(*)").fetchall()
    return {(number, y, said): rows for number, y, said, rows in counted}


def check_objective(model, answers):
    """Compare the objective with the weight of each pair of class and answer."""
    JUDGES[model.learner][0](model, answers)


def check_probabilities(model):
    """Compare probabilities and labels with the counts of the model."""
    for outcome in model.rules.outcomes:
        assert sum(outcome.probability) == pytest.approx(1)
    assert all(sum(rule.outcome.counts) > 0 for rule in model.rules.rules)
    JUDGES[model.learner][1](model)


def _share_of_errors(model, answers):
    wrong = sum(weight for (label, answer), weight in answers.items() if label != answer)
    assert model.training.objective == pytest.approx(wrong / _total(model))


def _own_shares(model):
    for outcome in model.rules.outcomes:
        best = max(outcome.probability)
        assert outcome.probability[model.rules.target.index(outcome.label)] == best
    for rule in model.rules.rules:
        counts = np.array(rule.outcome.counts)
        assert rule.outcome.probability == pytest.approx(counts / counts.sum())


def _falling_loss(model, answers):
    """Chen and Rudin (2018), sections 2 and 5."""
    positive, weight, penalty = _positive(model), _weight(model), model.settings["soft_penalty"]
    if penalty is None:
        missed = sum(n for (y, said), n in answers.items() if y == positive != said)
        alarms = sum(n for (y, said), n in answers.items() if y != positive == said)
        errors = weight * missed + alarms
    else:  # what the rules' own shares answer, whatever rises
        errors = sum(min(weight * hits, total - hits) for hits, total in _captured(model))
    rises, least = 0.0, 1.0
    for share in (share for share in _shares(model) if share is not None):
        rises += max(0.0, share - least)
        least = min(least, share)
    assert penalty is not None or rises == 0
    rules = len(model.rules.rules)
    loss = errors / _total(model) + model.settings["rule_cost"] * rules + (penalty or 0) * rises
    assert model.training.objective == pytest.approx(float(loss))


def _falling_shares(model):
    target, weight = model.rules.target, _weight(model)
    place = target.index(target.positive)
    least = Fraction(1)
    for outcome, share in zip(model.rules.outcomes, _shares(model), strict=True):
        if share is None:
            continue
        least = min(least, share)
        assert outcome.probability[place] == pytest.approx(float(least))
        above = weight * least > 1 - least
        assert (outcome.label == target.positive) == above
        if not above:
            others = [n for c, n in enumerate(outcome.counts) if c != place]
            assert outcome.counts[target.index(outcome.label)] == max(others)


def _minus_log_posterior(model, answers):
    """Letham et al. (2015), sections 2.2 to 2.4.

    How many antecedents there were is told in all by a note, where some were left out, but not by
    length. So the judge looks for whole numbers of them, with one and with two conditions, that
    give the prior: hardly any would by chance, as their values are far sparser than the tolerance.
    """
    settings, alpha = model.settings, _alpha(model)
    assert settings["max_conditions"] in (1, 2)
    likelihood = sum(_dirichlet_multinomial(o.counts, alpha) for o in model.rules.outcomes)
    prior = -model.training.objective - likelihood
    lengths = [len(rule.conditions) for rule in model.rules.rules]
    most = settings["max_antecedents"]
    ones = np.arange(most + 1)[:, None]
    twos = np.arange(most + 1 if settings["max_conditions"] == 2 else 1)[None, :]
    total = ones + twos
    possible = (total <= most) & (total >= len(lengths))
    for searched in filter(None, (re.match("([0-9]+) of ", n) for n in model.training.notes)):
        possible = possible & (total == int(searched[1]))
    found = _poisson(len(lengths), settings["expected_length"], total, settings["max_rules"])
    eta, used = settings["expected_conditions"], {1: 0, 2: 0}
    with np.errstate(divide="ignore", invalid="ignore"):
        for length in lengths:
            left = {1: ones - used[1], 2: twos - used[2]}
            # η^c / c! of the lengths that are still to be had
            norm = eta * (left[1] > 0) + eta**2 / 2 * (left[2] > 0)
            found = found + np.log((eta if length == 1 else eta**2 / 2) / norm)
            found = found - np.log(left[length])
            possible = possible & (left[length] > 0)
            used[length] += 1
    assert np.isclose(found[possible], prior, rtol=0, atol=1e-8).any()
    assert -model.training.objective == pytest.approx(model.posterior.log_posterior, abs=1e-9)


def _poisson(rules, mean, total, most):
    """Return the log probability of so many rules, where ``total`` (or ``most``) are the most."""
    logs = np.array([i * math.log(mean) - math.lgamma(i + 1) for i in range(int(total.max()) + 1)])
    norms = np.log(np.cumsum(np.exp(logs)))
    return logs[rules] - norms[total if most is None else np.minimum(total, most)]


def _dirichlet_multinomial(counts, alpha):
    """Return the log probability of labels in one order, their probabilities integrated out."""
    return (
        math.lgamma(sum(alpha)) - math.lgamma(sum(alpha) + sum(counts))
        + sum(math.lgamma(a + n) - math.lgamma(a) for a, n in zip(alpha, counts, strict=True))
    )  # fmt: skip


def _posterior_means(model):
    _smoothed_shares(model, _alpha(model))
    for outcome, intervals in zip(model.rules.outcomes, model.posterior.intervals, strict=True):
        for p, (lower, upper) in zip(outcome.probability, intervals, strict=True):
            assert lower < p < upper


def _alpha_shares(model):
    alpha, default = _alpha(model), model.rules.default
    if not any(default.counts):  # then it answers by the classes of all rows
        totals = np.sum([rule.outcome.counts for rule in model.rules.rules], axis=0)
        rules = replace(model.rules, default=replace(default, counts=tuple(totals.tolist())))
        model = replace(model, rules=rules)
    _smoothed_shares(model, alpha)


def _laplace_shares(model):
    _smoothed_shares(model, [1.0] * len(model.rules.target.classes))


def _smoothed_shares(model, alpha):
    target = model.rules.target
    totals = np.sum([outcome.counts for outcome in model.rules.outcomes], axis=0)
    for outcome in model.rules.outcomes:
        parts = np.array(alpha) + outcome.counts
        assert outcome.probability == pytest.approx(parts / parts.sum())
        best = [c for c, p in enumerate(outcome.probability) if p == max(outcome.probability)]
        assert outcome.label == target.classes[max(best, key=lambda c: (totals[c], -c))]


def _alpha(model):
    alpha = model.settings["alpha"]
    labels = [str(label) for label in model.rules.target.classes]
    return [alpha.get(label, 1.0) if isinstance(alpha, dict) else alpha for label in labels]


def _minus_log_posterior_of_falling(model, answers):
    """Wang and Rudin (2015), section 2, at the best odds.

    As for other Bayesian lists, numbers of antecedents are looked for that give the prior of the
    list. Antecedents are of two kinds at most here: with one and two conditions, or with and
    without the column of ``clause_weights``; within a kind all are drawn alike.
    """
    settings = model.settings
    likelihood, _ = falling_peak(_pairs(model), settings)
    prior = -model.training.objective - likelihood
    weights, eta = settings["clause_weights"] or {}, settings["expected_conditions"]
    if weights:
        assert eta is None
        assert (len(weights), settings["max_conditions"]) == (1, 1)
        kinds = [int(rule.features[0] in weights) for rule in model.rules.rules]
    else:
        kinds = [len(rule.conditions) - 1 if eta else 0 for rule in model.rules.rules]
    most = settings["max_antecedents"]
    numbers = [np.arange(most + 1)[:, None], np.arange(most + 1 if eta or weights else 1)[None, :]]
    total = numbers[0] + numbers[1]
    possible = (total <= most) & (total >= len(kinds))
    for searched in filter(None, (re.match("([0-9]+) of ", n) for n in model.training.notes)):
        possible = possible & (total == int(searched[1]))
    with np.errstate(divide="ignore", invalid="ignore"):
        if eta:
            of_kind = [eta / numbers[0], eta**2 / 2 / numbers[1]]
        else:
            of_kind = [np.ones_like(total), np.full_like(total, max([1, *weights.values()]))]
        found = _poisson(len(kinds), settings["expected_length"], total, settings["max_rules"])
        used = [0, 0]
        for kind in kinds:
            left = [
                np.where(n > u, w * (n - u), 0)
                for w, n, u in zip(of_kind, numbers, used, strict=True)
            ]
            found = found + np.log(of_kind[kind] / (left[0] + left[1]))
            possible = possible & (numbers[kind] > used[kind])
            used[kind] += 1
    assert np.isclose(found[possible], prior, rtol=0, atol=1e-8).any()
    if model.posterior is not None:
        assert -model.training.objective == pytest.approx(model.posterior.log_posterior, abs=1e-9)


def _risks_at_the_peak(model):
    target = model.rules.target
    place = target.index(target.positive)
    _, risks = falling_peak(_pairs(model), model.settings)
    shown = [outcome.probability[place] for outcome in model.rules.outcomes]
    assert shown == pytest.approx(risks, abs=1e-6)
    assert shown[0] <= 1
    assert shown == sorted(shown, reverse=True)
    for outcome, risk in zip(model.rules.outcomes, shown, strict=True):
        if abs(risk - 0.5) > 1e-9:
            assert (outcome.label == target.positive) == (risk > 0.5)
        if outcome.label != target.positive:
            others = [n for c, n in enumerate(outcome.counts) if c != place]
            assert outcome.counts[target.index(outcome.label)] == max(others)
    if model.posterior is not None:
        for outcome, intervals in zip(model.rules.outcomes, model.posterior.intervals, strict=True):
            for p, (lower, upper) in zip(outcome.probability, intervals, strict=True):
                assert (0 <= lower < upper <= 1) if p else (lower == upper == 0)


def _pairs(model):
    """Return positives and negatives of each rule and, last, the else."""
    return [(float(hits), float(total - hits)) for hits, total in _captured(model)]


def _captured(model):
    """Return positives and all of what each rule and, last, the else captures."""
    place = model.rules.target.index(_positive(model))
    exact = [[Fraction(str(n)) for n in outcome.counts] for outcome in model.rules.outcomes]
    return [(counts[place], sum(counts)) for counts in exact]


def _shares(model):
    """Return the share of positives of each rule and the else, None where it has no rows."""
    return [hits / total if total else None for hits, total in _captured(model)]


def _positive(model):
    return model.rules.target.positive


def _weight(model):
    return Fraction(str(model.falling.positive_weight))


def _total(model):
    return sum(sum(outcome.counts) for outcome in model.rules.outcomes)


#: By learner: of the objective, of probabilities and labels.
JUDGES = {
    "one_r": (_share_of_errors, _own_shares),
    "frl": (_falling_loss, _falling_shares),
    "brl": (_minus_log_posterior, _posterior_means),
    "frl_bayes": (_minus_log_posterior_of_falling, _risks_at_the_peak),
    "covering": (_share_of_errors, _laplace_shares),
    "ripper": (_share_of_errors, _laplace_shares),
    "rules": (_share_of_errors, _alpha_shares),
}
