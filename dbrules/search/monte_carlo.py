"""Algorithm FRL and its soft form: lists grown at random, each pruned by the best so far.

Chen & Rudin (2018), An optimization approach to learning falling rule lists, algorithms 1 and 2.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dbrules.search.budget import Budget
from dbrules.search.incumbent import Incumbent
from dbrules.search.prefixes import Extensions, Prefix, Prefixes

#: Numbers kept of prefixes that were seen, before they are forgotten and counted anew.
_KEPT: Final = 40_000_000


@dataclass(frozen=True)
class MonteCarlo:
    """The settings of Algorithm FRL.

    ``restarts``: T lists are grown. ``curiosity``: λ, how far a rule is chosen for its proportion
    of positives, and not for the share of the positives that it captures.
    ``termination_probability``: that a list ends before each of its rules.
    """

    restarts: int = 3000
    curiosity: float = 0.8
    termination_probability: float = 0.01

    def search(self, prefixes: Prefixes, incumbent: Incumbent, budget: Budget, seed: int) -> None:
        """Grow lists and keep the best in ``incumbent``; every prefix counts as a list.

        Equal seeds give equal lists; ``budget`` counts a node for each list.
        """
        _Growth(self, prefixes, incumbent, random.Random(seed)).run(budget)


@dataclass(eq=False)
class _Node:
    """A prefix that was seen: the places of what may come next, and what became of it."""

    prefix: Prefix
    extensions: Extensions
    places: NDArray[np.intp]
    bounds: NDArray[np.float64]
    appeal: NDArray[np.float64]
    children: dict[int, _Node]


class _Growth:
    def __init__(
        self, settings: MonteCarlo, prefixes: Prefixes, incumbent: Incumbent, rng: random.Random
    ) -> None:
        self._settings = settings
        self._prefixes = prefixes
        self._incumbent = incumbent
        self._rng = rng
        self._kept = 0
        self._grown = 0

    def run(self, budget: Budget) -> None:
        root = self._node(self._prefixes.root)
        for _ in range(self._settings.restarts):
            if not budget.spend():
                return
            if self._kept > _KEPT:
                self._kept = 0
                root.children.clear()
            self._grow(root)
            self._grown += 1
            budget.tell(self._line)

    def _line(self) -> str:
        return f"monte carlo: {self._grown} of {self._settings.restarts} lists, {self._incumbent}"

    def _grow(self, node: _Node) -> None:
        while len(node.places):
            if self._rng.random() < self._settings.termination_probability:
                return
            # bounds rise and the best loss falls: what is pruned once stays pruned
            hopeful = node.bounds < self._incumbent.loss
            if not hopeful.all():
                node.places = node.places[hopeful]
                node.bounds = node.bounds[hopeful]
                node.appeal = node.appeal[hopeful]
                if not len(node.places):
                    return
            appeal = np.cumsum(node.appeal)
            if appeal[-1] <= 0:
                return
            place = int(np.searchsorted(appeal, self._rng.random() * appeal[-1], side="right"))
            chosen = int(node.places[min(place, len(appeal) - 1)])
            child = node.children.get(chosen)
            if child is None:
                extensions = node.extensions
                if extensions.further[chosen] >= self._incumbent.loss:
                    # another rule is of no use: the list ends, and what it leaves is not counted
                    if extensions.losses[chosen] < self._incumbent.loss:
                        ended = self._prefixes.extend(node.prefix, extensions, chosen)
                        self._incumbent.offer(ended, self._prefixes.loss(ended))
                    return
                child = self._node(self._prefixes.extend(node.prefix, node.extensions, chosen))
                node.children[chosen] = child
            node = child

    def _node(self, prefix: Prefix) -> _Node:
        found = self._prefixes.extensions(prefix)
        self._incumbent.offer(prefix, self._prefixes.loss(prefix))
        self._kept += prefix.left.counts.size + 8 * len(found.antecedents) + 2000
        settings = self._settings
        share = found.proportions
        if self._prefixes.penalty is not None:
            least = prefix.least[0] / sum(prefix.least)
            share = np.clip(np.minimum(share, 101 * least - 100 * share), 0, None)
        appeal = settings.curiosity * share + (1 - settings.curiosity) * found.recalls
        return _Node(prefix, found, np.arange(len(found.antecedents)), found.bounds, appeal, {})
