"""What the Bayesian learners share: their antecedents, their chains and how long these run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace

from dbrules.errors import InvalidSetting
from dbrules.language.condition import Condition
from dbrules.learners.antecedent_pool import AntecedentPool
from dbrules.learners.checks import check_count, check_number
from dbrules.learners.coded import Coded
from dbrules.learners.learner import Learned
from dbrules.learners.pattern_learner import LARGEST, SMALLEST, PatternLearner
from dbrules.search.budget import Budget
from dbrules.search.captures import Rows
from dbrules.search.support import MinSupport
from dbrules.statistics.classes import ClassCounts
from dbrules.statistics.dataset import Dataset


@dataclass(frozen=True, eq=False)
class Pooled:
    """Antecedents to walk over, and the rows that they capture.

    ``unit``: the weight of one unit of counts. ``notes``: what was left out, and why.
    """

    coded: Coded
    pool: AntecedentPool
    rows: Rows
    unit: float
    notes: tuple[str, ...]

    @property
    def lengths(self) -> list[int]:
        """The number of conditions of each antecedent."""
        return [len(antecedent) for antecedent in self.pool.antecedents]

    def conditions(self, antecedents: tuple[int, ...]) -> list[tuple[Condition, ...]]:
        """Return the conditions of each antecedent of a list, values of their columns' types."""
        columns = {coding.column.name: coding.column for coding in self.coded.features.codings}
        return [
            tuple(c.typed(columns[c.feature]) for c in self.pool.conditions[antecedent])
            for antecedent in antecedents
        ]


@dataclass(frozen=True)
class BayesianLearner(PatternLearner):
    """The settings that are the same for every posterior over rule lists.

    ``expected_length``: λ, the mean length of a list before the data are seen. ``chains`` of
    ``iterations`` each, over at most ``max_antecedents``. Chains end at ``max_seconds``, or when
    the user interrupts them, with the best list so far.
    """

    expected_length: float = 3.0
    chains: int = 4
    iterations: int = 10_000
    max_antecedents: int = 1000

    def __post_init__(self) -> None:
        super().__post_init__()
        check_number("expected_length", self.expected_length, least=SMALLEST, most=LARGEST)
        for name in ("chains", "iterations", "max_antecedents"):
            check_given(name, getattr(self, name))

    @contextmanager
    def _pooled(
        self, dataset: Dataset, classes: ClassCounts, support: MinSupport, budget: Budget
    ) -> Iterator[Pooled]:
        """Yield the antecedents of a data set, as long as its statistics are open."""
        with self._coded(
            dataset, classes, support, budget, 1.0, screened=_balanced(classes),
            max_antecedents=self.max_antecedents,
        ) as (coded, pool):  # fmt: skip
            rows = coded.statistics.captures(pool.members, pool.antecedents)
            notes = (*coded.features.notes, *coded.notes, *pool.notes)
            yield Pooled(coded, pool, rows, float(coded.statistics.unit), notes)


def without_rules(learned: Learned, pooled: Pooled, support: MinSupport, why: str) -> Learned:
    """Add a warning of what kept the list without a rule (policy P7); ``why``: if nothing else."""
    if not pooled.coded.features.codings:
        why = "; ".join(pooled.coded.features.notes)
    elif not pooled.pool.antecedents:
        why = f"no antecedent has {support}"
    return replace(learned, warnings=(f"no rule found: {why}", *learned.warnings))


def check_given(name: str, value: object) -> None:
    """Raise InvalidSetting for anything but a whole number of at least 1."""
    if value is None:
        raise InvalidSetting(f"{name} None is not a whole number of at least 1: give 1 or more")
    check_count(name, value)


def _balanced(classes: ClassCounts) -> Mapping[int, float]:
    """Return for each class the weight at which a share above its own in all rows gains."""
    total = float(classes.weights.sum())
    return {
        place: (total - weight) / weight if weight else 1.0
        for place, weight in enumerate(classes.weights.tolist())
    }
