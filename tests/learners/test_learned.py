"""What a learner hands back reaches the model."""

from __future__ import annotations

from dataclasses import dataclass

import dbrules
from dbrules.language.rule_list import RuleList
from dbrules.learners.learner import Learned, Learner


@dataclass(frozen=True)
class Default(Learner):
    """A falling list that is a default only, proved to be best."""

    name = "default"

    def _learn(self, dataset, classes):
        falling = dbrules.Falling(3)
        (default,) = falling.outcomes(classes.target, [classes.weights], classes.rows[:1])
        rules = RuleList(classes.target, dataset.roles.features, (), default)
        return Learned(rules, 0.25, 0.25, proved=True, nodes=1, falling=falling)


def test_the_model_has_all_of_it(con):
    data = "SELECT i AS x, CASE WHEN i % 4 = 0 THEN 'yes' ELSE 'no' END AS y FROM range(40) t(i)"
    model = Default().fit(data, target="y", connection=con)
    assert (model.objective, model.lower_bound, model.gap, model.proved) == (0.25, 0.25, 0.0, True)
    assert (model.training.nodes, model.falling) == (1, dbrules.Falling(3))
    (default,) = model.rules.outcomes
    # 3 · 10 is not above 30: at the threshold the answer is the negative class
    assert (default.label, default.probability, default.counts) == ("no", (0.75, 0.25), (30, 10))
    assert dbrules.Model.from_json(model.to_json()) == model
