"""Means and differences of cross-validated scores, over many tables."""

from __future__ import annotations

import numpy as np
from covering_tables import Scores

ACCURACY_BOUND, LOSS_BOUND, AUROC_BOUND, SIZE_BOUND = 0.005, 0.02, 0.03, 1.5
WHAT = ("accuracy", "auroc", "rules", "conditions", "seconds")


def means(by_table: dict[str, dict[str, Scores]]) -> None:
    """Print the means of each learner over the tables that it finished."""
    print("  Means over the tables that a learner finished")
    for name in dict.fromkeys(name for found in by_table.values() for name in found):
        done = [f[name] for f in by_table.values() if name in f and not f[name].missing]
        if done:
            average = Scores()
            for what in WHAT:
                getattr(average, what).extend(middle(each, what) for each in done)
            print(f"    {name:16} {average.line()}, {len(done)} tables")


def against(
    by_table: dict[str, dict[str, Scores]], mine: str, other: str, goals: bool = True
) -> None:
    """Print the differences of two learners over the tables that both finished."""
    both = {
        name: (found[mine], found[other])
        for name, found in by_table.items()
        if mine in found and other in found and not found[other].missing
    }
    if not both:
        return
    print(f"  {mine} - {other}, over {len(both)} tables")
    for what, goal in (
        ("accuracy", f"within {ACCURACY_BOUND}, no loss above {LOSS_BOUND}"),
        ("auroc", f"at least {AUROC_BOUND}"),
    ):
        gains = {name: middle(us, what) - middle(them, what) for name, (us, them) in both.items()}
        worst = min(gains, key=lambda name: gains[name])
        print(
            f"    {what:10} mean {np.mean(list(gains.values())):+.4f}, "
            f"worst {gains[worst]:+.4f} ({worst})" + f"  ({goal})" * goals
        )
    for what, goal in (
        ("rules", f"at most {SIZE_BOUND}"),
        ("conditions", f"at most {SIZE_BOUND}"),
        ("seconds", "at most 1"),
    ):
        sizes = {name: (middle(us, what), middle(them, what)) for name, (us, them) in both.items()}
        ratios = {name: us / them for name, (us, them) in sizes.items() if them}
        if not ratios:
            continue
        total = sum(us for us, _ in sizes.values()) / sum(them for _, them in sizes.values())
        most = max(ratios, key=lambda name: ratios[name])
        print(
            f"    {what:10} {total:.2f} × in all, median {np.median(list(ratios.values())):.2f} ×, "
            f"most {ratios[most]:.2f} × ({most})" + f"  ({goal})" * goals
        )


def middle(scores: Scores, what: str) -> float:
    """Return the mean over the folds; of seconds the median, as a first fit warms Java up."""
    found = getattr(scores, what)
    return float(np.median(found) if what == "seconds" else np.mean(found))
