"""Beam search for a rule, condition by condition; a beam of one rule is hill climbing."""

from __future__ import annotations

from random import Random

from dbrules.search.budget import Budget
from dbrules.search.covering.goal import Best, Candidate, Task
from dbrules.search.covering.limited import told
from dbrules.search.covering.node import Node
from dbrules.search.covering.options import Options


def beam(task: Task, options: Options, budget: Budget, generator: Random) -> Candidate | None:
    """Return the best rule seen while the best ``options.width`` rules are refined, level by level.

    The search goes on where no refinement is better at once, as two conditions together may be,
    but not where no refinement can be better than the best rule. A gain is over the rule before,
    so that only rules are compared that cannot gain any more. Clark and Niblett (1989), The CN2
    induction algorithm, section 3; Fürnkranz (1999), Separate-and-conquer rule learning,
    Artificial Intelligence Review 13, figure 4.
    """
    return _search(task, options.width, budget)


def hill_climbing(
    task: Task, options: Options, budget: Budget, generator: Random
) -> Candidate | None:
    """Return the best rule seen while the best refinement is refined again.

    With ``foil_gain`` this is FOIL: conditions are added as long as they gain. Quinlan (1990),
    Learning logical definitions from relations, Machine Learning 5.
    """
    return _search(task, 1, budget)


def _search(task: Task, width: int, budget: Budget) -> Candidate | None:
    best, level = Best(), [Node.root(task)]
    while level:
        children: dict[tuple[object, ...], tuple[tuple[float, ...], Node]] = {}
        for node in level:
            budget.tell(lambda: told(task.rules, budget.nodes))
            if not budget.spend():
                return _last(level, best)
            if not task.is_gain:
                node.offer(best)
            elif not (node.refined.step > 0).any():
                _offer(node, best)
        for node in level:
            refined = node.refined
            gains = refined.step > 0 if task.is_gain else node.beatable(best)
            chosen = refined.order[gains[refined.order]][:width]
            for number in chosen.tolist():
                child = node.child(number)
                rank = (-float(refined.step[number]), -child.rule.count.positive)
                children.setdefault(child.rule.key, ((*rank, child.rule.conditions), child))
        ranked = sorted(children.items(), key=lambda item: (item[1][0], item[0]))
        level = [child for _, (_, child) in ranked[:width]]
    return best.found


def _offer(node: Node, best: Best) -> None:
    if node.task.admits(node.rule):
        best.offer(node.rule)


def _last(level: list[Node], best: Best) -> Candidate | None:
    """Return the best rule where the search is ended."""
    for node in level:
        _offer(node, best)
    return best.found
