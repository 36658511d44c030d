"""The learners by the name that the command line and SQL know them by."""

from __future__ import annotations

from dbrules.learners.association_rules import AssociationRules
from dbrules.learners.bayesian_falling_rule_list import BayesianFallingRuleList
from dbrules.learners.bayesian_rule_list import BayesianRuleList
from dbrules.learners.falling_rule_list import FallingRuleList
from dbrules.learners.learner import Learner
from dbrules.learners.one_r import OneR
from dbrules.learners.ripper import Ripper
from dbrules.learners.sequential_covering import SequentialCovering

LEARNERS: dict[str, type[Learner]] = {
    learner.name: learner
    for learner in (
        OneR, FallingRuleList, BayesianRuleList, BayesianFallingRuleList,
        SequentialCovering, Ripper, AssociationRules,
    )
}  # fmt: skip
