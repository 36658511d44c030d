"""dbrules: rule lists learned by SQL, readable by people, deployed as SQL."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dbrules.data.binning.spec import Bins
    from dbrules.diagnostics import Diagnostics
    from dbrules.evaluation import Evaluation
    from dbrules.falling import Falling
    from dbrules.language.column import Column, ColumnType
    from dbrules.language.condition import Condition
    from dbrules.language.parse import parse_rule_list, parse_rule_set
    from dbrules.language.rule import Outcome, Rule, Target
    from dbrules.language.rule_average import RuleAverage
    from dbrules.language.rule_list import RuleList
    from dbrules.language.rule_set import RuleSet
    from dbrules.learners.association_rules import AssociationRules
    from dbrules.learners.bayesian_falling_rule_list import BayesianFallingRuleList
    from dbrules.learners.bayesian_rule_list import BayesianRuleList
    from dbrules.learners.falling_rule_list import FallingRuleList
    from dbrules.learners.one_r import OneR
    from dbrules.learners.registry import LEARNERS
    from dbrules.learners.ripper import Ripper
    from dbrules.learners.sequential_covering import SequentialCovering
    from dbrules.mined_patterns import MinedPatterns
    from dbrules.mining import mine
    from dbrules.model import Model, load
    from dbrules.posterior import Posterior
    from dbrules.training import Training
    from dbrules.verify import Verification

__version__ = "0.1.0"

#: Where each public name lives; loaded at first use, so that the import stays light.
_HOMES = {
    "AssociationRules": "dbrules.learners.association_rules",
    "BayesianFallingRuleList": "dbrules.learners.bayesian_falling_rule_list",
    "BayesianRuleList": "dbrules.learners.bayesian_rule_list",
    "Bins": "dbrules.data.binning.spec",
    "Column": "dbrules.language.column",
    "ColumnType": "dbrules.language.column",
    "Condition": "dbrules.language.condition",
    "Diagnostics": "dbrules.diagnostics",
    "Evaluation": "dbrules.evaluation",
    "Falling": "dbrules.falling",
    "FallingRuleList": "dbrules.learners.falling_rule_list",
    "LEARNERS": "dbrules.learners.registry",
    "MinedPatterns": "dbrules.mined_patterns",
    "Model": "dbrules.model",
    "OneR": "dbrules.learners.one_r",
    "Outcome": "dbrules.language.rule",
    "Posterior": "dbrules.posterior",
    "Ripper": "dbrules.learners.ripper",
    "Rule": "dbrules.language.rule",
    "RuleAverage": "dbrules.language.rule_average",
    "RuleList": "dbrules.language.rule_list",
    "RuleSet": "dbrules.language.rule_set",
    "SequentialCovering": "dbrules.learners.sequential_covering",
    "Target": "dbrules.language.rule",
    "Training": "dbrules.training",
    "Verification": "dbrules.verify",
    "load": "dbrules.model",
    "mine": "dbrules.mining",
    "parse_rule_list": "dbrules.language.parse",
    "parse_rule_set": "dbrules.language.parse",
}

__all__ = [
    "LEARNERS",
    "AssociationRules",
    "BayesianFallingRuleList",
    "BayesianRuleList",
    "Bins",
    "Column",
    "ColumnType",
    "Condition",
    "Diagnostics",
    "Evaluation",
    "Falling",
    "FallingRuleList",
    "MinedPatterns",
    "Model",
    "OneR",
    "Outcome",
    "Posterior",
    "Ripper",
    "Rule",
    "RuleAverage",
    "RuleList",
    "RuleSet",
    "SequentialCovering",
    "Target",
    "Training",
    "Verification",
    "load",
    "mine",
    "parse_rule_list",
    "parse_rule_set",
]


def __getattr__(name: str) -> Any:
    if name == "errors":
        return importlib.import_module("dbrules.errors")
    if name in _HOMES:
        value = getattr(importlib.import_module(_HOMES[name]), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'dbrules' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__", "errors"])
