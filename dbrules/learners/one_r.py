"""OneR (Holte 1993): the one feature whose values predict best."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dbrules.data.binning import Bins
from dbrules.errors import InvalidData, InvalidSetting
from dbrules.language.rule import Outcome, Rule
from dbrules.language.rule_list import RuleList
from dbrules.learners.crosstab import Crosstab, crosstab
from dbrules.learners.learner import Learned, Learner
from dbrules.learners.seen import Seen
from dbrules.statistics.chi_square import chi_square
from dbrules.statistics.classes import ClassCounts
from dbrules.statistics.counts import ValueCounts, check_unchanged, value_counts
from dbrules.statistics.dataset import Dataset
from dbrules.statistics.holdout import hold_out, split_counts

#: A longer list is hard to read: say how to shorten it.
_MANY_RULES = 50


@dataclass(frozen=True)
class OneR(Learner):
    """One rule per value of one feature; each predicts its most frequent class.

    ``bins``: ``"mdlp"`` by default, ``"one_r"`` (Holte's own) where ``min_bucket`` is given;
    see :class:`dbrules.Bins` for the forms. ``min_bucket``: rows of the majority class that an
    interval of Holte's binning needs (6 in the paper). ``ties``: between equally good features
    ``"first"`` takes the first column, ``"chi2"`` the smallest p-value. ``missing``: ``"level"``
    makes a rule of NULL and NaN, ``"drop"`` leaves them to the default. ``validation``: share of
    the rows held out to choose the feature; its rules are then learned from all rows.
    ``max_levels``: features with more levels are left out.

    Holte (1993), Very simple classification rules perform well on most commonly used datasets,
    section 2 and appendix A.

    >>> import pandas
    >>> houses = pandas.DataFrame({"size": ["small", "big", "big", "small"],
    ...                            "value": ["low", "high", "high", "low"]})
    >>> model = OneR().fit(houses, target="value")
    >>> [rule.label for rule in model.rules.rules]
    ['high', 'low']
    """

    name: ClassVar[str] = "one_r"

    ties: str = "first"
    missing: str = "level"
    validation: float | None = None
    max_levels: int | None = None
    min_bucket: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        _one_of("ties", self.ties, ("first", "chi2"))
        _one_of("missing", self.missing, ("level", "drop"))
        share = self.validation
        if share is not None and (
            isinstance(share, bool) or not isinstance(share, (int, float)) or not 0 < share < 1
        ):
            raise InvalidSetting(f"validation {share!r} is not a share: give 0 < validation < 1")
        for setting in ("max_levels", "min_bucket"):
            value = getattr(self, setting)
            if value is not None and (
                isinstance(value, bool) or not isinstance(value, int) or value < 1
            ):
                raise InvalidSetting(f"{setting} {value!r} is not a count: give 1 or more")

    def _default_bins(self) -> Bins:
        if self.min_bucket is None:
            return Bins("mdlp")
        return Bins("one_r", min_bucket=self.min_bucket)

    def _learn(self, dataset: Dataset, classes: ClassCounts) -> Learned:
        if len(classes.target.classes) == 1:
            return self._default_only(dataset, classes, ())
        best: Crosstab | None = None
        fewest = math.inf
        tied: list[str] = []
        notes: list[str] = []
        warnings: list[str] = []
        for training, judged in self._counts(dataset, classes):
            name = training.column.name
            if not len(training.values):
                warnings.append(f"{name}: all values missing, not used")
                continue
            table = self._crosstab(training)
            if isinstance(table, str):
                notes.append(f"{name}: {table}")
                continue
            errors = table.errors(judged, classes)
            if best is None or errors < fewest:
                best, fewest, tied = table, errors, [name]
            elif errors == fewest:
                tied.append(name)
                if self.ties == "chi2" and _log_p(table) < _log_p(best):
                    best = table
        if best is None:
            if warnings and not notes:
                raise InvalidData(f"{warnings[0]}; no feature is left: give one with values")
            return self._default_only(dataset, classes, (_blocked(notes), *warnings))
        name = best.column.name
        if len(tied) > 1:
            notes.append(f"equally good as {name}: {', '.join(n for n in tied if n != name)}")
        if self.validation is not None:
            counts = value_counts(dataset, best.column, classes)
            whole = self._crosstab(counts)
            if isinstance(whole, str):
                return self._default_only(
                    dataset, classes, (_blocked([f"{name}: {whole}"]), *warnings)
                )
            best = whole
            notes.append(
                f"{name} chosen on {self.validation:g} of the rows held out; "
                "its rules are learned from all rows"
            )
        if len(best.conditions) > _MANY_RULES:
            notes.append(
                f"{len(best.conditions)} rules: max_levels or other bins give a shorter list"
            )
        labels = set(best.majority(classes).tolist())
        if labels == {classes.majority}:
            notes.append(
                f"every rule says {classes.target.classes[classes.majority]!r}: "
                "no better than saying so of all rows"
            )
        return self._list(dataset, classes, best, tuple(notes), tuple(warnings))

    # -- candidates ------------------------------------------------------------------------

    def _counts(
        self, dataset: Dataset, classes: ClassCounts
    ) -> Iterator[tuple[ValueCounts, ValueCounts]]:
        """Yield, per feature, the counts to learn from and those to judge it by."""
        columns = dataset.roles.features
        if self.validation is None:
            for column in columns:
                counts = value_counts(dataset, column, classes)
                check_unchanged(counts, classes.rows)
                yield counts, counts
            return
        with hold_out(dataset, classes, self.validation, self.seed) as split:
            for column, stored in zip(columns, split.roles.features, strict=True):
                part = split_counts(split, stored, classes, column)
                yield part.training, part.held_out

    def _crosstab(self, counts: ValueCounts) -> Crosstab | str:
        return crosstab(
            counts,
            self._bins_for(counts.column),
            missing_level=self.missing == "level",
            max_levels=self.max_levels,
        )

    # -- results ---------------------------------------------------------------------------

    def _list(
        self, dataset: Dataset, classes: ClassCounts, table: Crosstab,
        notes: tuple[str, ...], warnings: tuple[str, ...],
    ) -> Learned:  # fmt: skip
        weighted = dataset.roles.weight is not None
        majority = table.majority(classes)
        rules = tuple(
            Rule((condition,), _outcome(classes, label, weights, rows, weighted=weighted))
            for condition, label, weights, rows in zip(
                table.conditions, majority, table.weights, table.rows, strict=True
            )
            if weights.sum() > 0  # own cuts may leave a bin empty: the default answers there
        )
        left = classes.weights - table.weights.sum(axis=0)
        left_rows = classes.rows - table.rows.sum(axis=0)
        default = _default(classes, left, left_rows, weighted=weighted)
        right = table.weights[np.arange(len(majority)), majority].sum() + left[classes.majority]
        total = classes.weights.sum()
        return Learned(
            RuleList(classes.target, dataset.roles.features, rules, default),
            objective=float(total - right) / float(total),
            seen=_seen(table),
            notes=notes,
            warnings=warnings,
        )

    def _default_only(
        self, dataset: Dataset, classes: ClassCounts, messages: tuple[str, ...]
    ) -> Learned:
        weighted = dataset.roles.weight is not None
        default = _default(classes, classes.weights, classes.rows, weighted=weighted)
        wrong = 1 - float(classes.weights.max()) / float(classes.weights.sum())
        return Learned(
            RuleList(classes.target, dataset.roles.features, (), default),
            objective=wrong,
            warnings=messages,
        )


def _seen(table: Crosstab) -> Seen:
    """Return what was seen of the column: all of its levels, as each has a rule of its own."""
    name, missing = table.column.name, {table.column.name: table.missing_rows}
    if table.column.type.is_ordered:
        return Seen(missing)
    return Seen(missing, {name: tuple(level for c in table.conditions for level in c.values)})


def _log_p(table: Crosstab) -> float:
    return chi_square(table.weights).log_p


def _blocked(reasons: list[str]) -> str:
    return f"no rule found: {'; '.join(reasons)}"


def _outcome(
    classes: ClassCounts, label: int, weights: NDArray[np.float64], rows: NDArray[np.int64],
    *, weighted: bool,
) -> Outcome:  # fmt: skip
    total = math.fsum(weights)
    return Outcome(
        classes.target.classes[label],
        tuple(float(weight) / total for weight in weights),
        tuple(_count(weight) for weight in weights),
        int(rows.sum()) if weighted else None,
    )


def _default(
    classes: ClassCounts, left: NDArray[np.float64], rows: NDArray[np.int64], *, weighted: bool
) -> Outcome:
    """Return the default: the overall majority at its overall share, and what falls to it."""
    total = math.fsum(classes.weights)
    return Outcome(
        classes.target.classes[classes.majority],
        tuple(float(weight) / total for weight in classes.weights),
        tuple(_count(weight) for weight in left),
        int(rows.sum()) if weighted else None,
    )


def _count(weight: float) -> int | float:
    rounded = round(float(weight), 12)
    return int(rounded) if rounded == int(rounded) else rounded


def _one_of(setting: str, value: object, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise InvalidSetting(f"{setting} {value!r} is not known: give one of {', '.join(allowed)}")
