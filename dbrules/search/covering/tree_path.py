"""A rule is a path through a decision tree: from the root to ever purer children."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from dbrules.search.budget import Budget
from dbrules.search.covering.goal import Candidate, Task
from dbrules.search.covering.literal import Antecedent
from dbrules.search.covering.options import Options
from dbrules.search.covering.splits import splits
from dbrules.search.covering.subset import Subset


def tree_path(
    tasks: Sequence[Task], options: Options, budget: Budget, generator: Random
) -> tuple[int, Candidate] | None:
    """Return the purest path of a tree, and the number of the task whose class it is for.

    Each node is split in two, as in CART, by the literal of least ``options.impurity``; of equal
    ones by that of the first feature. Its literal is that of the purer side. ``options.width``
    paths are followed at once, the purest; with more than one, the other sides count too where a
    literal says them. Of the ends of the paths the one of the best value is taken, or the last
    node before it that the goal admits. Conditions that later ones imply stay, as in the tree.
    Source: Molnar (2019), Interpretable machine learning, section 4.5.2; Breiman, Friedman, Olshen
    and Stone (1984), Classification and regression trees, section 2.4.
    """
    level = [_Path(tasks, (), tuple(task.subset for task in tasks), None)]
    ends: list[tuple[int, Candidate]] = []
    while level:
        children: dict[Antecedent, _Path] = {}
        for path in level:
            found = list(path.children(options)) if budget.spend() else []
            for child in found:
                children.setdefault(child.rule.key, child)
            if not found and path.answer is not None:
                ends.append(path.answer)
        level = sorted(children.values(), key=lambda path: path.rank)[: options.width]
    return min(ends, key=lambda end: (end[1].rank[:3], end[0], end[1].key), default=None)


class _Path:
    """A node of the tree, by the literals that lead to it.

    ``views``: its rows, the class of each task told from the others. ``answer``: the rule for the
    class of most rows where the goal admits it, else what the node ``before`` answers.
    """

    def __init__(
        self, tasks: Sequence[Task], antecedent: Antecedent, views: tuple[Subset, ...],
        before: tuple[int, Candidate] | None,
    ) -> None:  # fmt: skip
        self.tasks, self.views = tasks, views
        counts = [view.count for view in views]
        self.place = max(range(len(counts)), key=lambda place: (counts[place].positive, -place))
        self.rule = tasks[self.place].candidate(antecedent, counts[self.place])
        admitted = tasks[self.place].admits(self.rule)
        self.answer = (self.place, self.rule) if admitted else before

    @property
    def rank(self) -> tuple[object, ...]:
        """The smaller the better: by purity, then rows of the class, then class, then literals."""
        count = self.rule.count
        return (-count.positive / count.total, -count.positive, self.place, self.rule.key)

    def children(self, options: Options) -> Iterator[_Path]:
        """Yield the purer side of the best split, and for a beam the other side."""
        split = splits(self.tasks[0], self.rule, self.views)
        best = split.best(options.impurity)
        if best is None:
            return
        yield self._child(int(split.place[best]))
        if options.width > 1 and (other := split.other_side(best)) is not None:
            yield self._child(int(split.place[other]))

    def _child(self, place: int) -> _Path:
        literal = self.tasks[0].refinements[place]
        views = tuple(view.meeting(literal) for view in self.views)
        return _Path(self.tasks, (*self.rule.antecedent, literal), views, self.answer)
