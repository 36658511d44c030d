"""What the rule searches can be told besides the goal."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Options:
    """Settings of the searches, each for those that have a use for it.

    ``width``: rules, or paths, that a beam keeps. ``restarts``: of the searches that draw.
    ``max_nodes``: rules that are refined in one search; None: as many as suit it, 0: no limit.
    ``impurity``: of the trees, a name of IMPURITIES.
    """

    width: int = 5
    restarts: int = 10
    max_nodes: int | None = None
    impurity: str = "gini"
