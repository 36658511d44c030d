"""What the learners share that cover the rows rule by rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from dbrules.data.binning.per_column import bins_of
from dbrules.errors import InvalidSetting
from dbrules.language.rule_set import RESOLUTIONS
from dbrules.learners.checks import check_count, check_number, check_one_of
from dbrules.learners.covering_models import Found, counted_list, counted_set
from dbrules.learners.learner import Learned
from dbrules.learners.scales import Scaled, scaled_rows
from dbrules.learners.search_learner import SearchLearner
from dbrules.search.budget import Budget
from dbrules.statistics.classes import ClassCounts
from dbrules.statistics.dataset import Dataset

#: Codes of that many patterns are some 400 MB with 20 features.
_MAX_PATTERNS = 5_000_000


@dataclass(frozen=True)
class CoveringLearner(SearchLearner):
    """The settings that are the same for every search that covers the rows rule by rule.

    ``ordered``: a list of rules, the rarest class first, the most frequent is the default; else a
    set of rules for every class, whose overlaps are resolved by ``resolution``. At most
    ``max_rules``. Without ``bins``, thresholds of ordered columns are values of the data, any
    while there are at most ``max_cuts``, and quantiles where there are more.
    """

    missing: str = "drop"
    max_patterns: int = _MAX_PATTERNS
    ordered: bool = True
    resolution: str = "weighted"
    max_rules: int | None = None
    max_cuts: int = 1024

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.ordered, bool):
            raise InvalidSetting(f"ordered {self.ordered!r} is not a boolean: give True or False")
        check_one_of("resolution", self.resolution, RESOLUTIONS)
        check_count("max_rules", self.max_rules)
        check_number("max_cuts", self.max_cuts, least=1)
        check_count("max_cuts", self.max_cuts)
        if self.min_support is not None:
            check_number("min_support", self.min_support, least=0, most=1)

    @contextmanager
    def _scaled(self, dataset: Dataset, classes: ClassCounts) -> Iterator[Scaled]:
        """Yield the rows as codes, as long as their statistics are open."""
        with scaled_rows(
            dataset, classes, lambda column: bins_of(self.bins, column),
            missing_level=self.missing == "level", max_cuts=self.max_cuts, where=self.statistics,
            max_patterns=self.max_patterns, seed=self.seed,
        ) as scaled:  # fmt: skip
            yield scaled

    def _counted(
        self, dataset: Dataset, classes: ClassCounts, scaled: Scaled, found: Sequence[Found],
        budget: Budget,
    ) -> Learned:  # fmt: skip
        """Return the list or set of the rules found, counted on all rows."""
        if self.ordered:
            learned = counted_list(dataset, classes, scaled, found)
        else:
            learned = counted_set(dataset, classes, scaled, found, self.resolution)
        return replace(learned, notes=(*learned.notes, *self._cut(budget.limit, scaled.step)))
