"""What a falling list tells of its search: how far it went, and what kept it without a rule."""

from __future__ import annotations

from dataclasses import replace

from dbrules.falling import Falling
from dbrules.learners.codings import Codings
from dbrules.learners.learner import Learned
from dbrules.search.falling_search import FoundList
from dbrules.search.support import MinSupport


def searched(
    learned: Learned, found: FoundList, *, exact: bool, step: int | None, max_patterns: int
) -> Learned:
    """Add what the search found out; a sample of 1 in ``step`` rows proves nothing of all."""
    notes = learned.notes
    if found.limit is not None:
        notes = (*notes, f"the search ended at {found.limit}")
    if step is not None:
        notes = (
            *notes,
            f"searched on 1 in {step} rows, because all have more patterns than "
            f"max_patterns {max_patterns}; counted on all of them, of which nothing is proved",
        )
    learned = replace(learned, nodes=found.nodes, notes=notes)
    if not exact:
        return learned
    if step is not None:
        return replace(learned, proved=False)
    # proved, the bound is the objective to the bit, however each was added up
    lower = learned.objective if found.proved else found.lower_bound
    return replace(learned, lower_bound=lower, proved=found.proved)


def without_rules(
    learned: Learned, features: Codings, antecedents: int, support: MinSupport, falling: Falling,
    rule_cost: float, *, proved: bool,
) -> Learned:  # fmt: skip
    """Add a warning of what kept the list without a rule (policy P7)."""
    notes = learned.notes
    if not features.codings:
        why = "; ".join(features.notes)
        notes = tuple(note for note in notes if note not in features.notes)
    elif not antecedents:
        why = f"no antecedent has {support}"
    else:
        seen = f"none of {antecedents} antecedents" if proved else "no list that was seen"
        why = (
            f"{seen} is worth its cost at positive_weight {falling.positive_weight:g} "
            f"and rule_cost {rule_cost:g}: give another positive_weight (balanced, say) or a "
            "lower rule_cost"
        )
    warnings = (f"no rule found: {why}", *learned.warnings)
    return replace(learned, notes=notes, warnings=warnings)
