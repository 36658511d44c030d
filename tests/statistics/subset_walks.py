"""Random questions about two answers to the same rows: `from subset_walks import walk`."""

from __future__ import annotations

import numpy as np

from dbrules.search.covering.draw import draws
from dbrules.search.covering.literal import Literal


def a_literal(rng, features):
    place = rng.randrange(len(features))
    size, steps = features[place].size, features[place].steps
    first = rng.randrange(size - 1)
    if first >= steps:
        return Literal(place, first, first + 1)
    first, end = sorted(rng.sample(range(steps + 1), 2))
    return Literal(place, *rng.choice([(0, end), (first, steps), (first, end), (first, first + 1)]))


def an_antecedent(rng, features):
    return tuple(a_literal(rng, features) for _ in range(rng.choice([0, 1, 1, 2, 2, 3, 4])))


def agree(memory, engine, rng):
    """Ask both the same."""
    features = memory.features
    rules = [an_antecedent(rng, features) for _ in range(rng.randrange(5))]
    rule = an_antecedent(rng, features)
    if rng.random() < 0.5:
        assert engine.count == memory.count
    assert engine.histogram.tolist() == memory.histogram.tolist()
    assert engine.histogram.dtype == memory.histogram.dtype == np.int64
    assert engine.count == memory.count == memory.path((Literal(0, 0, features[0].size),))[0]
    assert engine.path(rule) == memory.path(rule)
    assert engine.captures(rules) == memory.captures(rules)
    for unit in {0, memory.count.positive // 2, memory.count.positive - 1}:
        if 0 <= unit < memory.count.positive:
            assert engine.row(unit) == memory.row(unit)


def walk(memory, engine, rng, steps):
    """Narrow both in the same way, at random."""
    agree(memory, engine, rng)
    if not steps:
        return
    how = rng.choice(["meeting", "without", "without_positives", "split"])
    if how == "split":
        draw = draws(rng.randrange(99), rng.choice([1 / 3, 0.5, 0.7, 0.01, 1])).next()
        with memory.split(draw) as mine, engine.split(draw) as theirs:
            for part in (0, 1):
                walk(mine[part], theirs[part], rng, steps - 1)
    else:
        rule = (a_literal(rng, memory.features), *an_antecedent(rng, memory.features)[:2])
        arguments = rule if how == "meeting" else (rule,)
        walk(getattr(memory, how)(*arguments), getattr(engine, how)(*arguments), rng, steps - 1)
