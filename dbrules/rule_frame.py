"""The rules of a model as a data frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dbrules.language.json_read import label_keys
from dbrules.language.rule_set import RuleSet
from dbrules.language.write import format_conditions
from dbrules.search.association.measures import RuleTables

if TYPE_CHECKING:
    import pandas

    from dbrules.model import Model


def rule_frame(model: Model) -> pandas.DataFrame:
    """Return one row per rule, the default last; see :meth:`dbrules.model.Model.to_frame`."""
    import pandas

    classes = model.rules.target.classes
    target = model.rules.target
    falling = None if model.falling is None else model.falling.rows(model.rule_list)
    credible = None if model.posterior is None else model.posterior.intervals
    records: list[dict[str, Any]] = []
    for number, outcome in enumerate(model.rules.outcomes, start=1):
        is_rule = number <= len(model.rules.rules)
        conditions = model.rules.rules[number - 1].conditions if is_rule else ()
        record: dict[str, Any] = {
            "rule": number,
            "antecedent": format_conditions(conditions) if is_rule else "ELSE",
            "label": outcome.label,
        }
        record |= {f"n_{c}": n for c, n in zip(classes, outcome.counts, strict=True)}
        record |= {f"p_{c}": p for c, p in zip(classes, outcome.probability, strict=True)}
        if falling is not None:
            row = falling[number - 1]
            record |= {
                "risk": row.risk, "empirical": row.empirical, "lower": row.lower,
                "upper": row.upper, "above_threshold": row.is_above,
            }  # fmt: skip
        if credible is not None:
            of = outcome.label if model.falling is None else target.positive
            assert of is not None
            record["lower"], record["upper"] = credible[number - 1][target.index(of)]
        records.append(record)
    frame = pandas.DataFrame(records)
    for name, values in _association(model).items():
        frame[name] = values
    # one kind of missing: a rule that captured nothing has NaN, also where no rule captured any
    numbers = {name: float for name in ("empirical", "lower", "upper") if falling is not None}
    return frame.astype(numbers)


def _association(model: Model) -> dict[str, NDArray[np.float64]]:
    """Return the measures of the rules of a set by name, where the classes' totals are known.

    ``support`` is of antecedent and class, ``antecedent_support`` of the antecedent alone: that
    of an evaluation (:class:`~dbrules.evaluation.RuleMetrics`) is the latter.
    """
    rules, totals = model.rules, model.training.class_counts
    keys = label_keys(rules.target)
    if not isinstance(rules, RuleSet) or not all(key in totals for key in keys):
        return {}
    of_class = np.array([totals[key] for key in keys], dtype=np.float64)
    places = [rules.target.index(outcome.label) for outcome in rules.outcomes]
    if any(len(outcome.counts) != len(keys) for outcome in rules.outcomes) or not of_class.any():
        return {}
    counts = np.array([outcome.counts for outcome in rules.outcomes], dtype=np.float64)
    tables = RuleTables(
        counts[np.arange(len(places)), places], counts.sum(axis=1),
        of_class[places], float(of_class.sum()),
    )  # fmt: skip
    return {
        "support": tables.support, "antecedent_support": tables.antecedent_support,
        "confidence": tables.confidence, "lift": tables.lift, "leverage": tables.leverage,
        "conviction": tables.conviction, "chi_square": tables.chi_square, "chi_square_p": tables.p,
    }  # fmt: skip
