"""What a model must be: its views agree, and objective and probabilities follow from its counts."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

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
}
