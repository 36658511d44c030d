"""The learners, for cases that speak of each of them."""

from __future__ import annotations

import json

import pytest

from dbrules import LEARNERS

#: Settings with which a learner finds rules in tables of a few rows; a new one must be added here.
SMALL = {
    "one_r": {"min_bucket": 2}, "frl": {},
    "brl": {"alpha": 0.1, "chains": 2, "iterations": 300},
    "frl_bayes": {"iterations": 1000, "draws": 10, "expected_length": 80, "alpha": 5, "beta": 0.7,
                  "expected_conditions": 0.5, "beta_last": 1},
    "covering": {"significance": None, "missing": "level"}, "ripper": {"missing": "level"},
    "rules": {},
}  # fmt: skip
#: How often a learner must see a row to learn from it: RIPPER grows on some, prunes on others.
TIMES = {"ripper": 10}


@pytest.fixture(params=sorted(LEARNERS))
def make(request):
    """Make a learner that finds rules in few rows, with more settings that all learners have."""
    return lambda **settings: LEARNERS[request.param](**SMALL[request.param], **settings)


@pytest.fixture
def times(make):
    """How often each row of a table of few is to be there."""
    return TIMES.get(make().name, 1)


@pytest.fixture
def rules_json():
    """Write all of a model but its training, as text."""

    def write(model):
        document = model.to_json()
        del document["training"]
        return json.dumps(document)

    return write
