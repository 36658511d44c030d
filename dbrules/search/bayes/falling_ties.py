"""Of falling lists that are equally probable, the one whose antecedents come first."""

from __future__ import annotations

from dbrules.search.bayes.falling_posterior import FallingTarget
from dbrules.search.budget import INTERRUPTED, Budget
from dbrules.search.captures import AntecedentList, captured_by

#: What two computations of one log posterior may differ by, as a share of it.
_ROUNDING = 1e-12


def first_of_ties(
    target: FallingTarget, antecedents: AntecedentList, budget: Budget
) -> AntecedentList:
    """Return a list as probable as ``antecedents``, with earlier antecedents where some tie.

    Ties go to the order of features, whatever a walk happened to meet. Each rule in turn gives way
    to the first antecedent that captures as many rows of each class there, if the list is then
    worth the same. Each rule of the list captures rows, before and after. A node of ``budget`` is
    spent on each antecedent that is counted; what was reached when it ends, or the user
    interrupts, is returned.
    """
    level = target.log_peak(antecedents)
    least = level - _ROUNDING * (1 + abs(level))
    found, rows = antecedents, target.rows
    try:
        for place in range(len(found)):
            counts, left = rows.capture(found[place])
            for other in range(found[place]):
                if other in found[:place]:
                    continue
                if not budget.spend():
                    return found
                if rows.capture(other)[0] != counts:
                    continue
                changed = _with(found, place, other)
                *captured, _ = captured_by(target.rows, changed)
                if all(map(any, captured)) and target.log_peak(changed) >= least:
                    found, left = changed, rows.capture(other)[1]
                    break
            rows = left
    except KeyboardInterrupt:
        budget.limit = INTERRUPTED
    return found


def _with(antecedents: AntecedentList, place: int, other: int) -> AntecedentList:
    """Return a list with ``other`` at ``place``; where it is in the list, they change places."""
    here = antecedents[place]
    changed = [here if antecedent == other else antecedent for antecedent in antecedents]
    changed[place] = other
    return tuple(changed)
