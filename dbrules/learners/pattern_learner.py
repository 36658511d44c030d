"""What all learners share that search over the patterns of a data set."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from dbrules.data.binning import Bins
from dbrules.data.binning.per_column import bins_of
from dbrules.data.thresholds import Thresholds
from dbrules.language.column import Column
from dbrules.learners.antecedent_pool import MAX_ANTECEDENTS, AntecedentPool, pool_antecedents
from dbrules.learners.coded import Coded, coded_statistics
from dbrules.learners.search_learner import SearchLearner
from dbrules.search.budget import Budget
from dbrules.search.support import MinSupport
from dbrules.statistics.classes import ClassCounts
from dbrules.statistics.dataset import Dataset

#: Costs and hyperparameters above this have no use, and would overflow in sums over rows.
LARGEST: Final = 1e9
#: Below this hyperparameters are as good as 0, which none may be.
SMALLEST: Final = 1e-9


@dataclass(frozen=True)
class PatternLearner(SearchLearner):
    """The settings that are the same for every search over antecedents.

    Antecedents have at most ``max_conditions`` and capture ``min_support`` of all rows. Without
    ``bins``, ordered columns get thresholds ``x < c`` and ``x >= c``. ``missing="level"`` makes a
    condition of NULL and NaN. The search ends at ``max_seconds``. ``statistics``: counts in
    ``memory`` or by the ``database``; ``auto`` is memory, and a sample of the rows where their
    patterns are more than ``max_patterns``; the final list is always counted on all rows.
    ``progress`` is called with a line now and then.
    """

    max_conditions: int | None = 2

    @contextmanager
    def _coded(
        self, dataset: Dataset, classes: ClassCounts, support: MinSupport, budget: Budget,
        weight: float, *, screened: Mapping[int, float] | None = None,
        max_antecedents: int = MAX_ANTECEDENTS,
    ) -> Iterator[tuple[Coded, AntecedentPool]]:  # fmt: skip
        """Yield the statistics of a data set and its antecedents, as long as they are open.

        Antecedents are screened by what they say of the positive class, at its ``weight``, or of
        each class of ``screened``, at its own.
        """
        with coded_statistics(
            dataset, classes, support, self._how, missing_level=self.missing == "level",
            where=self.statistics, max_patterns=self.max_patterns, seed=self.seed,
        ) as coded:  # fmt: skip
            codings = coded.features.codings
            pool = pool_antecedents(
                coded.statistics, codings, [self._nested(coding.column) for coding in codings],
                support, weight, max_conditions=self.max_conditions, cells=coded.cells,
                classes=screened, max_antecedents=max_antecedents,
                progress=lambda done: budget.tell(lambda: f"mining: {done}"),
                stop=lambda: budget.half_over,
            )  # fmt: skip
            yield coded, pool

    def _how(self, quantiles: int) -> Callable[[Column], Bins | Thresholds]:
        return lambda column: bins_of(self.bins, column) or Thresholds(quantiles=quantiles)

    def _nested(self, column: Column) -> bool:
        return column.type.is_ordered and bins_of(self.bins, column) is None
